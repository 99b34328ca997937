//! Checks how obstacles move: from the beginning, by events, and in a start.

use std::sync::Arc;

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered::{MayFail, Ordered};
use super::spanned::Spanned;
use super::to_ron::{motion_text, vector};
use crate::number::{FiniteVector, Point, PositiveLength, Waypoint};
use crate::schema::described;
use crate::world::{ObstacleMotion, ObstacleState, Progress};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "motion", deny_unknown_fields)]
    pub(super) enum MotionSpec {
        /// It stays where it is.
        Stop,
        /// It moves on and on, with a velocity in world units per second.
        Velocity(Point),
        /// Its center goes straight to a point, where it stops.
        To {
            /// The point.
            at: Point,
            /// The speed, in world units per second.
            speed: PositiveLength,
        },
        /// Its center goes from waypoint to waypoint of a path, first straight to the first one.
        Along {
            /// The path. Its mode says what follows the last waypoint.
            path: Spanned<String> => Path,
            /// The speed, in world units per second.
            speed: PositiveLength,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "MovedObstacle", deny_unknown_fields)]
    pub(super) struct MovedSpec {
        /// How far it is from where the scenario puts it, in world units.
        offset: FiniteVector,
        /// How it moves. Default: `Stop`.
        moves: Option<Spanned<MotionSpec>>,
        /// The index of the waypoint that it goes to. Default: 0.
        waypoint: Option<Waypoint>,
        /// Whether it goes back along the path. Default: false.
        #[serde(default)]
        back: bool,
    }
}

impl MayFail for MovedSpec {
    fn has_failed(&self) -> bool {
        self.moves.as_ref().is_some_and(Spanned::has_failed)
    }
}

/// Returns the motion that is written, if it can be read and its path exists.
pub(super) fn motion(
    findings: &mut Findings<'_>,
    spec: &Spanned<MotionSpec>,
    paths: &KnownNames,
) -> Option<ObstacleMotion> {
    Some(match findings.read(spec)? {
        MotionSpec::Stop => ObstacleMotion::Stop,
        MotionSpec::Velocity(velocity) => ObstacleMotion::Velocity(velocity.0),
        MotionSpec::To { at, speed } => ObstacleMotion::To { at: at.0, speed: speed.0 },
        MotionSpec::Along { path, speed } => {
            let path = findings.find(paths, path)?;
            let path = Arc::clone(&paths.all[usize::from(path)]);
            ObstacleMotion::Along { path, speed: speed.0 }
        }
    })
}

/// Returns the obstacles that move from the beginning, in their order.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<Spanned<MotionSpec>>,
    obstacles: &KnownNames,
    paths: &KnownNames,
) -> Vec<(Arc<str>, ObstacleMotion)> {
    in_order(findings, specs, obstacles, |findings, spec| motion(findings, spec, paths))
}

/// Returns the obstacles of a start that move or have moved, in their order.
pub(super) fn states(
    findings: &mut Findings<'_>,
    specs: &Ordered<MovedSpec>,
    obstacles: &KnownNames,
    paths: &KnownNames,
) -> Vec<ObstacleState> {
    let all = in_order(findings, specs, obstacles, |findings, spec| {
        let motion = match &spec.moves {
            Some(written) => motion(findings, written, paths)?,
            None => ObstacleMotion::Stop,
        };
        let waypoint = spec.waypoint.as_ref().map_or(0, |waypoint| waypoint.get_u32());
        Some((spec.offset.0, motion, Progress { waypoint, back: spec.back }))
    });
    let state =
        |(name, (offset, motion, progress))| ObstacleState { name, offset, motion, progress };
    all.into_iter().map(state).collect()
}

/// Returns what is written for obstacles, in the order in which these are declared. Reports those that are unknown or written twice.
fn in_order<S, T>(
    findings: &mut Findings<'_>,
    specs: &Ordered<S>,
    obstacles: &KnownNames,
    mut read: impl FnMut(&mut Findings<'_>, &S) -> Option<T>,
) -> Vec<(Arc<str>, T)> {
    findings.names("obstacle", specs);
    let mut found: Vec<(u16, T)> = Vec::new();
    for (name, spec) in &specs.0 {
        let index = findings.find(obstacles, name);
        let value = read(findings, spec);
        found.extend(index.zip(value));
    }
    found.sort_by_key(|(index, _)| *index);
    let name = |index: u16| Arc::clone(&obstacles.all[usize::from(index)]);
    found.into_iter().map(|(index, value)| (name(index), value)).collect()
}

/// Returns the state of an obstacle as it is written in a start.
pub(super) fn state_text(state: &ObstacleState) -> String {
    let mut text = format!("(offset: {}", vector(state.offset));
    if state.motion != ObstacleMotion::Stop {
        text.push_str(&format!(", moves: {}", motion_text(&state.motion)));
    }
    if state.progress.waypoint != 0 {
        text.push_str(&format!(", waypoint: {}", state.progress.waypoint));
    }
    if state.progress.back {
        text.push_str(", back: true");
    }
    text + ")"
}
