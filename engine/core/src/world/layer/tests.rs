use proptest::prelude::*;

use super::*;

const OPEN: Space =
    Space { edge: Edge::Clamp, min: Vec2::new(-2.0, 1.0), size: Vec2::new(8.0, 6.0) };
const WRAPPED: Space = Space { edge: Edge::Wrap, ..OPEN };

/// A layer of 4 by 3 cells of side 2, with these amounts.
fn layer(space: &Space, amounts: &[f32]) -> Layer {
    let mut layer = Layer::new("scent", space, 2.0);
    assert_eq!((layer.columns, layer.rows()), (4, 3));
    Arc::make_mut(&mut layer.amounts)[..amounts.len()].copy_from_slice(amounts);
    layer
}

fn total(layer: &Layer) -> f64 {
    layer.amounts.iter().map(|&amount| f64::from(amount)).sum()
}

#[test]
fn points_are_in_cells_up_to_the_last_edge() {
    let layer = layer(&OPEN, &[]);
    let at = |x, y| layer.cell_at(&OPEN, Vec2::new(x, y));
    assert_eq!(at(-2.0, 1.0), Some(0));
    assert_eq!(at(-0.01, 2.99), Some(0));
    assert_eq!(at(0.0, 3.0), Some(5));
    assert_eq!(at(6.0, 7.0), Some(11), "the corner belongs to the last cell");
    assert_eq!(
        [at(-2.01, 2.0), at(6.01, 2.0), at(f32::NAN, 2.0), at(0.0, f32::INFINITY)],
        [None; 4]
    );
    assert_eq!(layer.center(5), Vec2::new(1.0, 4.0));
    assert_eq!(layer.cell_at(&WRAPPED, Vec2::new(6.5, 0.5)), Some(8), "the other side");
    assert_eq!(layer.amount(&OPEN, Vec2::splat(99.0)), 0.0);
}

#[test]
fn whole_cells_cover_a_world() {
    assert_eq!(cells(Vec2::new(8.0, 6.0), 2.0), (4, 3));
    assert_eq!(cells(Vec2::new(8.1, 0.1), 2.0), (5, 1));
    assert_eq!(cells(Vec2::new(0.7, 0.3), 0.1), (7, 3), "0.7 / 0.1 is not 7 in floats");
}

#[test]
fn the_gradient_is_the_rise_between_the_cells_on_both_sides() {
    let amounts = [0.0, 1.0, 4.0, 9.0, 2.0, 3.0, 6.0, 11.0];
    let clamped = layer(&OPEN, &amounts);
    let at = |layer: &Layer, space: &Space, x, y| layer.gradient(space, Vec2::new(x, y));
    assert_eq!(at(&clamped, &OPEN, 1.0, 2.0), Vec2::new(1.0, 1.0), "(4 - 0) / 4 and (3 - 1) / 2");
    assert_eq!(at(&clamped, &OPEN, -1.0, 2.0).x, 0.5, "at an edge from the cell itself: 1 / 2");
    let wrapped = layer(&WRAPPED, &amounts);
    assert_eq!(at(&wrapped, &WRAPPED, -1.0, 2.0), Vec2::new((1.0 - 9.0) / 4.0, 2.0 / 4.0));
    assert_eq!(at(&clamped, &OPEN, 50.0, 2.0), Vec2::ZERO);
}

#[test]
fn the_best_of_three_directions_is_straight_on_unless_a_side_has_more() {
    // The point is in the middle of the second row; ahead is the cell to the right.
    let quarter = std::f32::consts::FRAC_PI_2;
    let best = |right: f32, ahead: f32, left: f32| {
        let mut amounts = [0.0; 12];
        (amounts[1], amounts[6], amounts[9]) = (right, ahead, left);
        let offset =
            layer(&OPEN, &amounts).best(&OPEN, Vec2::new(1.0, 4.0), Vec2::new(2.0, 0.0), quarter);
        (offset.x.round(), offset.y.round())
    };
    assert_eq!(best(0.0, 0.0, 0.0), (2.0, 0.0));
    assert_eq!(best(2.0, 2.0, 2.0), (2.0, 0.0));
    assert_eq!(best(1.0, 0.0, 1.0), (0.0, 2.0), "left before right");
    assert_eq!(best(1.5, 0.0, 1.0), (0.0, -2.0));
    assert_eq!(best(0.0, 0.5, 1.0), (0.0, 2.0));
}

#[test]
fn agents_take_what_is_there_and_no_cell_overflows() {
    let mut layer = layer(&OPEN, &[1.5]);
    assert_eq!((layer.take(0, 1.0), layer.take(0, 1.0), layer.take(0, 1.0)), (1.0, 0.5, 0.0));
    assert!(layer.deposit(3, MAX_AMOUNT));
    assert!(!layer.deposit(3, 1e9));
    assert_eq!(layer.amounts[3], MAX_AMOUNT);
    assert!(!layer.deposit(0, f32::NAN) && !layer.deposit(0, -1.0));
}

