//! Checks groups: what their agents have in common, and how the first agents are made.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::BehaviorRef;
use super::appearance::AppearanceSpec;
use super::distributions::build_body;
use super::findings::{Findings, KnownNames};
use super::group_spec::{GoalSpec, GroupSpec};
use super::ordered::Ordered;
use super::param::{ParamSpec, is_identifier};
use super::public::{PublicPlaces, PublicTypes};
use super::spanned::Spanned;
use super::{appearance, formation, public, spawn};
use crate::diag::{Diagnostic, Place, Remedy};
use crate::math::Vec2;
use crate::script::{SCRIPT_EXTENSION, is_script_name};
use crate::sim::Spawn;
use crate::world::{BodyDraws, Group, GroupId, PathId, Relation, Value, Values, relate};

/// The groups, in the order in which they are written.
#[derive(Default)]
pub(super) struct CheckedGroups {
    pub(super) groups: Vec<Group>,
    /// The spawns of the groups; fewer than the groups if there are errors.
    pub(super) spawns: Vec<Spawn>,
    /// One behavior for each group; `None` for a group without one.
    pub(super) behaviors: Vec<Option<BehaviorRef>>,
    /// For each shared param, the groups that have no value of their own for it.
    pub(super) inherited: BTreeMap<Arc<str>, Vec<usize>>,
    /// For each group, the places where the values of its params are written.
    pub(super) declared: Vec<ParamPlaces>,
    /// For each group, the places where the names of its public state are written.
    pub(super) public: Vec<PublicPlaces>,
}

/// The places where the values of params are written, by name.
pub(super) type ParamPlaces = BTreeMap<Arc<str>, Place>;

/// Checks all groups.
pub(super) fn build(
    findings: &mut Findings<'_>,
    shared: &Ordered<Spanned<ParamSpec>>,
    specs: &Ordered<GroupSpec>,
    names: &KnownNames,
    paths: &KnownNames,
) -> CheckedGroups {
    let mut built = CheckedGroups::default();
    let shared_params = params(findings, shared);
    for name in shared_params.names() {
        built.inherited.insert(name.into(), Vec::new());
    }
    let mut public_types = PublicTypes::default();
    for ((_, spec), name) in specs.0.iter().zip(&names.all) {
        let public = public::build(findings, &mut public_types, name, &spec.public);
        built.public.push(public.places);
        let behavior = spec.behavior.as_ref();
        built.behaviors.push(behavior.and_then(|spec| self::behavior(findings, spec)));
        let body = build_body(findings, spec.body.as_ref(), &BodyDraws::default());
        let mut group = Group {
            name: Arc::clone(name),
            body: body.middle(),
            body_draws: if body.draws.is_empty() { Vec::new() } else { vec![body] },
            params: merge_params(findings, (shared, &shared_params), &spec.params),
            public: public.values,
            public_rules: public.rules,
            path: spec.path.as_ref().and_then(|path| findings.find(paths, path)).map(PathId),
            formation: spec.formation.as_ref().and_then(|spec| formation::build(findings, spec)),
            after_goals: spec.after_goals,
            ..Group::default()
        };
        let written = AppearanceSpec {
            color: spec.color.as_ref(),
            color_by: spec.color_by.as_ref(),
            shape: spec.shape.as_ref(),
            size: spec.size,
            draw_order: spec.draw_order.as_ref(),
            label: spec.label.as_ref(),
            signs: &spec.signs,
            ranges: &spec.ranges,
        };
        group.appearance = appearance::build(findings, &written, &group);
        for (param, groups) in &mut built.inherited {
            let is_own = |key: &Spanned<String>| key.read.as_deref() == Ok(&**param);
            if !spec.params.0.iter().any(|(key, _)| is_own(key)) {
                groups.push(built.groups.len());
            }
        }
        // The group's own params come last and so replace the shared ones.
        let written = shared.0.iter().chain(&spec.params.0);
        let declared = written.filter_map(|(key, value)| {
            let name = key.read.as_ref().ok()?;
            Some((Arc::from(name.as_str()), findings.place(value)))
        });
        built.declared.push(declared.collect());
        built.spawns.extend(spawn::build(findings, spec, paths, &mut group));
        built.groups.push(group);
    }
    for ((_, spec), group) in specs.0.iter().zip(0..) {
        for other in &spec.captured_by {
            if let Some(other) = findings.find(names, other) {
                let captures = &mut built.groups[usize::from(other)].captures;
                if !captures.contains(&GroupId(group)) {
                    captures.push(GroupId(group));
                }
            }
        }
        let declared = [
            (Relation::Prey, &spec.prey),
            (Relation::Predator, &spec.predators),
            (Relation::Ally, &spec.allies),
        ];
        for (relation, others) in declared {
            for other in others {
                if let Some(other) = findings.find(names, other) {
                    relate(&mut built.groups, GroupId(group), relation, GroupId(other));
                }
            }
        }
    }
    built
}

fn behavior(findings: &mut Findings<'_>, spec: &Spanned<String>) -> Option<BehaviorRef> {
    let name = findings.read(spec)?;
    let place = findings.place(spec);
    script_name(findings, name, place.span.clone(), "a behavior")
        .then(|| BehaviorRef { name: name.clone(), place })
}

