//! Renaming a name in all files. Uses that cannot be followed are found by a check of the files as they would be: a
//! renaming must not cause a finding or change a run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::golden::{Follower, Golden, GoldenBody, GoldenWriter, Header, Track};
use flockwork_engine::load::{
    GOLDEN_EXTENSION, OpenFiles, SCENARIOS_FOLDER, SCRIPTS_FOLDER, ScriptsFolder, is_plan,
};
use flockwork_engine::runner::check_open;
use flockwork_engine::schema::NameKind;
use flockwork_engine::script::is_script_name;
use flockwork_engine::tokens::{Language, Token, TokenKind, tokens};
use flockwork_engine::world::Minds;
use flockwork_engine::{Code, Diagnostic, Options, Run, Severity, state_hash};
use lsp_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    PrepareRenameResponse, RenameFile, RenameParams, ResourceOp, TextDocumentEdit,
    TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};

use super::follow::SUFFIXES;
use super::names::{Name, everywhere, script_path};
use super::navigate::{name_at, own_name_at};
use super::project::{Project, file, is_script, name_of};
use super::rename_comments::aligned_comments;
use super::rhai_text::Tokens;
use super::{plan_file, uri};

/// Returns the part of the text that would be renamed.
pub(super) fn prepare_rename(
    project: &mut Project,
    at: TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    project.check_all();
    let (place, placeholder) = match name_at(project, &at) {
        Some(name) => (name.place, name.text),
        None => {
            let own = own_name_at(project, &at).filter(|own| own.is_fixed().is_none())?;
            let (_, offset) = project.offset(&file(&at.text_document.uri)?, at.position)?;
            let path = file(&at.text_document.uri)?;
            let is_here = |place: &Place| {
                project.path_of(&place.source) == path
                    && (place.span.start..=place.span.end).contains(&offset)
            };
            (own.places().into_iter().find(is_here)?, own.text)
        }
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: project.range(&place), placeholder })
}

/// The changes that rename a name.
pub(super) struct Renaming {
    /// The name that is replaced.
    pub(super) old: String,
    /// Where it is written.
    pub(super) places: Vec<Place>,
    /// What is written where, also in comments behind these lines and in goldens.
    pub(super) changes: Vec<(Place, String)>,
    /// The file that gets another path, for a script, and that path.
    pub(super) moved: Option<(PathBuf, PathBuf)>,
}

/// Renames the name at a position in all files. For a script, its file is renamed, too. `Err` says why it cannot be renamed.
pub(super) fn rename(project: &mut Project, params: RenameParams) -> Result<WorkspaceEdit, String> {
    let Renaming { changes, moved, .. } =
        renaming(project, params.text_document_position, params.new_name)?;
    let mut operations = edits(project, changes);
    if let Some((old, renamed)) = moved
        && let (Some(old_uri), Some(new_uri)) = (project.uri(&old), uri(&renamed))
    {
        let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
        operations.push(DocumentChangeOperation::Op(ResourceOp::Rename(rename)));
    }
    Ok(edit(operations))
}

/// Returns the changes that rename the name at a position. `Err` says why it cannot be renamed.
pub(super) fn renaming(
    project: &mut Project,
    at: TextDocumentPositionParams,
    new: String,
) -> Result<Renaming, String> {
    project.check_all();
    let path = file(&at.text_document.uri).ok_or("this is not a file")?;
    let Some(name) = name_at(project, &at) else {
        let own = own_name_at(project, &at).ok_or("there is no name here that can be renamed")?;
        if let Some(why) = own.is_fixed().or_else(|| own.refuses(&new)) {
            return Err(why);
        }
        if let Some(place) = project.string_that_may_mean(&own) {
            return Err(may_be_meant(&place, &own.text));
        }
        let places = own.places();
        let trial = Trial::new(project, &places, &new, None);
        trial.check(project, &own.text, true)?;
        trial.check_runs(project, (&own.text, None), &new)?;
        let comments = aligned_comments(project, &places, &new);
        let changes = with_text(places.clone(), &new).into_iter().chain(comments).collect();
        return Ok(Renaming { old: own.text, places, changes, moved: None });
    };
    check_name(project, &path, &name, &new)?;
    let places = everywhere(project, &path, &name).into_iter();
    let places: Vec<Place> = places.map(|one| one.place).collect();
    let script = script_path(project, &path, &name.text);
    let moved = script.filter(|_| name.kind == NameKind::Script).map(|old| {
        let folder = old.ancestors().nth(name.text.split('/').count()).unwrap_or(&old);
        let renamed = folder.join(&new).with_extension(old.extension().unwrap_or_default());
        (old, renamed)
    });
    let trial = Trial::new(project, &places, &new, moved.clone());
    trial.check(project, &name.text, false)?;
    if name.kind != NameKind::Script {
        trial.check_runs(project, (&name.text, Some(name.kind)), &new)?;
    }
    let goldens = edits_of_goldens(project, &trial, &name, &new)?;
    let comments = aligned_comments(project, &places, &new);
    let changes = with_text(places.clone(), &new).into_iter();
    let changes = changes.chain(comments).chain(goldens).collect();
    Ok(Renaming { old: name.text, places, changes, moved })
}

