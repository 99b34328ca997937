//! The expectation `Throughput`: agents cross a line.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart, group_of};
use super::rule::{Judgment, Measured, Rule, RunPart, TickView, Violation, Worse, why_skipped};
use crate::math::Vec2;
use crate::number::{AtLeastOne, Natural, Point};
use crate::schema::described;
use crate::world::{GroupId, Space, retain_rows};

described! {
    /// A number of agents cross a line, in either direction. Each agent counts once.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Throughput {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// One end of the line.
        from: Point,
        /// The other end.
        to: Point,
        /// The minimum number of agents.
        at_least: AtLeastOne,
        /// The last tick at which they may cross it; by default the end of the run.
        by: Option<Natural>,
        ;
        state: CrossingState,
    }
}

/// The agents that have crossed the line so far.
#[derive(Clone, Debug, Default)]
struct CrossingState {
    /// Whether the result is known.
    done: bool,
    /// For each row, whether its agent has crossed the line.
    crossed: Vec<bool>,
    /// Number of agents that have crossed it, including removed agents.
    count: u32,
}

impl Throughput {
    fn judge_count(&self) -> Judgment {
        let (count, least) = (self.state.count, self.at_least.get_u32());
        let margin = (i64::from(count) - i64::from(least)) as f32;
        Judgment::without_agent(Measured { value: count as f32, margin })
    }
}

impl Rule for Throughput {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        check.by(self.by);
        if self.from == self.to {
            let same = "a line needs two different ends, but `to` is the same as `from`";
            check.error(SpecPart::Field("to"), same);
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (state, line) = (&mut self.state, [self.from.0, self.to.0]);
        let (least, group) = (self.at_least.get_u32(), group_of(&self.group));
        if state.done {
            return Judgment::default();
        }
        let (agents, before) = (&now.world.agents, now.before);
        state.crossed.resize(agents.len(), false);
        for (row, &from) in before.pos.iter().enumerate() {
            let is_selected = group.is_none_or(|group| agents.group[row] == group);
            if is_selected
                && !state.crossed[row]
                && crosses(&now.world.space, from, agents.pos(row), line)
            {
                state.crossed[row] = true;
                state.count += 1;
            }
        }
        let is_last = self.by.is_some_and(|by| now.tick() >= by.get());
        // For the margin, those that come later count too.
        state.done = is_last || (state.count >= least && !now.with_margins);
        if is_last { self.judge_count() } else { Judgment::default() }
    }

    fn finish(&mut self, _now: &TickView<'_>) -> Judgment {
        if self.state.done { Judgment::default() } else { self.judge_count() }
    }

    fn retain(&mut self, keep: &[bool], _groups: &[GroupId]) {
        retain_rows(&mut self.state.crossed, keep);
    }

    fn unit(&self) -> &'static str {
        "agents"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.at_least.get_u32() as f32
    }

    fn is_judged(&self) -> bool {
        self.state.done
    }

    fn describe(&self, now: &TickView<'_>, _violation: &Violation) -> String {
        let (from, to, tick) = (self.from.0, self.to.0, now.tick());
        let (count, least) = (self.state.count, self.at_least.get_u32());
        let of = group_of(&self.group).map_or_else(String::new, |group| {
            format!(" of group `{}`", now.world.group(group).name)
        });
        let agents = if count == 1 { "agent" } else { "agents" };
        format!(
            "{count} {agents}{of} crossed the line from {from} to {to} by tick {tick}; expected at least {least}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn counts_agents(&self) -> bool {
        true
    }

    fn why_skipped(&self, part: RunPart) -> Option<String> {
        why_skipped(self.by, true, part)
    }
}

