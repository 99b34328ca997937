use super::*;
use proptest::prelude::*;

const OPEN: Space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
const DT: f32 = 0.05;

fn at_rest() -> Motion {
    Motion { pos: Vec2::ZERO, vel: Vec2::ZERO, heading: Vec2::X }
}

/// Returns an agent that moves along its heading, the x axis.
fn rolling(speed: f32) -> Motion {
    Motion { vel: Vec2::new(speed, 0.0), ..at_rest() }
}

fn step(body: &Body, before: Motion, force: Vec2) -> Motion {
    advance(&OPEN, body, DT, before, force).motion
}

/// Applies one force for some ticks.
fn run(body: &Body, mut motion: Motion, ticks: usize, force: impl Fn(&Motion) -> Vec2) -> Motion {
    for _ in 0..ticks {
        motion = step(body, motion, force(&motion));
    }
    motion
}

fn car(turning_radius: f32, reverse: bool) -> Body {
    Body { max_speed: 10.0, drive: Drive::Car { turning_radius, reverse }, ..Body::default() }
}

fn unicycle(reverse: bool) -> Body {
    let drive = Drive::Unicycle { reverse };
    Body { max_speed: 10.0, max_turn_rad_per_s: 1.0, drive, ..Body::default() }
}

/// The angle between two headings in double precision, from their 32-bit coordinates.
fn angle(a: Vec2, b: Vec2) -> f64 {
    let (a, b) = (a.as_dvec2(), b.as_dvec2());
    a.perp_dot(b).atan2(a.dot(b)).abs()
}

#[test]
fn both_limits_of_a_point_cut_and_the_new_velocity_moves() {
    let body = Body { radius: 1.0, mass: 2.0, max_speed: 5.0, max_force: 8.0, ..Body::default() };
    let after = |dt| advance(&OPEN, &body, dt, rolling(1.0), Vec2::new(100.0, 0.0)).motion;
    assert_eq!((after(0.5).pos, after(0.5).vel), (Vec2::new(1.5, 0.0), Vec2::new(3.0, 0.0)));
    assert_eq!(after(9.0).vel, Vec2::new(5.0, 0.0));
}

#[test]
fn the_parts_of_a_force_are_cut_after_its_length() {
    let body = Body {
        max_force: 50.0,
        max_forward_force: 20.0,
        max_braking_force: 10.0,
        max_sideways_force: 5.0,
        ..Body::default()
    };
    let start = Motion { vel: Vec2::new(0.0, 4.0), heading: Vec2::Y, ..at_rest() };
    let vel = |force| advance(&OPEN, &body, 1.0, start, force).motion.vel;
    // The heading is the y axis: (60, 80) is cut to (30, 40), and then to 5 to the right and 20 forward.
    assert_eq!(vel(Vec2::new(60.0, 80.0)), Vec2::new(5.0, 24.0));
    assert_eq!(vel(Vec2::new(-60.0, -80.0)), Vec2::new(-5.0, -6.0));
    assert_eq!(vel(Vec2::new(3.0, 4.0)), Vec2::new(3.0, 8.0), "what fits stays");
    let all = advance(&OPEN, &body, 1.0, start, Vec2::new(-60.0, -80.0));
    let words: Vec<String> =
        crate::sim::LimitCut::all(&body, 1.0, &all).iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "braking force of 40 cut to 10 by max_braking_force",
            "force across the heading of 30 cut to 5 by max_sideways_force"
        ]
    );
}

#[test]
fn a_point_that_should_go_back_brakes_turns_around_to_the_left_and_goes() {
    let body = Body { max_turn_rad_per_s: 2.0, max_speed: 10.0, ..Body::default() };
    let back = |_: &Motion| Vec2::new(-5.0, 0.0);
    let braking = run(&body, rolling(4.0), 8, back);
    assert_eq!((braking.vel.y, braking.heading), (0.0, Vec2::X));
    assert!((braking.vel.x - 2.0).abs() < 1e-5);
    let turning = run(&body, rolling(4.0), 24, back);
    assert_eq!(turning.vel, Vec2::ZERO);
    assert!(turning.heading.y > 0.0 && turning.heading.x > 0.0, "to the left: {turning:?}");
    let gone = run(&body, rolling(4.0), 200, back);
    assert!(gone.vel.x < -9.9 && gone.heading.x < -0.999_9, "{gone:?}");
}

