//! Where an agent has been, as a line.

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{Edge, Space};

use super::{Camera, Pen, Picture};

/// Draws the way through some positions, in their order. In a world that wraps, a step over the edge is no
/// line across the picture: the line ends, and goes on from the other side.
pub(crate) fn track(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    positions: &[Vec2],
    pen: Pen,
) {
    for piece in positions.chunk_by(|from, to| !jumps(space, *from, *to)) {
        let points: Vec<Vec2> = piece.iter().map(|at| camera.pixel(*at)).collect();
        picture.line(&points, false, pen);
    }
}

/// Whether the way from one position to the next is shorter across the edge.
pub(super) fn jumps(space: &Space, from: Vec2, to: Vec2) -> bool {
    let far = (to - from).abs().cmpgt(space.size / 2.0);
    space.edge == Edge::Wrap && far.any()
}