/// Returns whether the path of an agent in one tick, perhaps across the edge, crosses a line. The line itself belongs to its
/// right side: an agent that comes from the left and ends exactly on it has crossed it.
fn crosses(space: &Space, from: Vec2, to: Vec2, line: [Vec2; 2]) -> bool {
    let way = space.offset_inside(from, to);
    if meet([from, from + way], line) {
        return true;
    }
    // The part that goes beyond an edge enters on the other side.
    let over = to - (from + way);
    let far = |part: f32, size: f32| if part.abs() > 0.5 * size { part } else { 0.0 };
    let over = Vec2::new(far(over.x, space.size.x), far(over.y, space.size.y));
    let across = Vec2::new(over.x, 0.0);
    let up = Vec2::new(0.0, over.y);
    [across, up, over]
        .into_iter()
        .any(|shift| shift != Vec2::ZERO && meet([from + shift, from + way + shift], line))
}

/// Returns whether two segments cross. An end on the other line belongs to its right side.
fn meet(way: [Vec2; 2], line: [Vec2; 2]) -> bool {
    let apart = |[a, b]: [Vec2; 2], [c, d]: [Vec2; 2]| is_left(a, b, c) != is_left(a, b, d);
    apart(line, way) && apart(way, line)
}

/// Returns whether a point is strictly to the left of the line through two other points.
fn is_left(a: Vec2, b: Vec2, point: Vec2) -> bool {
    let (ax, ay) = (f64::from(a.x), f64::from(a.y));
    let (dx, dy) = (f64::from(b.x) - ax, f64::from(b.y) - ay);
    dx * (f64::from(point.y) - ay) > dy * (f64::from(point.x) - ax)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Edge;

    fn space(edge: Edge) -> Space {
        Space { edge, min: Vec2::ZERO, size: Vec2::splat(100.0) }
    }

    fn crosses_in(edge: Edge, from: (f32, f32), to: (f32, f32), line: [(f32, f32); 2]) -> bool {
        crosses(&space(edge), from.into(), to.into(), line.map(Vec2::from))
    }

    #[test]
    fn a_line_is_crossed_between_its_ends_only() {
        let line = [(50.0, 40.0), (50.0, 60.0)];
        for (from, to, expected) in [
            ((49.0, 50.0), (51.0, 50.0), true),
            ((51.0, 50.0), (49.0, 50.0), true),
            ((49.0, 61.0), (51.0, 61.0), false),
            ((49.0, 30.0), (51.0, 45.0), false),
            ((48.0, 50.0), (49.0, 50.0), false),
            ((49.0, 50.0), (49.0, 50.0), false),
            ((50.0, 45.0), (50.0, 55.0), false),
        ] {
            assert_eq!(crosses_in(Edge::Open, from, to, line), expected, "{from:?}");
        }
    }

    #[test]
    fn the_line_belongs_to_its_right_side() {
        let line = [(50.0, 40.0), (50.0, 60.0)];
        let way = [49.0, 50.0, 51.0, 50.0, 49.0, 50.0, 49.0];
        let times = way
            .windows(2)
            .filter(|x| crosses_in(Edge::Open, (x[0], 50.0), (x[1], 50.0), line))
            .count();
        assert_eq!(times, 4);
    }

    #[test]
    fn an_agent_that_wraps_does_not_cross_the_whole_world() {
        let middle = [(50.0, 0.0), (50.0, 100.0)];
        assert!(!crosses_in(Edge::Wrap, (99.0, 50.0), (1.0, 50.0), middle));
        assert!(crosses_in(Edge::Open, (99.0, 50.0), (1.0, 50.0), middle));
        for x in [0.5, 99.5] {
            let line = [(x, 40.0), (x, 60.0)];
            assert!(crosses_in(Edge::Wrap, (99.0, 50.0), (1.0, 50.0), line), "{x}");
            assert!(crosses_in(Edge::Wrap, (1.0, 50.0), (99.0, 50.0), line), "{x}");
        }
        // Over a corner, through each of the four quadrants.
        let line = [(0.0, 98.0), (1.0, 99.5)];
        assert!(crosses_in(Edge::Wrap, (99.5, 97.5), (2.0, 0.0), line));
        let line = [(98.5, 0.5), (99.5, 0.5)];
        assert!(crosses_in(Edge::Wrap, (98.0, 99.5), (0.0, 1.5), line));
    }
}
