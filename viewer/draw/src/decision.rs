//! Draws what an agent decides: its goal, its waypoint, the neighbors that it sees, and its forces as arrows.

use flockwork_core::math::{self, Vec2};
use flockwork_core::sim::{Explanation, NextTurn};
use flockwork_core::world::World;

use super::agents::size;
use super::arrow_names::{NamedArrow, arrow_names};
use super::least_size::least_size;
use super::{Camera, Palette, Pen, Picture, arrow, ring};

/// Length of the longest arrow of an agent's forces, in pixels; it is longer for a large body.
const ARROW: f32 = 90.0;
/// The part of what the body is capable of from which on an arrow can be that long. Smaller forces have shorter arrows, so that a
/// tiny force does not look like a large one.
const LARGE: f32 = 0.125;
/// Length from which on an arrow has its name beside it, in pixels.
const NAMED: f32 = 24.0;
/// The same if arrows add up: then each step of the sum has a name. A shorter arrow is hardly visible.
const NAMED_IN_CHAIN: f32 = 2.0;
/// Distance from the agent within which names keep clear of others, in pixels.
const AROUND: f32 = 300.0;

/// Draws the decision of an agent in a world, and a ring around it.
pub fn decision(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    world: &World,
    next_turn: &NextTurn,
    is_chained: bool,
) {
    let own = palette.color_of(&world.groups, next_turn.group);
    let decision = next_turn.decision.as_ref().ok();
    let explanation = decision.and_then(|decision| decision.explanation.as_ref());
    if let Some(goal) = &next_turn.goal {
        let at = camera.pixel(next_turn.pos);
        let end = camera.pixel(next_turn.pos + world.space.offset(next_turn.pos, goal.goal.at));
        let pen = Pen { dash: Some(4.0), ..Pen::new(own, 1.0) };
        picture.line(&[at, end], false, pen);
        let radius = math::max(camera.pixels(goal.goal.radius), 4.0);
        picture.circle(end, radius, Pen::new(own, 1.5));
    }
    if let Some(waypoint) = &next_turn.waypoint {
        picture.circle(camera.pixel(waypoint.at), 7.0, Pen::new(own, 1.5));
    }
    if let Some(explanation) = explanation {
        neighbors(picture, camera, world, next_turn, explanation, Pen::new(own.alpha(45), 1.0));
    }
    ring(picture, camera, world, next_turn.id, Pen::new(palette.ink, 1.3 * camera.emphasis()));
    let names = forces(picture, camera, palette, next_turn, is_chained);
    if !names.is_empty() {
        let agents = agents_around(camera, world, next_turn.pos);
        arrow_names(picture, camera, palette, &names, &agents);
    }
}

/// Returns the centers and the sizes of the agents around a place of the world, in pixels.
fn agents_around(camera: &Camera, world: &World, pos: Vec2) -> Vec<(Vec2, f32)> {
    let least = least_size(camera, &world.space, world.agents.positions());
    let far = camera.units(AROUND * camera.emphasis());
    let near = world.iter().filter_map(|agent| {
        let offset = world.space.offset(pos, agent.pos());
        let wanted = agent.group().appearance.size_of(agent.body().radius);
        let is_near = offset.abs().cmple(Vec2::splat(far)).all();
        is_near.then(|| (camera.pixel(pos + offset), size(camera, wanted, least)))
    });
    near.collect()
}

/// Draws a line to each neighbor that a call has seen, if it is among the nearest.
fn neighbors(
    picture: &mut Picture,
    camera: &Camera,
    world: &World,
    next_turn: &NextTurn,
    explanation: &Explanation,
    pen: Pen,
) {
    let at = camera.pixel(next_turn.pos);
    for end in ends_of_lines(world, next_turn, explanation) {
        picture.line(&[at, camera.pixel(end)], false, pen);
    }
}

/// Returns where the lines to the neighbors end that the calls have seen. In a world that wraps, that may be beyond the edge.
fn ends_of_lines<'w>(
    world: &'w World,
    next_turn: &'w NextTurn,
    explanation: &'w Explanation,
) -> impl Iterator<Item = Vec2> + 'w {
    let seen = explanation.calls.iter().filter_map(|call| call.seen.as_ref());
    let rows = seen.flat_map(|seen| &seen.nearest).filter_map(|id| world.agents.row(*id));
    rows.map(|row| next_turn.pos + world.space.offset(next_turn.pos, world.agents.pos(row)))
}

