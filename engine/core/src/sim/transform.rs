//! The same world elsewhere: points, directions and everything made of them, after a [`Law`].

use super::{Action, Condition, Event, EventTime, Law};
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::world::{
    Field, FieldShape, Formation, FormationShape, Goal, ObstacleMotion, ObstacleState, Space,
    Value, Values, VectorGrid,
};

/// Maps a world to the one after a law: turns it by quarter turns or mirrors it, and then moves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    /// The direction of the x axis afterwards, and that of the y axis.
    axes: [Vec2; 2],
    shift: Vec2,
}

impl Transform {
    /// Returns the ways in which a law is applied.
    pub(super) fn all(law: Law, space: &Space) -> Vec<Self> {
        let (x, y, size) = (Vec2::X, Vec2::Y, space.size);
        let turned = |x, y| Self { axes: [x, y], shift: Vec2::ZERO };
        let moved = |shift| Self { axes: [x, y], shift };
        match law {
            // In a world that begins at the origin, coordinates become smaller, so hardly anything is rounded.
            Law::Translated => vec![moved(size * -0.5), moved(size * -0.75)],
            Law::Rotated => vec![turned(y, -x), turned(-y, x)],
            Law::Mirrored => vec![turned(x, -y), turned(-x, y)],
            Law::Reordered => vec![turned(x, y)],
        }
    }

    /// Returns where a point is afterwards.
    pub(super) fn point(&self, point: Vec2) -> Vec2 {
        self.direction(point) + self.shift
    }

    /// Returns the point that is moved to a point.
    pub(super) fn point_before(&self, point: Vec2) -> Vec2 {
        let point = point - self.shift;
        Vec2::new(point.dot(self.axes[0]), point.dot(self.axes[1]))
    }

    /// Returns a direction afterwards.
    pub(super) fn direction(&self, direction: Vec2) -> Vec2 {
        self.axes[0] * direction.x + self.axes[1] * direction.y
    }

    /// Returns whether left and right are swapped.
    fn is_mirrored(&self) -> bool {
        self.axes[0].perp_dot(self.axes[1]) < 0.0
    }

    /// Returns whether x and y are swapped.
    fn is_turned(&self) -> bool {
        self.axes[0].x == 0.0
    }

    /// Returns the rectangle between two points afterwards: its smallest and its largest corner.
    fn corners(&self, a: Vec2, b: Vec2) -> [Vec2; 2] {
        let (a, b) = (self.point(a), self.point(b));
        [
            Vec2::new(math::min(a.x, b.x), math::min(a.y, b.y)),
            Vec2::new(math::max(a.x, b.x), math::max(a.y, b.y)),
        ]
    }

    pub(super) fn space(&self, space: &Space) -> Space {
        let [min, _] = self.corners(space.min, space.max());
        let Vec2 { x, y } = space.size;
        let size = if self.is_turned() { Vec2::new(y, x) } else { space.size };
        Space { min, size, ..*space }
    }

