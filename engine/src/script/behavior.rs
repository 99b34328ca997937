//! A script as a brain: called for one agent after another.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rhai::{AST, Caches, Dynamic, Scope, Shared};

use super::api::Itself;
use super::compile::Script;
use super::error::{self, Problem};
use super::{Library, turn, value};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::sim::{Brain, Fault, Message, Turn, Turns};
use crate::world::World;

/// A compiled behavior: a script with a function `steer(me)`, and perhaps one `init(me)`.
#[derive(Debug)]
pub struct Behavior {
    script: Script,
    init: Option<AST>,
    steer: AST,
    lowered: bool,
}

impl Behavior {
    /// Reads, compiles and checks a behavior and everything it imports.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Vec<Diagnostic>> {
        Self::new(Script::compile(name, library)?).map_err(|error| vec![error])
    }

    /// Makes a script a behavior.
    ///
    /// # Errors
    ///
    /// If it has no `steer(me)`, or an `init` of another form.
    pub fn new(script: Script) -> Result<Self, Diagnostic> {
        let parameters = |name| {
            script
                .functions()
                .find(|(known, _)| *known == name)
                .map(|(_, parameters)| parameters)
        };
        let wrong = |name: &str, count: usize| {
            Diagnostic::error(format!(
                "`{name}` takes one parameter, the agent, and here has {count}"
            ))
            .at(&script.source, script.place_of(name))
            .help(format!("write `fn {name}(me)`"))
        };
        let init = match parameters("init") {
            Some(1) => Some(script.body("init", 1)),
            Some(count) => return Err(wrong("init", count)),
            None => None,
        };
        match parameters("steer") {
            Some(1) => Ok(Self {
                steer: script.body("steer", 1),
                init,
                script,
                lowered: true,
            }),
            Some(count) => Err(wrong("steer", count)),
            None => Err(Diagnostic::error("the script has no function `steer`")
                .at(&script.source, 0..0)
                .suggest("steer", script.functions().map(|(name, _)| name))
                .help("a behavior is a script with `fn steer(me) { ... }` that ends with a force")),
        }
    }

    /// The same, but always by the interpreter: slower, with the same results.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Self {
            lowered: false,
            ..self
        }
    }

    /// Runs the body of a function of the script for each agent, as its turn.
    fn run_each(
        &self,
        body: &AST,
        world: &Arc<World>,
        turns: &mut Turns<'_>,
        messages: &mut Vec<Message>,
        mut done: impl FnMut(&mut Turn<'_>, Dynamic) -> Result<(), Diagnostic>,
    ) -> Result<(), Fault> {
        let _session = turn::enter(world);
        let engine = &self.script.engine;
        // Made once for all: what Rhai finds out about the functions that are called stays valid.
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(body.shared_lib()));
        global.source = Some(self.script.source.name.as_str().into());
        let mut caches = Caches::new();
        let mut scope = Scope::new();
        turns.each(world, |mut turn| {
            global.num_operations = Default::default();
            global.num_modules_loaded = 0;
            global.truncate_imports(0);
            scope.rewind(0);
            scope.push("me", Itself);
            #[expect(
                deprecated,
                reason = "the only call that keeps the caches, and the version is pinned"
            )]
            let (result, said) = turn::take(&mut turn, || {
                // The interpreter is not ours: what breaks in it must not take the program along.
                let run = || {
                    engine.eval_statements_raw(
                        &mut global,
                        &mut caches,
                        &mut scope,
                        body.statements(),
                    )
                };
                panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
                    Err(Problem::new("the script broke the interpreter")
                        .help("this is a fault of Flockwork: please report it with the script")
                        .into())
                })
            });
            let agent = world.agents.id[turn.row];
            messages.extend(said.into_iter().map(|text| Message {
                tick: world.tick,
                agent,
                text,
            }));
            result
                .map_err(|error| error::of_running(&error, &self.script.texts()))
                .and_then(|returned| done(&mut turn, returned))
                .map_err(|what| self.fault(world, turn.row, what))
        })
    }

    fn force(&self, returned: &Dynamic) -> Result<Vec2, Diagnostic> {
        if let Some(force) = returned.read_lock::<Vec2>() {
            return Ok(*force);
        }
        let what = Diagnostic::error(format!(
            "`steer` must return a vector, and returned {}",
            value::kind(returned)
        ))
        .at(&self.script.source, self.script.place_of("steer"));
        Err(if returned.is_unit() {
            what.help("its last expression is what it returns; or say `return ...;`")
        } else {
            what.help("a vector is what primitives return; `vec(0, 0)` is no force")
        })
    }

    fn fault(&self, world: &World, row: usize, what: Diagnostic) -> Fault {
        let agent = world.agent(row);
        Fault {
            tick: world.tick,
            agent: agent.id(),
            group: agent.group().name.to_string(),
            what: Box::new(what),
        }
    }
}

impl Brain for Behavior {
    fn begin(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        let Some(init) = &self.init else {
            return Ok(());
        };
        self.run_each(init, world, &mut turns, messages, |_, _| Ok(()))
    }

    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        self.run_each(
            &self.steer,
            world,
            &mut turns,
            messages,
            |turn, returned| {
                *turn.force = self.force(&returned)?;
                Ok(())
            },
        )
    }
}
