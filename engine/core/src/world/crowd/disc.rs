//! An agent as linear constraints on its velocity see it, and the borders of the velocities that they forbid.

use glam::DVec2;

/// An agent as linear constraints on its velocity see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub(super) pos: DVec2,
    pub(super) vel: DVec2,
    pub(super) radius: f64,
    /// Its maximum speed.
    pub(super) speed: f64,
    /// The distance that it keeps from other discs.
    pub(super) margin: f64,
}

/// Returns the nearest point on the border of the cone of velocities that lead into a disc before a horizon, and the
/// direction of the border there.
pub(super) fn leave_cone(vel: DVec2, offset: DVec2, reach: f64, horizon: f64) -> (DVec2, DVec2) {
    let far = offset.length_squared();
    let from_end = vel - offset / horizon;
    let ahead = from_end.dot(offset);
    if ahead < 0.0 && ahead * ahead > reach * reach * from_end.length_squared() {
        let (change, direction) = leave_circle(from_end, reach / horizon);
        return (vel + change, direction);
    }
    let leg = (far - reach * reach).sqrt();
    // Both sides are equally likely, so a branch would often be mispredicted.
    let side = if offset.perp_dot(from_end) > 0.0 { 1.0 } else { -1.0 };
    let direction = DVec2::new(leg, side * reach).rotate(offset) * side / far;
    (direction * vel.dot(direction), direction)
}

/// Returns the shortest change that moves a velocity out of a circle, given relative to its center, and the direction of
/// the border there.
pub(super) fn leave_circle(from_center: DVec2, radius: f64) -> (DVec2, DVec2) {
    let length = from_center.length();
    let unit = if length > 0.0 { from_center / length } else { DVec2::X };
    (unit * (radius - length), DVec2::new(unit.y, -unit.x))
}
