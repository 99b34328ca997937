//! The current turn: the agent that a running script decides for, and the world.
//!
//! Values of Rhai cannot borrow, so `me`, agents and obstacles are ids in a script, and the functions that it calls
//! find the world here. Each thread has at most one turn, which begins before a script is called and ends after it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult};

use super::messages::DebugMessage;
use super::meter;
use super::problem::{Problem, Result};
use super::record::TurnRecord;
use crate::math::Vec2;
use crate::math::random::Use;
use crate::sim::{self, Change, ChangeKind, LayerChange, Output};
use crate::world::{Agent, AgentId, Me, Progress, Values, World};

thread_local! {
    static TURN: RefCell<Option<ScriptTurn>> = const { RefCell::new(None) };
}

/// The turn of an agent on the current thread.
#[derive(Debug)]
pub(super) struct ScriptTurn {
    pub(super) world: Arc<World>,
    pub(super) row: usize,
    pub(super) vel: Vec2,
    pub(super) state: Values,
    pub(super) progress: Vec<Progress>,
    pub(super) messages: Vec<DebugMessage>,
    /// The changes of the world that the agent has decided on so far.
    pub(super) changes: Vec<ChangeKind>,
    /// The changes of layers that it has decided on so far.
    pub(super) layer_changes: Vec<LayerChange>,
    /// Whether the agent can change the world in this turn.
    pub(super) may_change: bool,
    /// The calls of primitives so far, if the turn is recorded.
    pub(super) record: Option<TurnRecord>,
    draws: Cell<u64>,
    /// Number of agents, obstacles and so on in the world, which determines the cost of a query.
    things: usize,
}

impl ScriptTurn {
    /// Returns the agent whose turn it is.
    pub(super) fn me(&self) -> Me<'_> {
        Me::new(&self.world, self.row, self.vel)
    }

    /// Returns the agent with an id.
    ///
    /// # Errors
    ///
    /// If it has been removed.
    pub(super) fn agent(&self, id: AgentId) -> Result<Agent<'_>> {
        match self.world.agents.row(id) {
            Some(row) => Ok(self.world.agent(row)),
            None => Err(Problem::new(format!("agent {id} has been removed"))
                .help(
                    "agents stored in `me.state` may have been removed: find the agent again in each tick",
                )
                .into()),
        }
    }

    /// Returns the next random number in `[0, 1)` of this turn.
    pub(super) fn draw(&self) -> f32 {
        let draw = self.draws.replace(self.draws.get() + 1);
        self.me().random(Use::Script).with(self.world.tick).with(draw).unit()
    }
}

/// Ends the turn on this thread when it is dropped, even if a script panics.
pub(super) struct TurnGuard;

impl Drop for TurnGuard {
    fn drop(&mut self) {
        TURN.with_borrow_mut(Option::take);
    }
}

/// Lets scripts on this thread use a world until the guard is dropped, as its first agent unless a turn of another one
/// runs.
pub(super) fn enter(world: &Arc<World>) -> TurnGuard {
    let turn = ScriptTurn {
        world: Arc::clone(world),
        row: 0,
        vel: Vec2::ZERO,
        state: Values::default(),
        progress: vec![Progress::default(); world.paths.len()],
        messages: Vec::new(),
        changes: Vec::new(),
        layer_changes: Vec::new(),
        may_change: true,
        record: None,
        draws: Cell::new(0),
        things: world.object_count(),
    };
    TURN.set(Some(turn));
    TurnGuard
}

/// Runs a script in the turn of an agent and stores what the script changed: the state and the progress of the agent,
/// and its velocity. Adds the changes of the world to `output`, and returns the result of the script and its messages.
pub(super) fn run(
    turn: &mut sim::Turn<'_>,
    may_change: bool,
    script: impl FnOnce() -> Result<Dynamic>,
    output: &mut Output,
) -> (Result<Dynamic>, Vec<DebugMessage>) {
    TURN.with_borrow_mut(|now| {
        if let Some(now) = now {
            now.row = turn.row;
            now.vel = *turn.vel;
            now.state = std::mem::take(turn.mind.state);
            now.progress.clear();
            now.progress.extend_from_slice(turn.mind.progress);
            now.draws.set(0);
            now.changes.clear();
            now.layer_changes.clear();
            now.may_change = may_change;
        }
    });
    let result = script();
    let messages = TURN.with_borrow_mut(|now| {
        let Some(now) = now else {
            return Vec::new();
        };
        *turn.vel = now.vel;
        *turn.mind.state = std::mem::take(&mut now.state);
        turn.mind.progress.copy_from_slice(&now.progress);
        let agent = now.world.agents.id[now.row];
        output.changes.extend(now.changes.drain(..).map(|kind| Change { agent, kind }));
        output.layer_changes.append(&mut now.layer_changes);
        std::mem::take(&mut now.messages)
    });
    (result, messages)
}

/// Reads or changes the current turn.
///
/// # Errors
///
/// If there is none.
pub(super) fn with<R>(action: impl FnOnce(&mut ScriptTurn) -> Result<R>) -> Result<R> {
    TURN.with_borrow_mut(|turn| match turn {
        Some(turn) => action(turn),
        None => Err(no_turn()),
    })
}

/// Returns the error of using the world outside of a turn.
pub(super) fn no_turn() -> Box<EvalAltResult> {
    Problem::new("the world cannot be used here")
        .help("only `init`, `steer` and the functions that they call can use agents and the world")
        .into()
}

/// Reads the current turn for a query about the surroundings, and counts its cost, which grows with the world.
pub(super) fn query<R>(action: impl FnOnce(&mut ScriptTurn) -> Result<R>) -> Result<R> {
    with(|turn| {
        meter::count_query(turn.things)?;
        action(turn)
    })
}

/// Starts to record the following turns, or stops if `record` is `None`. Returns the record until then.
pub(super) fn set_record(record: Option<TurnRecord>) -> Option<TurnRecord> {
    TURN.with_borrow_mut(|turn| match turn {
        Some(turn) => std::mem::replace(&mut turn.record, record),
        None => None,
    })
}