#[test]
fn a_point_with_a_wide_limit_of_turning_moves_like_one_without() {
    let free = Body { max_speed: 10.0, ..Body::default() };
    let limited = Body { max_turn_rad_per_s: 100.0, ..free };
    let force = |motion: &Motion| motion.vel.perp() * 2.0 + Vec2::new(1.0, 0.5);
    assert_eq!(run(&limited, rolling(3.0), 50, force), run(&free, rolling(3.0), 50, force));
}

#[test]
fn a_unicycle_turns_where_it_stands_and_slides_nowhere() {
    let body = unicycle(false);
    let aside = run(&body, at_rest(), 10, |_| Vec2::new(0.0, -3.0));
    assert!((angle(aside.heading, Vec2::X) - 0.5).abs() < 1e-4 && aside.heading.y < 0.0);
    // A push across the heading does nothing.
    let pushed = step(&body, Motion { vel: Vec2::new(2.0, 7.0), ..at_rest() }, Vec2::ZERO);
    assert_eq!((pushed.vel, pushed.heading), (Vec2::new(2.0, 0.0), Vec2::X));
    // Exactly backward is to the left, also with a negative zero.
    for zero in [0.0, -0.0] {
        let turned = step(&body, at_rest(), Vec2::new(-1.0, zero));
        assert!(turned.heading.y > 0.0 && turned.vel == Vec2::ZERO);
    }
}

#[test]
fn what_may_reverse_brakes_stops_and_drives_backward() {
    for body in [unicycle(true), car(5.0, true)] {
        let back = |_: &Motion| Vec2::new(-5.0, 0.0);
        let stopped = run(&body, rolling(1.1), 5, back);
        assert_eq!((stopped.vel, stopped.heading), (Vec2::ZERO, Vec2::X), "{:?}", body.drive);
        let gone = run(&body, rolling(1.1), 60, back);
        assert!(gone.vel.x < -9.9 && gone.vel.y == 0.0 && gone.heading == Vec2::X, "{gone:?}");
    }
}

#[test]
fn a_car_that_may_not_reverse_turns_around_to_the_left() {
    let body = car(4.0, false);
    // A constant desired velocity backward, as from `seek`.
    let seek = |motion: &Motion| Vec2::new(-8.0, 0.0) - motion.vel;
    let slow = run(&body, rolling(8.0), 40, seek);
    assert!(slow.pos.y > 0.0 && slow.vel.length() < 4.0, "{slow:?}");
    let around = run(&body, rolling(8.0), 400, seek);
    assert!(around.vel.distance(Vec2::new(-8.0, 0.0)) < 0.01, "{around:?}");
}

#[test]
fn a_standing_car_gets_to_a_place_beside_it() {
    // A script may multiply its forces: that must not make a car that may reverse go to and fro.
    for (reverse, haste) in [(false, 1.0), (true, 1.0), (false, 4.0), (true, 4.0)] {
        let body = car(3.0, reverse);
        let target = Vec2::new(0.0, 20.0);
        let seek = |motion: &Motion| (math::unit(target - motion.pos) * 5.0 - motion.vel) * haste;
        let mut motion = at_rest();
        let there = (0..400).any(|_| {
            motion = step(&body, motion, seek(&motion));
            motion.pos.distance(target) < 1.0
        });
        assert!(there, "{motion:?}");
    }
}

#[test]
fn a_braking_force_stops_a_car_and_no_force_leaves_it() {
    let body = car(4.0, false);
    let stopped = run(&body, rolling(8.0), 400, |motion| -motion.vel);
    assert!(stopped.vel.length() < 1e-6 && stopped.heading == Vec2::X, "{stopped:?}");
    let rolled = run(&body, rolling(8.0), 10, |_| Vec2::ZERO);
    assert_eq!((rolled.vel, rolled.heading), (Vec2::new(8.0, 0.0), Vec2::X));
    assert_eq!(step(&body, at_rest(), Vec2::ZERO), at_rest());
}

#[test]
fn a_fast_car_feels_a_force_across_as_a_point_does() {
    // The circle of a force f across at speed v has the radius m v^2 / f = 8 * 8 / 4 = 16.
    let body = Body { max_speed: 8.0, ..car(2.0, false) };
    let mut motion = rolling(8.0);
    let mut highest = 0.0f32;
    for _ in 0..260 {
        motion = step(&body, motion, motion.heading.perp() * 4.0);
        highest = highest.max(motion.pos.y);
    }
    assert!((highest - 32.0).abs() < 0.5, "the diameter is {highest}");
    assert!((motion.vel.length() - 8.0).abs() < 1e-4, "it keeps its speed");
}

