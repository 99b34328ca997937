//! The velocity nearest to a wanted one that satisfies linear constraints.
//!
//! Each constraint allows the half plane to the left of a line. The constraints are added one by one, after van den Berg,
//! Guy, Lin, Manocha: "Reciprocal n-body collision avoidance" (2011), with the algorithm of de Berg et al. for linear
//! programs in the plane.

use glam::DVec2;

/// The border of a half plane of allowed velocities, which is to the left of its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// A point on the border.
    pub(super) point: DVec2,
    /// The unit vector along the border.
    pub(super) direction: DVec2,
}

/// Two directions count as parallel if the sine of the angle between them is at most this.
const PARALLEL: f64 = 1e-5;

/// The velocity to search for on the border of a half plane.
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Near(DVec2),
    /// The velocity that is farthest along this unit vector.
    Along(DVec2),
}

impl Line {
    /// Returns how far a velocity is on the forbidden side; negative on the allowed one.
    pub(super) fn excess(&self, velocity: DVec2) -> f64 {
        self.direction.perp_dot(self.point - velocity)
    }
}

/// Returns the velocity nearest to `wanted`, at most `speed` long, that all lines allow. If there is none, the first
/// `fixed` lines still hold, if they can, and the others are violated as little as possible: the largest excess is the
/// smallest.
pub(super) fn nearest_allowed(
    lines: &[Line],
    fixed: usize,
    speed: f64,
    wanted: DVec2,
    spare: &mut Vec<Line>,
) -> DVec2 {
    let longest = wanted.length();
    let start = if longest > speed { wanted * (speed / longest) } else { wanted };
    match solve(lines, speed, Aim::Near(wanted), start) {
        Ok(velocity) => velocity,
        Err((failed, best)) => least_excess(lines, fixed, failed, speed, best, spare),
    }
}

/// Returns the best velocity that all lines allow, or the first line that cannot hold with those before it, and the best
/// velocity without it.
fn solve(lines: &[Line], speed: f64, aim: Aim, start: DVec2) -> Result<DVec2, (usize, DVec2)> {
    let mut best = start;
    for (number, line) in lines.iter().enumerate() {
        if line.excess(best) > 0.0 {
            best = best_on(line, &lines[..number], speed, aim).ok_or((number, best))?;
        }
    }
    Ok(best)
}

/// Returns the best velocity on a line that other lines allow, if there is one.
fn best_on(line: &Line, others: &[Line], speed: f64, aim: Aim) -> Option<DVec2> {
    let along = line.point.dot(line.direction);
    let rest = along * along + speed * speed - line.point.length_squared();
    if rest < 0.0 {
        return None;
    }
    let half = rest.sqrt();
    let (mut low, mut high) = (-along - half, -along + half);
    for other in others {
        let across = line.direction.perp_dot(other.direction);
        let excess = other.direction.perp_dot(line.point - other.point);
        if across.abs() <= PARALLEL {
            if excess < 0.0 {
                return None;
            }
            continue;
        }
        let at = excess / across;
        if across > 0.0 && at < high {
            high = at;
        } else if across < 0.0 && at > low {
            low = at;
        }
        if low > high {
            return None;
        }
    }
    let at = match aim {
        Aim::Along(direction) if direction.dot(line.direction) > 0.0 => high,
        Aim::Along(_) => low,
        Aim::Near(wanted) => line.direction.dot(wanted - line.point).clamp(low, high),
    };
    Some(line.point + line.direction * at)
}

/// Returns the velocity whose largest excess over the lines after the first `fixed` ones is the smallest, beginning with
/// the line that failed.
fn least_excess(
    lines: &[Line],
    fixed: usize,
    failed: usize,
    speed: f64,
    mut best: DVec2,
    spare: &mut Vec<Line>,
) -> DVec2 {
    let mut excess = 0.0;
    for (number, line) in lines.iter().enumerate().skip(failed) {
        if line.excess(best) <= excess {
            continue;
        }
        // On the border between two lines, both are violated equally.
        spare.clear();
        spare.extend_from_slice(&lines[..fixed.min(number)]);
        for other in lines.iter().take(number).skip(fixed) {
            let across = line.direction.perp_dot(other.direction);
            let point = if across.abs() <= PARALLEL {
                if line.direction.dot(other.direction) > 0.0 {
                    continue;
                }
                (line.point + other.point) * 0.5
            } else {
                let at = other.direction.perp_dot(line.point - other.point) / across;
                line.point + line.direction * at
            };
            let direction = (other.direction - line.direction).normalize_or_zero();
            spare.push(Line { point, direction });
        }
        let away = line.direction.perp();
        // It fails only by rounding, then the present result is as good.
        if let Ok(found) = solve(spare, speed, Aim::Along(away), away * speed) {
            best = found;
        }
        excess = line.excess(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line() -> impl Strategy<Value = Line> {
        ((-2.0f64..2.0, -2.0f64..2.0), 0u32..3600).prop_map(|((x, y), tenths)| {
            let angle = f64::from(tenths) / 10.0;
            let (sin, cos) = libm::sincos(angle.to_radians());
            Line { point: DVec2::new(x, y), direction: DVec2::new(cos, sin) }
        })
    }

    /// Returns the velocities of a fine grid over the disc of allowed speeds.
    fn samples() -> impl Iterator<Item = DVec2> {
        let at = |i: i32| f64::from(i) * 0.05;
        (-20..=20)
            .flat_map(move |x| (-20..=20).map(move |y| DVec2::new(at(x), at(y))))
            .filter(|v| v.length() <= 1.0)
    }

    proptest! {
        #[test]
        fn no_sample_is_better(lines in prop::collection::vec(line(), 0..6), x in -2.0f64..2.0, y in -2.0f64..2.0) {
            let wanted = DVec2::new(x, y);
            let found = nearest_allowed(&lines, 0, 1.0, wanted, &mut Vec::new());
            prop_assert!(found.length() <= 1.0 + 1e-9);
            let worst = |v: DVec2| lines.iter().map(|line| line.excess(v)).fold(0.0, f64::max);
            let allowed: Vec<DVec2> = samples().filter(|&v| worst(v) <= 0.0).collect();
            if allowed.is_empty() {
                let least = samples().map(worst).fold(f64::INFINITY, f64::min);
                prop_assert!(worst(found) <= least + 1e-6, "{} {least}", worst(found));
            } else {
                prop_assert!(worst(found) <= 1e-6, "{}", worst(found));
                let nearest = allowed.iter().map(|v| v.distance(wanted)).fold(f64::INFINITY, f64::min);
                prop_assert!(found.distance(wanted) <= nearest + 1e-6);
            }
        }
    }
}
