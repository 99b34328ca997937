//! Why an agent's force is what it is: what each primitive had a share in it.
//!
//! While a program is done for one agent, every number keeps a linear form beside its value: by which
//! weights the results of primitives go into it. Where an operation is not linear it is taken for the
//! scaling that it amounts to this time (a limit, a unit vector), or its result is one that no
//! primitive has a share in.

use super::banks::Banks;
use super::machine::{Block, Machine, Observer, Scene};
use super::reasons::Reasons;
use super::{Call, Columns, Explained, Explanation, F, Given, Kind, Op, Program, Sight, V};
use crate::diag::Place;
use crate::math::{self, Binary, Unary, Vec2};
use crate::steer::{Arg, Cause, MOST_PARAMS, Primitive};
use crate::world::{GroupId, Me, PathId, Progress, Values, World};

/// Explains the force of one agent, with a velocity and a mind that it has before its turn. None where
/// something goes wrong in its turn.
pub(crate) fn explain(
    program: &Program,
    world: &World,
    row: usize,
    vel: Vec2,
    mind: (&Values, &[Progress]),
) -> Option<Explanation> {
    let me = Me::new(world, row, vel);
    let group: GroupId = me.group_id();
    let mut machine = Machine::new(program);
    let mut watcher = Watcher {
        calls: Vec::new(),
        whom: Whom::default(),
        forms: vec![Form::new(); program.columns.0],
        reasons: Reasons::new(program),
    };
    let block = Block { rows: &[row as u32], velocities: &[vel], mind: &|_| mind };
    machine.run_watched(program, world, group, block, &mut watcher);
    if machine.faulted(0) {
        return None;
    }
    let force = machine.force(program, 0);
    let (x, y) = match program.force {
        Some(V(x, y)) => (watcher.form(x), watcher.form(y)),
        None => (Form::new(), Form::new()),
    };
    let mut rest = force;
    let calls = watcher.calls.iter().enumerate().map(|(place, call)| {
        let (weight, share) = weighed(place as u32, call.raw, &x, &y);
        let wants = call.primitive.wanted(call.raw, call.vel);
        let pull = wants.map_or(share, |wants| weighed(place as u32, wants, &x, &y).1);
        rest -= share;
        Explained {
            primitive: call.primitive,
            place: call.place.clone(),
            cause: call.whom.cause.clone(),
            hangs_on: call.whom.hangs_on.clone(),
            sight: call.whom.sight.clone(),
            raw: call.raw,
            wants,
            share,
            pull,
            weight,
        }
    });
    let calls = calls.collect();
    let whom = |of: Option<V>| of.map_or_else(Vec::new, |of| watcher.reasons.of_vector(of));
    let own_vel = machine.vel(program, LANE);
    let mut all = Explanation {
        calls,
        rest,
        rest_for: Vec::new(),
        force,
        vel: own_vel,
        set_vel: (program.sets_vel && own_vel != vel).then_some(own_vel),
        vel_for: Vec::new(),
    };
    if all.has_rest() {
        all.rest_for = whom(program.force);
    }
    if all.set_vel.is_some() {
        all.vel_for = whom(program.vel);
    }
    Some(all)
}

/// The lane of the one agent.
const LANE: usize = 0;

/// What a number is made of, in the order of the parts: none twice.
type Form = Vec<(Source, f32)>;

/// A part of the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    call: u32,
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    X,
    Y,
}

struct Made {
    primitive: &'static Primitive,
    place: Option<Place>,
    whom: Whom,
    /// The agent's own velocity when it was made.
    vel: Vec2,
    raw: Vec2,
}

/// Because of whom a call is made.
#[derive(Default)]
struct Whom {
    cause: Option<Cause>,
    hangs_on: Vec<Cause>,
    sight: Option<Sight>,
}

/// Keeps the forms of all numbers while a program is done.
struct Watcher {
    calls: Vec<Made>,
    /// Because of whom the call is made that is being done.
    whom: Whom,
    forms: Vec<Form>,
    reasons: Reasons,
}

