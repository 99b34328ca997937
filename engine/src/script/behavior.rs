//! A script as a brain: called for one agent after another.

use std::sync::Arc;

use rhai::{AST, Dynamic, Scope};

use super::api::Itself;
use super::compile::Script;
use super::error::{self, Result};
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
}

impl Behavior {
    /// Reads, compiles and checks a behavior and everything it imports.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn compile(
        name: &str,
        library: &dyn Library,
    ) -> std::result::Result<Self, Vec<Diagnostic>> {
        Self::new(Script::compile(name, library)?).map_err(|error| vec![error])
    }

    /// Makes a script a behavior.
    ///
    /// # Errors
    ///
    /// If it has no `steer(me)`, or an `init` of another form.
    pub fn new(script: Script) -> std::result::Result<Self, Diagnostic> {
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
            .at(&script.source, place(&script, name))
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
            }),
            Some(count) => Err(wrong("steer", count)),
            None => Err(Diagnostic::error("the script has no function `steer`")
                .at(&script.source, 0..0)
                .suggest("steer", script.functions().map(|(name, _)| name))
                .help("a behavior is a script with `fn steer(me) { ... }` that ends with a force")),
        }
    }

    /// Runs the body of a function of the script for an agent, as its turn.
    fn run(
        &self,
        body: &AST,
        turn: &mut Turn<'_>,
        messages: &mut Vec<Message>,
        world: &World,
    ) -> Result<Dynamic> {
        let (result, said) = turn::take(turn, || {
            let mut scope = Scope::new();
            scope.push("me", Itself);
            self.script.engine.eval_ast_with_scope(&mut scope, body)
        });
        let agent = world.agents.id[turn.row];
        messages.extend(said.into_iter().map(|text| Message {
            tick: world.tick,
            agent,
            text,
        }));
        result
    }

    fn force(&self, returned: &Dynamic) -> std::result::Result<Vec2, Diagnostic> {
        if let Some(force) = returned.read_lock::<Vec2>() {
            return Ok(*force);
        }
        let what = Diagnostic::error(format!(
            "`steer` must return a vector, and returned {}",
            value::kind(returned)
        ))
        .at(&self.script.source, place(&self.script, "steer"));
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
    ) -> std::result::Result<(), Fault> {
        let Some(init) = &self.init else {
            return Ok(());
        };
        let _session = turn::enter(world);
        turns.each(world, |mut turn| {
            let result = self.run(init, &mut turn, messages, world);
            let failed =
                |error: Box<rhai::EvalAltResult>| error::of_running(&error, &self.script.texts());
            result
                .map(drop)
                .map_err(|error| self.fault(world, turn.row, failed(error)))
        })
    }

    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> std::result::Result<(), Fault> {
        let _session = turn::enter(world);
        turns.each(world, |mut turn| {
            let result = self.run(&self.steer, &mut turn, messages, world);
            let force = result
                .map_err(|error| error::of_running(&error, &self.script.texts()))
                .and_then(|returned| self.force(&returned));
            *turn.force = force.map_err(|what| self.fault(world, turn.row, what))?;
            Ok(())
        })
    }
}

/// Where a function of a script begins.
fn place(script: &Script, function: &str) -> std::ops::Range<usize> {
    let text = &script.source.text;
    let start = text.match_indices("fn ").map(|(at, _)| at).find(|at| {
        text[at + 3..]
            .trim_start()
            .strip_prefix(function)
            .is_some_and(|rest| rest.trim_start().starts_with('('))
    });
    start.map_or(0..0, |start| {
        start
            ..text[start..]
                .find(')')
                .map_or(text.len(), |end| start + end + 1)
    })
}
