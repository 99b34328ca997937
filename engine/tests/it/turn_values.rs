//! The values that a turn gives to the variables and calls of a script.

use std::collections::BTreeMap;

use flockwork_engine::math::short_vector;
use flockwork_engine::sim::Simulation;
use flockwork_engine::world::AgentId;
use flockwork_engine::{Options, Run};

use crate::support;

/// Each shipped script has a copy that notes its values and decides the same, and the results of primitives are those of the
/// explanation.
#[test]
fn shipped_scripts_have_values_that_fit_their_explanations() {
    let mut compared = 0;
    for name in support::names("scenarios", "ron") {
        let path = support::folder(&format!("scenarios/{name}.ron"));
        let mut run = Run::open(&path, &Options::default()).unwrap();
        for _ in 0..7 {
            run.step().unwrap();
        }
        let simulation: &Simulation = run.simulation();
        let agents = &simulation.world().agents;
        let first: BTreeMap<u16, AgentId> =
            agents.group.iter().zip(&agents.id).rev().map(|(group, id)| (group.0, *id)).collect();
        for id in first.into_values() {
            let values = simulation.values(id).unwrap();
            let Some(why) = simulation.explain(id).unwrap() else { continue };
            for call in &why.calls {
                let Some(place) = &call.place else { continue };
                let value = values.iter().find(|value| value.place == *place);
                let value = value.unwrap_or_else(|| {
                    panic!("{name}: agent {id}: no value of {} at {place}", call.primitive.name)
                });
                if value.count == 1 {
                    assert_eq!(value.text, short_vector(call.raw), "{name}: agent {id}: {place}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared} compared");
}
