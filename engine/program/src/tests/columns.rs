//! Tests of operations that need nothing but columns.

use super::*;
use crate::math;

/// Checks the results of an operation on numbers.
fn check_numbers(op: Op, expected: impl Fn(&Banks, usize) -> f32, to: F) {
    let program = program(vec![op]);
    let world = crowd();
    for seed in 0..20 {
        let fill = |banks: &mut Banks| {
            for column in 1..8 {
                let number = numbers(seed * 100 + u64::from(column));
                for lane in 0..LANES {
                    banks.set_number(F(column), lane, number(lane));
                }
            }
            let integer = integers(seed);
            for lane in 0..LANES {
                banks.set_integer(I(1), lane, integer(lane));
                banks.set_boolean(B(1), lane, integer(lane) % 2 == 0);
            }
        };
        for count in COUNTS {
            let machine = run_filled(&program, &world, count, fill);
            let banks = &machine.banks;
            for lane in 0..count {
                let (got, expected) = (banks.number(to, lane), expected(banks, lane));
                assert!(
                    same(got, expected),
                    "{:?}, lane {lane} of {count}: {got:?}, not {expected:?}",
                    program.body
                );
                assert!(!machine.is_faulted(lane));
            }
        }
    }
}

type OfOne = fn(f32) -> f32;
type OfTwo = fn(f32, f32) -> f32;

#[test]
fn functions_of_numbers_are_those_of_math() {
    let of_one: [(Unary, OfOne); 19] = [
        (Unary::Neg, |x| -x),
        (Unary::Abs, f32::abs),
        (Unary::Floor, f32::floor),
        (Unary::Ceiling, f32::ceil),
        (Unary::Round, f32::round),
        (Unary::Fraction, f32::fract),
        (Unary::Sqrt, math::sqrt),
        (Unary::Sin, math::sin),
        (Unary::Cos, math::cos),
        (Unary::Tan, math::tan),
        (Unary::Asin, math::asin),
        (Unary::Acos, math::acos),
        (Unary::Atan, math::atan),
        (Unary::Sinh, math::sinh),
        (Unary::Cosh, math::cosh),
        (Unary::Tanh, math::tanh),
        (Unary::Exp, math::exp),
        (Unary::Ln, math::ln),
        (Unary::Log10, math::log10),
    ];
    let (a, b, to) = (F(1), F(2), F(0));
    for (op, function) in of_one {
        let expected = |banks: &Banks, lane| function(banks.number(a, lane));
        check_numbers(every(OpKind::Unary(op), a, to), expected, to);
    }
    let of_two: [(Binary, OfTwo); 9] = [
        (Binary::Add, |a, b| a + b),
        (Binary::Sub, |a, b| a - b),
        (Binary::Mul, |a, b| a * b),
        (Binary::Div, |a, b| a / b),
        (Binary::Rem, |a, b| a % b),
        (Binary::Pow, math::pow),
        (Binary::Min, math::min),
        (Binary::Max, math::max),
        (Binary::Atan2, math::atan2),
    ];
    for (op, function) in of_two {
        for b in [a, b] {
            let expected =
                |banks: &Banks, lane| function(banks.number(a, lane), banks.number(b, lane));
            check_numbers(every(OpKind::Binary(op), (a, b), to), expected, to);
        }
    }
    let (a, to_f) = (I(1), every(OpKind::ToF, I(1), to));
    check_numbers(to_f, |banks, lane| banks.integer(a, lane) as f32, to);
}

#[test]
fn functions_of_vectors_are_those_of_math() {
    let (a, to, longest) = (V(F(1), F(2)), V(F(10), F(11)), F(3));
    let unit = |banks: &Banks, lane| math::unit(banks.vector(a, lane));
    check_numbers(every(OpKind::Unit, a, to), |banks, lane| unit(banks, lane).x, to.0);
    check_numbers(every(OpKind::Unit, a, to), |banks, lane| unit(banks, lane).y, to.1);
    let length = |banks: &Banks, lane| math::length(banks.vector(a, lane));
    check_numbers(every(OpKind::Length, a, to.0), length, to.0);
    let limit = |banks: &Banks, lane| {
        let longest = math::max(banks.number(longest, lane), 0.0);
        math::limit(banks.vector(a, lane), longest)
    };
    let op = every(OpKind::Limit, (a, longest), to);
    check_numbers(op, |banks, lane| limit(banks, lane).x, to.0);
    check_numbers(op, |banks, lane| limit(banks, lane).y, to.1);
}