#[test]
fn edges_mirror_a_car_or_hold_it() {
    let space = |edge| Space { edge, min: Vec2::ZERO, size: Vec2::splat(10.0) };
    let heading = Vec2::new(0.6, 0.8);
    let before = Motion { pos: Vec2::new(9.9, 5.0), vel: heading * 5.0, heading };
    let at = |edge| advance(&space(edge), &car(2.0, false), 0.1, before, Vec2::ZERO).motion;
    let bounced = at(Edge::Bounce);
    assert!(bounced.heading.distance(Vec2::new(-0.6, 0.8)) < 1e-6 && bounced.vel.x < 0.0);
    let held = at(Edge::Clamp);
    assert!(held.pos.x == 10.0 && held.heading.distance(heading) < 1e-6);
    assert!((held.vel.length() - 3.2).abs() < 1e-5, "4 upward, seen along the heading: {held:?}");
}

fn any_body() -> impl Strategy<Value = Body> {
    let limit = || prop_oneof![Just(f32::INFINITY), 0.1f32..30.0];
    let drive = prop_oneof![
        Just(Drive::Point),
        any::<bool>().prop_map(|reverse| Drive::Unicycle { reverse }),
        (0.2f32..20.0, any::<bool>())
            .prop_map(|(turning_radius, reverse)| Drive::Car { turning_radius, reverse }),
    ];
    (drive, 0.2f32..5.0, limit(), limit(), limit(), limit(), limit(), limit()).prop_map(
        |(drive, mass, max_speed, max_force, forward, braking, sideways, turn)| Body {
            mass,
            max_speed,
            max_force,
            max_forward_force: forward,
            max_braking_force: braking,
            max_sideways_force: sideways,
            max_turn_rad_per_s: turn,
            drive,
            ..Body::default()
        },
    )
}

fn any_force() -> impl Strategy<Value = Vec2> {
    let part = || prop_oneof![-50.0f32..50.0, -1.0f32..1.0, Just(0.0), Just(-1e-20), Just(1e6)];
    (part(), part()).prop_map(Vec2::from)
}

proptest! {
    #[test]
    fn every_limit_holds_for_every_sequence_of_forces(
        body in any_body(),
        speed in 0.0f32..20.0,
        dt in prop_oneof![Just(1.0f32 / 60.0), Just(0.2), Just(1.0), 0.001f32..0.1],
        forces in prop::collection::vec((any_force(), prop::bool::weighted(0.1)), 1..80),
        edge in prop_oneof![3 => Just(Edge::Open), 1 => Just(Edge::Wrap), 1 => Just(Edge::Clamp)],
    ) {
        let space = Space { edge, min: Vec2::splat(-30.0), size: Vec2::splat(60.0) };
        let mut motion = rolling(speed.min(body.max_speed));
        for (force, is_pushed) in forces {
            let before = motion;
            if is_pushed {
                motion.vel += force;
            }
            motion = advance(&space, &body, dt, motion, force).motion;
            let (vel, heading) = (motion.vel.as_dvec2(), motion.heading.as_dvec2());
            prop_assert!(vel.is_finite() && motion.pos.is_finite());
            prop_assert!((heading.length() - 1.0).abs() < 1e-6, "{motion:?}");
            let speed = vel.length();
            prop_assert!(speed <= f64::from(body.max_speed) * 1.000_001);
            let turn = angle(before.heading, motion.heading);
            prop_assert!(turn <= f64::from(body.max_turn_rad_per_s) * f64::from(dt) || !body.has_limited_turn());
            if body.drive.is_wheeled() {
                prop_assert!(vel.perp_dot(heading).abs() <= 1e-6 * speed, "it slides: {motion:?}");
                let ahead = vel.dot(heading);
                prop_assert!(ahead >= 0.0 || body.drive.can_reverse());
            }
            if let Drive::Car { turning_radius, .. } = body.drive
                && edge == Edge::Open
            {
                let curvature = turn / (speed * f64::from(dt));
                prop_assert!(turn == 0.0 || curvature * f64::from(turning_radius) <= 1.0, "{turn} {motion:?}");
            }
        }
    }

    #[test]
    fn forces_without_effect_leave_the_bits(body in any_body(), speed in 0.0f32..5.0) {
        let body = Body { max_speed: f32::INFINITY, ..body };
        let before = rolling(speed);
        let after = step(&body, before, Vec2::ZERO);
        prop_assert_eq!((after.vel, after.heading), (before.vel, before.heading));
    }
}
