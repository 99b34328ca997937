//! The names of a project: where they are declared and where they are used, in scenarios and in scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::load::is_plan;
use flockwork_engine::scenario;
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::tokens::ron_tree::{MAX_DEPTH, RonKind, RonNode, RonTree, RonWord};

use super::follow::{Followed, SUFFIXES};
use super::plans::in_plan;
use super::project::{Project, is_script};
use super::rhai_text::Tokens;

/// A name that is written in a file of a project.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) kind: NameKind,
    pub(super) text: String,
    /// The bytes of the name, without quotes.
    pub(super) place: Place,
    /// Whether the name is declared here, not used.
    pub(super) is_declared: bool,
    /// The group whose param, public state or behavior it is; `None` for a shared param, and for everything else.
    pub(super) group: Option<String>,
    /// The value that is declared, as it is written.
    pub(super) value: Option<String>,
    /// What the comment beside a declared param says.
    pub(super) comment: Option<String>,
}

impl Name {
    /// Returns the same name with another text.
    pub(super) fn renamed(&self, text: &str) -> Self {
        Self { text: text.to_owned(), ..self.clone() }
    }
}

/// Returns the names in a scenario.
pub(super) fn in_scenario(source: &Arc<Source>) -> Vec<Name> {
    let tree = RonTree::new(&source.text);
    let mut all: Vec<Name> = Vec::new();
    // Names of states or params, by their places in the list.
    let mut either: Vec<usize> = Vec::new();
    // The last declared name, and its value.
    let mut declared: Option<(usize, RonNode<'_, '_>)> = None;
    for word in tree.words() {
        let is_either = is_state_or_param(&word);
        let known = if is_either { Some((NameKind::State, false)) } else { kind(&word) };
        let Some((kind, is_declared)) = known else { continue };
        either.extend(is_either.then_some(all.len()));
        // A value that is a name, or has names in brackets without a name, is not shown.
        let is_hidden =
            |value: RonNode<'_, '_>| value.name().is_none() && value.contains(word.node);
        if let Some((name, _)) = declared.filter(|(_, value)| is_hidden(*value)) {
            all[name].value = None;
        }
        declared = is_declared.then_some((all.len(), word.node));
        let group = match keys(word.node)[..] {
            ["groups", group, "params" | "ranges" | "public" | "behavior" | "signs", ..] => {
                Some(group.to_owned())
            }
            _ => None,
        };
        all.push(Name {
            kind,
            text: word.text.to_owned(),
            place: Place { source: Arc::clone(source), span: word.inner },
            is_declared,
            group,
            value: value(word.node).filter(|_| is_declared).map(str::to_owned),
            comment: (is_declared && kind == NameKind::Param)
                .then(|| word.node.comment())
                .flatten(),
        });
    }
    for index in either {
        let is_param = |other: &Name| {
            let is_near = other.group.is_none() || other.group == all[index].group;
            other.is_declared && other.kind == NameKind::Param && is_near
        };
        if all.iter().any(|other| is_param(other) && other.text == all[index].text) {
            all[index].kind = NameKind::Param;
        }
    }
    all
}

/// Returns whether a word names a state or a param: a number of a sign.
fn is_state_or_param(word: &RonWord<'_, '_>) -> bool {
    let is_string = !word.is_key && word.node.kind() == RonKind::String;
    is_string && matches!(keys(word.node)[..], ["groups", _, "signs", .., "radius" | "angle_deg"])
}

/// Returns a value as it is shown: the name before its brackets, or all of it if it has no name. `None` if its brackets are not closed.
fn value<'t>(node: RonNode<'_, 't>) -> Option<&'t str> {
    match node.word() {
        Some(word) => node.tree().text().get(word.span),
        None => node.closing().map(|_| node.text()),
    }
}

/// Returns the keys of the fields and entries that lead to a value, with its own key. One that is missing is empty.
pub(super) fn keys<'t>(node: RonNode<'_, 't>) -> Vec<&'t str> {
    if node.depth() > MAX_DEPTH {
        return Vec::new();
    }
    let around = node.ancestors().filter(|node| node.depth() > 0);
    let mut keys: Vec<&str> = around.map(|node| node.key().unwrap_or_default()).collect();
    keys.reverse();
    keys
}