#[test]
fn a_vector_as_long_as_the_limit_does_not_change() {
    // If the square of the rounded length is less than the squared length, comparing squares alone would shorten it.
    let (a, to, longest) = (V(F(1), F(2)), V(F(10), F(11)), F(3));
    let program = program(vec![every(OpKind::Limit, (a, longest), to)]);
    let mut close = 0;
    for seed in 0..20 {
        let vector = |lane: usize| {
            let random = Mix::new(seed).with(lane as u64);
            let part = |k| random.with(k).between(-10.0, 10.0);
            Vec2::new(part(0), part(1))
        };
        let most = |lane: usize| {
            let length = math::length(vector(lane));
            [length, length.next_up(), length.next_down()][lane % 3]
        };
        let machine = run_filled(&program, &crowd(), LANES, |banks| {
            for lane in 0..LANES {
                banks.set_vector(a, lane, vector(lane));
                banks.set_number(longest, lane, most(lane));
            }
        });
        for lane in 0..LANES {
            let expected = math::limit(vector(lane), most(lane));
            assert!(same_vector(machine.banks.vector(to, lane), expected));
            let squares = vector(lane).length_squared() <= most(lane) * most(lane);
            close += usize::from(!squares && expected == vector(lane));
        }
    }
    assert!(close > 100, "{close}");
}

#[test]
fn choices_keep_the_bits() {
    let (to, mask, yes, no) = (F(0), B(1), F(1), F(2));
    let chosen = |banks: &Banks, lane| {
        let chosen = if banks.boolean(mask, lane) { yes } else { no };
        banks.number(chosen, lane)
    };
    check_numbers(every(OpKind::SelectF, (mask, yes, no), to), chosen, to);
    let world = crowd();
    let program = program(vec![
        every(OpKind::BlendF, (yes, mask), to),
        every(OpKind::BlendI, (I(1), mask), I(0)),
        every(OpKind::BlendB, (B(3), mask), B(2)),
        every(OpKind::SelectI, (mask, I(1), I(3)), I(2)),
        every(OpKind::SelectB, (mask, B(3), B(5)), B(4)),
    ]);
    let (number, other) = (numbers(1), numbers(2));
    let set = |lane: usize| lane.is_multiple_of(3);
    for count in COUNTS {
        let machine = run_filled(&program, &world, count, |banks| {
            for lane in 0..LANES {
                banks.set_boolean(mask, lane, set(lane));
                banks.set_number(to, lane, number(lane));
                banks.set_number(yes, lane, other(lane));
                banks.set_integer(I(0), lane, 1);
                banks.set_integer(I(1), lane, 2);
                banks.set_integer(I(3), lane, 3);
                banks.set_boolean(B(2), lane, lane % 2 == 0);
                banks.set_boolean(B(3), lane, lane % 5 == 0);
                banks.set_boolean(B(5), lane, lane % 7 == 0);
            }
        });
        for lane in 0..count {
            let (banks, set) = (&machine.banks, set(lane));
            let expected = if set { other(lane) } else { number(lane) };
            assert!(same(banks.number(to, lane), expected));
            assert_eq!(banks.integer(I(0), lane), if set { 2 } else { 1 });
            assert_eq!(banks.integer(I(2), lane), if set { 2 } else { 3 });
            let of = |set: bool, yes, no| lane % if set { yes } else { no } == 0;
            assert_eq!(banks.boolean(B(2), lane), of(set, 5, 2));
            assert_eq!(banks.boolean(B(4), lane), of(set, 5, 7));
        }
    }
}

fn holds<T: PartialOrd>(op: Compare, x: T, y: T) -> bool {
    match op {
        Compare::Eq => x == y,
        Compare::Ne => x != y,
        Compare::Lt => x < y,
        Compare::Le => x <= y,
        Compare::Gt => x > y,
        Compare::Ge => x >= y,
    }
}

