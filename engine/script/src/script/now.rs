//! Functions of scripts that are called with `now`: the measures of a tick.

use rhai::{ASTNode, Array, Caches, Dynamic, Expr, FLOAT, INT, Map, Scope};

use super::compile::Script;
use super::entry_point::EntryPoint;
use super::handles::AgentHandle;
use super::interpreter::FunctionBody;
use super::problem;
use super::record::TurnRecord;
use super::trace::{CallSite, Trace, TracedStep};
use super::{Mentions, error, turn};
use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::sim::{Simulation, ValueKind};
use crate::trace::{AgentsByGroup, Measure, MeasureValue, MeasuredAgents, Totals};
use crate::world::{Agent, GroupId};

/// A compiled script with a function of one parameter, `now`.
#[derive(Debug)]
pub(super) struct NowFunction {
    script: Script,
    name: &'static str,
    body: FunctionBody,
    parameter: String,
    /// The measures to compute: those that the script reads, and those that cost little.
    wanted: Vec<Measure>,
    /// Whether the script reads the agents themselves.
    reads_members: bool,
}

/// Elements of `now` that its groups do not have.
const NOW: [&str; 3] = ["tick", "time", "groups"];

/// Elements that `now` and each of its groups have, in addition to the measures.
const COMMON: [&str; 2] = ["center", MEMBERS];

/// The agents, in the order of their ids.
const MEMBERS: &str = "members";

impl NowFunction {
    /// Takes the function from a script.
    ///
    /// # Errors
    ///
    /// If the function is missing, or reads something that `now` does not have.
    pub(super) fn new(mut script: Script, of: &EntryPoint) -> Result<Self, Diagnostics> {
        let parameter = of.parameter_in(&script)?;
        let wrong = wrong_properties(&script, of.name, &parameter);
        if !wrong.is_empty() {
            return Err(wrong.into());
        }
        // By default a missing element of a map is `()`, which would silently compare as false.
        script.engine.set_fail_on_invalid_map_property(true);
        let mentions = Mentions::of(&script);
        let is_wanted = |measure: &Measure| {
            let is_cheap = !measure.is_expensive() && !measure.needs_totals();
            is_cheap || mentions.reads_measure(*measure)
        };
        let wanted = Measure::ALL.iter().copied().filter(is_wanted).collect();
        let body = FunctionBody::of(&script, of.name);
        let reads_members = mentions.names(MEMBERS);
        Ok(Self { body, name: of.name, parameter, wanted, reads_members, script })
    }

    /// Returns the measures that it is given.
    pub(super) fn measures(&self) -> &[Measure] {
        &self.wanted
    }

    /// Returns the text of the script.
    pub(super) fn text(&self) -> &str {
        &self.script.source.text
    }

    /// Calls the function. Returns its result, and what it wrote with `debug`.
    pub(super) fn call(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> (Result<Dynamic, Diagnostic>, Vec<String>) {
        let session = turn::enter(simulation.world());
        let result = run(&self.script, &self.body, self.scope(simulation, totals));
        let messages =
            turn::with(|turn| Ok(std::mem::take(&mut turn.messages))).unwrap_or_default();
        let messages = messages.into_iter();
        let messages = messages.map(|one| format!("{} ({})", one.text, one.place)).collect();
        drop(session);
        let result = result.map_err(|error| {
            let error = error::runtime_error(&error, &self.script.sources());
            error::without_agent(with_known_groups(error, simulation))
        });
        (result, messages)
    }

    /// Calls the function again, and returns the part of the script that runs last, or the one with the error. `None` if that is not
    /// known, for example because too many parts run.
    pub(super) fn last_part(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> Option<Place> {
        let mut script = self.script.traced().ok()?;
        script.engine.set_fail_on_invalid_map_property(true);
        let body = FunctionBody::of(&script, self.name);
        let session = turn::enter(simulation.world());
        let record = TurnRecord { trace: Some(Trace::default()), ..TurnRecord::default() };
        turn::set_record(Some(record));
        let result = run(&script, &body, self.scope(simulation, totals));
        let trace = turn::set_record(None)?.trace?;
        drop(session);
        if let Err(error) = result {
            return error::runtime_error(&error, &script.sources()).place;
        }
        // What a function that is called does is no part of the condition.
        let is_own =
            |step: &&TracedStep| step.calls.is_empty() && step.kind != ValueKind::Parameter;
        let last = trace.steps.iter().rfind(is_own).filter(|_| !trace.is_full())?;
        let CallSite { source, position } = &last.site;
        script.sources().at(Diagnostic::note(""), source.as_deref(), *position).place
    }

    /// Returns the variables that the function begins with.
    fn scope(&self, simulation: &Simulation, totals: Option<&Totals>) -> Scope<'_> {
        let mut scope = Scope::new();
        scope.push(self.parameter.as_str(), self.now(simulation, totals));
        scope
    }

    /// Returns an error at the function.
    pub(super) fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(message).at(&self.script.source, self.script.place_of(self.name))
    }