/// Returns what the keys of a map are names of, and whether they declare these.
pub(super) fn key_kind(map: RonNode<'_, '_>) -> Option<(NameKind, bool)> {
    if map.kind() != RonKind::Map {
        return None;
    }
    let path = keys(map);
    if let Some(kind) = declared_kind(&path) {
        return Some((kind, true));
    }
    // A start names what is declared elsewhere.
    let used = match path[..] {
        ["moving_obstacles"] | ["start", "moving_obstacles"] => NameKind::Obstacle,
        ["start", "groups"] => NameKind::Group,
        ["start", "layers"] => NameKind::Layer,
        ["start", "shared"] => NameKind::Shared,
        ["start", "groups", _, "params"] | ["groups", _, "ranges"] => NameKind::Param,
        ["start", "groups", _, "agents", _, "state"] => NameKind::State,
        ["start", "groups", _, "agents", _, "paths"] => NameKind::Path,
        _ => return None,
    };
    Some((used, false))
}

/// Returns what the keys of a map in a scenario declare, by the path of the map.
pub(super) fn declared_kind(path: &[&str]) -> Option<NameKind> {
    match path {
        ["groups"] => Some(NameKind::Group),
        ["obstacles"] => Some(NameKind::Obstacle),
        ["paths"] => Some(NameKind::Path),
        ["fields"] => Some(NameKind::Field),
        ["layers"] => Some(NameKind::Layer),
        ["inputs"] => Some(NameKind::Input),
        ["shared"] => Some(NameKind::Shared),
        ["params"] | ["groups", _, "params"] => Some(NameKind::Param),
        ["groups", _, "public"] => Some(NameKind::State),
        _ => None,
    }
}

/// Returns what a word is the name of, and whether it is declared there.
fn kind(word: &RonWord<'_, '_>) -> Option<(NameKind, bool)> {
    if word.is_key {
        return key_kind(word.node.parent()?);
    }
    match scenario::shape().of_value(word.node)? {
        Shape::Name(kind) if word.node.kind() == RonKind::String => Some((*kind, false)),
        _ => None,
    }
}

impl Project {
    /// Returns the names in a script that belong to scenarios or to other scripts.
    pub(super) fn names_in_script(&self, path: &Path, source: &Arc<Source>) -> Vec<Name> {
        let tokens = Tokens::new(&source.text);
        let followed = Followed::new(self, path, &tokens);
        let all = 0..tokens.all.len();
        let all = all.filter_map(|index| Some((followed.kind_at(index)?, index)));
        let choices = tokens.choices();
        let name = |(kind, index): (NameKind, usize)| {
            let mut text = tokens.name(index);
            if kind == NameKind::State {
                let mut starts = SUFFIXES.iter().filter_map(|suffix| text.strip_suffix(suffix));
                text = starts.find(|name| choices.contains(name)).unwrap_or(text);
            }
            let start = tokens.all[index].inner.start;
            Name {
                kind,
                text: text.to_owned(),
                place: Place { source: Arc::clone(source), span: start..start + text.len() },
                is_declared: false,
                group: None,
                value: None,
                comment: None,
            }
        };
        all.map(name).collect()
    }

    /// Returns the names in a file.
    pub(super) fn names_in(&self, path: &Path) -> Vec<Name> {
        let Ok(source) = self.read(path) else { return Vec::new() };
        if self.is_scenario(path) {
            in_scenario(&source)
        } else if is_script(path) {
            self.names_in_script(path, &source)
        } else if is_plan(path) {
            in_plan(&source)
        } else {
            Vec::new()
        }
    }

    /// Returns the scenarios that use a script, also through imports; all of its project if none does.
    pub(super) fn scenarios_of(&self, script: &Path) -> Vec<PathBuf> {
        let users = self.users_of(script);
        let users: Vec<PathBuf> = users.into_iter().filter(|path| self.is_scenario(path)).collect();
        if users.is_empty() {
            self.files().filter(|path| self.is_scenario(path)).map(Path::to_owned).collect()
        } else {
            users
        }
    }

    /// Returns the scripts that a file names, with those that they import, also if the file has errors.
    pub(super) fn scripts_of(&self, path: &Path) -> BTreeSet<PathBuf> {
        let folder = self.scripts_folder(path);
        let (mut known, mut waiting) = (BTreeSet::new(), vec![path.to_owned()]);
        while let Some(path) = waiting.pop() {
            let Ok(source) = self.read(&path) else { continue };
            let names: Vec<String> = if is_script(&path) {
                let tokens = Tokens::new(&source.text);
                let imports = tokens.imports().into_iter();
                imports.map(|(index, _)| tokens.name(index).to_owned()).collect()
            } else {
                let names = self.names_in(&path).into_iter();
                names.filter(|one| one.kind == NameKind::Script).map(|one| one.text).collect()
            };
            let scripts = names.iter().filter_map(|name| folder.path_of(name));
            let new: Vec<PathBuf> = scripts.filter(|script| known.insert(script.clone())).collect();
            waiting.extend(new);
        }
        known
    }

