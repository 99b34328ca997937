//! The starts that a hunt tries: a scenario with other seeds, places, counts, times of events and values.

mod moves;
mod wide;

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::Variation;
use super::points::latin_coordinate;
use super::probe::rows_of;
use crate::diag::{Diagnostics, Place, Source};
use crate::geom::Shape;
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::runner::Run;
use crate::scenario::{Scenario, Template, TemplateValue, Varied};
use crate::sim::{EventTime, Spawn, SpawnShape, ring_point};
use crate::world::{Edge, GroupId, Space};
use wide::{WideStart, WideStarts};

/// A start: every number in it is from 0 to 1, and represents a value in a range.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Start {
    seed: u64,
    /// For each group with a varied count.
    counts: Vec<f32>,
    /// For each group with varied places, two numbers for each agent that it may have.
    places: Vec<Vec<[f32; 2]>>,
    events: Vec<f32>,
    values: Vec<f32>,
    /// What only a wide start varies.
    wide: Option<WideStart>,
}

/// All starts of a scenario.
pub(super) struct Starts {
    template: Template,
    seed: u64,
    varies_seed: bool,
    groups: Vec<VariedGroup>,
    /// The ticks that each event may happen at.
    events: Vec<RangeInclusive<u64>>,
    values: Vec<Variation>,
    /// What wide starts vary beside that, if there may be some.
    wide: Option<WideStarts>,
    /// Points that agents may begin at: goals and waypoints.
    targets: Vec<Vec2>,
    /// The bodies that nothing may be placed on: places and radii.
    fixed: Vec<(Vec2, f32)>,
    obstacles: Vec<Shape>,
    space: Space,
}

/// A group whose places or count vary.
struct VariedGroup {
    /// Its index among all groups.
    index: usize,
    /// The radius of its bodies.
    radius: f32,
    /// The number of agents as it is written.
    count: u32,
    /// The numbers of agents that it may have; `None` if the count stays as it is.
    counts: Option<RangeInclusive<u32>>,
    area: Area,
    /// Number of decimals of coordinates.
    decimals: usize,
}

/// Where the agents of a group may start.
enum Area {
    /// Where they are placed now.
    AsWritten,
    Rect {
        min: Vec2,
        max: Vec2,
    },
    Disc {
        center: Vec2,
        radius: f32,
    },
    /// Each of them near its place on a ring. The places depend on the number of agents.
    NearRing {
        center: Vec2,
        radius: f32,
        distance: f32,
    },
    /// Each of them near its own place.
    Near {
        places: Vec<Vec2>,
        distance: f32,
        is_listed: bool,
    },
}

/// Maximum number of agents in a scenario whose places vary. With more, only the seed changes them.
const MAX_PLACED: u64 = 2000;

/// The share of the starts that are made from others in which something is changed in one step that small changes rarely make.
const CHANGED_SHARE: f32 = 0.15;

/// The share of these starts that have parts of a second one.
const CROSSED_SHARE: f32 = 0.2;

/// The share of these starts that are in line with two.
const IN_LINE_SHARE: f32 = 0.2;

/// How a start that is made from another one is related to a second one.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    /// Not at all.
    None,
    /// It has parts of it.
    Crossed,
    /// It is in line with both, by this part of their difference beyond the first one.
    InLine(f32),
}

/// Number of tries to find a free place for an agent.
const TRIES: u64 = 40;

/// Random numbers, one after another.
pub(super) struct Draw {
    mix: Mix,
    /// How many were drawn.
    drawn: u64,
    /// The point of a Latin hypercube that they are the coordinates of.
    point: Option<LatinPoint>,
}

/// A point of a Latin hypercube.
#[derive(Clone, Copy)]
struct LatinPoint {
    index: u64,
    count: u64,
    mix: Mix,
}

impl Draw {
    pub(super) fn new(mix: Mix) -> Self {
        Self { mix, drawn: 0, point: None }
    }

