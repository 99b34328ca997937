//! Measures: numbers that describe all agents of a world, or those of one group.
//!
//! Sums are added in the order of rows and in double precision.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::density::{density, finite};
use super::rows::{GridOfSome, Rows};
use super::totals::{RunTotals, Totals};
use crate::math::{self, Vec2};
use crate::schema::enums;
use crate::sim::Simulation;
use crate::world::{AgentId, GroupId, World};

enums!(Measure);

/// Lists the measures: the documentation of each, its name, its type, its unit, its formula, what it needs, and how it
/// is computed.
macro_rules! measures {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $written:literal: $kind:ident in $unit:literal as $formula:literal
        from $needs:ident = $take:expr;
    )+) => {
        /// A number that describes many agents at one tick.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename = "measure")]
        #[non_exhaustive]
        pub enum Measure {
            $(
                $(#[doc = $doc])+
                #[doc = concat!("\n\nFormula: `", $formula, "`.")]
                $name,
            )+
        }

        impl Measure {
            /// All measures.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns its name in scripts and files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $written,)+
                }
            }

            /// Returns what it means, in one paragraph.
            pub fn doc(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+),)+
                }
            }

            /// Returns its unit; empty for numbers without one.
            pub fn unit(self) -> &'static str {
                match self {
                    $(Self::$name => $unit,)+
                }
            }

            /// Returns how it is computed from the agents: n agents with position x, velocity v and heading h.
            pub fn formula(self) -> &'static str {
                match self {
                    $(Self::$name => $formula,)+
                }
            }

            /// Returns whether its values are counts.
            pub fn is_count(self) -> bool {
                match self {
                    $(Self::$name => matches!(Type::$kind, Type::Count),)+
                }
            }

            fn needs(self) -> Needs {
                match self {
                    $(Self::$name => Needs::$needs,)+
                }
            }

            /// Computes its value; `None` if there are too few agents, or if it needs totals and there are none.
            pub fn take(self, from: &MeasuredAgents<'_>) -> Option<MeasureValue> {
                match self {
                    $(Self::$name => {
                        let take: fn(&MeasuredAgents<'_>) -> Option<measures!(@type $kind)> = $take;
                        take(from).map(MeasureValue::$kind)
                    })+
                }
            }
        }
    };
    (@type Count) => { u64 };
    (@type Number) => { f32 };
}

/// The type of the values of a measure.
enum Type {
    Count,
    Number,
}

/// The data that a measure is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// The agents at one tick, each separately.
    Agents,
    /// A search for the neighbors of each agent.
    Neighbors,
    /// The totals since the start.
    Totals,
}