    /// Returns the declared names of a kind that a file can use, each with where it is declared.
    pub(super) fn declared(&self, path: &Path, kind: NameKind) -> BTreeMap<String, Vec<Name>> {
        let scenarios = if self.is_scenario(path) {
            vec![path.to_owned()]
        } else if is_plan(path) {
            self.scenario_of_plan(path).into_iter().collect()
        } else {
            self.scenarios_of(path)
        };
        let mut all: BTreeMap<String, Vec<Name>> = BTreeMap::new();
        for scenario in scenarios {
            let names = self.names_in(&scenario);
            let groups = self.groups_using(path, &names);
            // The public state of other groups can be read, too.
            let has = |group: &Option<String>| {
                kind == NameKind::State
                    || groups.is_empty()
                    || group.as_ref().is_none_or(|group| groups.contains(group))
            };
            let names = names.into_iter().filter(|name| name.is_declared && name.kind == kind);
            for name in names.filter(|name| has(&name.group)) {
                all.entry(name.text.clone()).or_default().push(name);
            }
        }
        all
    }

    /// Returns the groups of a scenario whose behaviors use a script.
    pub(super) fn groups_of(&self, scenario: &Path, script: &Path) -> Vec<String> {
        self.groups_using(script, &self.names_in(scenario)).into_iter().collect()
    }

    /// Returns the groups of a scenario whose behaviors use a script, by the names in the scenario.
    fn groups_using(&self, script: &Path, names: &[Name]) -> BTreeSet<String> {
        let behaviors = names.iter().filter(|name| name.kind == NameKind::Script);
        let behaviors = behaviors.filter_map(|name| Some((name.group.clone()?, &name.text)));
        let mut known: BTreeMap<&String, bool> = BTreeMap::new();
        let folder = self.scripts_folder(script);
        let uses = |behavior: &String| {
            folder
                .path_of(behavior)
                .is_some_and(|path| path == script || self.scripts_of(&path).contains(script))
        };
        let mut groups = BTreeSet::new();
        for (group, behavior) in behaviors {
            if *known.entry(behavior).or_insert_with(|| uses(behavior)) {
                groups.insert(group);
            }
        }
        groups
    }
}

/// Returns the path of a script by its name.
pub(super) fn script_path(project: &Project, path: &Path, name: &str) -> Option<PathBuf> {
    project.scripts_folder(path).path_of(name).filter(|script| project.read(script).is_ok())
}

/// Returns all places where a name is written. Scenarios and the scripts that they use are connected if both write it. A state need not
/// be in a scenario, so scripts are connected with those that they import, too.
pub(super) fn everywhere(project: &Project, path: &Path, name: &Name) -> Vec<Name> {
    let is_it = |other: &Name| other.kind == name.kind && other.text == name.text;
    let of_file =
        |path: &Path| -> Vec<Name> { project.names_in(path).into_iter().filter(is_it).collect() };
    if name.kind == NameKind::Script {
        // Each project has one folder of scripts.
        let target = script_path(project, path, &name.text);
        let same = |file: &&Path| script_path(project, file, &name.text) == target;
        return project.files().filter(same).flat_map(of_file).collect();
    }
    let (mut known, mut waiting) = (BTreeSet::new(), vec![path.to_owned()]);
    let mut all = Vec::new();
    while let Some(path) = waiting.pop() {
        if !known.insert(path.clone()) {
            continue;
        }
        let found = of_file(&path);
        if found.is_empty() {
            continue;
        }
        all.extend(found);
        if project.is_scenario(&path) {
            waiting.extend(project.scripts_of(&path));
            waiting.extend(project.plans_of(&path));
        } else if is_plan(&path) {
            waiting.extend(project.scenario_of_plan(&path));
        } else {
            let is_state = name.kind == NameKind::State;
            let users = project.users_of(&path).into_iter();
            waiting.extend(users.filter(|user| is_state || project.is_scenario(user)));
            if is_state {
                waiting.extend(project.scripts_of(&path));
            }
        }
    }
    all.sort_by(|a, b| {
        (&a.place.source.name, a.place.span.start).cmp(&(&b.place.source.name, b.place.span.start))
    });
    all
}
