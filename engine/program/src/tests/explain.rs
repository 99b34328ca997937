//! Tests of the shares of primitives in a force.

use super::*;
use crate::math::{self, Binary, Unary};
use crate::steer::{self, Cause, ExplainedCall, Explanation};

const VEL: V = V(F(0), F(1));
const A: V = V(F(2), F(3));
const B_: V = V(F(4), F(5));
const SUM: V = V(F(6), F(7));
const FORCE: V = V(F(8), F(9));

/// The columns of the calls.
const TARGET: V = V(F(10), F(11));

/// The calls, by their index.
const SEEK: u16 = 0;
const FLEE: u16 = 1;

/// Returns operations for a primitive that steers to the target or away from it, at full speed.
fn call(call: u16, to: V, active: B) -> Vec<Op> {
    let (way, along, speed) = (V(F(20), F(21)), V(F(22), F(23)), F(24));
    let wanted = V(F(25), F(26));
    let full = if call == FLEE { -10.0 } else { 10.0 };
    let mut ops = vec![
        within(active, OpKind::CallStart(call), (), ()),
        every(OpKind::Offset, TARGET, way),
        every(OpKind::Unit, way, along),
        every(OpKind::number(full), (), speed),
    ];
    ops.extend(each_coordinate(Binary::Mul, wanted, along, V(speed, speed)));
    ops.extend(each_coordinate(Binary::Sub, to, wanted, VEL));
    ops.push(within(active, OpKind::CallEnd(call), to, ()));
    ops
}

/// Returns operations that set the target.
fn target(x: f32, y: f32) -> [Op; 2] {
    [(x, TARGET.0), (y, TARGET.1)].map(|(value, to)| every(OpKind::number(value), (), to))
}

/// Returns a program with two primitives, `seek` to (30, 40) and `flee` from the origin, and what it does with them.
fn two(then: Vec<Op>) -> Program {
    let mut body = target(30.0, 40.0).to_vec();
    body.extend(call(SEEK, A, LIVE));
    body.extend(target(0.0, 0.0));
    body.extend(call(FLEE, B_, LIVE));
    body.extend(then);
    let calls = ["seek", "flee"].map(|name| Call {
        primitive: steer::find(name).unwrap(),
        args: vec![CallArg::Vector(TARGET)],
        vel: VEL,
        place: None,
    });
    Program {
        vel: Some(VEL),
        force: Some(FORCE),
        columns: (32, 16, 16),
        calls: calls.into(),
        ..program(body)
    }
}

fn each_coordinate(function: Binary, to: V, a: V, b: V) -> [Op; 2] {
    [(to.0, a.0, b.0), (to.1, a.1, b.1)]
        .map(|(to, a, b)| every(OpKind::Binary(function), (a, b), to))
}

fn explained(program: &Program) -> Explanation {
    let world = World::example(&[(Vec2::new(1.0, 2.0), Vec2::new(0.5, -0.25))]);
    let vel = world.agents.vel(0);
    let all = watch(program, &world, 0, vel, (&Values::default(), &[])).explanation.unwrap();
    let machine = run(program, &world, 1);
    assert_eq!(all.force, machine.force(program, 0));
    let shares: Vec2 = all.calls.iter().map(|call| call.share).sum();
    assert!((shares + all.rest - all.force).length() <= 1e-5 * all.force.length());
    all
}

fn close(a: Vec2, b: Vec2) -> bool {
    (a - b).length() <= 1e-5 * math::max(a.length(), 1.0)
}

#[test]
fn a_weighted_and_limited_sum_is_split_into_shares() {
    let mut body = vec![every(OpKind::number(2.0), (), F(12))];
    let (twice, most) = (V(F(12), F(12)), F(14));
    body.extend(each_coordinate(Binary::Mul, SUM, A, twice));
    let total = V(F(10), F(11));
    body.extend(each_coordinate(Binary::Add, total, SUM, B_));
    body.push(every(OpKind::number(3.0), (), most));
    body.push(every(OpKind::Limit, (total, most), FORCE));
    let all = explained(&two(body));
    let [seek, flee] = &all.calls[..] else {
        panic!("{all:?}");
    };
    assert_eq!(seek.primitive.name, "seek");
    assert_eq!(flee.primitive.name, "flee");
    let sum = seek.raw * 2.0 + flee.raw;
    let by = 3.0 / sum.length();
    assert!(by < 1.0, "it has to be cut");
    assert!(close(seek.share, seek.raw * 2.0 * by), "{seek:?}");
    assert!(close(flee.share, flee.raw * by), "{flee:?}");
    assert!((seek.weight.unwrap() - 2.0 * by).abs() < 1e-5);
    assert!((flee.weight.unwrap() - by).abs() < 1e-5);
    assert!(all.rest.length() < 1e-5, "{all:?}");
}

#[test]
fn a_force_without_a_primitive_is_the_rest() {
    let mut body =
        vec![every(OpKind::number(5.0), (), F(10)), every(OpKind::number(-6.0), (), F(11))];
    body.extend(each_coordinate(Binary::Sub, FORCE, A, V(F(10), F(11))));
    let all = explained(&two(body));
    assert!(close(all.rest, Vec2::new(-5.0, 6.0)), "{all:?}");
    assert_eq!(all.calls[0].weight, Some(1.0));
    assert_eq!(all.calls[1].weight, Some(0.0));
    assert_eq!(all.calls[1].share, Vec2::ZERO);
}