#[test]
fn comparisons_are_ieee() {
    let all = [Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge];
    let (world, to) = (crowd(), B(1));
    for op in all {
        let (a, b) = (F(1), F(2));
        let of_numbers = program(vec![every(OpKind::CompareF(op), (a, b), to)]);
        let (left, right) = (numbers(3), numbers(4));
        // Equal numbers occur too.
        let right = |lane: usize| {
            if lane.is_multiple_of(4) { left(lane) } else { right(lane) }
        };
        let machine = run_filled(&of_numbers, &world, LANES, |banks| {
            for lane in 0..LANES {
                banks.set_number(a, lane, left(lane));
                banks.set_number(b, lane, right(lane));
            }
        });
        for lane in 0..LANES {
            let (x, y) = (left(lane), right(lane));
            assert_eq!(machine.banks.boolean(to, lane), holds(op, x, y), "{x:?} {op:?} {y:?}");
        }
        let (a, b) = (I(1), I(2));
        let of_whole = program(vec![every(OpKind::CompareI(op), (a, b), to)]);
        let (left, right) = (integers(3), integers(4));
        let machine = run_filled(&of_whole, &world, LANES, |banks| {
            for lane in 0..LANES {
                banks.set_integer(a, lane, left(lane));
                banks.set_integer(b, lane, right(lane));
            }
        });
        for lane in 0..LANES {
            let (x, y) = (left(lane), right(lane));
            assert_eq!(machine.banks.boolean(to, lane), holds(op, x, y), "{x:?} {op:?} {y:?}");
        }
    }
}

#[test]
fn booleans_combine() {
    let (a, b) = (B(1), B(2));
    let program = program(vec![
        every(OpKind::Not, a, B(3)),
        every(OpKind::And, (a, b), B(4)),
        every(OpKind::AndNot, (a, b), B(5)),
        every(OpKind::Or, (a, b), B(6)),
        every(OpKind::Same, (a, b), B(7)),
    ]);
    let machine = run_filled(&program, &crowd(), 17, |banks| {
        for lane in 0..LANES {
            banks.set_boolean(a, lane, lane & 1 != 0);
            banks.set_boolean(b, lane, lane & 2 != 0);
        }
    });
    for lane in 0..17 {
        let (a, b) = (lane & 1 != 0, lane & 2 != 0);
        let results = [!a, a && b, a && !b, a || b, a == b];
        for (place, expected) in results.into_iter().enumerate() {
            let got = machine.banks.boolean(B(3 + place as u16), lane);
            assert_eq!(got, expected, "{place}: {a} {b}");
        }
    }
}

#[test]
fn integer_overflows_are_faults_of_active_lanes() {
    type Checked = fn(i64, i64) -> Option<i64>;
    let checked: [(I2, Checked); 7] = [
        (I2::Add, i64::checked_add),
        (I2::Sub, i64::checked_sub),
        (I2::Mul, i64::checked_mul),
        (I2::Rem, i64::checked_rem),
        (I2::Pow, |a, b| a.checked_pow(u32::try_from(b).ok()?)),
        (I2::Min, |a, b| Some(a.min(b))),
        (I2::Max, |a, b| Some(a.max(b))),
    ];
    let (to, a, b, active) = (I(0), I(1), I(2), B(1));
    let mut programs: Vec<(Op, Checked)> = Vec::new();
    for (op, function) in checked {
        for b in [a, b] {
            programs.push((within(active, OpKind::I2(op), (a, b), to), function));
        }
    }
    programs.push((within(active, OpKind::NegI, a, to), |a, _| a.checked_neg()));
    programs.push((within(active, OpKind::AbsI, a, to), |a, _| a.checked_abs()));
    let world = crowd();
    let mut faults = 0;
    for (op, function) in programs {
        let second = if let OpKind::I2(_) = op.kind { op.reads::<(I, I)>().1 } else { a };
        let program = program(vec![op]);
        for (seed, count) in (0..20).flat_map(|seed| COUNTS.map(|count| (seed, count))) {
            let (left, right) = (integers(seed), integers(seed + 100));
            let machine = run_filled(&program, &world, count, |banks| {
                for lane in 0..LANES {
                    banks.set_integer(a, lane, left(lane));
                    banks.set_integer(b, lane, right(lane));
                    banks.set_boolean(active, lane, lane % 3 != 0);
                }
            });
            for lane in 0..count {
                let other = if second == a { left(lane) } else { right(lane) };
                let expected = function(left(lane), other);
                match expected {
                    Some(expected) => assert_eq!(machine.banks.integer(to, lane), expected),
                    None => faults += 1,
                }
                assert_eq!(
                    machine.is_faulted(lane),
                    expected.is_none() && lane % 3 != 0,
                    "{:?}: {} {other}",
                    program.body,
                    left(lane)
                );
            }
        }
    }
    assert!(faults > 1000, "only {faults}");
}

