//! Saves a run as a scenario that continues it: the text of the scenario, changed only where that is necessary.

use std::ops::Range;
use std::sync::Arc;

use super::edit_text::TextEdits;
use super::{Scenario, start, to_ron};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::expect::RunPart;
use crate::golden::{Keyframe, ScenarioNames};
use crate::sim::{Action, Event, EventTime, Simulation};
use crate::tokens::ron_tree::{RonNode, RonTree};
use crate::world::{Field, Input, Layer};

/// The indentation of fields.
const INDENT: &str = "    ";

/// Returns the text of a scenario that begins with the current state of a simulation and continues exactly as the
/// simulation will.
///
/// - `source` is the scenario of the simulation.
/// - `input` are the actions that are done by hand from now on, with their ticks. It must include those that wait in
///   [`Simulation::pending`]. Actions before the current tick or after the end are left out.
/// - `ticks` is the tick at which the new run ends.
/// - `name` is the name of the new scenario.
///
/// Everything else stays as it is written, with two exceptions. Expectations that cannot be checked in the new run, because they
/// are about earlier or later ticks, become comments. A golden that would end outside the new run ends with it.
///
/// # Errors
///
/// If the scenario cannot be read, is not the one of the simulation, or would end before it begins. Also if the state or
/// the input cannot be written in a scenario.
pub fn continuation(
    source: &Arc<Source>,
    simulation: &Simulation,
    input: &[(u64, Action)],
    ticks: u64,
    name: &str,
) -> Result<String, Diagnostic> {
    let scenario = Scenario::parse(source).map_err(Diagnostics::into_first)?;
    check_same_setup(&scenario, simulation)?;
    let now = simulation.world().tick;
    if ticks <= now {
        let late = format!("a run that begins at tick {now} cannot end at tick {ticks}");
        return Err(Diagnostic::error(late).help("choose a later end"));
    }
    let text = source.text.as_str();
    let unreadable = || Diagnostic::error(format!("cannot find the fields of {}", source.name));
    let tree = RonTree::new(text);
    let fields = tree.root().ok_or_else(unreadable)?;
    let mut edits = TextEdits::new(text);

    let mut first_fields = String::new();
    let seed = simulation.world().seed;
    for (field, place, value) in [
        ("name", fields.get("name"), Some(to_ron::quoted(name))),
        ("seed", fields.get("seed"), (seed != scenario.setup.seed).then(|| seed.to_string())),
        ("ticks", fields.get("ticks"), Some(ticks.to_string())),
    ] {
        match (place, value) {
            (Some(place), Some(value)) => edits.replace(place.span(), value),
            (None, Some(value)) => first_fields.push_str(&format!("\n{INDENT}{field}: {value},")),
            (_, None) => {}
        }
    }
    if !first_fields.is_empty() {
        edits.insert_fields(fields, &first_fields);
    }

    let names = ScenarioNames::of(simulation);
    let input: Vec<&(u64, Action)> =
        input.iter().filter(|(tick, _)| (now..ticks).contains(tick)).collect();
    let mut last_fields = String::new();
    let events = events(&input, &names)?;
    match fields.get("events") {
        _ if events.is_empty() => {}
        Some(list) => edits.append_elements(list, &events),
        None => last_fields.push_str(&format!("\n{INDENT}events: [{events}\n{INDENT}],")),
    }
    fit_to_part(&mut edits, fields, &scenario, now..ticks);
    let groups = scenario.setup.groups.iter().map(|(group, _)| group);
    let keyframe = Keyframe::of(simulation, &start::groups_state(groups, &scenario.setup.shared));
    let start = start::start_text(&keyframe, &names)
        .ok_or_else(|| Diagnostic::error("this state cannot be written in a scenario"))?;
    match fields.get("start") {
        Some(place) => edits.replace(place.span(), start),
        None => last_fields.push_str(&format!("\n{INDENT}start: {start},")),
    }
    if !last_fields.is_empty() {
        edits.append_fields(fields, &last_fields);
    }
    let done = edits.finish();
    check_reads_back(&done, source, simulation, &input)?;
    Ok(done)
}

