//! Writes a moment of a run as a scenario that begins at tick 0: each agent with its place and velocity. States of scripts and
//! reached goals are lost.

use std::sync::Arc;

use super::probe::rows_of;
use crate::math::{self, Vec2};
use crate::scenario::text_parts::{PartPath, part, part_names, with_part, without_parts};
use crate::scenario::{
    Scenario, motion_text, number_text, param_text, string_text, with_moved_obstacle,
};
use crate::sim::{Action, Event, EventTime, Simulation, SpawnShape};
use crate::world::{ObstacleMotion, Progress};

fn path(group: &str, field: &str) -> PartPath {
    ["groups", group, field].map(ToOwned::to_owned).to_vec()
}

fn vector(v: Vec2) -> String {
    format!("({}, {})", number_text(v.x), number_text(v.y))
}

/// Returns whether the agents of all groups are listed in a scenario. The simulation is at its first tick.
pub(super) fn are_listed(text: &str, simulation: &Simulation) -> bool {
    let rows = rows_of(simulation);
    simulation.world().groups.iter().zip(rows).all(|(group, rows)| {
        let spawn = part(text, &path(&group.name, "spawn")).unwrap_or_default();
        let is_list = spawn.starts_with("Points") || spawn.starts_with("Agents");
        let is_cut = part(text, &path(&group.name, "count")).is_some();
        rows.is_empty()
            || (is_list
                && !is_cut
                && part_names(text, &path(&group.name, "spawn")).len() == rows.len())
    })
}

/// Returns whether an agent has reached a goal or a waypoint of a path. A list of agents loses that.
pub(super) fn is_under_way(simulation: &Simulation) -> bool {
    let (agents, minds) = (&simulation.world().agents, simulation.minds());
    let has_reached = agents.goal_progress.iter().any(|progress| progress.reached > 0);
    let begins = |row: usize| minds.progress(row).iter().all(|one| *one == Progress::default());
    has_reached || !(0..agents.len()).all(begins)
}

/// Returns a scenario in which all agents of a simulation are listed as they are now. `None` if that is not possible.
pub(super) fn with_agents(
    text: &str,
    scenario: &Scenario,
    simulation: &Simulation,
) -> Option<String> {
    let world = simulation.world();
    let is_first = world.tick == 0;
    let mut done = text.to_owned();
    for (index, rows) in rows_of(simulation).into_iter().enumerate() {
        let (group, spawn) = &scenario.setup.groups[index];
        let name = &*group.name;
        if rows.is_empty() {
            done = with_part(&done, &path(name, "count"), "0")?;
            continue;
        }
        let is_described = matches!(spawn.shape, SpawnShape::Agents(_));
        let mut agents = Vec::with_capacity(rows.len());
        for row in rows {
            let (at, velocity) = (world.agents.pos(row), world.agents.vel(row));
            if is_first && !is_described {
                agents.push(vector(at));
                continue;
            }
            let mut agent = if is_described {
                // It may have a body and goals of its own.
                let listed = part_names(text, &path(name, "spawn"));
                let number = listed.get(world.agents.index[row] as usize % listed.len().max(1))?;
                let mut place = path(name, "spawn");
                place.push(number.clone());
                part(text, &place)?.to_owned()
            } else {
                "()".to_owned()
            };
            if !is_first {
                let heading = world.agents.heading(row);
                let fields = [("at", vector(at)), ("velocity", vector(velocity))];
                for (field, value) in fields {
                    agent = with_part(&agent, &[field.to_owned()], &value)?;
                }
                agent = without_parts(&agent, &["heading_deg".to_owned()].map(|one| vec![one]));
                if !is_along(heading, velocity) {
                    let degrees = math::atan2(heading.y, heading.x) * (180.0 / math::PI);
                    let degrees = number_text(degrees);
                    agent = with_part(&agent, &["heading_deg".to_owned()], &degrees)?;
                }
            }
            agents.push(agent);
        }
        let kind = if is_first && !is_described { "Points" } else { "Agents" };
        let lines = agents.iter().map(|agent| format!("\n                {agent},"));
        let list = match agents.as_slice() {
            [agent] => format!("{kind}([{agent}])"),
            _ => format!("{kind}([{}\n            ])", lines.collect::<String>()),
        };
        done = with_part(&done, &path(name, "spawn"), &list)?;
        done = without_parts(&done, &[path(name, "count")]);
        if !is_first {
            done = without_parts(&done, &[path(name, "velocity"), path(name, "heading_deg")]);
        }
    }
    Some(done)
}