    /// Returns random numbers that are spread: of `count` such starts with the same `mix`, each number is once in each of as many
    /// equal shares of `[0, 1)`.
    pub(super) fn spread(mix: Mix, index: u64, count: u64) -> Self {
        let point = Some(LatinPoint { index, count, mix: mix.with_str("spread") });
        Self { point, ..Self::new(mix.with(index)) }
    }

    fn next(&mut self) -> Mix {
        self.drawn += 1;
        self.mix.with(self.drawn)
    }

    /// Returns a number in `[0, 1)`.
    pub(super) fn unit(&mut self) -> f32 {
        let next = self.next();
        let Some(LatinPoint { index, count, mix }) = self.point else { return next.unit() };
        let unit = latin_coordinate(index, count, mix.with(self.drawn)) as f32;
        math::min(unit, 1.0 - f32::EPSILON)
    }

    /// Returns a number in `[0, 1)` that is not spread.
    fn plain_unit(&mut self) -> f32 {
        self.next().unit()
    }

    /// Returns an integer below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f32) as usize).min(count.saturating_sub(1))
    }

    fn normal(&mut self) -> f32 {
        self.next().normal().x
    }
}

/// The parts of a scenario that a hunt may vary.
struct VariedParts<'s> {
    scenario: &'s Scenario,
    keep: &'s [Varied],
    /// Paths that vary as values.
    vary: &'s [(String, Place, Variation)],
}

impl VariedParts<'_> {
    fn varies(&self, what: Varied) -> bool {
        !self.keep.contains(&what)
    }

    /// Returns whether a path varies as a value.
    fn is_own(&self, path: &str) -> bool {
        self.vary.iter().any(|(own, ..)| own == path)
    }

    /// Returns the groups whose places or count vary, and the places and radii of the bodies of the others. Adds the paths of what
    /// varies.
    fn groups(
        &self,
        run: &Run,
        near: Option<f32>,
        paths: &mut Vec<String>,
    ) -> (Vec<VariedGroup>, Vec<(Vec2, f32)>) {
        let (mut groups, mut fixed) = (Vec::new(), Vec::new());
        let agents: u64 =
            self.scenario.setup.groups.iter().map(|(_, of)| u64::from(of.count)).sum();
        let rows = rows_of(run.simulation());
        let world = run.simulation().world();
        let needs_agents = self.scenario.expectations.iter().any(|one| one.counts_agents());
        for (index, (group, spawn)) in self.scenario.setup.groups.iter().enumerate() {
            let radius = group.all_bodies().iter().map(|body| body.radius).fold(0.0, math::max);
            let path = format!("groups.{}.spawn", group.name);
            // A name with a dot cannot be part of a path, and a start in the middle of a run has its own agents.
            let is_free = self.scenario.setup.start.is_none()
                && !group.name.contains('.')
                && !self.vary.iter().any(|(own, ..)| own.starts_with(&path));
            let count_path = format!("groups.{}.count", group.name);
            // A count that varies as a value does not fit to a list of places.
            let is_placed = is_free && self.varies(Varied::Places) && !self.is_own(&count_path);
            let counts = counts(spawn, needs_agents)
                .filter(|_| is_free && self.varies(Varied::Counts) && !self.is_own(&count_path));
            let area = if is_placed && agents <= MAX_PLACED {
                let most = counts.as_ref().map_or(spawn.count, |counts| *counts.end());
                let spawn = Spawn { count: most, ..spawn.clone() };
                let place = |i| spawn.agent(world, GroupId(index as u16), i).pos;
                Area::of(&spawn, near.unwrap_or(2.0 * radius), (0..most).map(place).collect())
            } else {
                Area::AsWritten
            };
            match &area {
                Area::AsWritten => {
                    fixed.extend(rows[index].iter().map(|&row| (world.agents.pos(row), radius)));
                }
                Area::Near { places, is_listed: true, .. } => {
                    paths.extend((0..places.len()).map(|place| format!("{path}.{place}.at")));
                }
                _ => paths.push(path),
            }
            if counts.is_some() {
                paths.push(count_path);
            }
            if counts.is_some() || !matches!(area, Area::AsWritten) {
                let decimals = decimals(area.extent());
                let count = spawn.count;
                groups.push(VariedGroup { index, radius, count, counts, area, decimals });
            }
        }
        (groups, fixed)
    }

    /// Returns the ticks that each event may happen at, and adds the paths of their times.
    fn events(&self, paths: &mut Vec<String>) -> Vec<RangeInclusive<u64>> {
        let mut events = Vec::new();
        if self.varies(Varied::Events) {
            let second = ((1.0 / self.scenario.setup.dt) as u64).max(1);
            for (index, event) in self.scenario.setup.events.iter().enumerate() {
                let (name, tick) = match event.when {
                    EventTime::At(tick) => ("tick", tick),
                    EventTime::Every { from, .. } => ("from", from),
                    EventTime::When { .. } => continue,
                };
                let path = format!("events.{index}.{name}");
                if !self.is_own(&path) {
                    paths.push(path);
                    let last = (tick + second).min(self.scenario.ticks.saturating_sub(1)).max(tick);
                    events.push(tick.saturating_sub(second).max(self.scenario.first_tick())..=last);
                }
            }
        }
        events
    }
}

