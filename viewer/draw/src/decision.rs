//! Draws what an agent decides: its goal, its waypoint, the neighbors that it sees, and its forces as arrows.

use flockwork_core::math::{self, Vec2};
use flockwork_core::sim::{Explanation, NextTurn};
use flockwork_core::world::{AgentShape, World};

use super::{
    AgentMark, Anchor, Camera, Color, Palette, Pen, Picture, arrow, ring, text, text_width,
};

/// Length of the longest arrow of an agent's forces, in pixels; it is longer for a large body.
const ARROW: f32 = 90.0;
/// The part of what the body is capable of from which on an arrow can be that long. Smaller forces have shorter arrows, so that a
/// tiny force does not look like a large one.
const LARGE: f32 = 0.125;
/// Length from which on an arrow has its name beside it, in pixels.
const NAMED: f32 = 24.0;
/// Height of the letters of a name, in pixels.
const NAME_SIZE: f32 = 12.0;
/// Distance from an arrow to its name, in pixels.
const NAME_GAP: f32 = 4.0;

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
    let radius = next_turn.body.radius;
    let row = world.agents.row(next_turn.id);
    let size = row.map(|row| world.agent(row).group().appearance.size_of(radius));
    let mark = AgentMark {
        pos: next_turn.pos,
        heading: next_turn.heading,
        radius,
        size: size.unwrap_or(radius),
        color: own,
        shape: &AgentShape::Dart,
    };
    ring(picture, camera, &world.space, &mark, world.agents.len(), Pen::new(palette.ink, 1.3));
    forces(picture, camera, palette, next_turn, is_chained);
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
    for id in explanation
        .calls
        .iter()
        .filter_map(|call| call.seen.as_ref())
        .flat_map(|seen| &seen.nearest)
    {
        if let Some(row) = world.agents.row(*id) {
            let to = world.space.offset(next_turn.pos, world.agents.pos(row));
            picture.line(&[at, camera.pixel(next_turn.pos + to)], false, pen);
        }
    }
}

/// Draws the whole force as a wide arrow, and the share of each call as a narrow one.
fn forces(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    next_turn: &NextTurn,
    is_chained: bool,
) {
    let Ok(decision) = &next_turn.decision else {
        return;
    };
    let at = camera.pixel(next_turn.pos);
    let reach = math::max(ARROW, camera.pixels(next_turn.body.radius) * 2.0);
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
    // The total is wide and pale, so that it stays visible below a single share.
    let whole = Pen::new(palette.ink.alpha(70), 6.0);
    let sum = on_screen(decision.wanted_force, force_scale);
    arrow(picture, at, at + sum, whole);
    // Where the next force and the next change of the velocity begin.
    let mut begins = [at, at];
    let mut names: Vec<Name<'_>> = Vec::new();
    for share in &shares {
        // What has no name is shown only where the sum would have a gap without it.
        if share.is_rest() && !is_chained {
            continue;
        }
        let scale = if share.is_of_velocity { velocity_scale } else { force_scale };
        let color = palette.share(share);
        let begin = &mut begins[usize::from(share.is_of_velocity)];
        let end = *begin + on_screen(share.force, scale);
        arrow(picture, *begin, end, Pen::new(color, 2.0));
        let along = end - *begin;
        if math::length(along) >= NAMED {
            // The ends of arrows that are added up meet the next one, so names stand outside, beside their middle.
            let middle = *begin + along * 0.5;
            let across = Vec2::new(along.y, -along.x);
            let is_inside = across.dot(middle - (at + sum * 0.5)) < 0.0;
            let (point, aside) = match is_chained {
                true => (middle, if is_inside { -across } else { across }),
                false => (end, along),
            };
            names.extend(Name::beside(point, aside, share.name(), color, &names));
        }
        if is_chained {
            *begin = end;
        }
    }
    for name in &names {
        name.draw(picture, palette);
    }
}

/// The name of an arrow, and where it stands.
struct Name<'a> {
    words: &'a str,
    color: Color,
    min: Vec2,
    max: Vec2,
}

impl<'a> Name<'a> {
    /// Returns the name of an arrow, on one side of a point of it; `None` if other names are everywhere there.
    fn beside(
        point: Vec2,
        side: Vec2,
        words: &'a str,
        color: Color,
        others: &[Self],
    ) -> Option<Self> {
        let half = Vec2::new(text_width(words, NAME_SIZE) * 0.5 + 4.0, NAME_SIZE * 0.5 + 3.0);
        let direction = math::unit(side);
        let far = math::min(half.x / direction.x.abs(), half.y / direction.y.abs()) + NAME_GAP;
        let center = point + direction * far;
        // First ahead of the arrow, then farther up and down.
        [0.0, 1.0, -1.0, 2.0, -2.0].into_iter().find_map(|lines| {
            let center = center + Vec2::new(0.0, lines * 2.0 * half.y);
            let name = Self { words, color, min: center - half, max: center + half };
            (!others.iter().any(|other| name.covers(other))).then_some(name)
        })
    }

    fn covers(&self, other: &Self) -> bool {
        self.min.cmplt(other.max).all() && self.max.cmpgt(other.min).all()
    }

    fn draw(&self, picture: &mut Picture, palette: &Palette) {
        picture.fill_rect(self.min, self.max, palette.panel);
        let at = Vec2::new(self.min.x + 4.0, self.max.y - 6.0);
        text(picture, at, Anchor::Left, NAME_SIZE, self.color, self.words);
    }
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
    use super::*;
    use crate::LIGHT;

    #[test]
    fn names_of_arrows_to_one_point_do_not_cover_each_other() {
        let mut names: Vec<Name<'_>> = Vec::new();
        let side = Vec2::new(3.0, -4.0);
        for words in ["separation", "wander", "seek", "rest", "cohesion", "alignment", "flee"] {
            names.extend(Name::beside(Vec2::ZERO, side, words, LIGHT.ink, &names));
        }
        assert!((4..7).contains(&names.len()), "those without room are left out");
        for (i, name) in names.iter().enumerate() {
            assert!(names[i + 1..].iter().all(|other| !name.covers(other)), "{}", name.words);
        }
        // The first one is ahead of the arrow and clear of it.
        assert!(names[0].max.y < 0.0);
    }
}
