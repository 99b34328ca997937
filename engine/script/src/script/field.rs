//! Fields written as scripts, with a function `flow(point)` that returns the vector at a point.

use std::sync::Arc;

use rhai::{Caches, Scope};

use super::compile::Script;
use super::entry_point::EntryPoint;
use super::interpreter::FunctionBody;
use super::{Library, error, meter, turn, value};
use crate::diag::{Diagnostic, Diagnostics};
use crate::math::{self, Vec2};
use crate::world::{VectorGrid, World};

/// Maximum number of steps for all vectors of all fields of a scenario: a few seconds.
pub const MAX_SAMPLING_STEPS: u64 = 50_000_000;

const FLOW: EntryPoint = EntryPoint {
    name: "flow",
    signature: "fn flow(point)",
    parameter: "the point",
    purpose: "a field needs a function `fn flow(point) { ... }` that returns the vector at a point",
};

/// A compiled script with a function `flow(point)`.
#[derive(Debug)]
pub struct CompiledField {
    script: Script,
    body: FunctionBody,
    parameter: String,
}

impl CompiledField {
    /// Reads, compiles and checks a script and everything it imports.
    ///
    /// # Errors
    ///
    /// If a script does not exist, cannot be read, or has errors.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Diagnostics> {
        Self::new(Script::compile_without_agent(name, library)?)
    }

    /// Creates a field from a script.
    ///
    /// # Errors
    ///
    /// If `flow(point)` is missing or has another number of parameters.
    pub fn new(script: Script) -> Result<Self, Diagnostics> {
        let parameter = FLOW.parameter_in(&script)?;
        Ok(Self { body: FunctionBody::of(&script, FLOW.name), parameter, script })
    }

    /// Returns the vectors at the centers of all cells of a grid, in a world without agents. It takes the steps of the
    /// script from `steps_left`.
    ///
    /// # Errors
    ///
    /// If the script fails, returns a value that is not a vector, or takes too many steps.
    pub fn sample(
        &self,
        world: &Arc<World>,
        grid: &VectorGrid,
        steps_left: &mut u64,
    ) -> Result<Vec<Vec2>, Diagnostic> {
        let Self { script, body, parameter } = self;
        let (mut global, mut caches) = (body.new_state(script), Caches::new());
        let mut scope = Scope::new();
        let _session = turn::enter(world);
        let mut vector = |index: usize| {
            let point = grid.center(index);
            global.num_modules_loaded = 0;
            global.truncate_imports(0);
            scope.rewind(0);
            scope.push(parameter.as_str(), point);
            let result = body.run(script, &mut global, &mut caches, &mut scope);
            let here = || format!("this is for the point {}", math::short_vector(point));
            let returned = result.map_err(|error| {
                let found = error::runtime_error(&error, &script.sources());
                error::without_agent(found).help(here())
            })?;
            let wrong = |message: String| {
                Diagnostic::error(message).at(&script.source, script.place_of(FLOW.name))
            };
            let Some(left) = steps_left.checked_sub(meter::steps()) else {
                let many =
                    format!("the scripts of all fields take more than {MAX_SAMPLING_STEPS} steps");
                return Err(wrong(many).help("use larger cells, or a function that does less"));
            };
            *steps_left = left;
            value::vector(&returned).ok_or_else(|| {
                let kind = value::kind(&returned);
                wrong(format!("`flow` must return a vector, but returned {kind}")).help(here())
            })
        };
        (0..grid.vectors.len()).map(&mut vector).collect()
    }
}