/// Checks whether a name can be another one. `Err` says why not.
fn check_name(project: &Project, path: &Path, name: &Name, new: &str) -> Result<(), String> {
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    match name.kind {
        NameKind::Script if !is_script_name(new) => Err(format!(
            "`{new}` cannot be the name of a script: it has letters, digits, `_`, `-`, and `/` behind folders"
        )),
        NameKind::Script if script_path(project, path, new).is_some() => {
            Err(format!("there is a script `{new}` already"))
        }
        NameKind::Param if !is_word(new) => {
            Err(format!("`{new}` cannot be read in a script as `me.params.{new}`"))
        }
        NameKind::Input if !is_word(new) => {
            Err(format!("`{new}` cannot be read in a script as `world.inputs.{new}`"))
        }
        NameKind::Shared if !is_word(new) => {
            Err(format!("`{new}` cannot be read in a script as `world.shared.{new}`"))
        }
        NameKind::State if !is_word(new) => {
            Err(format!("`{new}` cannot be read in a script as `me.state.{new}`"))
        }
        NameKind::State => match everywhere(project, path, &name.renamed(new)).first() {
            Some(taken) => Err(format!("`{new}` is a state already: {}", position(&taken.place))),
            None => Ok(()),
        },
        NameKind::Script => Ok(()),
        _ if new.is_empty()
            || new.contains(|c: char| c.is_control() || matches!(c, '"' | '\\')) =>
        {
            Err(format!("`{new}` cannot be a name"))
        }
        // Spaces are allowed in a file, but names of measures and options of commands have none.
        _ if new.contains(char::is_whitespace) => Err(format!(
            "`{new}` has a space: write `{}`",
            new.trim().replace(char::is_whitespace, "_")
        )),
        kind => {
            let taken = project.declared(path, kind);
            match taken.get(new).and_then(|places| places.first()) {
                Some(taken) if new != name.text => {
                    Err(format!("`{new}` is declared already: {}", position(&taken.place)))
                }
                _ => Ok(()),
            }
        }
    }
}

/// Most turns of agents in the runs that are compared, for each scenario.
const MAX_TURNS: u64 = 20_000;

/// The files of a project as they would be after a renaming.
#[derive(Default)]
struct Trial {
    open: Arc<OpenFiles>,
    /// The edited files.
    changed: BTreeSet<PathBuf>,
    /// The script whose file gets another path, and that path.
    moved: Option<(PathBuf, PathBuf)>,
}

impl Trial {
    fn new(
        project: &Project,
        places: &[Place],
        new: &str,
        moved: Option<(PathBuf, PathBuf)>,
    ) -> Self {
        let open = Arc::clone(project.open_files());
        let mut this = Self { open, changed: BTreeSet::new(), moved };
        this.replace(project, places, new);
        let files = Arc::make_mut(&mut this.open);
        if let Some((old, renamed)) = &this.moved
            && let Ok(source) = files.read(old)
        {
            files.open(renamed, &source.text);
            // Nobody can use an empty script.
            files.open(old, "");
        }
        this
    }