    pub(super) fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Circle { center, radius } => {
                Shape::Circle { center: self.point(*center), radius: *radius }
            }
            Shape::Segment { from, to } => {
                let (from, to) = (self.point(*from), self.point(*to));
                // So that its left side stays the left side of what is mirrored.
                let (from, to) = if self.is_mirrored() { (to, from) } else { (from, to) };
                Shape::Segment { from, to }
            }
            Shape::Polygon(polygon) => {
                let corners = polygon.corners().iter().map(|&corner| self.point(corner));
                Shape::Polygon(Polygon::new(corners.collect()))
            }
            Shape::Box(it) => Shape::Box(OrientedBox::along(
                self.point(it.center()),
                it.half(),
                self.direction(it.axis()),
            )),
            Shape::Room { min, max } => {
                let [min, max] = self.corners(*min, *max);
                Shape::Room { min, max }
            }
        }
    }

    fn motion(&self, motion: &ObstacleMotion) -> ObstacleMotion {
        match motion {
            ObstacleMotion::Velocity(velocity) => {
                ObstacleMotion::Velocity(self.direction(*velocity))
            }
            ObstacleMotion::To { at, speed } => {
                ObstacleMotion::To { at: self.point(*at), speed: *speed }
            }
            ObstacleMotion::Stop | ObstacleMotion::Along { .. } => motion.clone(),
        }
    }

    pub(super) fn obstacle_state(&self, state: &ObstacleState) -> ObstacleState {
        let (offset, motion) = (self.direction(state.offset), self.motion(&state.motion));
        ObstacleState { offset, motion, ..state.clone() }
    }

    pub(super) fn field(&self, field: &Field) -> Field {
        let shape = match &field.shape {
            FieldShape::Vortex { center, radius, strength } => {
                let strength = if self.is_mirrored() { -strength } else { *strength };
                FieldShape::Vortex { center: self.point(*center), radius: *radius, strength }
            }
            FieldShape::Grid(grid) => FieldShape::Grid(self.grid(grid)),
        };
        Field { name: field.name.clone(), shape }
    }

    fn grid(&self, grid: &VectorGrid) -> VectorGrid {
        let (columns, rows) = (grid.columns, grid.vectors.len() / grid.columns);
        let size = Vec2::new(columns as f32, rows as f32) * grid.cell;
        let [min, _] = self.corners(grid.min, grid.min + size);
        let (new_columns, new_rows) =
            if self.is_turned() { (rows, columns) } else { (columns, rows) };
        let vectors = (0..new_rows * new_columns).map(|cell| {
            // Twice the offset of the cell from the middle of the grid, in cells.
            let offset = |index: usize, count: usize| (2 * index + 1) as f32 - count as f32;
            let (column, row) = (cell % new_columns, cell / new_columns);
            let new = Vec2::new(offset(column, new_columns), offset(row, new_rows));
            let old = Vec2::new(new.dot(self.axes[0]), new.dot(self.axes[1]));
            let index = |offset: f32, count: usize| ((offset + count as f32 - 1.0) / 2.0) as usize;
            let (column, row) = (index(old.x, columns), index(old.y, rows));
            self.direction(grid.vectors[row * columns + column])
        });
        VectorGrid { min, cell: grid.cell, columns: new_columns, vectors: vectors.collect() }
    }

    pub(super) fn goal(&self, goal: &Goal) -> Goal {
        Goal { at: self.point(goal.at), ..*goal }
    }

    pub(super) fn formation(&self, formation: &Formation) -> Formation {
        let mut formation = formation.clone();
        if let FormationShape::Places(places) = &mut formation.shape
            && self.is_mirrored()
        {
            *places = places.iter().map(|place| Vec2::new(place.x, -place.y)).collect();
        }
        formation
    }

    /// Returns a value afterwards. Its vectors count as directions.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::Vector(vector) => Value::Vector(self.direction(*vector)),
            Value::List(items) => Value::List(items.iter().map(|item| self.value(item)).collect()),
            Value::Map(items) => {
                let items = items.iter();
                Value::Map(items.map(|(name, item)| (name.clone(), self.value(item))).collect())
            }
            other => other.clone(),
        }
    }

    pub(super) fn values(&self, values: &Values) -> Values {
        values.iter().map(|(name, value)| (name.into(), self.value(value))).collect()
    }

    pub(super) fn event(&self, event: &Event) -> Event {
        let mut when = event.when.clone();
        if let EventTime::When { condition: Condition::Inside { area, .. }, .. } = &mut when {
            *area = self.shape(area);
        }
        Event { when, action: self.action(&event.action) }
    }

    pub(super) fn action(&self, action: &Action) -> Action {
        let mut action = action.clone();
        match &mut action {
            Action::Push { velocity, .. } => *velocity = self.direction(*velocity),
            Action::Set { value, .. } | Action::SetShared { value, .. } => {
                *value = self.value(value);
            }
            Action::SetGoals { goals, .. } => {
                *goals = goals.iter().map(|goal| self.goal(goal)).collect();
            }
            Action::Cursor { at } => *at = at.map(|at| self.point(at)),
            Action::MoveObstacle { motion, .. } => *motion = self.motion(motion),
            Action::Scatter { at, .. } => *at = self.point(*at),
            Action::Spawn { .. }
            | Action::Remove { .. }
            | Action::SetObstacle { .. }
            | Action::Input { .. } => {}
        }
        action
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::Edge;

    const SPACE: Space =
        Space { edge: Edge::Open, min: Vec2::new(-10.0, 20.0), size: Vec2::new(60.0, 40.0) };

    fn point() -> impl Strategy<Value = Vec2> {
        (-20.0f32..80.0, 0.0f32..70.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    fn near(a: Vec2, b: Vec2) -> bool {
        math::length(a - b) < 1e-3
    }

    proptest! {
        /// A measurement at a point of the transformed world equals the one at the point that it came from.
        #[test]
        fn shapes_and_fields_go_with_the_world(
            at in point(),
            center in point(),
            corners in prop::collection::vec(point(), 3),
            vectors in prop::collection::vec(point(), 6),
        ) {
            let grid = VectorGrid { min: center, cell: 7.0, columns: 3, vectors: vectors.into() };
            let fields = [
                FieldShape::Grid(grid),
                FieldShape::Vortex { center, radius: 9.0, strength: 4.0 },
            ];
            let shapes = [
                Shape::Circle { center, radius: 8.0 },
                Shape::Segment { from: center, to: corners[0] },
                Shape::Polygon(Polygon::new(corners.clone())),
                Shape::Box(OrientedBox::new(center, Vec2::new(9.0, 4.0), 0.6)),
                Shape::Room { min: SPACE.min, max: SPACE.max() },
            ];
            for to in Law::ALL.into_iter().flat_map(|law| Transform::all(law, &SPACE)) {
                let new = to.point(at);
                prop_assert!(near(to.point_before(new), at), "{to:?}");
                let space = to.space(&SPACE);
                let is_inside = |space: &Space, at: Vec2| at.cmpge(space.min).all() && at.cmple(space.max()).all();
                prop_assert_eq!(is_inside(&SPACE, at), is_inside(&space, new), "{:?}", to);
                for shape in fields.iter().cloned() {
                    let field = Field { name: "f".into(), shape };
                    let (old, new) = (field.at(&SPACE, at), to.field(&field).at(&space, new));
                    prop_assert!(near(to.direction(old), new), "{field:?}: {old} {new} {to:?}");
                }
                for shape in &shapes {
                    let (old, new) = (shape.surface(at), to.shape(shape).surface(new));
                    prop_assert!((old.distance - new.distance).abs() < 1e-3, "{shape:?}: {old:?} {new:?} {to:?}");
                }
            }
        }
    }

    #[test]
    fn only_a_mirrored_world_swaps_left_and_right() {
        for law in Law::ALL {
            for to in Transform::all(law, &SPACE) {
                let side = to.direction(Vec2::X).perp_dot(to.direction(Vec2::Y));
                assert_eq!(side, if law == Law::Mirrored { -1.0 } else { 1.0 }, "{to:?}");
            }
        }
    }
}