/// Returns the points beyond the edge of the world to which the lines of an agent's [`decision`] lead.
pub fn neighbors_beyond(world: &World, next_turn: &NextTurn) -> Vec<Vec2> {
    let decision = next_turn.decision.as_ref().ok();
    let Some(explanation) = decision.and_then(|decision| decision.explanation.as_ref()) else {
        return Vec::new();
    };
    let (low, high) = (world.space.min, world.space.max());
    let is_beyond = |at: &Vec2| at.cmplt(low).any() || at.cmpgt(high).any();
    ends_of_lines(world, next_turn, explanation).filter(is_beyond).collect()
}

/// Draws the whole force as a wide arrow, and the share of each call as a narrow one. Returns the narrow ones that are long
/// enough for a name.
fn forces<'n>(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    next_turn: &'n NextTurn,
    is_chained: bool,
) -> Vec<NamedArrow<'n>> {
    let Ok(decision) = &next_turn.decision else {
        return Vec::new();
    };
    let emphasis = camera.emphasis();
    let at = camera.pixel(next_turn.pos);
    let reach = math::max(ARROW * emphasis, camera.pixels(next_turn.body.radius) * 2.0);
    let shares = decision.explanation.as_ref().map(Explanation::shares).unwrap_or_default();
    // Forces and changes of the velocity have different units, so each has its own scale.
    let [force_scale, velocity_scale] = [false, true].map(|is_of_velocity| {
        let same = shares.iter().filter(|share| share.is_of_velocity == is_of_velocity);
        let (whole, most) = if is_of_velocity {
            (Vec2::ZERO, next_turn.body.max_speed)
        } else {
            (decision.wanted_force, next_turn.body.max_force)
        };
        let large = if most.is_finite() { LARGE * most } else { 0.0 };
        scale(same.map(|share| share.force).chain([whole, Vec2::new(large, 0.0)]), reach)
    });
    // The total is wide and paler than the shares, so that it stays visible below a single one.
    let whole = Pen::new(palette.ink.alpha(140), 6.0 * emphasis);
    let sum = on_screen(decision.wanted_force, force_scale);
    arrow(picture, at, at + sum, whole);
    // Where the next force and the next change of the velocity begin.
    let mut begins = [at, at];
    let mut names = Vec::new();
    for share in &shares {
        // What has no name is shown only where the sum would have a gap without it.
        if share.is_rest() && !is_chained {
            continue;
        }
        let scale = if share.is_of_velocity { velocity_scale } else { force_scale };
        let color = palette.share(share);
        let begin = &mut begins[usize::from(share.is_of_velocity)];
        let end = *begin + on_screen(share.force, scale);
        arrow(picture, *begin, end, Pen::new(color, 2.0 * emphasis));
        let along = end - *begin;
        let named = if is_chained { NAMED_IN_CHAIN } else { NAMED };
        if math::length(along) >= named {
            // The ends of arrows that are added up meet the next one, so names stand outside, beside their middle.
            let middle = *begin + along * 0.5;
            let across = Vec2::new(along.y, -along.x);
            let is_inside = across.dot(middle - (at + sum * 0.5)) < 0.0;
            let (point, aside) = match is_chained {
                true => (middle, if is_inside { -across } else { across }),
                false => (end, along),
            };
            let ends = [*begin, end];
            names.push(NamedArrow { words: share.name(), color, ends, point, aside });
        }
        if is_chained {
            *begin = end;
        }
    }
    names
}

/// Returns the pixels per unit, so that the longest of the vectors is `reach` pixels long.
fn scale(all: impl Iterator<Item = Vec2>, reach: f32) -> f32 {
    let longest = all.map(math::length).fold(0.0, math::max);
    if longest > 0.0 { reach / longest } else { 0.0 }
}

/// Returns a force in pixels. The y axis of the world points up, that of the screen down.
fn on_screen(force: Vec2, scale: f32) -> Vec2 {
    Vec2::new(force.x, -force.y) * scale
}

