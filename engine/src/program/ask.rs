//! What a program asks of the world: of agents, obstacles and paths, and of the primitives.
//!
//! Done lane by lane, and where it costs much for those lanes only that take part.

use super::machine::{Machine, Scene};
use super::steps;
use super::{
    AskObstacle, AskOther, AskPath, B, Call, CommonI, F, Given, I, Look, Of, OfI, Op, Program, V,
};
use crate::geom::{self, Shape};
use crate::math::random::{Use, noise};
use crate::math::{self, Vec2};
use crate::steer::{Arg, MOST_PARAMS};
use crate::world::{Agent, Me, Neighborhood, Path, PathId, Perceived, Progress, View, World};

impl Machine {
    /// Does an operation that needs more than columns.
    #[inline(never)]
    pub(super) fn ask(&mut self, scene: &Scene<'_>, op: &Op) {
        let world = scene.world;
        let lanes = 0..self.banks.lanes();
        match op {
            Op::CommonI { to, what } => self.banks.const_i(*to, common(scene, *what)),
            Op::HasCursor { to } => self.banks.const_b(*to, world.cursor.is_some()),
            Op::Param { to, name, is, active } => self.param(scene, *to, name, *is, *active),

            Op::Own { to, what } => {
                for lane in lanes {
                    let x = match what {
                        Of::Speed => math::length(self.own_vel(lane)),
                        _ => number(&world.agent(self.row(lane)), *what),
                    };
                    self.banks.set_number(*to, lane, x);
                }
            }
            Op::OwnI { to, what } => {
                for lane in lanes {
                    let x = whole(world, self.row(lane), *what);
                    self.banks.set_whole(*to, lane, x);
                }
            }
            Op::Goal { at, radius, is } => {
                for lane in lanes {
                    let goal = world.agents.goal(self.row(lane), &world.groups);
                    let place = goal.map_or(Vec2::ZERO, |goal| goal.at);
                    self.banks.set_vector(*at, lane, place);
                    let far = goal.map_or(0.0, |goal| goal.radius);
                    self.banks.set_number(*radius, lane, far);
                    self.banks.set_truth(*is, lane, goal.is_some());
                }
            }
            Op::Waypoint { to, is_last, which } => {
                for lane in lanes {
                    let found = self
                        .path(world, *which, lane)
                        .map(|(path, progress)| (path.waypoint(progress), path.is_last(progress)));
                    let (point, last) = found.unwrap_or_default();
                    self.banks.set_vector(*to, lane, point);
                    self.banks.set_truth(*is_last, lane, last);
                }
            }
            Op::Advance { which, reached } => {
                for lane in lanes {
                    if self.banks.takes_part(*reached, lane)
                        && let Some((path, progress)) = self.path(world, *which, lane)
                    {
                        let place = self.banks.whole(*which, lane) as usize;
                        self.progress[lane * world.paths.len() + place] = path.next(progress);
                    }
                }
            }
            Op::Noise { to, moment } => {
                let all = world.streams(scene.group, Use::Wander);
                for lane in lanes {
                    let stream = all.with(world.agents.index[self.row(lane)].into());
                    let moment = self.banks.number(*moment, lane);
                    self.banks.set_number(*to, lane, noise(stream, moment));
                }
            }
            Op::Draw { to, active } => {
                self.prepare_draws(scene);
                for lane in lanes {
                    if self.banks.truth(*active, lane) {
                        let draw = self.streams[lane].with(u64::from(self.draws[lane]));
                        self.draws[lane] += 1;
                        self.banks.set_number(*to, lane, draw.unit());
                    }
                }
            }

            Op::Other { to, row, what } => {
                for lane in lanes {
                    let x =
                        self.other(world, *row, lane).map_or(0.0, |other| number(&other, *what));
                    self.banks.set_number(*to, lane, x);
                }
            }
            Op::OtherI { to, row, what } => {
                for lane in lanes {
                    let x = self
                        .other(world, *row, lane)
                        .map_or(0, |other| whole(world, other.row(), *what));
                    self.banks.set_whole(*to, lane, x);
                }
            }
            Op::Means { near, count, offsets, velocities, active } => {
                if let Some(means) = self.ready(scene, *near).and_then(|ready| ready.means()) {
                    let rows = &self.rows;
                    self.banks.set_means(*count, *offsets, *velocities, |lane| {
                        means.of(rows[lane] as usize)
                    });
                    return;
                }
                self.each_near(scene, *near, *active, |machine, lane, me, which| {
                    let sum = me.means(which);
                    machine.banks.set_whole(*count, lane, sum.count.into());
                    machine.banks.set_vector(*offsets, lane, sum.offsets);
                    machine.banks.set_vector(*velocities, lane, sum.velocities);
                })
            }
            Op::Push { near, to, active } => {
                if let Some(push) = self.ready(scene, *near).and_then(|ready| ready.push()) {
                    let rows = &self.rows;
                    self.banks.set_vectors(*to, |lane| push.of(rows[lane] as usize));
                    return;
                }
                self.each_near(scene, *near, *active, |machine, lane, me, which| {
                    let push = me.push(which);
                    machine.banks.set_vector(*to, lane, push);
                });
            }
            Op::Nearest { near, row, found, active } => {
                if let Some(nearest) = self.ready(scene, *near).and_then(|ready| ready.nearest()) {
                    for lane in lanes {
                        let nearest = nearest.of(self.row(lane)).found().map(|(row, _)| row);
                        self.set_found(*row, *found, lane, nearest);
                    }
                    return;
                }
                self.each_near(scene, *near, *active, |machine, lane, me, which| {
                    let nearest = me.nearest(which).map(|(row, _)| row);
                    machine.set_found(*row, *found, lane, nearest);
                });
            }
            Op::First { near, row, found, active } => {
                self.each_near(scene, *near, *active, |machine, lane, me, which| {
                    let mut first: Option<usize> = None;
                    me.each_neighbor(which, |other| {
                        first = Some(first.map_or(other.row, |row| row.min(other.row)));
                    });
                    machine.set_found(*row, *found, lane, first);
                })
            }
            Op::List { near, list, count, active } => {
                self.list(scene, *near, *list, *count, *active)
            }
            Op::Listed { list, at, row } => {
                for lane in lanes {
                    let at = self.banks.whole(*at, lane);
                    let list = &self.lists[usize::from(*list)];
                    let (from, count) = list.lanes[lane];
                    let other = usize::try_from(at)
                        .ok()
                        .filter(|&at| at < count as usize)
                        .map_or(0, |at| list.rows[from as usize + at]);
                    self.banks.set_whole(*row, lane, other.into());
                }
            }

            Op::Encounter { ask, to, is, row, vel, active } => {
                self.encounter(world, (*ask, *to, *is), *row, *vel, *active)
            }
            Op::Free { to, velocity, horizon, active } => {
                for lane in lanes {
                    if self.banks.takes_part(*active, lane) {
                        let me = Me::new(world, self.row(lane), self.own_vel(lane));
                        let velocity = self.banks.vector(*velocity, lane);
                        let free = me.free_distance(velocity, self.banks.number(*horizon, lane));
                        self.banks.set_number(*to, lane, free);
                    }
                }
            }
            Op::Blocked { to, ahead, radius, vel, active } => {
                for lane in lanes {
                    if self.banks.takes_part(*active, lane) {
                        let me = Me::new(world, self.row(lane), self.banks.vector(*vel, lane));
                        let ahead = self.banks.number(*ahead, lane);
                        let blocked = me.is_blocked(ahead, self.banks.number(*radius, lane));
                        self.banks.set_truth(*to, lane, blocked);
                    }
                }
            }
            Op::FirstHit { distance, normal, is, direction, length, radius, active } => {
                for lane in lanes {
                    let hit = self.banks.takes_part(*active, lane).then(|| {
                        let banks = &self.banks;
                        let from = world.agents.pos[self.row(lane)];
                        let direction = banks.vector(*direction, lane);
                        let (length, radius) =
                            (banks.number(*length, lane), banks.number(*radius, lane));
                        world.first_hit(from, direction, length, radius)
                    });
                    let hit = hit.flatten().map(|(_, hit)| hit);
                    let (far, out) = hit
                        .as_ref()
                        .map_or_else(Default::default, |hit| (hit.distance, hit.normal));
                    self.banks.set_number(*distance, lane, far);
                    self.banks.set_vector(*normal, lane, out);
                    self.banks.set_truth(*is, lane, hit.is_some());
                }
            }
            Op::NearestOnPath { at, distance, which, point, active } => {
                for lane in lanes {
                    if self.banks.takes_part(*active, lane)
                        && let Some((path, _)) = self.path(world, *which, lane)
                    {
                        let nearest = path.nearest(self.banks.vector(*point, lane));
                        self.banks.set_vector(*at, lane, nearest.point);
                        self.banks.set_number(*distance, lane, nearest.distance);
                    }
                }
            }
            Op::Ray { to, is, from, target, active } => {
                for lane in lanes {
                    if self.banks.takes_part(*active, lane) {
                        let from = self.banks.vector(*from, lane);
                        let hit = world.ray(from, self.banks.vector(*target, lane));
                        self.banks.set_vector(*to, lane, hit.unwrap_or(Vec2::ZERO));
                        self.banks.set_truth(*is, lane, hit.is_some());
                    }
                }
            }

            Op::Obstacle { ask, to, which, point, active } => {
                self.each_asked(*to, *which, *point, *active, |place, point| {
                    let shape = &world.obstacles.get(place)?.shape;
                    Some(of_shape(shape, *ask, point))
                })
            }
            Op::Path { ask, to, which, point, active } => {
                self.each_asked(*to, *which, *point, *active, |place, point| {
                    let path = world.paths.get(place)?;
                    of_path(path, *ask, point)
                })
            }
            Op::PathCount { to, which } => {
                for lane in lanes {
                    let path = usize::try_from(self.banks.whole(*which, lane))
                        .ok()
                        .and_then(|place| world.paths.get(place));
                    let count = path.map_or(0, |path| path.points.len() as i64);
                    self.banks.set_whole(*to, lane, count);
                }
            }

            Op::TableF { table, to, at, active } => {
                let table = &scene.program.tables_f[usize::from(*table)];
                for lane in lanes {
                    let item = usize::try_from(self.banks.whole(*at, lane))
                        .ok()
                        .and_then(|at| table.get(at));
                    match item {
                        Some(&x) => self.banks.set_number(*to, lane, x),
                        None => self.fail_if(*active, lane),
                    }
                }
            }
            Op::TableI { table, to, at, active } => {
                let table = &scene.program.tables_i[usize::from(*table)];
                for lane in lanes {
                    let item = usize::try_from(self.banks.whole(*at, lane))
                        .ok()
                        .and_then(|at| table.get(at));
                    match item {
                        Some(&x) => self.banks.set_whole(*to, lane, x),
                        None => self.fail_if(*active, lane),
                    }
                }
            }

            _ => unreachable!("an operation on columns alone: {op:?}"),
        }
    }

