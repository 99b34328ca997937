//! Flow fields: a vector for each point of the world, such as a wind.

use std::sync::Arc;

use super::{FieldId, Space, World};
use crate::math::Vec2;

/// A vector for each point of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// How the vectors are found.
    pub shape: FieldShape,
}

/// How the vectors of a field are found.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldShape {
    /// A flow around a point: `strength * 2 * radius * r / (r^2 + radius^2)` at the distance r from the center, at right
    /// angles to the way there. It is zero at the center, strongest at `radius`, and falls with the distance beyond.
    Vortex {
        /// The center, in world units.
        center: Vec2,
        /// The distance at which the flow is strongest, in world units, above 0.
        radius: f32,
        /// The length of the vectors there. Counter-clockwise if it is positive and y points up.
        strength: f32,
    },
    /// Vectors at the centers of square cells.
    Grid(VectorGrid),
}

/// Vectors at the centers of square cells, interpolated between them. Beyond the outermost centers, the vectors stay the same.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorGrid {
    /// The corner of the grid with the smallest coordinates, in world units.
    pub min: Vec2,
    /// The side of a cell, in world units, above 0.
    pub cell: f32,
    /// Number of cells in each row, at least one.
    pub columns: usize,
    /// The vectors, all finite, row by row from the smallest y: at least one row, all full.
    pub vectors: Arc<[Vec2]>,
}

impl Field {
    /// Returns the vector at a point. In a world that wraps, a point outside counts as the same point inside.
    pub fn at(&self, space: &Space, point: Vec2) -> Vec2 {
        match &self.shape {
            FieldShape::Vortex { center, radius, strength } => {
                vortex(space.offset(*center, point), *radius, *strength)
            }
            FieldShape::Grid(grid) => grid.at(space.inside(point)),
        }
    }
}

impl World {
    /// Returns the vector of a field at a point; zero if there is no such field.
    pub fn flow(&self, field: FieldId, point: Vec2) -> Vec2 {
        let field = self.fields.get(usize::from(field.0));
        field.map_or(Vec2::ZERO, |field| field.at(&self.space, point))
    }

    /// Returns the field with a name.
    pub fn field_named(&self, name: &str) -> Option<FieldId> {
        let index = self.fields.iter().position(|field| field.name.as_ref() == name)?;
        Some(FieldId(index as u16))
    }
}

/// Returns the center of a square cell of a grid, by its index, row by row from the corner `min`.
pub(super) fn cell_center(min: Vec2, cell: f32, columns: usize, index: usize) -> Vec2 {
    let (row, column) = (index / columns, index % columns);
    let along =
        |min: f32, cells: usize| (f64::from(min) + (cells as f64 + 0.5) * f64::from(cell)) as f32;
    Vec2::new(along(min.x, column), along(min.y, row))
}

/// Returns the flow of a vortex at an offset from its center.
fn vortex(out: Vec2, radius: f32, strength: f32) -> Vec2 {
    // Squares of large numbers are finite in 64 bits only.
    let (x, y, radius) = (f64::from(out.x), f64::from(out.y), f64::from(radius));
    let factor = f64::from(strength) * 2.0 * radius / (x * x + y * y + radius * radius);
    let flow = Vec2::new((-y * factor) as f32, (x * factor) as f32);
    // Infinitely far away there is no flow.
    if flow.is_finite() { flow } else { Vec2::ZERO }
}

impl VectorGrid {
    /// Returns the center of a cell, by its index among the vectors.
    pub fn center(&self, index: usize) -> Vec2 {
        cell_center(self.min, self.cell, self.columns, index)
    }

    /// Returns the vector at a point.
    fn at(&self, point: Vec2) -> Vec2 {
        let rows = self.vectors.len() / self.columns;
        let (left, right, x) = self.between(point.x, self.min.x, self.columns);
        let (below, above, y) = self.between(point.y, self.min.y, rows);
        let vector = |column: usize, row: usize| {
            let vector = self.vectors.get(row * self.columns + column).copied().unwrap_or_default();
            (f64::from(vector.x), f64::from(vector.y))
        };
        let mix =
            |a: (f64, f64), b: (f64, f64), t: f64| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        let low = mix(vector(left, below), vector(right, below), x);
        let high = mix(vector(left, above), vector(right, above), x);
        let (x, y) = mix(low, high, y);
        Vec2::new(x as f32, y as f32)
    }