    /// Returns the files of the project that the change may concern.
    fn affected(&self, project: &Project) -> BTreeSet<PathBuf> {
        let moved = self.moved.iter().map(|(old, _)| old);
        let changed: Vec<&PathBuf> = self.changed.iter().chain(moved).collect();
        let users = changed.iter().flat_map(|path| project.users_of(path));
        let own = changed.iter().map(|path| (**path).clone());
        let mut all: BTreeSet<PathBuf> = users.chain(own).collect();
        let plans: Vec<PathBuf> = all.iter().flat_map(|path| project.plans_of(path)).collect();
        all.extend(plans);
        all
    }

    /// Checks all files that the change may concern. `is_followed` says that all uses of the name are known, even while something else
    /// is wrong. `Err` says what is wrong with the change.
    fn check(&self, project: &Project, name: &str, is_followed: bool) -> Result<(), String> {
        // A script that is moved keeps its findings.
        let is_moved = |path: &PathBuf| self.moved.as_ref().is_some_and(|(old, _)| old == path);
        for path in self.affected(project).into_iter().filter(|path| !is_moved(path)) {
            if project.is_canceled() {
                return Ok(());
            }
            if is_plan(&path) {
                let first = |open| {
                    let errors = plan_file::check(&path, open).err();
                    errors.and_then(|errors| errors.into_iter().next())
                };
                let known = first(project.open_files());
                if let Some(error) = first(&self.open)
                    && (known.is_none() || !is_followed)
                {
                    return Err(refusal(name, known.as_ref(), &error));
                }
                continue;
            }
            let mut before: Vec<(Key, &Diagnostic)> = project
                .notes()
                .filter(|(_, of)| *of == path)
                .map(|(finding, _)| (self.key(project, finding), finding))
                .collect();
            let findings = check_open(&path, &self.open).findings;
            // A slow answer is still right.
            for finding in findings.iter().filter(|one| !one.code.is_about_speed()) {
                let key = self.key(project, finding);
                let known = before.iter().position(|(one, _)| *one == key);
                let known = known.map(|index| before.swap_remove(index).1);
                let hides_others = finding.severity == Severity::Error
                    && !is_followed
                    && self.hides_uses(project, finding, name);
                if known.is_none() || hides_others {
                    return Err(refusal(name, known, finding));
                }
            }
        }
        Ok(())
    }

    /// Returns whether an error may hide uses of a name: its file has the name, or a script with the name imports it and is not checked
    /// further.
    fn hides_uses(&self, project: &Project, error: &Diagnostic, name: &str) -> bool {
        let Some(place) = &error.place else { return true };
        let path = project.path_of(&place.source);
        let has_name = |path: &PathBuf| {
            self.changed.contains(path)
                || self.open.read(path).is_ok_and(|source| has_word(&source.text, name))
        };
        let users = project.users_of(&path).into_iter().filter(|user| is_script(user));
        users.chain([path]).any(|path| has_name(&path))
    }

    /// Returns what identifies a finding. A script that is moved keeps its findings.
    fn key(&self, project: &Project, finding: &Diagnostic) -> Key {
        let place = finding.place.as_ref().map(|place| {
            let path = project.path_of(&place.source);
            let old = self.moved.as_ref().filter(|(_, renamed)| *renamed == path);
            let path = old.map_or(path, |(old, _)| old.clone());
            (path, place.source.line_column(place.span.start).0)
        });
        (place, finding.code, finding.severity)
    }

