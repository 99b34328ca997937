//! Moves through the turns of a run, forward and back.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::Place;
use flockwork_engine::live::{ReloadResult, Session, StepResult};
use flockwork_engine::world::AgentId;
use flockwork_engine::{AgentError, Diagnostic, Message, Options};
use serde_json::Value;

use super::breakpoints::{Breakpoints, Told};
use super::edited_line::LineChange;
use super::mistake::mistake;
use super::no_value::reason;
use super::recorded_turn::{Frame, Functions, RecordedTurn, StepSize};
use super::target::{Focus, Launch};
use super::values::{value_at, value_before};
use crate::page_project::page_project;

/// A run that is debugged.
pub(super) struct Travel {
    session: Session,
    /// The seed and the params that the run has instead of those of its files.
    options: Options,
    pub(super) scenario: PathBuf,
    /// The files at the start of the run, and those of each edit.
    versions: Vec<FilesFrom>,
    focus: Focus,
    pub(super) breakpoints: Breakpoints,
    /// Where it stands.
    at: Option<Position>,
    /// The agent to stop at first.
    first: Option<AgentId>,
    /// Number of messages of scripts that were told.
    told: usize,
    /// What breakpoints have told.
    pub(super) logged: Vec<Told>,
    /// The functions of scripts, which are known from turn to turn.
    functions: RefCell<Functions>,
    /// The values that can be unfolded where it stands: how each is written, and its text.
    pub(super) unfolded: Vec<(String, String)>,
}

/// Files that run from a tick on.
pub(super) struct FilesFrom {
    pub(super) tick: u64,
    /// The project as a page has it.
    pub(super) project: Value,
}

/// A line of the turn of an agent in the present tick.
struct Position {
    agent: AgentId,
    turn: RecordedTurn,
    line: usize,
}

/// Why it stands where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Breakpoint,
    Step,
    Entry,
    Pause,
    /// Other files run now.
    Changed,
    /// The caller wants something else.
    Asked,
    /// The first or the last tick.
    End(&'static str),
    /// A script fails.
    Failure(String),
}

/// What became of files that were saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reloaded {
    Unchanged,
    /// They run, and what became of the line at which it stood.
    Adopted(LineChange),
    /// What is wrong with them. The version before goes on.
    Failed(Vec<String>),
}

const AT_START: &str = "the run begins here";
const FIRST_TURN: &str = "this is the first turn of this agent";
const AT_END: &str = "this is the last tick of the scenario";
/// What is told if a run has nowhere to stop.
const NO_BREAKPOINT: &str = "no breakpoint is set, so the run stops at its first line: click left of the number of a line in a script to stop there";

/// Where to search in the present tick.
#[derive(Clone, Copy, Debug)]
enum Where {
    /// The first stop of an agent after this one; of any agent without one.
    After(Option<AgentId>),
    /// The last stop of an agent before this one.
    Before(Option<AgentId>),
}

impl Travel {
    /// Opens a scenario, at the tick that is wanted.
    pub(super) fn open(launch: &Launch) -> Result<Self, String> {
        let options = launch.options()?;
        let session = Session::open(&launch.scenario, options.clone());
        let mut session = session
            .map_err(|errors| errors.iter().next().map_or_else(String::new, with_position))?;
        let focus = launch.focus(session.run().world())?;
        while session.tick() < launch.tick && session.tick() + 1 < session.run().ticks() {
            if matches!(session.step(), StepResult::Stuck) {
                break;
            }
        }
        let start = files_from(session.first(), &launch.scenario, &options);
        Ok(Self {
            session,
            options,
            scenario: launch.scenario.clone(),
            versions: start.into_iter().collect(),
            focus,
            breakpoints: Breakpoints::default(),
            at: None,
            first: launch.first_agent,
            told: 0,
            logged: Vec::new(),
            functions: RefCell::default(),
            unfolded: Vec::new(),
        })
    }

    /// Returns the present tick.
    pub(super) fn tick(&self) -> u64 {
        self.session.tick()
    }

    /// Returns the number of ticks of the scenario.
    pub(super) fn ticks(&self) -> u64 {
        self.session.run().ticks()
    }

    /// Returns what scripts have printed since the last call.
    pub(super) fn new_messages(&mut self) -> &[Message] {
        let all = self.session.messages();
        let from = std::mem::replace(&mut self.told, all.len());
        &all[from.min(all.len())..]
    }