measures! {
    /// The number of agents.
    Agents "agents": Count in "agents" as "n" from Agents = |of| Some(of.all.map_or(0, |all| all.agents as u64));
    /// The mean of all speeds.
    MeanSpeed "mean_speed": Number in "world units/s" as "sum |v| / n" from Agents = |of| Some(of.all?.mean_speed);
    /// The highest speed.
    MaxSpeed "max_speed": Number in "world units/s" as "max |v|" from Agents = |of| Some(of.all?.max_speed);
    /// The length of the mean heading: 1 if all agents have the same heading, near 0 if headings are random.
    Polarization "polarization": Number in "" as "|sum h| / n" from Agents = |of| Some(of.all?.polarization);
    /// The distance between the centers of the two agents that are nearest to each other.
    ClosestPair "closest_pair": Number in "world units" as "min |x_i - x_j|" from Neighbors = |of| {
        Some(closest_pair_in(of.simulation.world(), of.rows)?.distance)
    };
    /// The distance of agents from their common center: the root of the mean square.
    Spread "spread": Number in "world units" as "sqrt(sum |x - center|^2 / n)" from Agents = |of| {
        Some(of.all?.spread(of.simulation.world(), of.rows))
    };
    /// The number of agents per area around an agent, as the mean over the agents. It is estimated from the distance r of the
    /// fourth-nearest other agent, by Loftsgaarden and Quesenberry (1965).
    Density "density": Number in "agents/world unit^2" as "sum 3 / (pi r^2) / n" from Neighbors = |of| {
        density(of.simulation.world(), of.rows)
    };
    /// The number of goals reached since the start.
    GoalsReached "goals_reached": Count in "goals" as "goals" from Agents = |of| Some(match of.group {
        Some(group) => of.simulation.goal_counts(group).goals,
        None => of.simulation.goals_reached(),
    });
    /// How often an agent began to overlap another agent or an obstacle by more than 0.001 world units. A collision of two
    /// agents counts for both. Agents that have reached their last goal do not count.
    Collisions "collisions": Count in "collisions" as "sum c" from Totals = |of| Some(of.totals?.1.sums.collisions);
    /// The number of agents that have reached their last goal.
    Arrived "arrived": Count in "agents" as "a" from Totals = |of| Some(of.totals?.1.arrived);
    /// The mean time that agents needed to their last goal, of those that have reached it.
    TimeToGoal "time_to_goal": Number in "s" as "sum t / a" from Totals = |of| {
        let (_, totals) = of.totals?;
        (totals.arrived > 0).then(|| finite(totals.time_of_arrived / totals.arrived as f64))
    };
    /// The number of agents that reached their last goal in a second, as the mean since the start.
    Throughput "throughput": Number in "agents/s" as "a / T" from Totals = |of| {
        let (run, totals) = of.totals?;
        let seconds = run.seconds();
        (seconds > 0.0).then(|| finite(totals.arrived as f64 / seconds))
    };
    /// The mean distance that an agent has traveled, until its last goal.
    PathLength "path_length": Number in "world units" as "sum |v| dt / m" from Totals = |of| {
        let (_, totals) = of.totals?;
        totals.mean(totals.sums.distance).map(finite)
    };
    /// The mean angle by which the heading of an agent has turned to either side, until its last goal.
    Turning "turning": Number in "rad" as "sum angle(h, h') / m" from Totals = |of| {
        let (_, totals) = of.totals?;
        totals.mean(totals.sums.turning).map(finite)
    };
    /// The mean of the time integral of the kinetic energy of an agent, until its last goal. The mass counts as 1.
    Energy "energy": Number in "world units^2/s" as "sum |v|^2/2 dt / m" from Totals = |of| {
        let (_, totals) = of.totals?;
        totals.mean(totals.sums.energy).map(finite)
    };
    /// The number of agents that have come since the start, whoever has made them.
    Births "births": Count in "agents" as "b" from Totals = |of| Some(of.totals?.1.births);
    /// The number of agents that have left since the start.
    Deaths "deaths": Count in "agents" as "d" from Totals = |of| Some(of.totals?.1.deaths);
}

impl Measure {
    /// Returns whether it depends on what has happened since the start, so that [`Totals`] must watch the run.
    pub fn needs_totals(self) -> bool {
        self.needs() == Needs::Totals
    }

    /// Returns whether it is among those that are taken if no names are given. Births and deaths are not: in most worlds they stay 0.
    pub fn is_usual(self) -> bool {
        !matches!(self, Self::Births | Self::Deaths)
    }

    /// Returns whether it takes much longer to compute than a pass over the agents.
    pub fn is_expensive(self) -> bool {
        self.needs() == Needs::Neighbors
    }
}

/// The value of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MeasureValue {
    /// A count.
    Count(u64),
    /// Any other number, in the unit of the measure.
    Number(f32),
}

/// The agents that measures describe: all agents of a run at one tick, or those of one group.
#[derive(Clone, Copy)]
pub struct MeasuredAgents<'s> {
    simulation: &'s Simulation,
    group: Option<GroupId>,
    rows: Rows<'s>,
    /// The totals of the run, and those of these agents.
    totals: Option<(&'s Totals, RunTotals)>,
    /// The measures that one pass computes; `None` if there are no agents.
    pub all: Option<Measures>,
}

impl<'s> MeasuredAgents<'s> {
    /// Takes all agents. Measures that need totals are `None` without them. [`AgentsByGroup`](super::AgentsByGroup) has those
    /// of one group.
    pub fn new(simulation: &'s Simulation, totals: Option<&'s Totals>) -> Self {
        let totals = totals.map(|totals| (totals, totals.sum()));
        Self::of_rows(simulation, None, Rows::All, totals)
    }

