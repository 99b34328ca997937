//! The slow way: a function of a script, called for one agent after another.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rhai::{AST, Caches, Dynamic, GlobalRuntimeState, Scope, Shared};

use super::api::{self, MeHandle};
use super::compile::Script;
use super::error::{self, Problem};
use super::turn::DebugMessage;
use super::{meter, turn, value};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::sim::{self, Message, Turn};
use crate::world::World;

/// What a function with one parameter does, as statements of its own.
#[derive(Debug)]
pub(super) struct FunctionBody(AST);

impl FunctionBody {
    pub(super) fn of(script: &Script, function: &str) -> Self {
        Self(script.body(function, 1))
    }

    /// What can be called besides, and where errors are, to begin with.
    pub(super) fn new_state(&self, script: &Script) -> GlobalRuntimeState {
        let mut global = script.engine.new_global_runtime_state();
        global.lib.push(Shared::clone(self.0.shared_lib()));
        global.source = Some(script.source.name.as_str().into());
        global
    }

    /// Does it, with its parameter in the scope.
    pub(super) fn run(
        &self,
        script: &Script,
        global: &mut GlobalRuntimeState,
        caches: &mut Caches,
        scope: &mut Scope<'_>,
    ) -> error::Result<Dynamic> {
        #[expect(
            deprecated,
            reason = "the only call that keeps the caches, and the version is pinned"
        )]
        let run = || script.engine.eval_statements_raw(global, caches, scope, self.0.statements());
        meter::restart(script.elements);
        // The interpreter is not ours: what breaks in it must not take the program along.
        panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            Err(Problem::new("the script broke the interpreter")
                .help("this is a fault of Flockwork: please report it with the script")
                .into())
        })
    }
}

/// Runs a function of a script for agents of one world.
pub(super) struct Interpreter<'a> {
    script: &'a Script,
    body: &'a FunctionBody,
    global: GlobalRuntimeState,
    caches: Caches,
    scope: Scope<'a>,
    _session: turn::TurnGuard,
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(script: &'a Script, body: &'a FunctionBody, world: &Arc<World>) -> Self {
        Self {
            script,
            body,
            // Made once for all: what Rhai finds out about the functions that are called stays valid.
            global: body.new_state(script),
            caches: Caches::new(),
            scope: Scope::new(),
            _session: turn::enter(world),
        }
    }

    /// The same, for turns that are traced.
    pub(super) fn traced(script: &'a Script, body: &'a FunctionBody, world: &Arc<World>) -> Self {
        let mut interpreter = Self::new(script, body, world);
        // What is found there comes before what the engine has.
        interpreter.global.lib.push(api::traced_module());
        interpreter
    }

    /// What the function gives for an agent, whose turn it is.
    pub(super) fn run(
        &mut self,
        world: &World,
        turn: &mut Turn<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<Dynamic, Diagnostic> {
        let Self { script, body, global, caches, scope, .. } = self;
        global.num_modules_loaded = 0;
        global.truncate_imports(0);
        scope.rewind(0);
        scope.push("me", MeHandle);
        let (result, said) = turn::take(turn, || body.run(script, global, caches, scope));
        if !said.is_empty() {
            let agent = world.agents.id[turn.row];
            let group = &world.group(world.agents.group[turn.row]).name;
            let said = said.into_iter().map(|DebugMessage { place, text }| Message {
                tick: world.tick,
                agent,
                group: Arc::clone(group),
                place,
                text,
            });
            sim::add_messages(messages, said);
        }
        result.map_err(|error| error::runtime_error(&error, &script.sources()))
    }
}

/// The force that a script has returned: a vector, or `()` for none.
pub(super) fn force(script: &Script, returned: &Dynamic) -> Result<Vec2, Diagnostic> {
    if let Some(force) = value::vector(returned) {
        return Ok(force);
    }
    if returned.is_unit() {
        return Ok(Vec2::ZERO);
    }
    let wrong = error::not_a_force(&value::kind(returned));
    Err(wrong.at(&script.source, script.place_of("steer")))
}