    /// Returns the agent at whose turn it stands, with the name of its group.
    pub(super) fn agent(&self) -> Option<(AgentId, &str)> {
        let id = self.at.as_ref()?.agent;
        let agent = self.session.run().world().find(id);
        Some((id, agent.map_or("", |agent| &agent.group().name)))
    }

    /// Returns the turn, and the index of the line in it.
    pub(super) fn place(&self) -> Option<(&RecordedTurn, usize)> {
        self.at.as_ref().map(|at| (&at.turn, at.line))
    }

    /// Stands at the first line of the first turn that counts in this tick or the next ones.
    pub(super) fn enter(&mut self) -> Stop {
        let first = self.first.take();
        if first.is_some() && self.first_turn(first) == Ok(true) {
            return Stop::Entry;
        }
        loop {
            match self.first_turn(None) {
                Ok(true) => return Stop::Entry,
                Ok(false) => {}
                Err(error) => return failure(&error),
            }
            if let Some(stop) = self.next_tick() {
                return stop;
            }
        }
    }

    /// Runs on to the next breakpoint. `ask` is called with each tick that it reaches, and interrupts if it returns true.
    pub(super) fn run_on(&mut self, ask: &mut dyn FnMut(u64) -> bool) -> Stop {
        if let Some(at) = &mut self.at {
            let stops = match self.breakpoints.now(self.session.simulation()) {
                Ok(now) => now.stops(at.agent, &at.turn),
                Err(error) => return failure(&error),
            };
            let next = stops.lines.iter().copied().find(|line| *line > at.line);
            let told = stops
                .told
                .into_iter()
                .filter(|(line, _)| *line > at.line && next.is_none_or(|next| *line <= next));
            self.logged.extend(told.map(|(_, words)| words));
            if let Some(line) = next {
                at.line = line;
                return Stop::Breakpoint;
            }
        }
        let mut after = self.at.as_ref().map(|at| at.agent);
        loop {
            match self.search(Where::After(after)) {
                Ok(true) => return Stop::Breakpoint,
                Ok(false) => {}
                Err(error) => return failure(&error),
            }
            if let Some(stop) = self.next_tick() {
                self.tell_why_none_stopped();
                return stop;
            }
            after = None;
            self.at = None;
            if ask(self.tick()) {
                return Stop::Asked;
            }
        }
    }

    /// Runs back to the breakpoint before. `ask` is as for [`run_on`](Self::run_on).
    pub(super) fn run_back(&mut self, ask: &mut dyn FnMut(u64) -> bool) -> Stop {
        if let Some(at) = &mut self.at {
            let stops = match self.breakpoints.now(self.session.simulation()) {
                Ok(now) => now.stops(at.agent, &at.turn),
                Err(error) => return failure(&error),
            };
            if let Some(line) = stops.lines.iter().copied().rfind(|line| *line < at.line) {
                self.logged.extend(stops.why_at(line));
                at.line = line;
                return Stop::Breakpoint;
            }
        }
        let mut before = self.at.as_ref().map(|at| at.agent);
        loop {
            match self.search(Where::Before(before)) {
                Ok(true) => return Stop::Breakpoint,
                Ok(false) => {}
                Err(error) => return failure(&error),
            }
            if self.tick() <= self.session.first() {
                let stop = self.enter();
                return if stop == Stop::Entry { Stop::End(AT_START) } else { stop };
            }
            self.session.seek(self.tick() - 1);
            before = None;
            self.at = None;
            if ask(self.tick()) {
                return Stop::Asked;
            }
        }
    }

    /// Goes on by a step, also into the next tick of the agent.
    pub(super) fn step(&mut self, size: StepSize) -> Stop {
        let Some(at) = &mut self.at else { return self.enter() };
        if let Some(line) = at.turn.step(at.line, size) {
            at.line = line;
            return Stop::Step;
        }
        let agent = at.agent;
        loop {
            if let Some(stop) = self.next_tick() {
                return stop;
            }
            match self.first_turn(Some(agent)) {
                Ok(true) => return Stop::Step,
                Ok(false) if self.session.run().world().find(agent).is_none() => {
                    return if self.enter() == Stop::Entry {
                        Stop::Step
                    } else {
                        Stop::End(AT_END)
                    };
                }
                Ok(false) => {}
                Err(error) => return failure(&error),
            }
        }
    }