    /// A lane in which something went wrong, if it is one that counts.
    pub(super) fn fail_if(&mut self, active: B, lane: usize) {
        if self.banks.truth(active, lane) {
            self.banks.fail(lane);
        }
    }

    pub(super) fn other<'w>(&self, world: &'w World, row: I, lane: usize) -> Option<Agent<'w>> {
        let row = usize::try_from(self.banks.whole(row, lane)).ok()?;
        (row < world.agents.len()).then(|| world.agent(row))
    }

    /// The path of a lane, and how far the agent has come on it.
    fn path<'w>(&self, world: &'w World, which: I, lane: usize) -> Option<(&'w Path, Progress)> {
        let place = usize::try_from(self.banks.whole(which, lane)).ok()?;
        let path = world.paths.get(place)?;
        let progress = self.progress.get(lane * world.paths.len() + place).copied();
        Some((path, progress.unwrap_or_default()))
    }

    fn set_found(&mut self, to: I, found: B, lane: usize, row: Option<usize>) {
        self.banks.set_whole(to, lane, row.unwrap_or(0) as i64);
        self.banks.set_truth(found, lane, row.is_some());
    }

    /// The streams that the agents draw from in this tick.
    fn prepare_draws(&mut self, scene: &Scene<'_>) {
        if self.has_streams {
            return;
        }
        let all = scene.world.streams(scene.group, Use::Script);
        for lane in 0..self.banks.lanes() {
            let index = scene.world.agents.index[self.row(lane)];
            self.streams[lane] = all.with(index.into()).with(scene.world.tick);
            self.draws[lane] = 0;
        }
        self.has_streams = true;
    }

    /// One of the program's neighbourhoods, as it is in a lane.
    pub(super) fn neighborhood(&self, program: &Program, near: u16, lane: usize) -> Neighborhood {
        let near = &program.nears[usize::from(near)];
        Neighborhood {
            radius: self.banks.number(near.radius, lane),
            group: near.group,
            view: match near.view {
                Look::Fixed(view) => view,
                Look::Over(radians) => View::over(self.banks.number(radians, lane)),
            },
            around: near.around.map(|point| self.banks.vector(point, lane)),
        }
    }

    fn encounter(
        &mut self,
        world: &World,
        (ask, to, is): (AskOther, F, B),
        row: I,
        vel: V,
        active: B,
    ) {
        for lane in 0..self.banks.lanes() {
            if !self.banks.takes_part(active, lane) {
                continue;
            }
            let Some(other) = self.other(world, row, lane) else {
                self.banks.fail(lane);
                continue;
            };
            let me = Me::new(world, self.row(lane), self.banks.vector(vel, lane));
            let answer = match ask {
                AskOther::TimeToCollision => me.time_to_collision(other),
                AskOther::TimeToNearest => Some(me.nearest_approach(other).time),
                AskOther::DistanceAtNearest => Some(me.nearest_approach(other).distance),
            };
            self.banks.set_number(to, lane, answer.unwrap_or(0.0));
            self.banks.set_truth(is, lane, answer.is_some());
        }
    }

    /// What has been perceived in advance of a neighbourhood that is the same for all.
    fn ready<'w>(&self, scene: &Scene<'w>, near: u16) -> Option<Perceived<'w>> {
        if !scene.program.nears[usize::from(near)].shared {
            return None;
        }
        let which = self.neighborhood(scene.program, near, 0);
        scene.world.perceived(scene.group, &which)
    }

    /// Goes through the lanes that take part, each with its neighbourhood.
    fn each_near<'w>(
        &mut self,
        scene: &Scene<'w>,
        near: u16,
        active: B,
        mut take: impl FnMut(&mut Self, usize, &Me<'w>, &Neighborhood),
    ) {
        for lane in 0..self.banks.lanes() {
            if !self.banks.takes_part(active, lane) {
                continue;
            }
            let which = self.neighborhood(scene.program, near, lane);
            if which.radius >= 0.0 {
                let me = Me::new(scene.world, self.row(lane), self.own_vel(lane));
                take(self, lane, &me, &which);
            } else {
                self.banks.fail(lane);
            }
        }
    }

    fn list(&mut self, scene: &Scene<'_>, near: u16, list: u16, count: I, active: B) {
        let to = usize::from(list);
        self.lists[to].rows.clear();
        self.lists[to].lanes.fill((0, 0));
        self.each_near(scene, near, active, |machine, lane, me, which| {
            let list = &mut machine.lists[to];
            let from = list.rows.len();
            me.each_neighbor(which, |other| list.rows.push(other.row as u32));
            list.rows[from..].sort_unstable();
            let found = list.rows.len() - from;
            list.lanes[lane] = (from as u32, found as u32);
            machine.banks.set_whole(count, lane, found as i64);
        });
    }

    /// Goes through the lanes that take part, each with a place and a point, to what is said of them; no
    /// answer is a fault.
    fn each_asked(
        &mut self,
        to: V,
        which: I,
        point: V,
        active: B,
        mut answer: impl FnMut(usize, Vec2) -> Option<Vec2>,
    ) {
        for lane in 0..self.banks.lanes() {
            if !self.banks.takes_part(active, lane) {
                continue;
            }
            let point = self.banks.vector(point, lane);
            let answer = usize::try_from(self.banks.whole(which, lane))
                .ok()
                .and_then(|place| answer(place, point));
            match answer {
                Some(answer) => self.banks.set_vector(to, lane, answer),
                None => self.banks.fail(lane),
            }
        }
    }

    /// The arguments of a call in a lane, as many as are given; the rest means nothing.
    #[inline]
    pub(super) fn args<'t>(
        &self,
        scene: &Scene<'t>,
        call: &Call,
        lane: usize,
    ) -> Option<[Arg<'t>; MOST_PARAMS]> {
        let mut args = [Arg::Number(0.0); MOST_PARAMS];
        for (place, arg) in call.args.iter().zip(&mut args) {
            *arg = self.arg(scene, place, lane)?;
        }
        Some(args)
    }

    /// An argument of a primitive in a lane; none where it is a place at which there is nothing.
    fn arg<'t>(&self, scene: &Scene<'t>, place: &Given, lane: usize) -> Option<Arg<'t>> {
        Some(match place {
            Given::Number(x) => Arg::Number(self.banks.number(*x, lane)),
            Given::Vector(v) | Given::VectorOf(v, _) => Arg::Vector(self.banks.vector(*v, lane)),
            Given::Agent(row) => Arg::Agent(self.other(scene.world, *row, lane)?),
            Given::Neighbors(near) => Arg::Neighbors(self.neighborhood(scene.program, *near, lane)),
            Given::Path(place) => {
                let place = u16::try_from(self.banks.whole(*place, lane)).ok()?;
                (usize::from(place) < scene.world.paths.len())
                    .then_some(Arg::Path(PathId(place)))?
            }
            Given::Forces(_) => Arg::Forces(&[]),
        })
    }
}