    /// Returns the values that the script reads as `now`.
    fn now(&self, simulation: &Simulation, totals: Option<&Totals>) -> Map {
        let world = simulation.world();
        let mut now = self.measured(MeasuredAgents::new(simulation, totals));
        self.insert_members(&mut now, world.iter());
        now.insert("tick".into(), (world.tick as INT).into());
        now.insert("time".into(), world.time().into());
        let by_group = AgentsByGroup::new(simulation, totals);
        let groups = (0..).map(GroupId).zip(&world.groups);
        let groups: Map = groups
            .map(|(id, group)| {
                let mut measured = self.measured(by_group.group(id));
                self.insert_members(&mut measured, world.members(id));
                (group.name.as_ref().into(), measured.into())
            })
            .collect();
        now.insert("groups".into(), groups.into());
        now
    }

    fn insert_members<'w>(&self, into: &mut Map, agents: impl Iterator<Item = Agent<'w>>) {
        if self.reads_members {
            let members = agents.map(|agent| Dynamic::from(AgentHandle(agent.id())));
            into.insert(MEMBERS.into(), members.collect::<Array>().into());
        }
    }

    fn measured(&self, measured: MeasuredAgents<'_>) -> Map {
        let mut map: Map = Measure::ALL
            .iter()
            .map(|&measure| {
                let is_wanted = self.wanted.contains(&measure);
                let value = match is_wanted.then(|| measure.take(&measured)).flatten() {
                    Some(MeasureValue::Count(count)) => Dynamic::from(count as INT),
                    Some(MeasureValue::Number(number)) => Dynamic::from(number as FLOAT),
                    None => Dynamic::UNIT,
                };
                (measure.name().into(), value)
            })
            .collect();
        let center = measured.all.map_or(Dynamic::UNIT, |all| Dynamic::from(all.center));
        map.insert("center".into(), center);
        map
    }
}

/// Runs the body of a function.
fn run(script: &Script, body: &FunctionBody, mut scope: Scope<'_>) -> problem::Result<Dynamic> {
    let mut global = body.new_state(script);
    body.run(script, &mut global, &mut Caches::new(), &mut scope)
}

/// Returns the error of a missing element of `now.groups` as that of a group that does not exist; other errors as they
/// are.
fn with_known_groups(error: Diagnostic, simulation: &Simulation) -> Diagnostic {
    let Some(place) = &error.place else { return error };
    let (name, before) = (place.text(), &place.source.text[..place.span.start]);
    let is_missing = error.message == format!("the map has no element `{name}`");
    if !is_missing || !before.ends_with("groups.") {
        return error;
    }
    let known = simulation.world().groups.iter().map(|group| group.name.as_ref());
    let unknown = Diagnostic::error(format!("there is no group `{name}`")).suggest(name, known);
    unknown.at(&place.source, place.span.clone())
}

/// Returns a number that a script has returned.
pub(super) fn number(returned: &Dynamic) -> Option<f32> {
    let integer = returned.as_int().ok().map(|integer| integer as f32);
    integer.or_else(|| returned.as_float().ok())
}

/// Returns the errors of elements that the function reads directly from its parameter and that do not exist.
fn wrong_properties(script: &Script, function: &str, parameter: &str) -> Vec<Diagnostic> {
    let known = || {
        let measures = Measure::ALL.iter().map(|measure| measure.name());
        NOW.into_iter().chain(COMMON).chain(measures)
    };
    let body = script.body(function, 1);
    let mut found = Vec::new();
    body.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::Dot(dot, ..))) = path.last()
            && let Expr::Variable(variable, ..) = &dot.lhs
            && variable.1 == parameter
            && let Some(Expr::Property(property, position)) = first(&dot.rhs)
            && !known().any(|name| name == property.2.as_str())
        {
            let wrong = Diagnostic::error(format!("`{parameter}` has no element `{}`", property.2))
                .suggest(&property.2, known());
            found.push(script.sources().place(wrong, *position));
        }
        true
    });
    found.dedup();
    found
}

/// Returns the first part of what follows a dot.
fn first(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => first(&dot.lhs),
        other => Some(other),
    }
}
