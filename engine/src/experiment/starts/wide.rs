//! Wide starts: agents begin farther from the places that are written than usual, and with other velocities.
//!
//! The scenario promises nothing for them. They are only for hunts in which another version says whether a start can be mastered.

use std::sync::Arc;

use super::super::probe::rows_of;
use super::{Area, Draw, Start, Starts, VariedGroup, folded, rounded};
use crate::diag::Source;
use crate::math;
use crate::runner::Run;
use crate::scenario::{Scenario, Template, TemplateValue};

/// What wide starts vary beside that of other starts.
pub(super) struct WideStarts {
    /// The places of all values. Those of the velocities are the last ones.
    template: Template,
    /// For each group with a varied velocity, its highest speed.
    speeds: Vec<f32>,
}

/// What a wide start has beside that of other starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WideStart {
    /// How far agents may be from their places, from 0 for the usual distance to 1 for the largest one.
    reach: f32,
    /// For each group with a varied velocity, two numbers for its speed and its direction. Without them, all velocities are as they
    /// are written.
    velocities: Option<Vec<[f32; 2]>>,
}

/// How many times farther than usual agents of wide starts may be from the places that are written.
const MAX_REACH: f32 = 12.0;

/// The share of the starts made from others in which what is wide changes.
const CHANGED_SHARE: f32 = 0.15;

impl WideStarts {
    /// Returns what wide starts vary; `paths` are those of all starts. `None` if something varies that cannot be combined with
    /// velocities.
    pub(super) fn new(
        source: &Arc<Source>,
        scenario: &Scenario,
        run: &Run,
        paths: &[String],
        groups: &[VariedGroup],
    ) -> Option<Self> {
        let world = run.simulation().world();
        let rows = rows_of(run.simulation());
        let (mut paths, mut speeds) = (paths.to_vec(), Vec::new());
        for varied in groups.iter().filter(|group| !matches!(group.area, Area::AsWritten)) {
            let (group, _) = &scenario.setup.groups[varied.index];
            let written = rows[varied.index].iter().map(|&row| world.agents.vel(row));
            let fastest = written.map(math::length).fold(0.0, math::max);
            let limits = group.all_bodies().iter().map(|body| body.max_speed);
            let limit = limits.fold(f32::INFINITY, math::min);
            let speed = if limit.is_finite() { limit } else { fastest };
            if speed > 0.0 {
                paths.push(format!("groups.{}.velocity", group.name));
                speeds.push(speed);
            }
        }
        let names: Vec<&str> = paths.iter().map(String::as_str).collect();
        Some(Self { template: Template::new(source, &names).ok()?, speeds })
    }
}

impl Start {
    /// Returns how many times farther than usual agents may be from the places that are written.
    pub(super) fn reach(&self) -> f32 {
        self.wide.as_ref().map_or(1.0, |wide| 1.0 + wide.reach * (MAX_REACH - 1.0))
    }
}

impl Starts {
    /// Makes a start wide, if that is allowed.
    pub(super) fn widen(&self, start: &mut Start, draw: &mut Draw) {
        let Some(of) = &self.wide else { return };
        let unit = draw.unit();
        let has_velocities = draw.unit() < 0.5;
        let velocities = of.speeds.iter().map(|_| [draw.unit(), draw.unit()]).collect();
        let velocities = has_velocities.then_some(velocities);
        start.wide = Some(WideStart { reach: unit * unit, velocities });
    }

    /// Changes what is wide in a start that is made from others. A start that is not wide may become so.
    pub(super) fn change_wide(&self, child: &mut Start, other: Option<&Start>, draw: &mut Draw) {
        if draw.unit() >= CHANGED_SHARE {
            return;
        }
        match (&mut child.wide, other) {
            (None, _) => self.widen(child, draw),
            (own, Some(other)) => own.clone_from(&other.wide),
            (Some(own), None) => {
                own.reach = folded(own.reach + 0.1 * draw.normal());
                for number in own.velocities.iter_mut().flatten().flatten() {
                    *number = folded(*number + 0.1 * draw.normal());
                }
            }
        }
    }

    /// Returns the template of a wide start with velocities, and adds these to the values of others.
    pub(super) fn wide_template(
        &self,
        start: &Start,
        values: &mut Vec<TemplateValue>,
    ) -> Option<&Template> {
        let of = self.wide.as_ref()?;
        let velocities = start.wide.as_ref()?.velocities.as_ref()?;
        for ([a, b], speed) in velocities.iter().zip(&of.speeds) {
            // Written with few digits, it must not be above the limit.
            let velocity = math::direction((b * 2.0 - 1.0) * math::PI) * (a * speed * 0.99);
            let [x, y] = [velocity.x, velocity.y].map(|x| rounded(x, super::decimals(*speed)));
            values.push(TemplateValue::Text(format!("({x}, {y})")));
        }
        Some(&of.template)
    }
}