impl Starts {
    /// Returns the starts of a scenario. `run` is at its first tick. `is_wide` allows wide starts, unless places are kept or have a bound.
    pub(super) fn new(
        source: &Arc<Source>,
        scenario: &Scenario,
        run: &Run,
        keep: &[Varied],
        near: Option<f32>,
        vary: &[(String, Place, Variation)],
        is_wide: bool,
    ) -> Result<Self, Diagnostics> {
        let varied = VariedParts { scenario, keep, vary };
        let mut paths: Vec<String> = Vec::new();
        let varies_seed = varied.varies(Varied::Seed) && !varied.is_own("seed");
        if varies_seed {
            paths.push("seed".to_owned());
        }
        let (groups, fixed) = varied.groups(run, near, &mut paths);
        let events = varied.events(&mut paths);
        let own = paths.len();
        paths.extend(vary.iter().map(|(path, ..)| path.clone()));
        let names: Vec<&str> = paths.iter().map(String::as_str).collect();
        let template = Template::new(source, &names).map_err(|(index, error)| {
            match index.checked_sub(own).and_then(|index| vary.get(index)) {
                Some((_, place, _)) => error.at(&place.source, place.span.clone()),
                None => error,
            }
        })?;
        let may_be_wide = is_wide && near.is_none() && varied.varies(Varied::Places);
        Ok(Self {
            wide: if may_be_wide {
                WideStarts::new(source, scenario, run, &paths, &groups)
            } else {
                None
            },
            targets: targets(scenario),
            template,
            seed: scenario.setup.seed,
            varies_seed,
            groups,
            events,
            values: vary.iter().map(|(.., variation)| variation.clone()).collect(),
            fixed,
            obstacles: scenario.setup.obstacles.iter().map(|one| one.shape.clone()).collect(),
            space: scenario.setup.space,
        })
    }

    /// Returns whether there is more than one start.
    pub(super) fn is_varied(&self) -> bool {
        self.varies_seed
            || !self.groups.is_empty()
            || !self.events.is_empty()
            || !self.values.is_empty()
    }

    /// Returns a random start.
    pub(super) fn random(&self, mut draw: Draw) -> Start {
        let mut start = self.draw_start(&mut draw);
        self.separate(&mut start, &mut draw);
        start
    }

    /// Returns a random start, with agents that may be on each other.
    fn draw_start(&self, draw: &mut Draw) -> Start {
        let seed = if self.varies_seed { draw.next().value() >> 44 } else { self.seed };
        let counts = self.groups.iter().map(|group| {
            let counts = group.counts.as_ref()?;
            // Half of the starts have the number of agents that is written.
            let (number, is_written) = (draw.unit(), draw.unit() < 0.5);
            Some(if is_written { unit_of(group.count, counts) } else { number })
        });
        let counts: Vec<f32> = counts.flatten().collect();
        let places = self.groups.iter().map(|group| {
            let most = group.most();
            (0..most).map(|_| [draw.unit(), draw.unit()]).collect()
        });
        let places = places.collect();
        let events = self.events.iter().map(|_| draw.unit()).collect();
        let values = self.values.iter().map(|_| draw.unit()).collect();
        Start { seed, counts, places, events, values, wide: None }
    }