    /// Checks that the scenarios go on running in the same way. `Err` says which one does not.
    fn check_runs(
        &self,
        project: &Project,
        (old, kind): (&str, Option<NameKind>),
        new: &str,
    ) -> Result<(), String> {
        for path in self.affected(project).iter().filter(|path| project.is_scenario(path)) {
            if project.is_canceled() {
                return Ok(());
            }
            let scenario = name_of(path);
            if kind == Some(NameKind::Group) && has_random_group(path, project.open_files(), old) {
                let golden = path.with_extension(GOLDEN_EXTENSION);
                // The run changes, but nothing records it.
                if !golden.exists() && self.use_of_names(project, path, kind).is_none() {
                    continue;
                }
                return Err(format!(
                    "`{old}` keeps its name: the random numbers of its agents depend on it, so {} would differ. Rename the group by \
                    hand, and accept the new run",
                    if golden.exists() {
                        name_of(&golden)
                    } else {
                        format!("the run of {scenario}")
                    }
                ));
            }
            let is_state = kind == Some(NameKind::State);
            let names = is_state.then_some((old, new));
            let before = hashes(path, project.open_files(), names);
            let place = self.use_of_names(project, path, kind);
            if before.is_empty() {
                // It does not start, so there are no runs to compare.
                let Some(place) = place else { continue };
                let at = position(&place);
                return Err(format!(
                    "{at}: this may also use `{old}`; correct the errors of {scenario} first, so that its runs can be compared"
                ));
            }
            // Other groups may keep a state of their own under the old name.
            if before == hashes(path, &self.open, names) {
                continue;
            }
            let left = self.strings(project, path, old);
            // Whether a string is a name is known once it is changed, too.
            let is_by_string = || {
                let mut other = Self { open: Arc::clone(&self.open), ..Self::default() };
                other.replace(project, &left, new);
                before == hashes(path, &other.open, None)
            };
            return Err(match left.first() {
                Some(place) if is_by_string() => may_be_meant(place, old),
                _ => {
                    let at = place.map_or_else(String::new, |at| format!("{}: ", position(&at)));
                    format!(
                        "{at}this may also use `{old}`, in a way that cannot be followed: the run of {scenario} would change"
                    )
                }
            });
        }
        Ok(())
    }

    /// Returns where a script of a scenario uses names of a kind as values: without a kind, those of functions and variables.
    fn use_of_names(
        &self,
        project: &Project,
        scenario: &Path,
        kind: Option<NameKind>,
    ) -> Option<Place> {
        let (words, is_indexed): (&[&str], bool) = match kind {
            Some(NameKind::Group) => (&["group"], false),
            Some(NameKind::Param) => (&["params"], true),
            Some(NameKind::State) => (&["state"], true),
            None => (&["is_def_fn", "is_def_var", "Fn", "call"], false),
            Some(_) => return None,
        };
        project.scripts_of(scenario).iter().find_map(|script| {
            let source = self.open.read(script).ok()?;
            let tokens = Tokens::new(&source.text);
            let is_it = |&index: &usize| {
                words.contains(&tokens.get(index)) && (!is_indexed || tokens.get(index + 1) == "[")
            };
            let found = (0..tokens.all.len()).find(is_it)?;
            let span = tokens.all[found].span.clone();
            Some(Place { source, span })
        })
    }

    /// Returns the strings with a text in the scripts of a scenario, as they would be.
    fn strings(&self, project: &Project, scenario: &Path, text: &str) -> Vec<Place> {
        let mut all = Vec::new();
        for script in project.scripts_of(scenario) {
            let Ok(source) = self.open.read(&script) else { continue };
            all.extend(strings(&source, text));
        }
        all
    }

    /// Writes a text at some places.
    fn replace(&mut self, project: &Project, places: &[Place], new: &str) {
        let files = Arc::make_mut(&mut self.open);
        let changed: BTreeSet<PathBuf> =
            places.iter().map(|place| project.path_of(&place.source)).collect();
        for path in &changed {
            let here = places.iter().filter(|place| project.path_of(&place.source) == *path);
            let mut here: Vec<&Place> = here.collect();
            here.sort_by_key(|place| std::cmp::Reverse(place.span.start));
            let Some(first) = here.first() else { continue };
            let mut text = first.source.text.clone();
            for place in here {
                text.replace_range(place.span.clone(), new);
            }
            files.open(path, &text);
        }
        self.changed.extend(changed);
    }
}

