//! The turn: which agent a running script is, and what it sees.
//!
//! What Rhai passes around must own what it holds, so `me`, an agent or an obstacle are numbers to a
//! script, and the functions it calls look the world up here. Each thread has at most one turn, which
//! begins and ends around the call of a script.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult};

use super::error::{Problem, Result};
use super::meter;
use super::traced::Trace;
use crate::math::Vec2;
use crate::math::random::Use;
use crate::sim;
use crate::world::{Agent, Me, Progress, Values, World};

thread_local! {
    static TURN: RefCell<Option<ScriptTurn>> = const { RefCell::new(None) };
}

/// What a script says with `debug`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DebugMessage {
    /// File and line of the call: `scripts/shy.rhai:11`.
    pub(super) place: String,
    /// One line.
    pub(super) text: String,
}

/// The turn of an agent on this thread.
#[derive(Debug)]
pub(super) struct ScriptTurn {
    pub(super) world: Arc<World>,
    pub(super) row: usize,
    pub(super) vel: Vec2,
    pub(super) state: Values,
    pub(super) progress: Vec<Progress>,
    pub(super) messages: Vec<DebugMessage>,
    /// What the turn is explained by, if it is to be explained.
    pub(super) trace: Option<Trace>,
    draws: Cell<u64>,
    /// The size of the world, for what it costs to look around in it.
    things: usize,
}

impl ScriptTurn {
    /// The agent whose turn it is.
    pub(super) fn me(&self) -> Me<'_> {
        Me::new(&self.world, self.row, self.vel)
    }

    /// Another agent, if it is still there.
    pub(super) fn agent(&self, id: u32) -> Result<Agent<'_>> {
        match self.world.agents.row(id) {
            Some(row) => Ok(self.world.agent(row)),
            None => Err(Problem::new(format!("agent {id} is gone"))
                .help(
                    "an agent kept in `me.state` may have been removed: find it anew in each tick",
                )
                .into()),
        }
    }

    /// The next random number in `[0, 1)` of this turn.
    pub(super) fn draw(&self) -> f32 {
        let draw = self.draws.replace(self.draws.get() + 1);
        self.me().random(Use::Script).with(self.world.tick).with(draw).unit()
    }
}

/// Ends a session even if a script panics.
pub(super) struct TurnGuard;

impl Drop for TurnGuard {
    fn drop(&mut self) {
        TURN.with_borrow_mut(Option::take);
    }
}

/// Lets scripts on this thread see a world, until the session is dropped.
pub(super) fn enter(world: &Arc<World>) -> TurnGuard {
    let turn = ScriptTurn {
        world: Arc::clone(world),
        row: 0,
        vel: Vec2::ZERO,
        state: Values::default(),
        progress: Vec::new(),
        messages: Vec::new(),
        trace: None,
        draws: Cell::new(0),
        things: world.object_count(),
    };
    TURN.set(Some(turn));
    TurnGuard
}

/// Lets calls on this thread be tried as the first agent of a world, until the session is dropped.
pub(super) fn enter_for_trial(world: &Arc<World>) -> TurnGuard {
    let session = enter(world);
    TURN.with_borrow_mut(|turn| {
        if let Some(turn) = turn {
            turn.progress.resize(world.paths.len(), Progress::default());
        }
    });
    session
}

/// Makes it an agent's turn while `script` runs, and keeps what the script changed: the agent's mind,
/// its velocity, and what it said.
pub(super) fn take(
    turn: &mut sim::Turn<'_>,
    script: impl FnOnce() -> Result<Dynamic>,
) -> (Result<Dynamic>, Vec<DebugMessage>) {
    TURN.with_borrow_mut(|now| {
        if let Some(now) = now {
            now.row = turn.row;
            now.vel = *turn.vel;
            now.state = std::mem::take(turn.mind.state);
            now.progress.clear();
            now.progress.extend_from_slice(turn.mind.progress);
            now.draws.set(0);
        }
    });
    let result = script();
    let said = TURN.with_borrow_mut(|now| {
        let Some(now) = now else {
            return Vec::new();
        };
        *turn.vel = now.vel;
        *turn.mind.state = std::mem::take(&mut now.state);
        turn.mind.progress.copy_from_slice(&now.progress);
        std::mem::take(&mut now.messages)
    });
    (result, said)
}

/// Looks at the turn, or changes it.
pub(super) fn with<R>(look: impl FnOnce(&mut ScriptTurn) -> Result<R>) -> Result<R> {
    TURN.with_borrow_mut(|turn| match turn {
        Some(turn) => look(turn),
        None => Err(no_turn()),
    })
}

/// What is wrong where there is no turn.
pub(super) fn no_turn() -> Box<EvalAltResult> {
    Problem::new("there is no world yet")
        .help("only `init`, `steer` and what they call can see agents and the world")
        .into()
}

/// Answers a question about what is around, which takes longer the more there is.
pub(super) fn query<R>(look: impl FnOnce(&mut ScriptTurn) -> Result<R>) -> Result<R> {
    with(|turn| {
        meter::count_query(turn.things)?;
        look(turn)
    })
}

/// Traces the turns that follow, or no longer does; the trace so far.
pub(super) fn trace(trace: Option<Trace>) -> Option<Trace> {
    TURN.with_borrow_mut(|turn| match turn {
        Some(turn) => std::mem::replace(&mut turn.trace, trace),
        None => None,
    })
}
