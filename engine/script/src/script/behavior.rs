//! Behaviors: scripts that decide for agents. A lowered behavior runs for many agents at once; otherwise, and for
//! agents for which the lowered program gives up, the interpreter runs it for one agent after another.
//!
//! Both ways must give the same bits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::compile::Script;
use super::entry_point::EntryFunction;
use super::explain::{self, RecordedTurn};
use super::interpreter::IdleStates;
use super::lower::{self, GroupFacts, InferredType};
use super::prepared::{LoweredTurns, ProgramCache, not_stopped};
use super::remains::LeftOut;
use super::trial::TrialWorld;
use super::{Library, interpreter, live_values};
use crate::diag::{Diagnostic, Diagnostics, Place, Source, brackets, nearest};
use crate::math::Vec2;
use crate::program::{self, LANES, NotePlace, NotedStep, WatchedTurn};
use crate::sim::{
    self, AgentError, Brain, Explanation, Law, Output, PreparedBrain, TurnValue, Turns,
};
use crate::tokens::{Language, code};
use crate::world::{GroupId, Need, Progress, Values, World};

/// A compiled behavior: a script with a function `steer(me)`, and optionally `init(me)`.
#[derive(Debug)]
pub struct Behavior {
    pub(super) script: Script,
    bodies: [Option<interpreter::FunctionBody>; 2],
    /// The states of the idle interpreters of each function.
    idle: [IdleStates; 2],
    /// The lowered programs of its groups; `None` if only the interpreter is to run it.
    programs: Option<ProgramCache>,
    /// Number of turns that the interpreter has run.
    interpreted_turns: AtomicU64,
    /// The script such that its turns can be traced; made when it is first asked for.
    traced: OnceLock<Option<Script>>,
}