fn common(scene: &Scene<'_>, what: CommonI) -> i64 {
    let world = scene.world;
    match what {
        CommonI::Tick => i64::try_from(world.tick).unwrap_or(i64::MAX),
        CommonI::Count(None) => world.agents.len() as i64,
        CommonI::Count(Some(group)) => world.count(group) as i64,
        CommonI::Round { steps, questions } => {
            let each = steps::of_question(world.things());
            (u64::from(steps) + u64::from(questions) * each) as i64
        }
        CommonI::Obstacles => world.obstacles.len() as i64,
        CommonI::Only(group) => match world.only(group) {
            Ok(row) => row as i64,
            Err(_) => -1,
        },
        CommonI::Group => scene.group.0.into(),
    }
}

/// A number of an agent, as others see it.
fn number(agent: &Agent<'_>, what: Of) -> f32 {
    match what {
        Of::PosX => agent.pos().x,
        Of::PosY => agent.pos().y,
        Of::VelX => agent.vel().x,
        Of::VelY => agent.vel().y,
        Of::HeadingX => agent.heading().x,
        Of::HeadingY => agent.heading().y,
        Of::Speed => math::length(agent.vel()),
        Of::Radius => agent.body().radius,
        Of::Mass => agent.body().mass,
        Of::MaxSpeed => agent.body().max_speed,
        Of::MaxForce => agent.body().max_force,
    }
}