    /// Goes back by a line, also into the tick before.
    pub(super) fn step_back(&mut self) -> Stop {
        let Some(at) = &mut self.at else { return self.enter() };
        if at.line > 0 {
            at.line -= 1;
            return Stop::Step;
        }
        let agent = at.agent;
        loop {
            if self.tick() <= self.session.first() {
                let _ = self.first_turn(Some(agent));
                return Stop::End(FIRST_TURN);
            }
            self.session.seek(self.tick() - 1);
            match self.first_turn(Some(agent)) {
                Ok(true) => {
                    if let Some(at) = &mut self.at {
                        at.line = at.turn.lines().len() - 1;
                    }
                    return Stop::Step;
                }
                Ok(false) => {}
                Err(error) => return failure(&error),
            }
        }
    }

    /// Runs saved files from the present tick on, if they have changed. It stands in the turn of the same agent.
    pub(super) fn reload(&mut self) -> Reloaded {
        match self.session.reload() {
            ReloadResult::Unchanged => return Reloaded::Unchanged,
            ReloadResult::Failed => {
                let told = |error: &Diagnostic| format!("{}: {}", error.position(), error.message);
                return Reloaded::Failed(self.session.errors().iter().map(told).collect());
            }
            ReloadResult::Adopted(_) => {}
        }
        self.note_edit();
        self.functions = RefCell::default();
        self.breakpoints.renew();
        let before = self.at.take();
        let mut change = LineChange::Gone;
        if let Some(Position { agent, turn, line }) = before {
            let _ = self.first_turn(Some(agent));
            if let Some(at) = &mut self.at {
                (at.line, change) = at.turn.line_after_edit(&turn, line);
            }
        }
        Reloaded::Adopted(change)
    }

    /// Notes the files that run from the present tick on. Later edits are in a future that was dropped.
    fn note_edit(&mut self) {
        let tick = self.tick();
        self.versions.retain(|version| version.tick <= tick);
        let version = files_from(tick, self.session.path(), &self.options);
        let last = self.versions.last().map(|last| &last.project);
        self.versions.extend(version.filter(|new| Some(&new.project) != last));
    }

    /// Returns the files at the start of the run and those of each edit, in the order in which they run.
    pub(super) fn versions(&self) -> &[FilesFrom] {
        &self.versions
    }

    /// Returns the functions that run, the innermost first.
    pub(super) fn frames(&self) -> Vec<Frame> {
        let Some(at) = &self.at else { return Vec::new() };
        at.turn.frames(at.line, &mut self.functions.borrow_mut())
    }

    /// Stands at the line itself, without moving.
    pub(super) fn pause(&mut self) -> Stop {
        if self.at.is_some() {
            return Stop::Pause;
        }
        match self.enter() {
            Stop::Entry => Stop::Pause,
            other => other,
        }
    }

    /// Returns the value of an expression about the agent; an error if it has none.
    pub(super) fn value(&self, text: &str) -> Result<String, String> {
        let Some(at) = &self.at else { return Err("no agent has its turn".to_owned()) };
        value_at(self.session.simulation(), at.agent, (&at.turn, at.line), text)
    }

    /// Returns what would be wrong with an expression in the line where it stands.
    pub(super) fn mistake(&self, text: &str) -> Option<String> {
        let frame = self.frames().into_iter().next()?;
        mistake(&self.scenario, Path::new(&frame.script.name), frame.line, text)
    }

    /// Returns why an expression has no value where it stands, as far as this is known.
    pub(super) fn why_no_value(&self, text: &str) -> Option<String> {
        let at = self.at.as_ref()?;
        reason(self.session.simulation(), at.agent, (&at.turn, at.line), text)
    }

    /// Returns the value of an expression about the agent before its turn.
    pub(super) fn value_now(&self, text: &str) -> Result<String, String> {
        let Some(at) = &self.at else { return Err("no agent has its turn".to_owned()) };
        value_before(self.session.simulation(), at.agent, text)
    }

    /// Returns whether a run can stop at a breakpoint. If none is set, says so; why one does nothing was said when it was set.
    pub(super) fn can_stop(&mut self) -> bool {
        if self.breakpoints.are_unset() {
            self.logged.push(Told::Words(NO_BREAKPOINT.to_owned()));
        }
        !self.breakpoints.is_empty()
    }

    /// Says at the end of a run whose turns were left out.
    fn tell_why_none_stopped(&mut self) {
        if self.breakpoints.is_empty() {
            return;
        }
        let only = match self.focus {
            Focus::All => return,
            Focus::Agent(id) => format!("agent {id}"),
            Focus::Group(group) => {
                format!("group `{}`", self.session.run().world().group(group).name)
            }
        };
        self.logged.push(Told::Words(format!(
            "only the turns of {only} stop: the configuration has it as `agent`"
        )));
    }

