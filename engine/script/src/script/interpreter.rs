//! Runs a function of a script with Rhai's interpreter, for one agent after another.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhai::{AST, Caches, Dynamic, GlobalRuntimeState, Scope, Shared};

use super::compile::Script;
use super::error;
use super::handles::MeHandle;
use super::problem::{self, Problem};
use super::{meter, turn, value};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::sim::{self, Output, Turn};
use crate::world::World;

/// The body of a function with one parameter, as a script of its own.
#[derive(Debug)]
pub(super) struct FunctionBody(AST);

impl FunctionBody {
    pub(super) fn of(script: &Script, function: &str) -> Self {
        Self(script.body(function, 1))
    }

    /// Returns the initial state of the interpreter: the functions that can be called, and the file of errors.
    pub(super) fn new_state(&self, script: &Script) -> GlobalRuntimeState {
        let mut global = script.engine.new_global_runtime_state();
        global.lib.push(Shared::clone(self.0.shared_lib()));
        global.source = Some(script.source.name.as_str().into());
        global
    }

    /// Runs the body, with its parameter in the scope.
    pub(super) fn run(
        &self,
        script: &Script,
        global: &mut GlobalRuntimeState,
        caches: &mut Caches,
        scope: &mut Scope<'_>,
    ) -> problem::Result<Dynamic> {
        #[expect(
            deprecated,
            reason = "the only call that keeps the caches, and the version is pinned"
        )]
        let run = || script.engine.eval_statements_raw(global, caches, scope, self.0.statements());
        meter::restart(script.elements);
        // A panic in Rhai must not end the program.
        panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            Err(Problem::new("the interpreter crashed while it ran this script")
                .help("this is a bug in Flockwork: please report it with the script")
                .into())
        })
    }
}

/// The state that an interpreter keeps from one agent to the next, and from one tick to the next, because Rhai's caches
/// of the called functions stay valid.
#[derive(Debug)]
pub(super) struct InterpreterState {
    global: GlobalRuntimeState,
    caches: Caches,
    scope: Scope<'static>,
}

/// The idle states of the interpreters of one function.
#[derive(Debug, Default)]
pub(super) struct IdleStates(Mutex<Vec<InterpreterState>>);

impl IdleStates {
    fn all(&self) -> MutexGuard<'_, Vec<InterpreterState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an interpreter, with an idle state if there is one.
    pub(super) fn interpreter<'a>(
        &self,
        script: &'a Script,
        body: &'a FunctionBody,
        world: &Arc<World>,
    ) -> Interpreter<'a> {
        let idle = self.all().pop();
        match idle {
            Some(state) => Interpreter { script, body, state, _session: turn::enter(world) },
            None => Interpreter::new(script, body, world),
        }
    }

    /// Keeps the state of an interpreter that has run without an error.
    pub(super) fn release(&self, interpreter: Interpreter<'_>) {
        let mut state = interpreter.state;
        state.scope.rewind(0);
        self.all().push(state);
    }
}

/// Runs a function of a script for agents of one world.
pub(super) struct Interpreter<'a> {
    script: &'a Script,
    body: &'a FunctionBody,
    state: InterpreterState,
    _session: turn::TurnGuard,
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(script: &'a Script, body: &'a FunctionBody, world: &Arc<World>) -> Self {
        let global = body.new_state(script);
        let state = InterpreterState { global, caches: Caches::new(), scope: Scope::new() };
        Self { script, body, state, _session: turn::enter(world) }
    }

    /// Runs the function in the turn of an agent, which may change the world or not. Returns its result.
    pub(super) fn run(
        &mut self,
        world: &World,
        turn: &mut Turn<'_>,
        may_change: bool,
        output: &mut Output,
    ) -> Result<Dynamic, Diagnostic> {
        let Self { script, body, state, .. } = self;
        let InterpreterState { global, caches, scope } = state;
        global.num_modules_loaded = 0;
        global.truncate_imports(0);
        scope.rewind(0);
        scope.push("me", MeHandle);
        let (result, debug_messages) =
            turn::run(turn, may_change, || body.run(script, global, caches, scope), output);
        if !debug_messages.is_empty() {
            let new = debug_messages.into_iter().map(|message| message.of(world, turn.row));
            sim::add_messages(&mut output.messages, new);
        }
        result.map_err(|error| error::runtime_error(&error, &script.sources()))
    }
}

/// Returns the force that a script has returned: a vector, or zero for `()`.
pub(super) fn force(script: &Script, returned: &Dynamic) -> Result<Vec2, Diagnostic> {
    if let Some(force) = value::vector(returned) {
        return Ok(force);
    }
    if returned.is_unit() {
        return Ok(Vec2::ZERO);
    }
    let wrong = problem::not_a_force(&value::kind(returned));
    Err(wrong.at(&script.source, script.place_of_wrong_force()))
}