/// Returns the edits of the goldens of scenarios in which a name is changed: the spans and what replaces them. `Err` says which golden cannot
/// be read.
fn edits_of_goldens(
    project: &Project,
    Trial { open, changed, .. }: &Trial,
    name: &Name,
    new: &str,
) -> Result<Vec<(Place, String)>, String> {
    let mut all = Vec::new();
    for scenario in changed.iter().filter(|path| project.is_scenario(path)) {
        let path = scenario.with_extension(GOLDEN_EXTENSION);
        if name.kind == NameKind::Script || !path.exists() {
            continue;
        }
        let refused = |why: &Diagnostic| {
            let golden = name_of(&path);
            format!("`{}` cannot be renamed in the golden {golden}: {}", name.text, why.message)
        };
        let source = project.read(&path).map_err(|error| refused(&error))?;
        let mut golden = Golden::parse(&source).map_err(|error| refused(&error.diagnostic))?;
        if let (NameKind::State, GoldenBody::Track(track)) = (name.kind, &golden.body) {
            // The names of states are part of the hashes.
            let files = (project.open_files(), open);
            let text = recorded_again(scenario, files, &golden.header, track).ok_or_else(|| {
                let golden = name_of(&path);
                let why = "the run differs from it; look at that first, with `flockwork test`";
                format!("`{}` cannot be renamed in the golden {golden}: {why}", name.text)
            })?;
            all.extend(changed_lines(&source, &text));
            continue;
        }
        let before = golden.clone();
        golden.rename(name.kind, &name.text, new);
        if golden == before {
            continue;
        }
        let bytes = golden.write(Vec::new()).map_err(|error| error.to_string())?;
        all.extend(changed_lines(&source, &String::from_utf8_lossy(&bytes)));
    }
    Ok(all)
}

/// Returns the golden of a scenario as it is recorded with other files. `None` if a run with the files of now, the first ones, is not what
/// the golden records.
fn recorded_again(
    scenario: &Path,
    (now, then): (&Arc<OpenFiles>, &Arc<OpenFiles>),
    header: &Header,
    track: &Track,
) -> Option<String> {
    let (mut before, mut after) = (start(scenario, now)?, start(scenario, then)?);
    let mut follower = Follower::new(track);
    let mut writer = GoldenWriter::new(Vec::new(), header).ok()?;
    loop {
        follower.tick(before.simulation());
        writer.tick(after.simulation()).ok()?;
        if follower.first().is_some() {
            return None;
        }
        if after.tick() >= header.terms.until {
            return String::from_utf8(writer.finish().ok()?).ok();
        }
        before.step().ok()?;
        after.step().ok()?;
    }
}

/// Returns the parts of a file that differ from a text with as many lines, and what the text has there. Lines may end in different ways.
fn changed_lines(source: &Arc<Source>, text: &str) -> Vec<(Place, String)> {
    let mut all: Vec<(Place, String)> = Vec::new();
    let (mut start, mut is_open) = (0, false);
    for (whole, new) in source.text.split_inclusive('\n').zip(text.lines()) {
        let old = whole.lines().next().unwrap_or_default();
        let span = start..start + old.len();
        start += whole.len();
        match all.last_mut().filter(|_| is_open) {
            _ if old == new => {}
            Some((place, text)) => {
                text.push_str(&source.text[place.span.end..span.start]);
                text.push_str(new);
                place.span.end = span.end;
            }
            None => all.push((Place { source: Arc::clone(source), span }, new.to_owned())),
        }
        is_open = old != new;
    }
    all
}

/// The part that identifies a finding before and after a renaming, which keeps lines.
type Key = (Option<(PathBuf, usize)>, Code, Severity);

/// Returns the strings with a text in a script.
pub(super) fn strings(script: &Arc<Source>, text: &str) -> Vec<Place> {
    let is_it =
        |token: &Token| token.kind == TokenKind::Text && script.text[token.inner.clone()] == *text;
    let found = tokens(&script.text, Language::Rhai).filter(is_it);
    found.map(|token| Place { source: Arc::clone(script), span: token.inner }).collect()
}

/// Returns whether a text has a name, as a word if the name is one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    match name.chars().all(is_part) {
        true => text.split(|c| !is_part(c)).any(|word| word == name),
        false => text.contains(name),
    }
}

/// Returns why a string prevents the renaming of a name.
fn may_be_meant(place: &Place, name: &str) -> String {
    format!("{}: this string may also mean `{name}`; change it by hand first", position(place))
}