/// Checks that a name can be the name of a script. `what` is the kind of script, for the message.
pub(super) fn script_name(
    findings: &mut Findings<'_>,
    name: &str,
    place: Range<usize>,
    what: &str,
) -> bool {
    if is_script_name(name) {
        return true;
    }
    let wrong = Diagnostic::error(format!("`{name}` cannot be the name of {what}"));
    let wrong = match name.strip_suffix(SCRIPT_EXTENSION).and_then(|name| name.strip_suffix('.')) {
        Some(name) => {
            let help = format!("write the name without `.{SCRIPT_EXTENSION}`: `{name}`");
            let meant = Remedy::Name {
                written: format!("{name}.{SCRIPT_EXTENSION}"),
                meant: name.to_owned(),
            };
            wrong.help(help).remedy(meant)
        }
        None => wrong.help(
            "write it like `patrol` or `traffic/merge`: letters a to z, digits, `_` and `-`, \
             with `/` between folders",
        ),
    };
    findings.add(wrong, place);
    false
}

/// Returns for each group the goals of its agents, and the places where they are written.
pub(super) fn written_goals(
    findings: &Findings<'_>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Vec<(Vec2, Place)>> {
    let written = |goal: &GoalSpec| Some((goal.at.read.as_ref().ok()?.0, findings.place(&goal.at)));
    let groups = specs.0.iter().map(|(_, group)| group);
    groups.map(|group| group.all_goals().filter_map(written).collect()).collect()
}

/// Returns for each group the place where its formation is written.
pub(super) fn formations(
    findings: &Findings<'_>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Option<Place>> {
    let places = specs.0.iter().map(|(_, group)| {
        let mut place = findings.place(group.formation.as_ref()?);
        place.span = findings.first_word(group.formation.as_ref()?);
        Some(place)
    });
    places.collect()
}

/// Returns the places where the numbers in params are written; a vector has two.
pub(super) fn numbers(
    findings: &Findings<'_>,
    shared: &Ordered<Spanned<ParamSpec>>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Place> {
    let mut places = Vec::new();
    let own = specs.0.iter().flat_map(|(_, group)| &group.params.0);
    for (_, value) in shared.0.iter().chain(own) {
        let place = findings.place(value);
        match &value.read {
            Ok(ParamSpec(Value::Int(_) | Value::Float(_))) => places.push(place),
            Ok(ParamSpec(Value::Vector(_))) => {
                let text = &place.source.text[place.span.clone()];
                let parts = text.split(['(', ',', ')']).map(str::trim);
                places.extend(parts.filter(|part| !part.is_empty()).map(|part| {
                    let start = part.as_ptr().addr() - place.source.text.as_ptr().addr();
                    Place { source: Arc::clone(&place.source), span: start..start + part.len() }
                }));
            }
            _ => {}
        }
    }
    places
}

/// Reads params. A param whose value cannot be read gets [`Value::Nothing`].
fn params(findings: &mut Findings<'_>, specs: &Ordered<Spanned<ParamSpec>>) -> Values {
    let names = findings.names("param", specs);
    let mut params = Values::default();
    for ((key, spec), name) in specs.0.iter().zip(&names.all) {
        let value = findings.read(spec).map(|spec| spec.0.clone());
        if params.get(name).is_none() {
            params.set(name, value.unwrap_or(Value::Nothing));
        }
        if !name.is_empty() && !is_identifier(name) {
            let wrong = Diagnostic::error(format!("`{name}` cannot be read as `me.params.{name}`"))
                .help("use letters a to z, digits and `_` in the name of a param, and start with a letter");
            findings.add(wrong, findings.span(key));
        }
    }
    params
}

/// Returns the params of a group: the shared ones, replaced by its own where it has them.
fn merge_params(
    findings: &mut Findings<'_>,
    shared: (&Ordered<Spanned<ParamSpec>>, &Values),
    own: &Ordered<Spanned<ParamSpec>>,
) -> Values {
    let own_params = params(findings, own);
    let mut all = shared.1.clone();
    for (name, value) in own_params.iter() {
        let before = shared.1.get(name);
        if let Some(before) = before
            && before.kind() != value.kind()
            && *before != Value::Nothing
            && *value != Value::Nothing
        {
            let is_named = |key: &Spanned<String>| key.read.as_deref() == Ok(name);
            let find = |all: &Ordered<Spanned<ParamSpec>>| {
                let found = all.0.iter().find(|(key, _)| is_named(key));
                found.map(|(_, written)| findings.place(written))
            };
            let (shared_place, own_place) = (find(shared.0), find(own));
            let (kind, other) = (before.kind(), value.kind());
            let mut wrong = Diagnostic::error(format!("param `{name}` is {kind}, not {other}"))
                .help("a group may give a shared param another value, but not another type");
            if let Some(place) = shared_place {
                wrong = wrong.related(place, "declared for all groups here");
            }
            if let (Value::Int(_) | Value::Float(_), Value::String(text), Some(place)) =
                (before, value, &own_place)
                && text.parse::<f32>().is_ok()
            {
                let title = format!("Write `{text}` without quotes");
                wrong = wrong.help(format!("remove the quotes: `{text}`"));
                wrong = wrong.fix(title, &place.source, place.span.clone(), &**text);
            }
            findings.add(wrong, own_place.map_or(0..0, |place| place.span));
        }
        all.set(name, value.clone());
    }
    all
}
