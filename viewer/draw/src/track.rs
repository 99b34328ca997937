//! The track of an agent, as a line.

use flockwork_core::math::Vec2;
use flockwork_core::world::{Edge, Space};

use super::{Camera, Pen, Picture};

/// Draws a line through some positions, in world units, in their order. In a world that wraps, a step over the edge ends
/// the line, which continues on the other side.
pub fn track(picture: &mut Picture, camera: &Camera, space: &Space, positions: &[Vec2], pen: Pen) {
    for piece in positions.chunk_by(|from, to| !jumps(space, *from, *to)) {
        let points: Vec<Vec2> = piece.iter().map(|at| camera.pixel(*at)).collect();
        picture.line(&points, false, pen);
    }
}

/// Returns whether a step crosses the edge of a world that wraps: the way across it is shorter.
pub(super) fn jumps(space: &Space, from: Vec2, to: Vec2) -> bool {
    let far = (to - from).abs().cmpgt(space.size / 2.0);
    space.edge == Edge::Wrap && far.any()
}