/// Fits expectations and the golden to the ticks of the new run: those that cannot be checked in it become comments, and a golden that
/// would end outside ends with it.
fn fit_to_part(
    edits: &mut TextEdits<'_>,
    fields: RonNode<'_, '_>,
    scenario: &Scenario,
    part: Range<u64>,
) {
    let items = fields.get("expect").into_iter().flat_map(RonNode::children);
    for (item, expectation) in items.zip(&scenario.expectations) {
        let run = RunPart { from: part.start, end: part.end, whole_end: scenario.ticks };
        if let Some(why) = expectation.why_skipped(run) {
            edits.comment_out(item, &why);
        }
    }
    let until = fields.get("golden").and_then(|golden| golden.get("until"));
    if let Some(until) = until
        && !(part.start + 1..=part.end).contains(&scenario.golden.until)
    {
        edits.replace(until.span(), part.end.to_string());
    }
}

/// Checks that a simulation belongs to a scenario.
fn check_same_setup(scenario: &Scenario, simulation: &Simulation) -> Result<(), Diagnostic> {
    let (setup, world) = (&scenario.setup, simulation.world());
    let groups = setup.groups.iter().map(|(group, _)| group);
    let is_same_field = |(index, (a, b)): (usize, (&Field, &Field))| {
        // The vectors of a script are in the world only.
        let is_of_script = scenario.field_scripts.iter().any(|script| script.field == index);
        a.name == b.name && (is_of_script || a.shape == b.shape)
    };
    let names_and_keys = |inputs: &[Input]| -> Vec<(Arc<str>, Arc<str>)> {
        inputs.iter().map(|one| (Arc::clone(&one.name), Arc::clone(&one.key))).collect()
    };
    let is_same = setup.dt == world.dt
        && setup.space == world.space
        && setup.obstacles == world.obstacles_at_home()
        && names_and_keys(&setup.inputs) == names_and_keys(&world.inputs)
        && setup.paths == world.paths
        && setup.fields.len() == world.fields.len()
        && setup.fields.iter().zip(&world.fields).enumerate().all(is_same_field)
        && setup.layers.iter().map(Layer::fixed).eq(world.layers.iter().map(Layer::fixed))
        && setup.groups.len() == world.groups.len()
        && groups.zip(&world.groups).all(|(a, b)| a.fixed() == b.fixed());
    if is_same {
        return Ok(());
    }
    Err(Diagnostic::error("the scenario has changed since the run started")
        .help("reload the scenario, or start the run again"))
}

/// Returns the actions done by hand as events, each on its own line.
fn events(input: &[&(u64, Action)], names: &ScenarioNames) -> Result<String, Diagnostic> {
    let mut text = String::new();
    for (tick, action) in input {
        let Some(action) = to_ron::action_text(action, &names.groups) else {
            let what =
                format!("the action at tick {tick} cannot be written in a scenario: {action:?}");
            return Err(Diagnostic::error(what));
        };
        text.push_str(&format!("\n{INDENT}{INDENT}At(tick: {tick}, do: {action}),"));
    }
    Ok(text)
}

/// Checks that a scenario text reads back as the state and the input of a simulation.
fn check_reads_back(
    text: &str,
    source: &Arc<Source>,
    simulation: &Simulation,
    input: &[&(u64, Action)],
) -> Result<(), Diagnostic> {
    let read = Scenario::parse(&Source::new(source.name.as_str(), text)).map_err(|errors| {
        let why = errors.into_first().message;
        Diagnostic::error(format!("this state cannot be written in a scenario: {why}"))
    })?;
    let cannot =
        |what: &str| Err(Diagnostic::error(format!("{what} cannot be written in a scenario")));
    if read.setup.start != Some(simulation.state()) || read.setup.seed != simulation.world().seed {
        return cannot("this state");
    }
    let events = &read.setup.events;
    let first = events.len().saturating_sub(input.len());
    let wanted = input
        .iter()
        .map(|(tick, action)| Event { when: EventTime::At(*tick), action: action.clone() });
    if !wanted.eq(events[first..].iter().cloned()) {
        return cannot("the actions done by hand");
    }
    Ok(())
}