    /// Returns the two cells along an axis whose centers a coordinate is between, and how far it is from the first to the second,
    /// from 0 to 1.
    fn between(&self, x: f32, min: f32, cells: usize) -> (usize, usize, f64) {
        let last = cells.saturating_sub(1);
        let position = (f64::from(x) - f64::from(min)) / f64::from(self.cell) - 0.5;
        // An infinite coordinate in a world that wraps has no position.
        if position.is_nan() || position <= 0.0 {
            return (0, 0, 0.0);
        }
        if position >= last as f64 {
            return (last, last, 0.0);
        }
        let first = position as usize;
        (first, first + 1, position - first as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::world::Edge;
    use proptest::prelude::*;

    fn space(edge: Edge) -> Space {
        Space { edge, min: Vec2::ZERO, size: Vec2::new(40.0, 20.0) }
    }

    fn grid(columns: usize, vectors: &[Vec2]) -> Field {
        let vectors = vectors.into();
        let grid = VectorGrid { min: Vec2::new(10.0, 0.0), cell: 4.0, columns, vectors };
        Field { name: "grid".into(), shape: FieldShape::Grid(grid) }
    }

    fn whirl() -> Field {
        let shape = FieldShape::Vortex { center: Vec2::new(2.0, 2.0), radius: 5.0, strength: 0.8 };
        Field { name: "whirl".into(), shape }
    }

    #[test]
    fn a_vortex_is_strongest_at_its_radius_and_zero_in_the_middle() {
        let at = |x, y| whirl().at(&space(Edge::Open), Vec2::new(x, y));
        assert_eq!(at(2.0, 2.0), Vec2::ZERO);
        assert_eq!(at(7.0, 2.0), Vec2::new(-0.0, 0.8), "counter-clockwise");
        assert_eq!(at(2.0, 7.0), Vec2::new(-0.8, 0.0));
        // 0.8 * 2 * 5 * 10 / (100 + 25)
        assert_eq!(at(12.0, 2.0).y, 0.64);
        assert_eq!(at(f32::INFINITY, 0.0), Vec2::ZERO);
    }

    #[test]
    fn a_vortex_reaches_across_the_edge() {
        let at = |edge, x| whirl().at(&space(edge), Vec2::new(x, 2.0)).y;
        assert!(at(Edge::Open, 37.0) > 0.0);
        assert_eq!(at(Edge::Wrap, 37.0), -0.8, "5 to the left of the center");
    }

    #[test]
    fn a_grid_is_exact_at_the_centers_and_even_between_them() {
        let vectors =
            [(1.0, 0.0), (3.0, 0.0), (1.0, 2.0), (3.0, 6.0)].map(|(x, y)| Vec2::new(x, y));
        let field = grid(2, &vectors);
        let at = |x, y| field.at(&space(Edge::Open), Vec2::new(x, y));
        for (x, y, expected) in [(12.0, 2.0, 0), (16.0, 2.0, 1), (12.0, 6.0, 2), (16.0, 6.0, 3)] {
            assert_eq!(at(x, y), vectors[expected]);
        }
        assert_eq!(at(14.0, 2.0), Vec2::new(2.0, 0.0));
        assert_eq!(at(14.0, 4.0), Vec2::new(2.0, 2.0));
        assert_eq!(at(-100.0, -100.0), vectors[0], "outside as at the border");
        assert_eq!(at(100.0, 6.0), vectors[3]);
        assert_eq!(field.at(&space(Edge::Wrap), Vec2::new(52.0, 2.0)), vectors[0], "wraps");
    }

    proptest! {
        /// Every vector of a grid is between those around it, and nothing is infinite.
        #[test]
        fn no_field_has_longer_vectors_than_it_is_made_of(
            lengths in prop::collection::vec((-1e15f32..1e15, -9f32..9.0), 1..13),
            point in prop::array::uniform2(prop_oneof![-60f32..60.0, Just(f32::MAX), Just(f32::INFINITY)]),
            columns in 1usize..4,
        ) {
            let mut vectors: Vec<Vec2> = lengths.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
            vectors.truncate((vectors.len() / columns).max(1) * columns);
            let columns = columns.min(vectors.len());
            vectors.truncate(vectors.len() / columns * columns);
            for edge in [Edge::Open, Edge::Wrap] {
                let at = grid(columns, &vectors).at(&space(edge), Vec2::from(point));
                let (low, high) = vectors.iter().fold((Vec2::MAX, Vec2::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
                prop_assert!(at.cmpge(low).all() && at.cmple(high).all(), "{at}");
                let flow = whirl().at(&space(edge), Vec2::from(point));
                prop_assert!(math::length(flow) <= 0.8 + 1e-6);
            }
        }
    }
}