impl Observer for Watcher {
    // A primitive may move the agent on along a path: what it goes by is what there was before.
    fn before(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) {
        let (Kind::Asked(_), Some(call)) = (op.kind, scene.program.call_of(op)) else {
            return;
        };
        let is_made = machine.banks.takes_part(op.mask, LANE);
        self.whom = if is_made { whom(machine, scene, call) } else { Whom::default() };
        if matches!(self.whom.cause, None | Some(Cause::Point { .. }))
            && is_made
            && let Some(Given::Vector(target)) = call.args.first()
        {
            let mut whom = self.reasons.of_vector(*target);
            // A goal hangs on itself.
            whom.retain(|cause| !matches!(cause, Cause::Point { .. }));
            self.whom.hangs_on = whom;
        }
    }

    fn after(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) {
        let banks = &machine.banks;
        self.reasons.after(op, machine, scene);
        let number = |column: F| banks.number(column, LANE);
        match op.kind {
            Kind::BlendF => {
                let (from, mask) = op.reads();
                if banks.truth(mask, LANE) {
                    self.set(op.writes(), self.form(from));
                }
            }
            Kind::SelectF => {
                let (mask, yes, no): (_, F, F) = op.reads();
                let chosen = if banks.truth(mask, LANE) { yes } else { no };
                self.set(op.writes(), self.form(chosen));
            }
            Kind::Unary(Unary::Neg) => self.set(op.writes(), scaled(&self.form(op.reads()), -1.0)),
            Kind::Binary(function) => {
                let (a, b) = op.reads();
                let (left, right) = (self.form(a), self.form(b));
                let form = match function {
                    Binary::Add => sum(&left, &right),
                    Binary::Sub => sum(&left, &scaled(&right, -1.0)),
                    Binary::Mul if right.is_empty() => scaled(&left, number(b)),
                    Binary::Mul if left.is_empty() => scaled(&right, number(a)),
                    Binary::Div if right.is_empty() => scaled(&left, 1.0 / number(b)),
                    _ => Form::new(),
                };
                self.set(op.writes(), form);
            }
            Kind::Unit => {
                let (to, a) = (op.writes(), op.reads());
                let by = math::scale(banks.vector(a, LANE), banks.vector(to, LANE));
                self.scale(to, a, by);
            }
            Kind::Limit => {
                let (a, longest) = op.reads();
                let by = math::limit_scale(banks.vector(a, LANE), number(longest));
                self.scale(op.writes(), a, by);
            }
            Kind::Gave(_) => {
                if let Some(call) = scene.program.call_of(op)
                    && banks.takes_part(op.mask, LANE)
                {
                    self.source(call, op.reads(), banks);
                }
            }
            // Whatever else makes a number, makes one that no primitive has a share in.
            _ => {
                for column in op.written.into_iter().flat_map(Columns::numbers) {
                    self.set(column, Form::new());
                }
            }
        }
    }
}

impl Watcher {
    fn form(&self, column: F) -> Form {
        self.forms[usize::from(column.0)].clone()
    }

    fn set(&mut self, column: F, form: Form) {
        self.forms[usize::from(column.0)] = form;
    }

    fn scale(&mut self, to: V, from: V, by: f32) {
        self.set(to.0, scaled(&self.form(from.0), by));
        self.set(to.1, scaled(&self.form(from.1), by));
    }

    /// Columns that hold what a primitive answered.
    fn source(&mut self, made: &Call, at: V, banks: &Banks) {
        let call = self.calls.len() as u32;
        self.calls.push(Made {
            primitive: made.primitive,
            place: made.place.clone(),
            whom: std::mem::take(&mut self.whom),
            vel: banks.vector(made.vel, LANE),
            raw: banks.vector(at, LANE),
        });
        let form = |part| vec![(Source { call, part }, 1.0)];
        self.reasons.clear(at);
        self.set(at.0, form(Part::X));
        self.set(at.1, form(Part::Y));
    }
}