/// Returns whether a heading is that of a velocity.
fn is_along(heading: Vec2, velocity: Vec2) -> bool {
    let speed = math::length(velocity);
    if speed > 0.0 {
        math::length(velocity / speed - heading) < 1e-4
    } else {
        // The default heading.
        heading == Vec2::X
    }
}

/// Returns a scenario with the obstacles that are there now, where they are, and the present shared values, and with events that happen earlier by the ticks that have passed,
/// without those that are over. `None` if that cannot be written.
pub(super) fn with_later_surroundings(
    text: &str,
    scenario: &Scenario,
    simulation: &Simulation,
) -> Option<String> {
    let (by, absent) = (simulation.world().tick, simulation.world().absent_obstacles());
    if by == 0 {
        return Some(text.to_owned());
    }
    // Without a start, no message can wait.
    if !simulation.waiting().is_empty() {
        return None;
    }
    let mut done = text.to_owned();
    let (mut over, mut conditional) = (Vec::new(), 0..);
    for (index, event) in scenario.setup.events.iter().enumerate() {
        let event_path = vec!["events".to_owned(), index.to_string()];
        let field = |name: &str| -> PartPath {
            event_path.iter().cloned().chain([name.to_owned()]).collect()
        };
        match event.when {
            EventTime::When { again, .. } => {
                let number = conditional.next()?;
                if !again && simulation.spent_events().contains(&number) {
                    over.push(event_path);
                }
            }
            EventTime::At(tick) if tick < by && keeps_input_down(scenario, index, by) => {
                done = with_part(&done, &field("tick"), "0")?;
            }
            EventTime::At(tick) if tick < by => over.push(event_path),
            EventTime::At(tick) => {
                done = with_part(&done, &field("tick"), &(tick - by).to_string())?;
            }
            EventTime::Every { until, .. } if until <= by => over.push(event_path),
            EventTime::Every { ticks, from, until } => {
                let late = by.saturating_sub(from);
                let next = from + late.div_ceil(ticks) * ticks;
                done = with_part(&done, &field("from"), &(next - by).to_string())?;
                if until != u64::MAX {
                    done = with_part(&done, &field("until"), &(until - by).to_string())?;
                }
            }
        }
    }
    if absent != scenario.setup.absent_obstacles {
        let names: Vec<String> = absent.iter().map(|name| string_text(name)).collect();
        let field = vec!["absent_obstacles".to_owned()];
        done = with_part(&done, &field, &format!("[{}]", names.join(", ")))?;
    }
    done = with_moving_obstacles(&done, scenario, simulation)?;
    let world = simulation.world();
    for shared in world.shared.iter().filter(|one| *one.value() != one.start) {
        // It begins again with its first value in each tick, so that this one would stay.
        if shared.each_tick {
            return None;
        }
        let field = ["shared", &*shared.name, "start"].map(str::to_owned);
        done = with_part(&done, &field, &param_text(shared.value())?)?;
    }
    Some(without_parts(&done, &over))
}