/// The solution for one wave in a ring of n cells: its height falls by 1 - 4 share sin^2(pi / n) in each step (von Neumann's
/// analysis of the explicit scheme).
#[test]
fn a_wave_decays_as_the_theory_of_the_scheme_says() {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::new(64.0, 1.0) };
    let mut layer = Layer::new("scent", &space, 1.0);
    layer.diffusion = 3.0;
    let wave = |column: usize| std::f64::consts::TAU * column as f64 / 64.0;
    for (column, amount) in Arc::make_mut(&mut layer.amounts).iter_mut().enumerate() {
        *amount = (10.0 + 4.0 * libm::cos(wave(column))) as f32;
    }
    // 3 * 0.1 / 1 is more than a quarter, so each tick has two steps.
    assert_eq!(layer.diffusion_steps(0.1), 2.0);
    (0..50).for_each(|_| layer.advance(0.1));
    let half = libm::sin(std::f64::consts::PI / 64.0);
    let height = 4.0 * libm::pow(1.0 - 4.0 * 0.15 * half * half, 100.0);
    for (column, &amount) in layer.amounts.iter().enumerate() {
        let expected = 10.0 + height * libm::cos(wave(column));
        assert!((f64::from(amount) - expected).abs() < 1e-4, "{column}: {amount} and {expected}");
    }
}

#[test]
fn half_is_left_after_the_half_life() {
    let mut layer = layer(&OPEN, &[8.0, 3e-6]);
    layer.evaporation = std::f32::consts::LN_2;
    (0..20).for_each(|_| layer.advance(0.1));
    assert!((layer.amounts[0] - 2.0).abs() < 1e-5, "{}", layer.amounts[0]);
    assert_eq!(layer.amounts[1], 0.0, "too small to keep");
}

#[test]
fn what_spreads_over_an_edge_comes_in_on_the_other_side_or_stays() {
    let mut wrapped = layer(&WRAPPED, &[1.0]);
    let mut clamped = layer(&OPEN, &[1.0]);
    for layer in [&mut wrapped, &mut clamped] {
        layer.diffusion = 4.0;
        layer.advance(0.1);
    }
    // 4 * 0.1 / 2^2 = 0.1 to each neighbor.
    let near = |layer: &Layer| [0, 1, 3, 4, 8].map(|cell| (layer.amounts[cell] * 1000.0).round());
    assert_eq!(near(&wrapped), [600.0, 100.0, 100.0, 100.0, 100.0]);
    assert_eq!(near(&clamped), [800.0, 100.0, 0.0, 100.0, 0.0]);
}

proptest! {
    /// Diffusion moves amounts and makes none, whatever the size, also in layers of one row or column.
    #[test]
    fn diffusion_keeps_the_sum_and_the_bounds(
        size in (1usize..9, 1usize..9),
        amounts in prop::collection::vec(0f32..1000.0, 81),
        diffusion in 0f32..20.0,
        wraps: bool,
    ) {
        let edge = if wraps { Edge::Wrap } else { Edge::Open };
        let size = Vec2::new(size.0 as f32, size.1 as f32);
        let space = Space { edge, min: Vec2::ZERO, size };
        let mut layer = Layer::new("scent", &space, 1.0);
        let count = layer.amounts.len();
        Arc::make_mut(&mut layer.amounts).copy_from_slice(&amounts[..count]);
        layer.diffusion = diffusion;
        prop_assert!(layer.is_valid(0.1));
        let (before, largest) = (total(&layer), layer.amounts.iter().copied().fold(0.0, math::max));
        let smallest = layer.amounts.iter().copied().fold(f32::MAX, math::min);
        (0..20).for_each(|_| layer.advance(0.1));
        let change = (total(&layer) - before).abs();
        prop_assert!(change <= 1e-5 * before + 1e-4, "{before} and {}", total(&layer));
        for &amount in layer.amounts.iter() {
            prop_assert!(amount >= smallest * 0.9999 - MIN_AMOUNT && amount <= largest * 1.0001);
        }
    }

    /// The same as one cell after another in the plain formula, to the bit.
    #[test]
    fn steps_equal_the_formula(
        amounts in prop::collection::vec(0f32..10.0, 35), wraps: bool, share in 0f32..0.25, kept in 0.5f32..1.0,
    ) {
        let (columns, rows) = (7usize, 5usize);
        let at = |row: usize, column: usize| amounts[row * columns + column];
        let (own, from_neighbor) = (((1.0 - 4.0 * share) * kept), (share * kept).max(1e-3));
        let mut new = amounts.clone();
        simd::dispatch(DiffusionStep { amounts: &mut new, columns, wraps, own, from_neighbor });
        let side = |index: usize, cells: usize| match wraps {
            true => ((index + cells - 1) % cells, (index + 1) % cells),
            false => (index.saturating_sub(1), (index + 1).min(cells - 1)),
        };
        for row in 0..rows {
            for column in 0..columns {
                let ((left, right), (below, above)) = (side(column, columns), side(row, rows));
                let sum = (at(row, left) + at(row, right)) + (at(below, column) + at(above, column));
                let expected = flushed(own * at(row, column) + from_neighbor * sum);
                prop_assert_eq!(new[row * columns + column].to_bits(), expected.to_bits());
            }
        }
    }
}