fn whole(world: &World, row: usize, what: OfI) -> i64 {
    match what {
        OfI::Id => world.agents.id[row].into(),
        OfI::Index => world.agents.index[row].into(),
        OfI::Row => row as i64,
        OfI::Group => world.agents.group[row].0.into(),
    }
}

fn of_shape(shape: &Shape, ask: AskObstacle, point: Vec2) -> Vec2 {
    let number = |x| Vec2::new(x, 0.0);
    match ask {
        AskObstacle::Contains => number(f32::from(u8::from(shape.contains(point)))),
        AskObstacle::Distance => number(shape.surface(point).distance),
        AskObstacle::Closest => shape.surface(point).point,
        AskObstacle::Normal => shape.surface(point).normal,
        AskObstacle::Center => {
            let (min, max) = shape.bounds();
            (min + max) * 0.5
        }
        AskObstacle::Radius => number(match shape {
            Shape::Circle { radius, .. } => *radius,
            _ => {
                let (min, max) = shape.bounds();
                math::length(max - min) * 0.5
            }
        }),
    }
}

fn of_path(path: &Path, ask: AskPath, point: Vec2) -> Option<Vec2> {
    let number = |x| Vec2::new(x, 0.0);
    let nearest = || path.nearest(point);
    Some(match ask {
        AskPath::Closest => nearest().point,
        AskPath::Distance => number(nearest().distance),
        AskPath::Along => number(nearest().along),
        AskPath::At => {
            let at = geom::point_along(&path.points, path.is_closed(), point.x);
            return at.is_finite().then_some(at);
        }
        AskPath::Point => {
            // A place below 0 is no place, and would be 0 as a whole number of the other kind.
            return (point.x >= 0.0).then(|| path.points.get(point.x as usize).copied()).flatten();
        }
        AskPath::Radius => number(path.radius),
        AskPath::Length => number(geom::polyline_length(&path.points, path.is_closed())),
    })
}