    /// Returns a start that is near one start, and has parts of another or is in line with both.
    pub(super) fn child(&self, parent: &Start, other: &Start, draw: &mut Draw) -> Start {
        let mut child = parent.clone();
        let unit = draw.unit();
        let relation = if unit < CROSSED_SHARE {
            Relation::Crossed
        } else if unit < CROSSED_SHARE + IN_LINE_SHARE {
            Relation::InLine(1.5 * draw.unit() - 0.5)
        } else {
            Relation::None
        };
        let size = [0.3, 0.1, 0.03, 0.01][draw.below(4)];
        let agents: usize = child.places.iter().map(Vec::len).sum();
        let numbers = child.counts.len() + child.events.len() + child.values.len();
        let share = math::max(0.1, 2.5 / (agents + numbers).max(1) as f32);
        if self.varies_seed && draw.unit() < 0.3 {
            child.seed = draw.next().value() >> 44;
        }
        let others = other.counts.iter().chain(&other.events).chain(&other.values);
        let own = child.counts.iter_mut().chain(&mut child.events).chain(&mut child.values);
        for (own, other) in own.zip(others) {
            mutate(std::slice::from_mut(own), &[*other], relation, (share, size), draw);
        }
        let others = other.places.iter().flatten();
        for (own, other) in child.places.iter_mut().flatten().zip(others) {
            mutate(own, other, relation, (share, size), draw);
        }
        self.change_wide(&mut child, (relation == Relation::Crossed).then_some(other), draw);
        if draw.unit() < CHANGED_SHARE {
            self.change(&mut child, draw);
        }
        self.separate(&mut child, draw);
        child
    }

    /// Halves the distance of agents from the places that are written, and takes the numbers of agents that are written.
    pub(super) fn move_to_written(&self, start: &mut Start) {
        for (group, places) in self.groups.iter().zip(&mut start.places) {
            if group.area.is_near_written() {
                places.iter_mut().for_each(|[squared, _]| *squared *= 0.25);
            }
        }
        let counted = self.groups.iter().filter_map(|group| Some((group, group.counts.as_ref()?)));
        for ((group, counts), unit) in counted.zip(&mut start.counts) {
            *unit = unit_of(group.count, counts);
        }
    }

    /// Moves agents that would be placed on others, in an obstacle or in the wall at the edge, if there is room. If there is not,
    /// they are rather placed on others.
    fn separate(&self, start: &mut Start, draw: &mut Draw) {
        let mut taken = self.fixed.clone();
        for (index, group) in self.groups.iter().enumerate() {
            let count = self.count(start, index) as usize;
            for agent in 0..count.min(start.places[index].len()) {
                let reach = start.reach();
                let mut chosen = start.places[index][agent];
                let (mut tried, mut is_outside_walls) = (chosen, false);
                for _ in 0..TRIES {
                    let at = group.place(agent, count, tried, reach);
                    if self.is_outside_walls(at, group.radius) {
                        (chosen, is_outside_walls) = (tried, true);
                        if self.is_free(at, group.radius, &taken) {
                            break;
                        }
                    }
                    tried = [draw.plain_unit(), draw.plain_unit()];
                }
                if !is_outside_walls && group.area.is_near_written() {
                    chosen = [0.0, 0.0];
                }
                start.places[index][agent] = chosen;
                taken.push((group.place(agent, count, chosen, reach), group.radius));
            }
        }
    }

    /// Returns whether a body touches no other body.
    fn is_free(&self, at: Vec2, radius: f32, taken: &[(Vec2, f32)]) -> bool {
        let touches = |&(other, size): &(Vec2, f32)| {
            math::length(self.space.offset(at, other)) < (radius + size) * 1.01
        };
        !taken.iter().any(touches)
    }

