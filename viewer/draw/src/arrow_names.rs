//! Names of arrows, at places where they cover neither agents nor each other.

use flockwork_core::math::{self, Vec2};

use super::text::text_with_halo;
use super::{Camera, Color, Palette, Pen, Picture, text_width};

/// Height of the letters of a name, in pixels.
const SIZE: f32 = 12.0;
/// Distance from an arrow to its name, in pixels.
const GAP: f32 = 4.0;
/// The same if there is no room beside the arrow, in pixels. Then a line leads to it.
const FAR_GAP: f32 = 34.0;
/// The same in a crowd, in pixels.
const FARTHEST_GAP: f32 = 70.0;
/// How bad it is that a name covers an agent: worse than each free place, also than one to which it jumps.
const COST_OF_AGENT: f32 = 8.0;
/// How bad it is that a name covers a part of an arrow.
const COST_OF_ARROW: f32 = 2.0;
/// How bad it is that a name is cut off by the edge of the picture.
const COST_OF_EDGE: f32 = 100.0;
/// How much worse a place is than the one before it in [`PLACES`].
const COST_OF_ORDER: f32 = 0.3;
/// How much better another place must be than that in the picture before, so that names do not jump while agents pass.
const COST_OF_JUMP: f32 = 2.5;
/// Number of points of an arrow that are looked at.
const POINTS: u16 = 12;

/// The places of a name, the best first: how far ahead of the point, how far to its side, and the distance from it.
const PLACES: [(f32, f32, f32); 15] = [
    (1.0, 0.0, GAP),
    (1.0, 1.0, GAP),
    (1.0, -1.0, GAP),
    (0.0, 1.0, GAP),
    (0.0, -1.0, GAP),
    (1.0, 0.0, FAR_GAP),
    (1.0, 1.0, FAR_GAP),
    (1.0, -1.0, FAR_GAP),
    (0.0, 1.0, FAR_GAP),
    (0.0, -1.0, FAR_GAP),
    (1.0, 0.0, FARTHEST_GAP),
    (1.0, 1.0, FARTHEST_GAP),
    (1.0, -1.0, FARTHEST_GAP),
    (0.0, 1.0, FARTHEST_GAP),
    (0.0, -1.0, FARTHEST_GAP),
];

/// An arrow with a name.
pub(super) struct NamedArrow<'a> {
    pub words: &'a str,
    pub color: Color,
    /// Its begin and its tip, in pixels.
    pub ends: [Vec2; 2],
    /// The point that the name is beside, in pixels.
    pub point: Vec2,
    /// The direction from that point in which the name is, if there is room.
    pub aside: Vec2,
}

/// Where names stood in the last picture: their words, and their index in [`PLACES`].
pub(super) type NamePlaces = Vec<(String, usize)>;

/// A name at a place.
struct PlacedName<'a> {
    arrow: &'a NamedArrow<'a>,
    place: usize,
    min: Vec2,
    max: Vec2,
}

/// Writes the names of arrows in what a camera shows. `agents` are the centers and the sizes of the agents around, in pixels.
pub(super) fn arrow_names(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    arrows: &[NamedArrow<'_>],
    agents: &[(Vec2, f32)],
) {
    let before = std::mem::take(&mut picture.name_places);
    let emphasis = camera.emphasis();
    let names = placed(arrows, agents, camera.corner(), emphasis, &before);
    for name in &names {
        name.draw(picture, palette, emphasis);
    }
    picture.name_places =
        names.iter().map(|name| (name.arrow.words.to_owned(), name.place)).collect();
}

/// Returns the names at their places, without those that would cover others everywhere.
fn placed<'a>(
    arrows: &'a [NamedArrow<'a>],
    agents: &[(Vec2, f32)],
    corner: Vec2,
    emphasis: f32,
    before: &NamePlaces,
) -> Vec<PlacedName<'a>> {
    let mut names: Vec<PlacedName<'a>> = Vec::new();
    for arrow in arrows {
        let last = before.iter().find(|(words, _)| words == arrow.words).map(|(_, place)| *place);
        let all = (0..PLACES.len()).map(|place| PlacedName::new(arrow, place, emphasis));
        let free = all.filter(|name| !names.iter().any(|other| name.covers(other)));
        let costs = free.map(|name| {
            let jump = if last.is_none_or(|last| last == name.place) { 0.0 } else { COST_OF_JUMP };
            (jump + name.cost(arrows, agents, corner), name)
        });
        let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
        names.extend(best.map(|(_, name)| name.inside(corner)));
    }
    names
}

impl<'a> PlacedName<'a> {
    fn new(arrow: &'a NamedArrow<'a>, place: usize, emphasis: f32) -> Self {
        let size = SIZE * emphasis;
        let half = Vec2::new(text_width(arrow.words, size) * 0.5 + 3.0, size * 0.5 + 2.0);
        let (ahead, aside, gap) = PLACES[place];
        let along = math::unit(arrow.aside);
        let direction = math::unit(along * ahead + math::perp(along) * aside);
        let center = arrow.point + direction * (reach(half, direction) + gap);
        Self { arrow, place, min: center - half, max: center + half }
    }

    /// Returns it inside of what is shown, if its arrow begins there.
    fn inside(self, corner: Vec2) -> Self {
        let [from, _] = self.arrow.ends;
        if from.cmplt(Vec2::ZERO).any() || from.cmpgt(corner).any() {
            return self;
        }
        let beyond = (self.max - corner).max(Vec2::ZERO);
        let by = (beyond - self.min).max(Vec2::ZERO) - beyond;
        Self { min: self.min + by, max: self.max + by, ..self }
    }

