//! Paths to follow, and the progress of an agent on one.

use std::sync::Arc;

use crate::geom::{OnPolyline, nearest_on_polyline};
use crate::math::Vec2;
use crate::schema::described;

described! {
    /// What comes after the last waypoint.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
    #[serde(rename = "path mode")]
    pub enum PathMode {
        /// Nothing: the last waypoint stays the current one.
        #[default]
        Once,
        /// The first waypoint again.
        Loop,
        /// The way back, then forth again, and so on. Turning around takes a step: the waypoint at an end is the current
        /// one twice, as in implementations that let the index leave the list, reverse its direction and step back.
        PingPong,
    }
}

/// A line of waypoints with a width.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// The waypoints, at least two.
    pub points: Vec<Vec2>,
    /// An agent within this distance has reached a waypoint. It is also half the width of the path. World units,
    /// above 0.
    pub radius: f32,
    /// The way to go on after the last waypoint.
    pub mode: PathMode,
}

/// The progress of one agent on one path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Index of the current waypoint among the path's points.
    pub waypoint: u32,
    /// Whether the agent moves against the order of the points.
    pub back: bool,
}

impl Path {
    /// Returns the current waypoint, in world units.
    pub fn waypoint(&self, progress: Progress) -> Vec2 {
        self.points[self.current(progress)]
    }

    /// Returns the index of the current waypoint among the points.
    pub(crate) fn current(&self, progress: Progress) -> usize {
        // An edited path may have fewer points than an agent has passed.
        (progress.waypoint as usize).min(self.points.len() - 1)
    }

    /// Returns the progress after the current waypoint is reached.
    #[must_use]
    pub fn next(&self, progress: Progress) -> Progress {
        let last = self.points.len() as u32 - 1;
        let Progress { waypoint, back } = progress;
        match self.mode {
            PathMode::Once => Progress { waypoint: (waypoint + 1).min(last), back },
            PathMode::Loop => {
                Progress { waypoint: if waypoint >= last { 0 } else { waypoint + 1 }, back }
            }
            PathMode::PingPong if back && waypoint == 0 => Progress { waypoint: 0, back: false },
            PathMode::PingPong if !back && waypoint >= last => {
                Progress { waypoint: last, back: true }
            }
            PathMode::PingPong if back => Progress { waypoint: waypoint - 1, back },
            PathMode::PingPong => Progress { waypoint: waypoint + 1, back },
        }
    }

    /// Returns the point of the path nearest to a given point.
    pub fn nearest(&self, point: Vec2) -> OnPolyline {
        nearest_on_polyline(&self.points, self.is_closed(), point)
    }

    /// Returns whether the current waypoint is the last one, with none after it.
    pub fn is_last(&self, progress: Progress) -> bool {
        self.mode == PathMode::Once && progress.waypoint as usize + 1 >= self.points.len()
    }

    /// Returns whether the path leads from its last waypoint to the first.
    pub fn is_closed(&self) -> bool {
        self.mode == PathMode::Loop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waypoints(mode: PathMode, steps: usize) -> Vec<u32> {
        let path = Path {
            name: "p".into(),
            points: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
            radius: 1.0,
            mode,
        };
        let mut progress = Progress::default();
        (0..steps)
            .map(|_| {
                let now = progress.waypoint;
                progress = path.next(progress);
                now
            })
            .collect()
    }

    #[test]
    fn each_mode_continues_as_its_name_says() {
        assert_eq!(waypoints(PathMode::Once, 5), [0, 1, 2, 2, 2]);
        assert_eq!(waypoints(PathMode::Loop, 5), [0, 1, 2, 0, 1]);
        assert_eq!(waypoints(PathMode::PingPong, 9), [0, 1, 2, 2, 1, 0, 0, 1, 2]);
    }
}