    /// Returns whether a body is neither in an obstacle nor in the wall at the edge of the world.
    fn is_outside_walls(&self, at: Vec2, radius: f32) -> bool {
        let Space { min, edge, .. } = self.space;
        let inner = Vec2::splat(radius);
        let is_inside = at.cmpge(min + inner).all() && at.cmple(self.space.max() - inner).all();
        (is_inside || matches!(edge, Edge::Open | Edge::Wrap))
            && self.obstacles.iter().all(|shape| shape.surface(at).distance >= radius)
    }

    /// Returns the number of agents of a varied group.
    fn count(&self, start: &Start, index: usize) -> u32 {
        let group = &self.groups[index];
        let Some(counts) = &group.counts else {
            return group.count;
        };
        let before = self.groups[..index].iter().filter(|one| one.counts.is_some()).count();
        let span = counts.end() - counts.start() + 1;
        let step = (start.counts[before] * span as f32) as u32;
        counts.start() + step.min(span - 1)
    }

    /// Returns the text of a start.
    pub(super) fn text(&self, start: &Start) -> String {
        let mut values = Vec::new();
        let text = |text: String| TemplateValue::Text(text);
        if self.varies_seed {
            values.push(text(start.seed.to_string()));
        }
        for (index, group) in self.groups.iter().enumerate() {
            let count = self.count(start, index);
            let places = start.places[index].iter().enumerate();
            let points: Vec<String> = places
                .map(|(agent, unit)| {
                    group.point(group.place(agent, count as usize, *unit, start.reach()))
                })
                .collect();
            match &group.area {
                Area::AsWritten => {}
                Area::Near { is_listed: true, .. } => values.extend(points.into_iter().map(text)),
                _ => {
                    let points = points[..points.len().min(count as usize)].join(", ");
                    values.push(text(format!("Points([{points}])")));
                }
            }
            if group.counts.is_some() {
                values.push(text(count.to_string()));
            }
        }
        for (unit, ticks) in start.events.iter().zip(&self.events) {
            let span = ticks.end() - ticks.start() + 1;
            let tick = ticks.start() + ((unit * span as f32) as u64).min(span - 1);
            values.push(text(tick.to_string()));
        }
        for (unit, variation) in start.values.iter().zip(&self.values) {
            values.push(variation.at(f64::from(*unit)));
        }
        let template = self.wide_template(start, &mut values).unwrap_or(&self.template);
        template.fill(&values).text.clone()
    }
}

/// Returns the goals and waypoints of a scenario.
fn targets(scenario: &Scenario) -> Vec<Vec2> {
    let goals = scenario.setup.groups.iter().flat_map(|(group, _)| &group.goals);
    let goals = goals.flat_map(|sequence| sequence.iter().map(|goal| goal.at));
    let waypoints = scenario.setup.paths.iter().flat_map(|path| path.points.iter().copied());
    goals.chain(waypoints).collect()
}

/// Returns the numbers of agents that a group may have; `None` if there is only one.
fn counts(spawn: &Spawn, needs_agents: bool) -> Option<RangeInclusive<u32>> {
    let low = if needs_agents { spawn.count } else { spawn.count.min(1) };
    let high = match &spawn.shape {
        SpawnShape::Disc { .. } | SpawnShape::Rect { .. } | SpawnShape::Ring { .. } => {
            spawn.count.saturating_mul(2)
        }
        _ => spawn.count,
    };
    (low < high).then_some(low..=high)
}

/// Returns the middle of the share of `[0, 1)` that represents a count.
fn unit_of(count: u32, counts: &RangeInclusive<u32>) -> f32 {
    (((count - counts.start()) as f32) + 0.5) / ((counts.end() - counts.start() + 1) as f32)
}

/// Changes the numbers of an event or an agent.
fn mutate(
    own: &mut [f32],
    other: &[f32],
    relation: Relation,
    (share, size): (f32, f32),
    draw: &mut Draw,
) {
    let (takes, moves) = (draw.unit() < 0.5, draw.unit() < share);
    for (own, other) in own.iter_mut().zip(other) {
        match relation {
            Relation::Crossed if takes => *own = *other,
            Relation::InLine(factor) => *own = folded(*own + factor * (*own - other)),
            _ => {}
        }
        if moves {
            *own = folded(*own + size * draw.normal());
        }
    }
}