#[test]
fn finite_numbers_become_integers() {
    let (to, a, active) = (I(0), F(1), B(1));
    let program = program(vec![
        within(active, OpKind::ToI, a, to),
        within(B(2), OpKind::Finite, V(F(2), F(3)), ()),
    ]);
    let mut faults = 0;
    for seed in 0..30 {
        let (number, x, y) = (numbers(seed), numbers(seed + 100), numbers(seed + 200));
        let machine = run_filled(&program, &crowd(), LANES, |banks| {
            for lane in 0..LANES {
                banks.set_number(a, lane, number(lane));
                banks.set_number(F(2), lane, x(lane));
                banks.set_number(F(3), lane, y(lane));
                banks.set_boolean(active, lane, lane % 2 == 0);
                banks.set_boolean(B(2), lane, lane % 3 == 0);
            }
        });
        for lane in 0..LANES {
            let finite = Vec2::new(x(lane), y(lane)).is_finite();
            let wrong = (lane % 2 == 0 && !number(lane).is_finite()) || (lane % 3 == 0 && !finite);
            assert_eq!(machine.is_faulted(lane), wrong, "lane {lane}");
            faults += usize::from(wrong);
            if number(lane).is_finite() {
                assert_eq!(machine.banks.integer(to, lane), number(lane) as i64);
            }
        }
    }
    assert!(faults > 50, "{faults}");
}

#[test]
fn a_loop_ends_when_its_last_lane_does() {
    // Count each lane's number down to 0, and count the rounds.
    let (left, one, zero, sum, next) = (I(1), I(2), I(3), I(4), I(5));
    let (going, more) = (B(1), B(2));
    let program = program(vec![
        every(OpKind::ConstI(1), (), one),
        every(OpKind::ConstI(0), (), zero),
        every(OpKind::ConstI(0), (), sum),
        every(OpKind::CompareI(Compare::Gt), (left, zero), going),
        // Two `not`s also set the lanes after the last agent. They must not keep the loop running.
        every(OpKind::Not, going, more),
        every(OpKind::Not, more, going),
        every(OpKind::SkipIfNone(12), going, ()),
        within(going, OpKind::I2(I2::Sub), (left, one), next),
        every(OpKind::BlendI, (next, going), left),
        within(going, OpKind::I2(I2::Add), (sum, one), next),
        every(OpKind::BlendI, (next, going), sum),
        every(OpKind::Jump(3), (), ()),
    ]);
    for count in COUNTS {
        let machine = run_filled(&program, &crowd(), count, |banks| {
            for lane in 0..LANES {
                let times = if lane < count { lane as i64 % 9 } else { i64::MAX };
                banks.set_integer(left, lane, times);
            }
        });
        for lane in 0..count {
            assert_eq!(machine.banks.integer(sum, lane), lane as i64 % 9);
            assert_eq!(machine.banks.integer(left, lane), 0);
        }
    }
}

#[test]
fn faulted_lanes_do_not_keep_a_loop_running() {
    let (bad, rest) = (B(1), B(2));
    let program = program(vec![
        within(bad, OpKind::Fault, (), ()),
        every(OpKind::Unfaulted, LIVE, rest),
        every(OpKind::ConstI(1), (), I(0)),
        every(OpKind::SkipIfNone(6), bad, ()),
        every(OpKind::ConstI(2), (), I(0)),
        every(OpKind::Jump(3), (), ()),
    ]);
    let machine = run_filled(&program, &crowd(), 17, |banks| {
        for lane in 0..LANES {
            banks.set_boolean(bad, lane, lane % 4 == 1);
        }
    });
    for lane in 0..17 {
        assert_eq!(machine.is_faulted(lane), lane % 4 == 1);
        assert_eq!(machine.banks.boolean(rest, lane), lane % 4 != 1);
        assert_eq!(machine.banks.integer(I(0), lane), 1);
    }
}

#[test]
fn a_block_without_agents_runs_nothing() {
    let program = program(vec![within(LIVE, OpKind::Fault, (), ())]);
    run(&program, &crowd(), 0);
}
