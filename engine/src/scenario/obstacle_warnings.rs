//! Warns of obstacles that move out of the world, and of those that are too fast for solid bodies.

use std::ops::Range;

use super::events::ActionSpec;
use super::findings::Findings;
use super::moving_obstacles::MotionSpec;
use super::spanned::Spanned;
use super::spec::ScenarioSpec;
use super::warnings::{describe_extent, extent};
use crate::diag::{Code, Diagnostic};
use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::number::Point;
use crate::sim::{EventTime, Setup};
use crate::world::Group;

/// A motion that is written, with the obstacle and the place of its name.
struct Moving<'s> {
    name: &'s str,
    place: Range<usize>,
    motion: &'s MotionSpec,
    /// The tick at which it begins, if that is sure.
    from: Option<u64>,
}

/// Adds all warnings. `ticks` is the tick at which the run ends.
pub(super) fn check(findings: &mut Findings<'_>, setup: &Setup, spec: &ScenarioSpec, ticks: u64) {
    let mut all = Vec::new();
    // A start says how obstacles move.
    for (name, motion) in spec.moving_obstacles.0.iter().filter(|_| setup.start.is_none()) {
        all.extend(Moving::new(findings, name, motion, Some(0)));
    }
    for (written, event) in spec.events.iter().zip(&setup.events) {
        if let ActionSpec::MoveObstacle { obstacle, moves } = written.action() {
            let from = if let EventTime::At(tick) = event.when { Some(tick) } else { None };
            all.extend(Moving::new(findings, obstacle, moves, from));
        }
    }
    for moving in &all {
        let is_only_motion = all.iter().filter(|other| other.name == moving.name).count() == 1;
        let shape = setup.obstacles.iter().find(|one| *one.name == *moving.name);
        let Some(shape) = shape.map(|one| &one.shape) else { continue };
        let warning = moving.left(setup, shape, ticks, is_only_motion);
        if let Some(warning) = warning.or_else(|| moving.too_fast(setup)) {
            findings.add(warning, moving.place.clone());
        }
    }
}

impl<'s> Moving<'s> {
    fn new(
        findings: &Findings<'_>,
        name: &'s Spanned<String>,
        motion: &'s Spanned<MotionSpec>,
        from: Option<u64>,
    ) -> Option<Self> {
        let place = findings.span(name);
        let (name, motion) = (name.read.as_deref().ok()?, motion.read.as_ref().ok()?);
        Some(Self { name, place, motion, from })
    }

    /// Returns a warning if the obstacle leaves the world before the end of the run.
    fn left(&self, setup: &Setup, shape: &Shape, ticks: u64, is_only: bool) -> Option<Diagnostic> {
        if matches!(shape, Shape::Room { .. }) {
            return None;
        }
        let (name, (low, high)) = (self.name, extent(&setup.space));
        let (min, max) = shape.bounds();
        let warning = match *self.motion {
            MotionSpec::Velocity(Point(velocity)) if is_only => {
                // The ticks until it is beyond the side that it moves to, along each axis.
                let until = |min: f32, max: f32, low: f32, high: f32, speed: f32| {
                    let way = if speed > 0.0 { high - min } else { low - max };
                    if speed == 0.0 {
                        f32::INFINITY
                    } else {
                        math::max(way / (speed * setup.dt), 0.0)
                    }
                };
                let x = until(min.x, max.x, low.x, high.x, velocity.x);
                let y = until(min.y, max.y, low.y, high.y, velocity.y);
                let tick = self.from? as f32 + math::min(x, y).ceil();
                let leaves = format!(
                    "obstacle `{name}` leaves the world at tick {tick} and does not come back"
                );
                (tick < ticks as f32).then(|| Diagnostic::warning(leaves))?
                    .help("no edge stops an obstacle: let it move along a path, or stop it with an event `MoveObstacle`")
            }
            MotionSpec::To { at: Point(at), .. } => {
                let by: Vec2 = at - shape.center();
                let (min, max) = (min + by, max + by);
                let is_outside = max.cmplt(low).any() || min.cmpgt(high).any();
                let leaves = format!("obstacle `{name}` moves out of the world");
                is_outside
                    .then(|| Diagnostic::warning(leaves))?
                    .help(describe_extent(&setup.space, "no edge stops an obstacle"))
            }
            _ => return None,
        };
        Some(warning.code(Code::OutsideWorld))
    }

    /// Returns a warning if the obstacle may pass over solid bodies.
    fn too_fast(&self, setup: &Setup) -> Option<Diagnostic> {
        let speed = match self.motion {
            MotionSpec::Stop => 0.0,
            MotionSpec::Velocity(Point(velocity)) => math::length(*velocity),
            MotionSpec::To { speed, .. } | MotionSpec::Along { speed, .. } => speed.0,
        };
        let groups = setup.groups.iter().map(|(group, _)| group);
        let bodies = groups.flat_map(Group::all_bodies);
        let solid = bodies.filter(|body| body.solid && body.radius > 0.0);
        let radius = solid.map(|body| body.radius).reduce(math::min)?;
        let (step, name) = (speed * setup.dt, self.name);
        let far = format!(
            "obstacle `{name}` moves {} in one tick, more than the radius of solid agents, {}",
            math::short(step),
            math::short(radius)
        );
        (step > radius).then(|| {
            Diagnostic::warning(far)
                .code(Code::LongStep)
                .help("it may pass over them instead of pushing them: make it slower, or the ticks shorter")
        })
    }
}