/// Returns a number in `[0, 1)`: one that is outside comes back as from a mirror.
fn folded(x: f32) -> f32 {
    let x = if x < 0.0 { -x } else { x };
    let x = x - 2.0 * (x * 0.5).floor();
    let x = if x > 1.0 { 2.0 - x } else { x };
    math::min(x, 1.0 - f32::EPSILON)
}

/// Returns the number of decimals with which a length has about a thousand steps.
fn decimals(extent: f32) -> usize {
    let (mut decimals, mut steps) = (0, extent);
    while steps < 1000.0 && decimals < 6 {
        decimals += 1;
        steps *= 10.0;
    }
    decimals
}

impl Area {
    /// Returns the area of a spawn whose agents are at `places` now.
    fn of(spawn: &Spawn, near: f32, places: Vec<Vec2>) -> Self {
        match &spawn.shape {
            SpawnShape::Disc { center, radius } => Self::Disc { center: *center, radius: *radius },
            SpawnShape::Rect { min, max } => Self::Rect { min: *min, max: *max },
            _ if near <= 0.0 || places.is_empty() => Self::AsWritten,
            SpawnShape::Ring { center, radius } => {
                Self::NearRing { center: *center, radius: *radius, distance: near }
            }
            // A list that is repeated or cut off stays as it is.
            SpawnShape::Agents(agents) if agents.len() != places.len() => Self::AsWritten,
            shape => Self::Near {
                places,
                distance: near,
                is_listed: matches!(shape, SpawnShape::Agents(_)),
            },
        }
    }

    /// Returns whether each agent is near the place that is written. The first of its two numbers is then the square of the
    /// distance.
    fn is_near_written(&self) -> bool {
        matches!(self, Self::Near { .. } | Self::NearRing { .. })
    }

    /// Returns its size.
    fn extent(&self) -> f32 {
        match self {
            Self::AsWritten => 1.0,
            Self::Rect { min, max } => math::max(max.x - min.x, max.y - min.y),
            Self::Disc { radius, .. } => 2.0 * radius,
            Self::Near { distance, .. } | Self::NearRing { distance, .. } => 2.0 * distance,
        }
    }
}

impl VariedGroup {
    /// Returns the number of places to choose.
    fn most(&self) -> u32 {
        match (&self.area, &self.counts) {
            (Area::AsWritten, _) => 0,
            (_, Some(counts)) => *counts.end(),
            (_, None) => self.count,
        }
    }

    /// Returns the place that two numbers stand for, for an agent of `count`, as it is written. Agents that begin near a place begin up to
    /// `reach` times as far from it as usual.
    fn place(&self, agent: usize, count: usize, numbers: [f32; 2], reach: f32) -> Vec2 {
        let at = self.exact_place(agent, count, numbers, reach);
        let [x, y] = [at.x, at.y].map(|x| rounded(x, self.decimals).parse().unwrap_or(x));
        Vec2::new(x, y)
    }

    fn exact_place(&self, agent: usize, count: usize, [a, b]: [f32; 2], reach: f32) -> Vec2 {
        let in_disc = |center: Vec2, radius: f32| {
            center + math::direction((b * 2.0 - 1.0) * math::PI) * (math::sqrt(a) * radius)
        };
        match &self.area {
            Area::AsWritten => Vec2::ZERO,
            Area::Rect { min, max } => (*min + (*max - *min) * Vec2::new(a, b)).clamp(*min, *max),
            Area::Disc { center, radius } => in_disc(*center, *radius),
            Area::NearRing { center, radius, distance } => {
                let place = ring_point(*center, *radius, agent as u32, count as u32);
                in_disc(place, *distance * reach)
            }
            Area::Near { places, distance, .. } => in_disc(places[agent], *distance * reach),
        }
    }

    /// Writes a place.
    fn point(&self, at: Vec2) -> String {
        format!("({}, {})", rounded(at.x, self.decimals), rounded(at.y, self.decimals))
    }
}

/// Writes a number with at most some decimals.
pub(super) fn rounded(x: f32, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text.as_str()
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
