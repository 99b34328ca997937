use proptest::prelude::*;

use super::*;
use crate::math::random::{Mix, Use};

/// The number of agents that are drawn.
const COUNT: u64 = 10_000;

fn agent(seed: u64, index: u64) -> Mix {
    Mix::new(seed).with(Use::Trait as u64).with_str("crowd").with(index)
}

/// Returns what the first agents of a seed get, in increasing order.
fn drawn(of: &Distribution) -> Vec<f64> {
    let mut all: Vec<f64> = (0..COUNT).map(|index| of.draw(agent(5, index), "x").into()).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Checks mean, standard deviation and quantiles of what is drawn against figures that were computed from closed forms elsewhere.
/// Errors are up to four standard deviations of a sample of this size.
fn has_moments(of: &Distribution, mean: f64, deviation: f64, quantiles: &[(f64, f64)]) {
    let all = drawn(of);
    let count = all.len() as f64;
    let found = all.iter().sum::<f64>() / count;
    let error = 4.0 * deviation / count.sqrt();
    assert!((found - mean).abs() < error, "{of}: mean {found}, not {mean} within {error}");
    let variance = all.iter().map(|x| (x - found).powi(2)).sum::<f64>() / count;
    let found = variance.sqrt();
    assert!((found / deviation - 1.0).abs() < 0.04, "{of}: deviation {found}, not {deviation}");
    for &(share, value) in quantiles {
        let below = all.iter().filter(|x| **x < value).count() as f64 / count;
        let error = 4.0 * (share * (1.0 - share) / count).sqrt();
        assert!((below - share).abs() < error, "{of}: {below} below {value}, not {share}");
    }
}

#[test]
fn moments_and_quantiles_are_those_of_closed_forms() {
    // (b - a) / sqrt(12).
    let uniform = Distribution::uniform(0.8, 1.6).unwrap();
    has_moments(&uniform, 1.2, 0.230_940, &[(0.25, 1.0), (0.9, 1.52)]);
    // Weidmann (1993): walking speeds of pedestrians, 1.34 m/s with a standard deviation of 0.26 m/s.
    let weidmann = Distribution::normal(1.34, 0.26, None).unwrap();
    has_moments(&weidmann, 1.34, 0.26, &[(0.158_655, 1.08), (0.5, 1.34), (0.95, 1.767_662)]);
    // The standard normal distribution above 0: sqrt(2 / pi), and sqrt(1 - 2 / pi).
    let half = Distribution::normal(0.0, 1.0, Some([0.0, 40.0])).unwrap();
    has_moments(&half, 0.797_885, 0.602_810, &[(0.5, 0.674_490), (0.9, 1.644_854)]);
    // Within one standard deviation: the variance is 1 - 2 phi(1) / (Phi(1) - Phi(-1)).
    let cut = Distribution::normal(10.0, 2.0, Some([8.0, 12.0])).unwrap();
    has_moments(&cut, 10.0, 2.0 * 0.539_560, &[(0.5, 10.0), (0.25, 9.116_459)]);
    // exp(s^2 / 2) and its root of exp(s^2) - 1, for s = ln 2.
    let log_normal = Distribution::log_normal(3.0, 2.0, None).unwrap();
    let log_quantiles = [(0.158_655, 1.5), (0.5, 3.0), (0.841_345, 6.0)];
    has_moments(&log_normal, 3.814_611, 2.995_883, &log_quantiles);
    // Two uniform parts: 0.25 (0 to 1) and 0.75 (1 to 3).
    let table = Distribution::table(&[(0.0, 0.0), (0.25, 1.0), (1.0, 3.0)]).unwrap();
    has_moments(&table, 1.625, 0.832_291, &[(0.125, 0.5), (0.625, 2.0)]);
    let parts = [
        (0.25, Distribution::uniform(0.0, 1.0).unwrap()),
        (0.75, Distribution::uniform(1.0, 3.0).unwrap()),
    ];
    let mixture = Distribution::mixture(&parts).unwrap();
    has_moments(&mixture, 1.625, 0.832_291, &[(0.125, 0.5), (0.625, 2.0)]);
}

#[test]
fn a_table_may_have_gaps_and_single_values() {
    let table = Distribution::table(&[(0.0, 1.0), (0.3, 1.0), (0.3, 4.0), (1.0, 5.0)]).unwrap();
    let all = drawn(&table);
    let ones = all.iter().filter(|x| **x == 1.0).count() as f64 / COUNT as f64;
    assert!((ones - 0.3).abs() < 0.02, "{ones}");
    assert!(!all.iter().any(|x| *x > 1.0 && *x < 4.0));
}

#[test]
fn mixtures_choose_the_same_part_for_everything_of_an_agent() {
    let uniform = |from, to| Distribution::uniform(from, to).unwrap();
    // A child is small and slow. Grown-ups are not divided by their size, but by their speed.
    let size = Distribution::mixture(&[(0.2, uniform(0.1, 0.2)), (0.8, uniform(0.2, 0.3))]);
    let speed = Distribution::mixture(&[
        (0.2, uniform(0.5, 1.0)),
        (0.5, uniform(1.0, 1.5)),
        (0.3, uniform(1.5, 2.0)),
    ]);
    let (size, speed) = (size.unwrap(), speed.unwrap());
    let mut children = 0;
    for index in 0..COUNT {
        let of = agent(9, index);
        let (is_small, is_slow) = (size.draw(of, "size") < 0.2, speed.draw(of, "speed") < 1.0);
        assert_eq!(is_small, is_slow, "agent {index}");
        children += u64::from(is_small);
    }
    assert!((1_840..2_160).contains(&children), "{children}");
}

#[test]
fn numbers_with_different_names_are_independent() {
    let uniform = Distribution::uniform(-0.5, 0.5).unwrap();
    let both = |index| ["a", "b"].map(|name| f64::from(uniform.draw(agent(3, index), name)));
    let sum: f64 = (0..COUNT).map(|index| both(index).iter().product::<f64>()).sum();
    // The correlation of this many pairs has a standard deviation of 0.01.
    let correlation = sum / COUNT as f64 * 12.0;
    assert!(correlation.abs() < 0.04, "{correlation}");
}

#[test]
fn the_draws_do_not_change() {
    // Goldens contain what follows from them.
    let all = [
        Distribution::uniform(0.0, 1.0),
        Distribution::normal(1.34, 0.26, Some([0.5, 2.2])),
        Distribution::log_normal(3.0, 2.0, None),
        Distribution::table(&[(0.0, 0.0), (0.25, 1.0), (1.0, 3.0)]),
    ];
    let drawn = all.map(|of| of.unwrap().draw(agent(1, 0), "x").to_bits());
    assert_eq!(drawn.map(f32::from_bits), DRAWN);
}

/// What an agent gets, to the bit.
const DRAWN: [f32; 4] = [0.3368324, 1.2306865, 2.240528, 1.2315531];

#[test]
fn what_is_wrong_is_found_at_its_place() {
    let nan = f32::NAN;
    let uniform = || Distribution::uniform(0.0, 1.0).unwrap();
    let cases = [
        (Distribution::uniform(2.0, 1.0), "to", "must be at least `from`"),
        (Distribution::uniform(nan, 1.0), "", "finite"),
        (Distribution::normal(1.0, -0.1, None), "deviation", "at least 0"),
        (Distribution::normal(1.0, 0.1, Some([2.0, 1.0])), "within", "first bound"),
        (Distribution::normal(1.0, 0.1, Some([5.0, 9.0])), "within", "only 0 %"),
        (Distribution::normal(1.0, 0.0, Some([5.0, 9.0])), "within", "only 0 %"),
        (Distribution::normal(1e38, 1e38, None), "", "too large"),
        (Distribution::log_normal(0.0, 2.0, None), "median", "above 0"),
        (Distribution::log_normal(1.0, 0.5, None), "spread", "at least 1"),
        (Distribution::log_normal(1.0, 2.0, Some([-2.0, -1.0])), "within", "only 0 %"),
        (Distribution::table(&[]), "", "two entries"),
        (Distribution::table(&[(0.0, 1.0)]), "", "two entries"),
        (Distribution::table(&[(0.1, 1.0), (1.0, 2.0)]), "0", "first share"),
        (Distribution::table(&[(0.0, 1.0), (0.9, 2.0)]), "1", "last share"),
        (Distribution::table(&[(0.0, 1.0), (0.5, 0.9), (1.0, 2.0)]), "1", "values"),
        (Distribution::table(&[(0.0, 1.0), (0.5, 1.9), (0.4, 2.0)]), "2", "shares"),
        (Distribution::mixture(&[]), "", "at least one part"),
        (Distribution::mixture(&[(0.5, uniform()), (0.4, uniform())]), "", "have 0.9"),
        (Distribution::mixture(&[(1.5, uniform()), (-0.5, uniform())]), "0/share", "share"),
    ];
    for (result, path, message) in cases {
        let problem = result.unwrap_err();
        assert_eq!(problem.path.join("/"), path, "{problem}");
        assert!(problem.message.contains(message), "{problem}");
    }
}

fn any_kind() -> impl Strategy<Value = Distribution> {
    let within = prop_oneof![Just(None), (0.1f32..2.0).prop_map(Some)];
    let number = -1e3f32..1e3;
    prop_oneof![
        (number.clone(), 0.0f32..10.0).prop_map(|(from, size)| Distribution::uniform(
            from,
            from + size
        )
        .unwrap()),
        (number, 0.0f32..50.0, within.clone()).prop_map(|(mean, deviation, within)| {
            let bound = |size: f32| [mean - size * deviation, mean + 2.0 * size * deviation];
            Distribution::normal(mean, deviation, within.map(bound)).unwrap()
        }),
        (0.01f32..1e3, 1.0f32..4.0, within).prop_map(|(median, spread, within)| {
            let bound = |size: f32| [median / (1.0 + size), median * (1.0 + size)];
            Distribution::log_normal(median, spread, within.map(bound)).unwrap()
        }),
        prop::collection::vec((0.0f32..1.0, 0.0f32..9.0), 0..5).prop_map(|steps| {
            let mut points = vec![(0.0, -1.0)];
            for (share, value) in steps {
                let last = points[points.len() - 1];
                points.push((last.0 + (1.0 - last.0) * share, last.1 + value));
            }
            points.push((1.0, points[points.len() - 1].1 + 0.5));
            Distribution::table(&points).unwrap()
        }),
    ]
}

fn any_distribution() -> impl Strategy<Value = Distribution> {
    let mixture = (any_kind(), any_kind(), 0.01f32..0.99)
        .prop_map(|(a, b, share)| Distribution::mixture(&[(share, a), (1.0 - share, b)]).unwrap());
    prop_oneof![any_kind(), mixture]
}

proptest! {
    #[test]
    fn draws_are_finite_and_within_the_bounds(of in any_distribution(), seed in any::<u64>()) {
        let [low, high] = of.bounds();
        let x = of.draw(agent(seed, 0), "x");
        prop_assert!(x.is_finite() && (low..=high).contains(&x), "{x} is not in {low}..={high}");
        prop_assert!((low..=high).contains(&of.middle()));
    }

    #[test]
    fn larger_shares_have_larger_numbers(of in any_kind(), a in 1e-9f64..1.0, b in 1e-9f64..1.0) {
        let Distribution { parts } = &of;
        let quantile = |share: f64| parts[0].of.quantile(share * (1.0 - 1e-9));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        prop_assert!(quantile(low) <= quantile(high), "{of}");
    }

    #[test]
    fn parts_lead_back_to_the_distribution(of in any_distribution()) {
        let back = Distribution::from_parts(of.parts());
        prop_assert_eq!(back, Some(of));
    }
}
