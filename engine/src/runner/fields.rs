//! Sampling the scripts of fields.

use std::sync::Arc;

use super::script_exists::{ScriptUse, check_script_exists};
use crate::diag::{Diagnostic, Diagnostics};
use crate::scenario::{FieldScript, Scenario};
use crate::script::{CompiledField, Library, MAX_SAMPLING_STEPS};
use crate::world::{FieldShape, World};

/// Fills the grids of the fields that scripts describe. A script sees the obstacles, the paths and the fields before its
/// own, but no agents.
///
/// [`Run`](super::Run) does this. Do it before you make a simulation of a scenario on your own.
///
/// # Errors
///
/// All errors in the scripts of fields.
pub fn sample_fields(scenario: &mut Scenario, scripts: &dyn Library) -> Result<(), Diagnostics> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut steps_left = MAX_SAMPLING_STEPS;
    let setup = &mut scenario.setup;
    // A field is the same at all ticks, so it knows only the obstacles that are.
    let changing = setup.changing_obstacles();
    for FieldScript { field, name, place } in &scenario.field_scripts {
        let compiled = check_script_exists(ScriptUse::Field, name, place, scripts)
            .and_then(|()| CompiledField::compile(name, scripts));
        let (before, rest) = setup.fields.split_at_mut(*field);
        let FieldShape::Grid(grid) = &mut rest[0].shape else { continue };
        let sampled = compiled.and_then(|compiled| {
            let (obstacles, paths) = (setup.obstacles.clone(), setup.paths.clone());
            let groups = setup.groups.iter().map(|(group, _)| group.clone()).collect();
            let mut world = World::new(setup.seed, setup.dt, setup.space, obstacles, paths, groups);
            world.fields = before.to_vec();
            world.set_absent_obstacles(&changing);
            Ok(compiled.sample(&Arc::new(world), grid, &mut steps_left)?)
        });
        match sampled {
            Ok(vectors) => grid.vectors = vectors.into(),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Diagnostics::unique(errors)) }
}