#[test]
fn a_subtracted_force_has_a_negative_share() {
    let all = explained(&two(each_coordinate(Binary::Sub, FORCE, A, B_).into()));
    let [seek, flee] = &all.calls[..] else {
        panic!("{all:?}");
    };
    assert_eq!((seek.share, flee.share), (seek.raw, -flee.raw));
    assert_eq!((seek.weight, flee.weight), (Some(1.0), Some(-1.0)));
    assert!(close(all.rest, Vec2::ZERO), "{all:?}");
}

#[test]
fn an_agent_on_its_way_mostly_follows_the_strongest_desired_velocity() {
    // `seek`, and a tenth of `flee`, which leads elsewhere.
    let program = two({
        let mut body = vec![every(OpKind::number(0.1), (), F(12))];
        body.extend(each_coordinate(Binary::Mul, SUM, B_, V(F(12), F(12))));
        body.extend(each_coordinate(Binary::Add, FORCE, A, SUM));
        body
    });
    let moving = |vel: Vec2| {
        let world = World::example(&[(Vec2::new(30.0, 2.0), vel)]);
        watch(&program, &world, 0, vel, (&Values::default(), &[])).explanation.unwrap()
    };
    let named = |call: Option<&ExplainedCall>| call.map(|call| call.primitive.name);

    // Both steer at full speed, 10: to (30, 40), and away from the origin.
    let starts = moving(Vec2::ZERO);
    assert_eq!(named(starts.dominant()), Some("seek"));
    assert_eq!(named(starts.strongest()), Some("seek"));
    for (call, wants) in starts.calls.iter().zip([Vec2::Y, Vec2::X]) {
        let wanted = call.desired_velocity.unwrap();
        assert!(wanted.distance(wants * 10.0) < 0.7, "{call:?}");
        assert!(close(call.pull, wanted * call.weight.unwrap()), "{call:?}");
    }
    let goes = moving(Vec2::Y * 10.0);
    assert_eq!(named(goes.dominant()), Some("seek"));
    assert_eq!(named(goes.strongest()), Some("flee"));
    assert_eq!(goes.calls[0].desired_velocity, starts.calls[0].desired_velocity);
    // In the other direction the force counts: it shows what is about to happen.
    let turns = moving(Vec2::new(0.0, -10.0));
    assert_eq!(named(turns.dominant()), named(turns.strongest()));

    // Exactly the desired velocity: there is no force, but still a call to follow.
    let alone = two(vec![every(OpKind::SelectF, (LIVE, A.0, B_.0), FORCE.0)]
        .into_iter()
        .chain([every(OpKind::SelectF, (LIVE, A.1, B_.1), FORCE.1)])
        .collect());
    let vel = Vec2::Y * 10.0;
    let world = World::example(&[(Vec2::new(30.0, 2.0), vel)]);
    let all = watch(&alone, &world, 0, vel, (&Values::default(), &[])).explanation.unwrap();
    assert_eq!(all.force, Vec2::ZERO);
    assert_eq!(named(all.dominant()), Some("seek"));
    assert_eq!(named(all.strongest()), None);
}

#[test]
fn a_force_turned_by_a_quarter_turn_has_no_single_weight() {
    let body = vec![
        every(OpKind::Unary(Unary::Neg), A.1, FORCE.0),
        every(OpKind::SelectF, (LIVE, A.0, B_.0), FORCE.1),
    ];
    let all = explained(&two(body));
    assert_eq!(all.calls[0].weight, None);
    assert_eq!(all.calls[0].share, math::perp(all.calls[0].raw));
    assert_eq!(all.rest, Vec2::ZERO);
}

#[test]
fn only_calls_that_were_made_appear() {
    let no = B(1);
    let noted = |active| {
        [
            within(active, OpKind::CallStart(SEEK), (), ()),
            within(active, OpKind::CallEnd(SEEK), TARGET, ()),
        ]
    };
    let mut body = vec![every(OpKind::ConstB(false), (), no)];
    body.extend(target(0.5, 0.0));
    body.extend(noted(no));
    body.extend(noted(LIVE));
    body.extend(call(SEEK, SUM, no));
    body.extend(each_coordinate(Binary::Add, FORCE, A, TARGET));
    let all = explained(&two(body));
    assert_eq!(all.calls.len(), 3);
    assert_eq!(all.calls[2].raw, Vec2::new(0.5, 0.0));
    assert_eq!(all.calls[2].weight, Some(1.0));
    let cause = all.calls[2].cause.as_ref();
    let to = Vec2::new(0.5, 0.0);
    let distance = (to - Vec2::new(1.0, 2.0)).length();
    assert_eq!(cause, Some(&Cause::Point { at: to, distance }));
}

#[test]
fn a_faulted_turn_has_no_explanation() {
    let program = two(vec![within(LIVE, OpKind::Fault, (), ())]);
    let world = crowd();
    assert!(
        watch(&program, &world, 0, Vec2::ZERO, (&Values::default(), &[])).explanation.is_none()
    );
}
