//! Layers in a tick: what agents deposit and take, then diffusion and evaporation.
//!
//! Agents deposit and take in the order of their ids, each in the order of its script. In a synchronous world they do so when all have
//! decided, so nobody reads an amount that another agent has changed in the same tick. In a sequential world each does so at the end of
//! its turn.

use std::sync::Arc;

use super::{AgentError, LayerChange, Simulation};
use crate::diag::Diagnostic;
use crate::world::{MAX_AMOUNT, Minds, News, NewsSource, Value, World};

impl Simulation {
    /// Lets agents deposit and take what they have decided on.
    pub(super) fn change_layers(&mut self) -> Result<(), AgentError> {
        if self.output.layer_changes.is_empty() {
            return Ok(());
        }
        let mut changes = std::mem::take(&mut self.output.layer_changes);
        if !changes.is_sorted_by_key(|change| change.agent) {
            changes.sort_by_key(|change| change.agent);
        }
        let world = Arc::make_mut(&mut self.world);
        let names = Arc::clone(world.names());
        let mut news = Vec::new();
        for &change in &changes {
            let LayerChange { agent, layer, into, cell, amount } = change;
            let layer = &mut world.layers[usize::from(layer.0)];
            let Some(name) = into else {
                if !layer.deposit(cell as usize, amount) {
                    return Err(too_much(world, change));
                }
                continue;
            };
            let taken = layer.take(cell as usize, amount);
            if let Some(row) = world.agents.row(agent) {
                let name = &names.public()[usize::from(name)].name;
                add_to(&mut self.minds, row, name, taken);
                world.publish_row(&self.minds, row);
                if taken > 0.0 && world.news.is_some() {
                    let source = NewsSource::Taken(Arc::clone(
                        &world.layers[usize::from(change.layer.0)].name,
                    ));
                    news.push(News::of_own_act(world.tick, agent, name.clone(), source));
                }
            }
        }
        self.note(news);
        changes.clear();
        self.output.layer_changes = changes;
        Ok(())
    }

    /// Lets the amounts of all layers diffuse and evaporate.
    pub(super) fn advance_layers(&mut self) {
        if self.world.layers.is_empty() {
            return;
        }
        let world = Arc::make_mut(&mut self.world);
        world.layers.iter_mut().for_each(|layer| layer.advance(world.dt));
    }
}

/// Adds a number to a value of an agent's state.
pub(super) fn add_to(minds: &mut Minds, row: usize, name: &Arc<str>, taken: f32) {
    let state = minds.mind(row).state;
    let before = match state.get(name) {
        Some(Value::Float(x)) => *x,
        Some(Value::Int(x)) => *x as f32,
        _ => 0.0,
    };
    // The largest float plus an amount is the largest float, so the sum is finite.
    state.put(name, Value::Float(before + taken));
}

fn too_much(world: &World, change: LayerChange) -> AgentError {
    let layer = &world.layers[usize::from(change.layer.0)];
    let row = world.agents.row(change.agent).unwrap_or(0);
    let what = format!(
        "the cell of layer `{}` at {} would have more than {MAX_AMOUNT:e}",
        layer.name,
        layer.center(change.cell as usize)
    );
    let help = "deposit less, or let the layer evaporate: `evaporation: ...`";
    AgentError::new(world, row, Diagnostic::error(what).help(help))
}

#[cfg(test)]
mod tests {
    use super::super::tests::Acts;
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{Brain, GroupBuilder, Order, Output, SpawnShape, Turn};
    use crate::world::{AgentId, Edge, GroupId, Layer, LayerId, NewAgent, Space};