#[cfg(test)]
mod tests {
    use flockwork_engine::world::{AgentId, Edge};
    use flockwork_engine::{Failure, Options, Run, diag::Source, script::Scripts};

    use super::*;
    use crate::tests::{SIZE, pixel, rgb, run, square};
    use crate::{LIGHT, Rect, failed_with};

    /// Caught: beside the panels of the window, the end of a name was below them.
    #[test]
    fn a_name_is_in_the_view_of_the_world() {
        let text = "(world: (size: (100, 100)), groups: { \"a\": (behavior: \"a\", count: 1, spawn: Points([(98, 50)]), body: (max_speed: 10, max_force: 10)) })";
        let scripts = Scripts::new().with("a", "fn steer(me) { me.seek(vec(98, 90)) }");
        let run = Run::new(&Source::new("a.ron", text), &scripts, &Options::default()).unwrap();
        let turn = run.simulation().next_turn(AgentId(0)).unwrap().unwrap();
        let world = run.simulation().world();
        let narrow = Camera::fit(Rect::of_world(world), (400, 400), 0);
        // It shows more on the right, and everything else at the same pixels.
        let wide = narrow.resized((800, 400)).centered(Vec2::new(100.0, 50.0));
        let places = [narrow, wide].map(|camera| {
            let mut picture = Picture::new((800, 400), LIGHT.ground);
            decision(&mut picture, &camera, &LIGHT, world, &turn, false);
            picture.name_places
        });
        assert_eq!(places.each_ref().map(Vec::len), [1, 1]);
        assert_ne!(places[0], places[1]);
    }

    /// A short step of a sum had no name.
    #[test]
    fn each_arrow_of_a_sum_has_its_name_also_a_short_one() {
        let text = "(world: (size: (100, 100)), groups: { \"a\": (behavior: \"a\", count: 1, spawn: Points([(50, 50)]), body: (max_speed: 10, max_force: 10)) })";
        let script = "fn steer(me) { me.seek(vec(90, 50)) + 0.05 * me.flee(vec(50, 60)) }";
        let scripts = Scripts::new().with("a", script);
        let run = Run::new(&Source::new("a.ron", text), &scripts, &Options::default()).unwrap();
        let turn = run.simulation().next_turn(AgentId(0)).unwrap().unwrap();
        let size = (400, 400);
        let camera = Camera::fit(Rect::of_world(run.simulation().world()), size, 20);
        let names = |is_chained: bool| {
            let mut picture = Picture::new(size, LIGHT.ground);
            let names = forces(&mut picture, &camera, &LIGHT, &turn, is_chained);
            names.iter().map(|name| name.words.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["seek", "flee"]);
        assert_eq!(names(false), ["seek"]);
    }

    /// Caught: a page marked only one of two agents that came too near to each other.
    #[test]
    fn a_ring_surrounds_the_agent_that_failed_with_the_selected_one() {
        let (_, camera) = square(Edge::Open);
        let run = run("(size: (400, 300))", "Points([(100, 100), (150, 100)])");
        let world = run.simulation().world();
        let failure = |agent, other: Option<u32>| Failure {
            expectation: 0,
            tick: 0,
            agent: Some(AgentId(agent)),
            other: other.map(AgentId),
            message: String::new(),
            react: None,
            skipped: Vec::new(),
            help: Vec::new(),
        };
        for (failure, selected, x) in [
            (failure(0, Some(1)), 0, Some(150.0)),
            (failure(0, Some(1)), 1, Some(100.0)),
            (failure(0, Some(1)), 2, None),
            (failure(0, None), 0, None),
        ] {
            let mut picture = Picture::new(SIZE, LIGHT.ground);
            failed_with(&mut picture, &camera, &LIGHT, world, [&failure], AgentId(selected));
            let is_marked = |x| {
                let at = camera.pixel(Vec2::new(x, 100.0));
                let around = (-16..16).flat_map(|x| (-16..16).map(move |y| (x as f32, y as f32)));
                around.map(Vec2::from).any(|by| pixel(&picture, at + by) != rgb(LIGHT.ground))
            };
            assert_eq!([100.0, 150.0].map(is_marked), [100.0, 150.0].map(|at| x == Some(at)));
        }
    }
}