    pub(super) fn of_rows(
        simulation: &'s Simulation,
        group: Option<GroupId>,
        rows: Rows<'s>,
        totals: Option<(&'s Totals, RunTotals)>,
    ) -> Self {
        let all = Measures::of_rows(simulation.world(), rows);
        Self { simulation, group, rows, totals, all }
    }

    pub(super) fn group(&self) -> Option<GroupId> {
        self.group
    }
}

impl fmt::Display for MeasureValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl From<MeasureValue> for f32 {
    fn from(amount: MeasureValue) -> Self {
        match amount {
            MeasureValue::Count(count) => count as Self,
            MeasureValue::Number(number) => number,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The measures that one pass over the agents computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Number of agents, at least 1.
    pub agents: usize,
    /// [`Measure::MeanSpeed`].
    pub mean_speed: f32,
    /// [`Measure::MaxSpeed`].
    pub max_speed: f32,
    /// [`Measure::Polarization`].
    pub polarization: f32,
    /// The center of all agents. In a world that wraps, it is computed from the shortest offsets to the first agent,
    /// and means little if agents are spread over the whole world.
    pub center: Vec2,
}

impl Measures {
    /// Computes the measures of the agents of a group; `None` if there are none.
    pub fn of(world: &World, group: GroupId) -> Option<Self> {
        let of_group = (0..).zip(&world.agents.group).filter(|(_, of)| **of == group);
        let rows: Vec<u32> = of_group.map(|(row, _)| row).collect();
        Self::of_rows(world, Rows::Of(&rows))
    }

    fn of_rows(world: &World, rows: Rows<'_>) -> Option<Self> {
        let agents = &world.agents;
        let mut first = None;
        let (mut count, mut speeds, mut fastest) = (0usize, 0.0f64, 0.0f32);
        let (mut headings, mut offsets) = ([0.0f64; 2], [0.0f64; 2]);
        for row in rows.each(world) {
            let first = *first.get_or_insert(agents.pos(row));
            let speed = math::min(math::length(agents.vel(row)), f32::MAX);
            count += 1;
            speeds += f64::from(speed);
            if speed > fastest {
                fastest = speed;
            }
            let offset = world.space.offset(first, agents.pos(row));
            for axis in 0..2 {
                headings[axis] += f64::from(agents.heading(row)[axis]);
                offsets[axis] += f64::from(offset[axis]);
            }
        }
        let n = count as f64;
        let mean = offsets.map(|sum| (sum / n) as f32);
        let [x, y] = headings;
        Some(Self {
            agents: count,
            mean_speed: finite(speeds / n),
            max_speed: fastest,
            polarization: (f64::sqrt(x * x + y * y) / n) as f32,
            center: world.space.apply_edge(first? + Vec2::from_array(mean), Vec2::ZERO).0,
        })
    }

    /// Computes [`Measure::Spread`] around the center of the same agents.
    fn spread(&self, world: &World, rows: Rows<'_>) -> f32 {
        let squares = rows.each(world).map(|row| {
            let offset = world.space.offset(self.center, world.agents.pos(row));
            f64::from(offset.x) * f64::from(offset.x) + f64::from(offset.y) * f64::from(offset.y)
        });
        finite(f64::sqrt(squares.sum::<f64>() / self.agents as f64))
    }
}

/// Returns the mean of all speeds in world units per second; `None` if there are no agents.
pub fn mean_speed(world: &World) -> Option<f32> {
    Measures::of_rows(world, Rows::All).map(|all| all.mean_speed)
}

/// The two agents that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPair {
    /// Their ids, the lower first.
    pub ids: (AgentId, AgentId),
    /// The distance between their centers, in world units.
    pub distance: f32,
}

/// Returns the two agents that are nearest to each other, across the edge in a world that wraps. If several pairs are
/// equally near, it returns the one with the lowest ids. `None` if there are fewer than two agents.
pub fn closest_pair(world: &World) -> Option<ClosestPair> {
    closest_pair_in(world, Rows::All)
}

/// Returns the [`closest_pair`] among some agents.
fn closest_pair_in(world: &World, rows: Rows<'_>) -> Option<ClosestPair> {
    let grid = GridOfSome::new(world, rows);
    let agents = &world.agents;
    let mut best: Option<(f32, usize, usize)> = None;
    for row in rows.each(world) {
        // The smallest distance so far limits the next search, so all agents but the first few check hardly any others.
        // Rounding up keeps agents that are just below the limit.
        let radius = best.map_or(f32::INFINITY, |(least, ..)| least.sqrt().next_up());
        grid.each_near(row, radius, |other, squared| {
            let pair = (squared, row, other);
            if best.is_none_or(|best| pair < best) {
                best = Some(pair);
            }
        });
        // No pair can be nearer. Without this, many agents at one place would all be compared with each other.
        if best.is_some_and(|(least, ..)| least == 0.0) {
            break;
        }
    }
    let (squared, row, other) = best?;
    let (a, b) = (agents.id[row], agents.id[other]);
    Some(ClosestPair { ids: (a.min(b), a.max(b)), distance: squared.sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Edge;
    use proptest::prelude::*;

    fn world(points: &[(f32, f32)], edge: Edge) -> World {
        let agents: Vec<_> = points.iter().map(|&(x, y)| (Vec2::new(x, y), Vec2::ZERO)).collect();
        let mut world = World::example(&agents);
        world.space.edge = edge;
        world
    }

    fn by_trying_all(world: &World) -> Option<ClosestPair> {
        let agents = &world.agents;
        let mut best: Option<(f32, usize, usize)> = None;
        for i in 0..agents.len() {
            for j in i + 1..agents.len() {
                let squared =
                    world.space.offset_inside(agents.pos(i), agents.pos(j)).length_squared();
                if best.is_none_or(|(least, ..)| squared < least) {
                    best = Some((squared, i, j));
                }
            }
        }
        best.map(|(squared, i, j)| ClosestPair {
            ids: (agents.id[i], agents.id[j]),
            distance: squared.sqrt(),
        })
    }

    #[test]
    fn measures_of_a_group_ignore_the_others() {
        let mut world = world(&[(1.0, 1.0), (99.0, 1.0), (50.0, 50.0)], Edge::Wrap);
        let other = world.groups[0].clone();
        world.groups.push(other);
        world.agents.group[2] = GroupId(1);
        let velocities = [Vec2::new(3.0, 4.0), Vec2::ZERO, Vec2::new(0.0, 9.0)];
        for (row, vel) in velocities.into_iter().enumerate() {
            *world.agents.vel_mut(row) = vel;
            *world.agents.heading_mut(row) = if row == 0 { Vec2::X } else { Vec2::Y };
        }
        let rows = Rows::Of(&[0, 1]);
        let found = Measures::of(&world, GroupId(0)).unwrap();
        assert_eq!(Measures::of_rows(&world, rows), Some(found));
        assert_eq!(found.agents, 2);
        assert_eq!((found.mean_speed, found.max_speed), (2.5, 5.0));
        assert_eq!(found.polarization, f64::sqrt(0.5) as f32);
        assert_eq!(found.center, Vec2::new(0.0, 1.0), "across the edge");
        assert_eq!(found.spread(&world, rows), 1.0);
        let pair = closest_pair_in(&world, rows).unwrap();
        assert_eq!((pair.ids, pair.distance), ((AgentId(0), AgentId(1)), 2.0));
        assert_eq!(closest_pair_in(&world, Rows::Of(&[2])), None);
        world.groups.push(world.groups[0].clone());
        assert_eq!(Measures::of(&world, GroupId(2)), None);
        assert_eq!(Measures::of_rows(&world, Rows::All).unwrap().max_speed, 9.0);
    }

    /// Caught: the square of a speed above 1.8e19 is infinite in single precision.
    #[test]
    fn measures_of_extreme_speeds_are_finite() {
        let mut world = world(&[(0.0, 0.0), (1.0, 0.0)], Edge::Open);
        *world.agents.vel_mut(0) = Vec2::new(3e37, 4e37);
        assert_eq!(mean_speed(&world), Some(2.5e37));
        *world.agents.vel_mut(1) = Vec2::splat(f32::MAX);
        let found = Measures::of_rows(&world, Rows::All).unwrap();
        assert_eq!(found.max_speed, f32::MAX);
        assert!(found.mean_speed.is_finite());
        assert_eq!((finite(1e80), finite(-1e80), finite(0.25)), (f32::MAX, f32::MIN, 0.25));
    }

    proptest! {
        #[test]
        fn the_closest_pair_equals_that_of_a_search_over_all_pairs(
            points in prop::collection::vec((0.0f32..100.0, 0.0f32..100.0), 0..60),
            // Whole numbers, so that many agents are equally near or at the same place.
            whole in any::<bool>(),
            wrap in any::<bool>(),
        ) {
            let points: Vec<(f32, f32)> = points
                .into_iter()
                .map(|(x, y)| if whole { ((x / 10.0).floor(), (y / 10.0).floor()) } else { (x, y) })
                .collect();
            let world = world(&points, if wrap { Edge::Wrap } else { Edge::Open });
            prop_assert_eq!(closest_pair(&world), by_trying_all(&world));
        }
    }

    #[test]
    fn the_closest_pair_does_not_use_an_old_grid() {
        let mut world = world(&[(0.0, 0.0), (50.0, 0.0), (90.0, 0.0)], Edge::Open);
        world.agents.pos_mut(0).x = 89.0;
        let closest = closest_pair(&world).unwrap();
        assert_eq!((closest.ids, closest.distance), ((AgentId(0), AgentId(2)), 1.0));
    }

    #[test]
    fn speeds_are_averaged() {
        let mut world = world(&[(0.0, 0.0), (1.0, 0.0)], Edge::Open);
        *world.agents.vel_mut(0) = Vec2::new(3.0, 4.0);
        assert_eq!(mean_speed(&world), Some(2.5));
        assert_eq!(mean_speed(&World::example(&[])), None);
        assert_eq!(closest_pair(&World::example(&[])), None);
    }
}