/// Because of whom a call is made that is about to be done for the one agent.
fn whom(machine: &Machine, scene: &Scene<'_>, call: &Call) -> Whom {
    let mut progress = machine.progress.clone();
    let me = Me::new(scene.world, machine.row(LANE), machine.banks.vector(call.vel, LANE))
        .with_progress(&mut progress);
    let Some(args) = args(machine, scene, call) else {
        return Whom::default();
    };
    let given = &args[..call.args.len()];
    let sight = given.iter().find_map(|arg| match arg {
        Arg::Neighbors(which) => Some(Sight::of(&me, which)),
        _ => None,
    });
    let mut cause = call.primitive.because(&me, given);
    if matches!(cause, None | Some(Cause::Point { .. })) {
        // The primitive knows of a vector only; the call, whose it is.
        let whose = call.args.iter().find_map(|place| match place {
            Given::VectorOf(_, row) => machine.other(scene.world, *row, LANE),
            _ => None,
        });
        cause = whose.map(|other| Cause::agent(&me, other)).or(cause);
    }
    Whom { cause, hangs_on: Vec::new(), sight }
}

/// The arguments of a call, as many as are given; the rest means nothing. None where one is a place at which
/// there is nothing.
fn args<'t>(machine: &Machine, scene: &Scene<'t>, call: &Call) -> Option<[Arg<'t>; MOST_PARAMS]> {
    let banks = &machine.banks;
    let mut args = [Arg::Number(0.0); MOST_PARAMS];
    for (given, arg) in call.args.iter().zip(&mut args) {
        *arg = match *given {
            Given::Number(x) => Arg::Number(banks.number(x, LANE)),
            Given::Vector(v) | Given::VectorOf(v, _) => Arg::Vector(banks.vector(v, LANE)),
            Given::Agent(row) => Arg::Agent(machine.other(scene.world, row, LANE)?),
            Given::Neighbors(near) => {
                Arg::Neighbors(machine.neighborhood(scene.program, near, LANE))
            }
            Given::Path(place) => {
                let place = u16::try_from(banks.whole(place, LANE)).ok()?;
                let is_there = usize::from(place) < scene.world.paths.len();
                Arg::Path(is_there.then_some(PathId(place))?)
            }
            Given::Forces(_) => Arg::Forces(&[]),
        };
    }
    Some(args)
}

/// A form by a number; nothing where that is too much for any number.
fn scaled(form: &Form, by: f32) -> Form {
    form.iter()
        .map(|&(source, weight)| (source, weight * by))
        .filter(|(_, weight)| weight.is_finite())
        .collect()
}

fn sum(left: &Form, right: &Form) -> Form {
    let mut sum = Form::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(&&(a, x)), Some(&&(b, y))) if a == b => {
                sum.push((a, x + y));
                left.next();
                right.next();
            }
            (Some(&&(a, x)), Some(&&(b, _))) if a < b => {
                sum.push((a, x));
                left.next();
            }
            (_, Some(&&other)) => {
                sum.push(other);
                right.next();
            }
            (Some(&&other), None) => {
                sum.push(other);
                left.next();
            }
            (None, None) => return sum,
        }
    }
}

/// Weights that differ by no more than this, of the larger, are the same but for rounding.
const SAME_WEIGHT: f32 = 1e-5;

/// The share of a call in a vector, and the weight with which its answer went into it.
fn weighed(call: u32, raw: Vec2, x: &Form, y: &Form) -> (Option<f32>, Vec2) {
    let weight = |form: &Form, part| {
        let source = Source { call, part };
        form.iter().find(|(of, _)| *of == source).map_or(0.0, |&(_, weight)| weight)
    };
    let (xx, xy) = (weight(x, Part::X), weight(x, Part::Y));
    let (yx, yy) = (weight(y, Part::X), weight(y, Part::Y));
    let share = Vec2::new(xx * raw.x + xy * raw.y, yx * raw.x + yy * raw.y);
    if !share.is_finite() {
        // Weights that are too large to be multiplied say nothing.
        return (None, Vec2::ZERO);
    }
    let same = (xx - yy).abs() <= SAME_WEIGHT * math::max(xx.abs(), yy.abs());
    // A part that is zero says nothing about the weight.
    let one = if xy * raw.y != 0.0 || yx * raw.x != 0.0 {
        None
    } else if raw.y == 0.0 && raw.x != 0.0 {
        Some(xx)
    } else if raw.x == 0.0 && raw.y != 0.0 {
        Some(yy)
    } else {
        same.then_some(xx)
    };
    (one, share)
}