    const SPACE: Space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };

    /// Each agent takes at most 1 from its cell, and deposits its id in the second layer.
    fn eats() -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            let agent = world.agents.id[turn.row];
            let pos = world.agents.pos(turn.row);
            let change = |layer: u16, into: Option<u16>, amount: f32| LayerChange {
                agent,
                layer: LayerId(layer),
                into,
                cell: world.layers[usize::from(layer)].cell_at(&world.space, pos).unwrap() as u32,
                amount,
            };
            output.layer_changes.push(change(0, Some(0), 1.0));
            output.layer_changes.push(change(1, None, agent.0 as f32 * 1e-3));
            *turn.force = Vec2::new(pos.y - 50.0, 50.0 - pos.x);
        })
    }

    fn simulation(order: Order) -> Simulation {
        let mut food = Layer::new("food", &SPACE, 5.0);
        Arc::make_mut(&mut food.amounts).iter_mut().for_each(|amount| *amount = 1.75);
        let scent =
            Layer { evaporation: 0.2, diffusion: 30.0, ..Layer::new("scent", &SPACE, 20.0) };
        let shape = SpawnShape::Disc { center: Vec2::splat(50.0), radius: 30.0 };
        let group =
            GroupBuilder::new("eater").spawn(shape, 60).brain(Arc::new(eats())).public("eaten", 0);
        let build = Simulation::builder(SPACE).order(order).layer(food).layer(scent).group(group);
        build.seed(4).build().unwrap()
    }

    fn eaten(simulation: &Simulation) -> Vec<f32> {
        let world = simulation.world();
        let number = |agent: crate::world::Agent<'_>| match agent.state("eaten") {
            Some(Value::Float(x)) => x,
            other => panic!("{other:?}"),
        };
        world.members(GroupId(0)).map(number).collect()
    }

    #[test]
    fn what_agents_take_is_in_their_state_and_nothing_is_lost() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut simulation = simulation(order);
            for _ in 0..120 {
                simulation.step().unwrap();
                let left: f32 = simulation.world().layers[0].amounts.iter().sum();
                let taken: f32 = eaten(&simulation).iter().sum();
                // Multiples of a quarter are exact.
                assert_eq!(left + taken, 400.0 * 1.75, "{order:?}");
            }
            assert!(eaten(&simulation).iter().any(|&taken| taken > 3.0));
        }
    }

    #[test]
    fn the_first_ids_take_first() {
        let mut food = Layer::new("food", &SPACE, 100.0);
        Arc::make_mut(&mut food.amounts)[0] = 2.5;
        let scent = Layer::new("scent", &SPACE, 100.0);
        // In the order of positions the last agents decide first.
        let agents = (0..40).map(|i| NewAgent::at(Vec2::splat(90.0 - 2.0 * i as f32), Vec2::X));
        let group = GroupBuilder::new("eater")
            .agents(agents.collect::<Vec<_>>())
            .brain(Arc::new(eats()))
            .public("eaten", 0);
        let build = Simulation::builder(SPACE).layer(food).layer(scent).group(group);
        let mut simulation = build.build().unwrap();
        simulation.step().unwrap();
        assert_eq!(eaten(&simulation)[..4], [1.0, 1.0, 0.5, 0.0]);
        // 0 + 0.001 + 0.002 + ... in this order, to the bit.
        let sum = (0..40).fold(0.0f32, |sum, id| sum + id as f32 * 1e-3);
        assert_eq!(simulation.world().layers[1].amounts[0].to_bits(), sum.to_bits());
    }

    #[test]
    fn a_restored_run_and_an_unchanged_edit_go_on_as_before() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut straight = simulation(order);
            (0..10).for_each(|_| straight.step().unwrap());
            let state = straight.state();
            let mut restored = simulation(order);
            restored.restore(state);
            let mut adopted = straight.adopt(&simulation(order)).unwrap();
            for _ in 0..10 {
                for run in [&mut straight, &mut restored, &mut adopted] {
                    run.step().unwrap();
                }
                let bits = |run: &Simulation| format!("{:?}", run.state());
                assert_eq!(bits(&straight), bits(&restored));
                assert_eq!(bits(&straight), bits(&adopted));
            }
        }
    }

    #[test]
    fn an_edit_of_the_first_amounts_starts_the_layer_again() {
        let mut old = simulation(Order::Synchronous);
        (0..5).for_each(|_| old.step().unwrap());
        let mut food = Layer::new("food", &SPACE, 5.0);
        Arc::make_mut(&mut food.amounts)[7] = 3.0;
        let fresh = Layer::new("fresh", &SPACE, 5.0);
        let group = GroupBuilder::new("eater").brain(Arc::new(eats())).public("eaten", 0);
        let build = Simulation::builder(SPACE).layer(food.clone()).layer(fresh).group(group);
        let edited = build.seed(4).build().unwrap();
        let next = old.adopt(&edited).unwrap();
        assert_eq!(next.world().layers[0].amounts, food.amounts);
        assert_eq!(&*next.world().layers[1].name, "fresh");
    }

    #[test]
    fn a_cell_that_would_have_too_much_is_an_error_of_the_agent() {
        let mut simulation = simulation(Order::Synchronous);
        let mut deposit = || {
            let (agent, layer, into) = (AgentId(7), LayerId(1), None);
            let change = LayerChange { agent, layer, into, cell: 0, amount: MAX_AMOUNT };
            simulation.output.layer_changes.push(change);
            simulation.change_layers()
        };
        deposit().unwrap();
        let error = deposit().unwrap_err();
        assert_eq!(error.agent, AgentId(7));
        assert!(error.to_string().contains("layer `scent`"), "{error}");
    }
}