    /// Returns expressions about the agent that are worth a look: its motion, its goal, its params and its state.
    pub(super) fn expressions(&self) -> Vec<String> {
        let Some(at) = &self.at else { return Vec::new() };
        let simulation = self.session.simulation();
        let mut all: Vec<String> = ["id", "group", "pos", "vel", "speed", "heading", "goal"]
            .map(|name| format!("me.{name}"))
            .into();
        if let Ok(Some(turn)) = simulation.next_turn(at.agent) {
            all.extend(turn.params.names().map(|name| format!("me.params.{name}")));
            all.extend(turn.state.names().map(|name| format!("me.state.{name}")));
        }
        all
    }

    /// Moves on by a tick. Returns why it cannot.
    fn next_tick(&mut self) -> Option<Stop> {
        // The turns at the tick of the end are not taken.
        if self.tick() + 1 >= self.session.run().ticks() {
            if self.at.is_none() {
                let _ = self.first_turn(None);
            }
            return Some(Stop::End(AT_END));
        }
        match self.session.step() {
            StepResult::Stuck => {
                let error = self.session.errors().first();
                let message = error.map_or("the run cannot go on".to_owned(), with_position);
                Some(Stop::Failure(message))
            }
            _ => None,
        }
    }

    /// Stands at the first line of the turn of an agent, or of the first one that counts. Returns whether there is one.
    fn first_turn(&mut self, agent: Option<AgentId>) -> Result<bool, AgentError> {
        let world = self.session.run().world();
        let focus = self.focus;
        let mut found = None;
        self.session.simulation().each_steps(
            |id| agent.map_or_else(|| focus.has(world, id), |one| one == id),
            |_| true,
            |agent, steps| {
                let turn = RecordedTurn::new(steps, &mut self.functions.borrow_mut());
                if turn.lines().is_empty() {
                    return ControlFlow::Continue(());
                }
                found = Some(Position { agent, turn, line: 0 });
                ControlFlow::Break(())
            },
        )?;
        self.at = found;
        Ok(self.at.is_some())
    }

    /// Searches the present tick for a breakpoint, and stands there. Returns whether there is one.
    fn search(&mut self, place: Where) -> Result<bool, AgentError> {
        let simulation = self.session.simulation();
        let world = self.session.run().world();
        let focus = self.focus;
        let now = self.breakpoints.now(simulation)?;
        let is_wanted = |id: AgentId| {
            let is_there = match place {
                Where::After(last) => last.is_none_or(|last| id > last),
                Where::Before(first) => first.is_none_or(|first| id < first),
            };
            is_there && focus.has(world, id) && now.may_stop(id)
        };
        if !world.iter().any(|agent| is_wanted(agent.id())) {
            return Ok(false);
        }
        let (mut found, mut told) = (None, Vec::new());
        let stops_at = |place: &Place| now.is_stop(place);
        simulation.each_steps(is_wanted, stops_at, |agent, steps| {
            let turn = RecordedTurn::new(steps, &mut self.functions.borrow_mut());
            let stops = now.stops(agent, &turn);
            match place {
                Where::After(_) => {
                    let first = stops.lines.first().copied();
                    let until = stops.told.into_iter();
                    told.extend(until.filter(|(line, _)| first.is_none_or(|first| *line <= first)));
                    if let Some(line) = first {
                        found = Some(Position { agent, turn, line });
                        return ControlFlow::Break(());
                    }
                }
                Where::Before(_) => {
                    if let Some(line) = stops.lines.last().copied() {
                        told = stops.why_at(line).map(|words| (line, words)).collect();
                        found = Some(Position { agent, turn, line });
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        self.logged.extend(told.into_iter().map(|(_, words)| words));
        let is_found = found.is_some();
        if is_found {
            self.at = found;
        }
        Ok(is_found)
    }
}

/// Returns the files of a scenario as they are now, with what it is run with.
fn files_from(tick: u64, scenario: &Path, options: &Options) -> Option<FilesFrom> {
    let project = page_project(scenario, options).ok()?;
    Some(FilesFrom { tick, project: serde_json::to_value(project).ok()? })
}

/// Returns an error in one line, with its position if it has one.
fn with_position(error: &Diagnostic) -> String {
    match error.position().as_str() {
        "" => error.message.clone(),
        position => format!("{position}: {}", error.message),
    }
}

/// Says that a script fails in this tick.
fn failure(error: &AgentError) -> Stop {
    Stop::Failure(error.what.message.clone())
}