    fn covers(&self, other: &Self) -> bool {
        self.min.cmplt(other.max).all() && self.max.cmpgt(other.min).all()
    }

    /// Returns how bad the place is.
    fn cost(&self, arrows: &[NamedArrow<'_>], agents: &[(Vec2, f32)], corner: Vec2) -> f32 {
        let is_near =
            |at: Vec2, by: f32| at.cmpgt(self.min - by).all() && at.cmplt(self.max + by).all();
        let covered = agents.iter().filter(|(at, size)| is_near(*at, *size)).count();
        let crossed = arrows.iter().filter(|arrow| {
            let [from, to] = arrow.ends;
            let mut points = (0..=POINTS).map(|i| from.lerp(to, f32::from(i) / f32::from(POINTS)));
            points.any(|at| is_near(at, 0.0))
        });
        let is_cut = self.min.cmplt(Vec2::ZERO).any() || self.max.cmpgt(corner).any();
        covered as f32 * COST_OF_AGENT
            + crossed.count() as f32 * COST_OF_ARROW
            + if is_cut { COST_OF_EDGE } else { 0.0 }
            + self.place as f32 * COST_OF_ORDER
    }

    fn draw(&self, picture: &mut Picture, palette: &Palette, emphasis: f32) {
        let NamedArrow { words, color, point, .. } = *self.arrow;
        if PLACES[self.place].2 >= FAR_GAP {
            let (center, half) = ((self.min + self.max) * 0.5, (self.max - self.min) * 0.5);
            let direction = math::unit(center - point);
            let line = [point + direction * GAP, center - direction * reach(half, direction)];
            picture.line(&line, false, Pen::new(color.alpha(150), emphasis));
        }
        let size = SIZE * emphasis;
        let at = Vec2::new(self.min.x + 3.0, (self.min.y + self.max.y) * 0.5 + size * 0.35);
        text_with_halo(picture, at, size, color, palette.ground, words);
    }
}

/// Returns the distance from the center of a box to its edge in a direction, for half of its sides.
fn reach(half: Vec2, direction: Vec2) -> f32 {
    math::min(half.x / direction.x.abs(), half.y / direction.y.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIGHT;

    const CORNER: Vec2 = Vec2::new(800.0, 600.0);
    const AT: Vec2 = Vec2::new(400.0, 300.0);

    fn named(words: &str, along: Vec2) -> NamedArrow<'_> {
        let end = AT + along;
        NamedArrow { words, color: LIGHT.ink, ends: [AT, end], point: end, aside: along }
    }

    #[test]
    fn names_of_arrows_to_one_point_do_not_cover_each_other() {
        let words =
            ["separation", "wander", "seek", "rest", "cohesion", "alignment", "flee", "a", "b"];
        let all = words.iter().cycle().take(27);
        let arrows: Vec<_> = all.map(|words| named(words, Vec2::new(30.0, -40.0))).collect();
        let names = placed(&arrows, &[], CORNER, 1.0, &Vec::new());
        assert!((9..27).contains(&names.len()), "those without room are left out");
        for (i, name) in names.iter().enumerate() {
            let mut others = names[i + 1..].iter();
            assert!(others.all(|other| !name.covers(other)), "{}", name.arrow.words);
        }
        // The first one is ahead of the arrow and clear of it.
        assert!(names[0].max.y < arrows[0].point.y);
    }

    #[test]
    fn a_name_is_clear_of_agents_and_of_arrows_and_inside_of_the_picture() {
        let arrow = [named("cohesion", Vec2::new(60.0, 0.0))];
        let place = |arrows: &[NamedArrow<'_>], agents: &[(Vec2, f32)], corner| {
            placed(arrows, agents, corner, 1.0, &Vec::new())[0].place
        };
        assert_eq!(place(&arrow, &[], CORNER), 0);
        let ahead = (AT + Vec2::new(90.0, 0.0), 6.0);
        assert_ne!(place(&arrow, &[ahead], CORNER), 0);
        assert_ne!(place(&arrow, &[], Vec2::new(500.0, 600.0)), 0);
        let far = named("wander", Vec2::new(110.0, 0.0));
        let [near] = arrow;
        assert_ne!(place(&[near, far], &[], CORNER), 0);
    }

    #[test]
    fn a_name_that_is_cut_at_each_place_is_moved_into_the_view() {
        let corner = Vec2::new(text_width("cohesion", 2.0 * SIZE) + 8.0, 30.0);
        for aside in [Vec2::new(0.0, -9.0), Vec2::new(0.0, 9.0)] {
            let point = corner * 0.5;
            let ends = [point - aside, point];
            let arrow = [NamedArrow { words: "cohesion", color: LIGHT.ink, ends, point, aside }];
            let names = placed(&arrow, &[], corner, 2.0, &Vec::new());
            assert!(names[0].min.cmpge(Vec2::ZERO).all() && names[0].max.cmple(corner).all());
        }
    }

    /// Names jumped from side to side while agents flew past.
    #[test]
    fn a_name_stays_where_it_was_if_that_is_hardly_worse() {
        let arrow = [named("cohesion", Vec2::new(60.0, 0.0))];
        let agents = [(AT + Vec2::new(90.0, 0.0), 6.0)];
        let place = |agents: &[(Vec2, f32)], before: &NamePlaces| {
            placed(&arrow, agents, CORNER, 1.0, before)[0].place
        };
        let before = vec![("cohesion".to_owned(), 1)];
        assert_eq!((place(&[], &Vec::new()), place(&[], &before)), (0, 1));
        // Caught: then it also stayed over an agent.
        assert_ne!(place(&agents, &vec![("cohesion".to_owned(), 0)]), 0);
    }
}