/// Returns a scenario with the obstacles where they are now, and moving as now. `None` if one of them is on its way along a path: it would go
/// to the first waypoint.
fn with_moving_obstacles(
    text: &str,
    scenario: &Scenario,
    simulation: &Simulation,
) -> Option<String> {
    let states = simulation.world().moving_obstacles();
    let (mut done, mut moving) = (text.to_owned(), Vec::new());
    for state in states {
        if state.offset != Vec2::ZERO {
            done = with_moved_obstacle(&done, &state.name, state.offset)?;
        }
        match state.motion {
            ObstacleMotion::Along { .. } if state.progress != Progress::default() => return None,
            ObstacleMotion::Stop => {}
            motion => moving.push((state.name, motion)),
        }
    }
    if moving == scenario.setup.moving_obstacles {
        return Some(done);
    }
    let entries = moving
        .iter()
        .map(|(name, motion)| format!("{}: {}", string_text(name), motion_text(motion)));
    let entries = entries.collect::<Vec<_>>().join(", ");
    with_part(&done, &["moving_obstacles".to_owned()], &format!("{{ {entries} }}"))
}

/// Returns whether an event has set an input that is still true at a later tick.
fn keeps_input_down(scenario: &Scenario, index: usize, later: u64) -> bool {
    let events = &scenario.setup.events;
    let set = |event: &Event| match (&event.when, &event.action) {
        (EventTime::At(tick), Action::Input { name, down }) if *tick < later => {
            Some((Arc::clone(name), *tick, *down))
        }
        _ => None,
    };
    let Some((name, tick, true)) = set(&events[index]) else { return false };
    let mut others = events.iter().enumerate().filter_map(|(at, event)| Some((at, set(event)?)));
    !others.any(|(at, (other, when, _))| other == name && (when, at) > (tick, index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;
    use crate::sim::{Brain, NoBehavior};

    /// Returns a scenario with a door that opens and with a lift, and a simulation of it.
    fn opened(text: &str) -> (Scenario, Simulation) {
        let scenario = Scenario::parse(&Source::new("a.ron", text)).unwrap();
        let brain: Arc<dyn Brain> = Arc::new(NoBehavior);
        let simulation = Simulation::new(scenario.setup.clone(), vec![brain]).unwrap();
        (scenario, simulation)
    }

    #[test]
    fn obstacles_begin_where_they_are_and_go_on() {
        let text = |motion: &str| {
            format!(
                "(world: (size: (90, 90)),
                obstacles: {{ \"door\": Segment(from: (1, 0), to: (1, 4)), \"lift\": Box(center: (9, 9), size: (2, 2)) }},
                paths: {{ \"shaft\": (points: [(9, 9), (9, 40)], radius: 1) }}, moving_obstacles: {{ \"lift\": {motion} }},
                groups: {{ \"a\": (spawn: Points([(50, 50)])) }},
                events: [At(tick: 1, do: MoveObstacle(obstacle: \"door\", moves: To(at: (1, 12), speed: 30)))])"
            )
        };
        let moving = text("Velocity((6, 3))");
        let (scenario, mut simulation) = opened(&moving);
        for _ in 0..10 {
            simulation.step().unwrap();
        }
        let later = with_later_surroundings(&moving, &scenario, &simulation).unwrap();
        let (_, mut again) = opened(&later);
        for tick in 0..40 {
            let both = [&simulation, &again].map(|of| &of.world().obstacles);
            for (a, b) in both[0].iter().zip(both[1]) {
                let apart = a.shape.center().distance(b.shape.center());
                assert!(apart < 1e-3, "{} at tick {tick}: {apart}\n{later}", a.name);
            }
            simulation.step().unwrap();
            again.step().unwrap();
        }
        assert_eq!(again.world().obstacles[0].shape.center(), Vec2::new(1.0, 12.0));
        // A place on a path cannot be written, only its beginning.
        let along = text("Along(path: \"shaft\", speed: 5)");
        let (scenario, mut simulation) = opened(&along);
        for _ in 0..10 {
            simulation.step().unwrap();
        }
        assert_eq!(with_later_surroundings(&along, &scenario, &simulation), None);
    }
}