/// Returns the file and the line of a place. Editors show messages in little room, so the place comes first, and the folder of the project is
/// left out.
fn position(place: &Place) -> String {
    let (line, _) = place.source.line_column(place.span.start);
    let path = Path::new(&place.source.name);
    let folder = [SCENARIOS_FOLDER, SCRIPTS_FOLDER].map(OsStr::new);
    let is_folder = |at: &&Path| at.file_name().is_some_and(|name| folder.contains(&name));
    let project = path.ancestors().find(is_folder).and_then(Path::parent);
    let file = project.and_then(|project| path.strip_prefix(project).ok()).unwrap_or(path);
    format!("{}:{line}", file.display())
}

/// Returns why a finding prevents a renaming: an existing finding, or else one that the renaming would cause.
fn refusal(name: &str, known: Option<&Diagnostic>, brought: &Diagnostic) -> String {
    let Diagnostic { place, message, .. } = known.unwrap_or(brought);
    let at = place.as_ref().map_or_else(String::new, |place| format!("{}: ", position(place)));
    if known.is_some() {
        format!("{at}correct this before `{name}` is renamed: {message}")
    } else {
        format!("{at}`{name}` cannot be renamed everywhere; `check` would then say: {message}")
    }
}

/// Returns the start of a run of a scenario, if nothing is wrong with it.
fn start(path: &Path, open: &Arc<OpenFiles>) -> Option<Run> {
    let source = open.read(path).ok()?;
    let scripts = ScriptsFolder::of_open_scenario(path, open);
    Run::new(&source, &scripts, &Options::default()).ok()
}

/// Returns whether a scenario has a group of a name whose agents may have random numbers.
fn has_random_group(path: &Path, open: &Arc<OpenFiles>, group: &str) -> bool {
    start(path, open).is_some_and(|run| {
        run.simulation().world().names().group(group).is_some_and(|group| run.may_be_random(group))
    })
}

/// Returns the hashes of the agents of a scenario in its first ticks, also if it fails later: as they would be if a state had another name.
fn hashes(path: &Path, open: &Arc<OpenFiles>, state: Option<(&str, &str)>) -> Vec<u64> {
    let Some(mut run) = start(path, open) else { return Vec::new() };
    let agents = run.simulation().world().agents.len() as u64;
    let ticks = run.ticks().saturating_sub(run.first_tick()).min(MAX_TURNS / agents.max(1));
    let hash = |run: &Run| {
        let minds = run.simulation().minds();
        match state {
            Some((old, new)) => {
                let mut renamed = minds.clone();
                rename_state(&mut renamed, old, new);
                state_hash(run.simulation().world(), &renamed)
            }
            None => state_hash(run.simulation().world(), minds),
        }
    };
    let mut all = vec![hash(&run)];
    for _ in 0..ticks {
        if run.step().is_err() {
            break;
        }
        all.push(hash(&run));
    }
    all
}

/// Gives a state another name, and what Flockwork keeps with it.
fn rename_state(minds: &mut Minds, old: &str, new: &str) {
    for suffix in [""].iter().chain(&SUFFIXES) {
        minds.rename_state(&format!("{old}{suffix}"), &format!("{new}{suffix}"));
    }
}

/// Returns places, each with the text that is written there.
pub(super) fn with_text(places: Vec<Place>, text: &str) -> Vec<(Place, String)> {
    places.into_iter().map(|place| (place, text.to_owned())).collect()
}

/// Returns the edits that replace spans of files.
pub(super) fn edits(
    project: &Project,
    replacements: impl IntoIterator<Item = (Place, String)>,
) -> Vec<DocumentChangeOperation> {
    let mut files: Vec<(PathBuf, Vec<TextEdit>)> = Vec::new();
    for (place, new_text) in replacements {
        let path = project.path_of(&place.source);
        let edit = TextEdit { range: project.range(&place), new_text };
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, edits)) => edits.push(edit),
            None => files.push((path, vec![edit])),
        }
    }
    let edits = files.into_iter().filter_map(|(path, edits)| {
        let (uri, version) = (project.uri(&path)?, project.version(&path));
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        Some(DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits }))
    });
    edits.collect()
}

pub(super) fn edit(operations: Vec<DocumentChangeOperation>) -> WorkspaceEdit {
    let document_changes = Some(DocumentChanges::Operations(operations));
    WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
}