impl Behavior {
    /// Reads, compiles and checks a behavior and everything it imports.
    ///
    /// # Errors
    ///
    /// If a script does not exist, cannot be read, or has errors.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Diagnostics> {
        Ok(Self::new(Script::compile(name, library)?)?)
    }

    /// Compiles a behavior with mistakes, without the parts that are wrong.
    ///
    /// # Errors
    ///
    /// If nothing that could be checked is left of it: the error that it lacks `steer`, if this is why.
    pub fn compile_remains(
        name: &str,
        library: &dyn Library,
    ) -> Result<(Self, LeftOut), Option<Diagnostic>> {
        let compile = |head| Script::compile_remains(name, library, head).map_err(|_| None);
        let (script, left_out) = compile(None)?;
        let wrong = match Self::new(script) {
            Ok(behavior) => return Ok((behavior, left_out)),
            Err(wrong) => left_out.true_head(wrong, "steer").ok_or(None)?,
        };
        let (script, mut left_out) = compile(Some(&wrong))?;
        let behavior = Self::new(script).map_err(|_| Some(wrong.clone()))?;
        left_out.head = Some(wrong);
        Ok((behavior, left_out))
    }

    /// Creates a behavior from a script.
    ///
    /// # Errors
    ///
    /// If `steer` is missing, or `steer` or `init` does not have exactly one parameter.
    pub fn new(script: Script) -> Result<Self, Diagnostic> {
        let parameters = |name| {
            script.functions().find(|(known, _)| *known == name).map(|(_, parameters)| parameters)
        };
        let wrong = |name: &str, count: usize| {
            Diagnostic::error(format!(
                "`{name}` must have one parameter, the agent, but has {count}"
            ))
            .at(&script.source, script.place_of(name))
            .help(format!("write `fn {name}(me)`"))
            .fix(
                format!("Write `fn {name}(me)`"),
                &script.source,
                script.place_of(name),
                format!("fn {name}(me)"),
            )
        };
        let init = match parameters("init") {
            Some(1) => Some(interpreter::FunctionBody::of(&script, "init")),
            Some(count) => return Err(wrong("init", count)),
            None => None,
        };
        match parameters("steer") {
            Some(1) => Ok(Self {
                idle: Default::default(),
                bodies: [init, Some(interpreter::FunctionBody::of(&script, "steer"))],
                programs: Some(ProgramCache::default()),
                interpreted_turns: AtomicU64::new(0),
                traced: OnceLock::new(),
                script,
            }),
            Some(count) => Err(wrong("steer", count)),
            None => {
                let own: Vec<&str> = script.written_functions().collect();
                let meant = own.iter().find(|name| nearest(name, ["steer"]).is_some());
                let wrong = Diagnostic::error("the script has no function `steer`");
                let wrong = match meant {
                    Some(meant) => misspelled(wrong, &script.source, meant),
                    None => wrong.at(&script.source, 0..0),
                };
                let wrong = wrong.help(
                    "a behavior needs a function `fn steer(me) { ... }` that returns a force",
                );
                // A comment that does not end may hide the function; Rhai accepts such a script.
                Err(brackets::unclosed(&script.source, Language::Rhai).unwrap_or(wrong))
            }
        }
    }

    /// Returns the behavior such that only the interpreter runs it: slower, with the same results.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Self { programs: None, ..self }
    }

    /// Returns the number of turns that the interpreter has run so far: those that the lowered program could not run.
    pub fn interpreted_turns(&self) -> u64 {
        self.interpreted_turns.load(Ordering::Relaxed)
    }

    /// Returns what fails or may fail for agents of a group and what has no effect, and as notes what only the
    /// interpreter can run. `always_another` says for each group whether there always is an agent of it other than the
    /// one whose turn it is, so that a script may rely on it. `same_script` are the groups with this behavior.
    pub fn findings(
        &self,
        world: &World,
        group: GroupId,
        always_another: Vec<bool>,
        same_script: &[GroupId],
    ) -> Vec<Diagnostic> {
        let trial = TrialWorld::new(world, group, always_another, same_script, true);
        let (findings, slow) = self.check(&GroupFacts::of(world, group), &trial);
        findings.into_iter().chain(slow).collect()
    }

    /// Returns what fails in any scenario. Without a scenario, any name may exist, and any group may have agents.
    pub fn findings_anywhere(&self) -> Vec<Diagnostic> {
        self.check(&GroupFacts::default(), &TrialWorld::anywhere()).0
    }

    /// Returns the findings, and notes on what only the interpreter can run.
    fn check(&self, facts: &GroupFacts, trial: &TrialWorld) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let (init, steer) = lower::lower(&self.script, facts, Some(trial));
        let (mut findings, mut slow) = (Vec::new(), Vec::new());
        for lowered in init.into_iter().chain([steer]) {
            findings.extend(lowered.findings);
            slow.extend(lowered.interpreted);
        }
        findings.dedup();
        slow.dedup();
        (findings, slow)
    }

    /// Returns the types of the values in a source, which is that of the script or of one that it imports, as far as agents of
    /// groups reach them.
    pub fn types<'w>(
        &self,
        source: &Source,
        groups: impl IntoIterator<Item = (&'w World, GroupId)>,
    ) -> Vec<InferredType> {
        let facts = groups.into_iter().map(|(world, group)| GroupFacts::of(world, group));
        lower::types(&self.script, source, facts)
    }

    /// Returns the types that the values in a source have in any scenario.
    pub fn types_anywhere(&self, source: &Source) -> Vec<InferredType> {
        lower::types(&self.script, source, [GroupFacts::default()])
    }

    /// Lowers `steer` for a group.
    pub(super) fn lowered(&self, world: &World, group: GroupId) -> Option<program::Program> {
        lower::lower(&self.script, &GroupFacts::of(world, group), None).1.program
    }

    /// Watches the lowered program take the turn of an agent; `None` if there is none.
    fn watch(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Option<WatchedTurn> {
        let group = world.agents.group[row];
        let prepared = self.programs.as_ref()?.prepared(&self.script, world, group);
        let program = prepared.watched(&self.script, world, group)?;
        Some(program::watch(program, world, row, world.agents.vel(row), mind))
    }

    /// Has the interpreter take the turn of an agent, and records it.
    fn interpret(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Option<RecordedTurn> {
        let body = self.bodies[EntryFunction::Steer as usize].as_ref()?;
        Some(explain::take(&self.script, body, world, row, mind))
    }

    /// Has the interpreter run a function for an agent, and returns the values in it, and whether it fails.
    fn trace(
        &self,
        function: &str,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> (Vec<TurnValue>, bool) {
        // It was compiled once, so it can be compiled again.
        let traced = self.traced.get_or_init(|| self.script.traced().ok());
        traced.as_ref().map_or_else(Default::default, |script| {
            explain::trace(script, function, world, row, mind)
        })
    }

    /// Returns the steps of a turn, of which the lowered program has noted all, or those until the interpreter has to take over.
    fn whole_steps(
        &self,
        is_whole: bool,
        noted: Vec<(NotePlace, NotedStep)>,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        if is_whole {
            return live_values::noted(noted);
        }
        match self.trace("steer", world, row, mind) {
            // The values until it fails.
            (_, true) if !noted.is_empty() => live_values::noted(noted),
            (steps, _) => steps,
        }
    }

    fn run_turns(
        &self,
        function: EntryFunction,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        let Some(body) = &self.bodies[function as usize] else {
            return Ok(());
        };
        let idle = &self.idle[function as usize];
        let mut runner = self.programs.as_ref().map(ProgramCache::runner);
        let mut slow = None;
        let mut from = 0;
        while from < turns.len() {
            let group = world.agents.group[turns.row(from)];
            let to = (from..turns.len())
                .take(LANES)
                .take_while(|&turn| world.agents.group[turns.row(turn)] == group)
                .last()
                .map_or(from, |last| last + 1);
            let LoweredTurns { mut remaining, messages: mut written, changes, layer_changes } =
                match (&self.programs, &mut runner) {
                    (Some(programs), Some(runner)) => {
                        let code = (programs, &self.script);
                        runner.run(code, function, world, group, &mut turns, from..to)
                    }
                    _ => LoweredTurns::none(not_stopped(world, &turns, from..to)),
                };
            output.changes.extend(changes);
            output.layer_changes.extend(layer_changes);
            // Messages are in the order of rows, and the error of the agent with the lowest row counts.
            remaining.sort_unstable_by_key(|&turn| turns.row(turn));
            written.sort_by_key(|&(turn, _)| turns.row(turn));
            let mut written = written.into_iter().peekable();
            if !remaining.is_empty() {
                self.interpreted_turns.fetch_add(remaining.len() as u64, Ordering::Relaxed);
            }
            for turn in remaining {
                // The messages of all agents are in the order of their turns.
                sim::add_messages(
                    &mut output.messages,
                    std::iter::from_fn(|| {
                        written
                            .next_if(|&(of, _)| turns.row(of) < turns.row(turn))
                            .map(|(_, one)| one)
                    }),
                );
                let interpreter =
                    slow.get_or_insert_with(|| idle.interpreter(&self.script, body, world));
                let mut turn = turns.turn(turn);
                let force = interpreter
                    .run(world, &mut turn, function == EntryFunction::Steer, output)
                    .and_then(|returned| match function {
                        EntryFunction::Init => Ok(Vec2::ZERO),
                        EntryFunction::Steer => interpreter::force(&self.script, &returned),
                    })
                    .map_err(|what| AgentError::new(world, turn.row, what))?;
                *turn.force = force;
            }
            sim::add_messages(&mut output.messages, written.map(|(_, one)| one));
            from = to;
        }
        if let Some(interpreter) = slow {
            idle.release(interpreter);
        }
        if let (Some(programs), Some(runner)) = (&self.programs, runner) {
            programs.release(runner);
        }
        Ok(())
    }
}

impl Brain for Behavior {
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        self.run_turns(EntryFunction::Init, world, turns, output)
    }

    fn why_not(&self, law: Law, world: &World, group: GroupId) -> Option<String> {
        self.why_asymmetric(law, world, group)
    }

    fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let programs = self.programs.as_ref();
        programs.map_or_else(Vec::new, |programs| programs.needs(&self.script, world, group))
    }

    fn asks_neighbors(&self, world: &World, group: GroupId) -> bool {
        let Some(programs) = &self.programs else { return true };
        let prepared = programs.prepared(&self.script, world, group);
        let program = prepared.program(EntryFunction::Steer);
        program.is_none_or(|program| !program.nears.is_empty())
    }

    fn prepared(&self, world: &World, group: GroupId) -> Option<Arc<dyn PreparedBrain>> {
        let prepared = self.programs.as_ref()?.prepared(&self.script, world, group);
        prepared.program(EntryFunction::Steer)?;
        Some(prepared)
    }

    fn explain(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Option<Explanation> {
        let watched = self.watch(world, row, mind);
        let watched = watched.and_then(|watched| watched.explanation);
        watched.or_else(|| self.interpret(world, row, mind)?.explanation())
    }

    fn steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        let watched = self.watch(world, row, mind);
        let (is_whole, noted) =
            watched.map_or_else(Default::default, |turn| (turn.explanation.is_some(), turn.steps));
        self.whole_steps(is_whole, noted, world, row, mind)
    }

    fn explain_with_steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> (Option<Explanation>, Vec<TurnValue>) {
        let watched = self.watch(world, row, mind);
        let (explanation, noted) =
            watched.map_or_else(Default::default, |turn| (turn.explanation, turn.steps));
        let steps = self.whole_steps(explanation.is_some(), noted, world, row, mind);
        (explanation.or_else(|| self.interpret(world, row, mind)?.explanation()), steps)
    }

    fn may_come_to(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
        is_wanted: &dyn Fn(&Place) -> bool,
    ) -> bool {
        let group = world.agents.group[row];
        let Some(programs) = &self.programs else { return true };
        let prepared = programs.prepared(&self.script, world, group);
        let program = prepared.watched(&self.script, world, group);
        let vel = world.agents.vel(row);
        program
            .and_then(|program| program::comes_to(program, world, row, vel, mind, is_wanted))
            .unwrap_or(true)
    }

    fn begin_steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        match &self.bodies[EntryFunction::Init as usize] {
            Some(_) => self.trace("init", world, row, mind).0,
            None => Vec::new(),
        }
    }

    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        self.run_turns(EntryFunction::Steer, world, turns, output)
    }
}

/// Adds to the error of a script without `steer` the function whose name is most like it, and the fix that renames that.
fn misspelled(error: Diagnostic, source: &Arc<Source>, function: &str) -> Diagnostic {
    let error = error.help(format!("should `{function}` be called `steer`?"));
    let words: Vec<_> = code(&source.text, Language::Rhai).map(|token| token.span).collect();
    let declared = words.windows(2).find(|pair| {
        source.text[pair[0].clone()] == *"fn" && source.text[pair[1].clone()] == *function
    });
    match declared {
        Some([_, name]) => {
            error.at(source, name.clone()).fix("Write `steer`", source, name.clone(), "steer")
        }
        _ => error.at(source, 0..0),
    }
}
