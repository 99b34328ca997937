//! Counts how often lines cut each other, before a union is made of them: its time and its memory grow with that number.

use super::{Point, least, most};

/// The number of pairs of lines that are compared. Lines that hardly cut each other need more only if tens of thousands of
/// long ones are side by side, and neither along nor across.
const MAX_PAIRS: usize = 20_000_000;

/// Why there are too many lines side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tangle {
    /// The line with this index cuts others, after the maximum number of cuts.
    Cuts(usize),
    /// The line with this index is one of too many long lines that are close to each other.
    Close(usize),
}

/// Checks that lines cut each other at most `max` times. Lines that only share an end, and those that are the same, do not
/// count.
///
/// # Errors
///
/// If there are more cuts, or if finding them takes too long.
pub(crate) fn check_cuts(lines: &[[Point; 2]], max: usize) -> Result<(), Tangle> {
    let axis = if overlaps(lines, 0) <= overlaps(lines, 1) { 0 } else { 1 };
    let range = |index: usize, axis: usize| {
        let [from, to] = lines[index];
        (least(from[axis], to[axis]), most(from[axis], to[axis]))
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| range(*a, axis).0.total_cmp(&range(*b, axis).0).then(a.cmp(b)));
    let (mut pairs, mut cuts) = (0, 0);
    let mut active: Vec<usize> = Vec::new();
    for index in order {
        let (start, (low, high)) = (range(index, axis).0, range(index, 1 - axis));
        pairs += active.len();
        if pairs > MAX_PAIRS {
            return Err(Tangle::Close(index));
        }
        active.retain(|&other| range(other, axis).1 >= start);
        for &other in &active {
            let (other_low, other_high) = range(other, 1 - axis);
            if other_low <= high && low <= other_high && is_cut(lines[index], lines[other]) {
                cuts += 1;
            }
        }
        if cuts > max {
            return Err(Tangle::Cuts(index));
        }
        active.push(index);
    }
    Ok(())
}

/// Returns the number of pairs of lines that overlap along an axis.
fn overlaps(lines: &[[Point; 2]], axis: usize) -> usize {
    let mut ends: Vec<f64> = lines.iter().map(|[a, b]| most(a[axis], b[axis])).collect();
    ends.sort_by(f64::total_cmp);
    let apart = lines.iter().map(|[a, b]| {
        let start = least(a[axis], b[axis]);
        ends.partition_point(|end| *end < start)
    });
    let all = lines.len() * lines.len().saturating_sub(1) / 2;
    all - apart.sum::<usize>()
}

/// Returns whether one of two lines is divided by the other one.
fn is_cut([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let side = |from: Point, to: Point, point: Point| {
        let cross =
            (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]);
        if cross == 0.0 {
            0
        } else if cross > 0.0 {
            1
        } else {
            -1
        }
    };
    let (of_c, of_d, of_a, of_b) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    let is_within = |from: Point, to: Point, point: Point| {
        let along = |axis: usize| (point[axis] - from[axis]) * (point[axis] - to[axis]);
        point != from && point != to && along(0) <= 0.0 && along(1) <= 0.0
    };
    (of_c * of_d < 0 && of_a * of_b < 0)
        || (of_c == 0 && is_within(a, b, c))
        || (of_d == 0 && is_within(a, b, d))
        || (of_a == 0 && is_within(c, d, a))
        || (of_b == 0 && is_within(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_divide_each_other_count() {
        let cross = [[0.0, 0.0], [2.0, 2.0]];
        for (other, is) in [
            ([[0.0, 2.0], [2.0, 0.0]], true),
            ([[1.0, 1.0], [5.0, 0.0]], true),
            ([[1.0, 1.0], [3.0, 3.0]], true),
            ([[0.0, 0.0], [3.0, 3.0]], true),
            ([[2.0, 2.0], [3.0, 3.0]], false),
            ([[2.0, 2.0], [0.0, 0.0]], false),
            ([[0.0, 0.0], [2.0, 0.0]], false),
            ([[1.0, 0.0], [3.0, 2.0]], false),
        ] {
            assert_eq!(is_cut(cross, other), is, "{other:?}");
            assert_eq!(is_cut(other, cross), is, "{other:?}");
        }
    }

    #[test]
    fn cuts_are_counted_up_to_the_maximum() {
        // Ten lines up and ten lines to the right: a hundred cuts.
        let line = |i: usize| {
            let at = (i % 10) as f64;
            if i < 10 { [[at, -1.0], [at, 10.0]] } else { [[-1.0, at], [10.0, at]] }
        };
        let lines: Vec<_> = (0..20).map(line).collect();
        assert_eq!(check_cuts(&lines, 100), Ok(()));
        assert!(matches!(check_cuts(&lines, 99), Err(Tangle::Cuts(_))));
        // Many long lines side by side are not an obstacle along an axis.
        let comb: Vec<_> = (0..20_000).map(|i| [[0.0, i as f64], [1e5, i as f64]]).collect();
        assert_eq!(check_cuts(&comb, 0), Ok(()));
        let slanted: Vec<_> =
            (0..20_000).map(|i| [[0.0, i as f64], [1e5, i as f64 + 1e5]]).collect();
        assert!(matches!(check_cuts(&slanted, 0), Err(Tangle::Close(_))));
    }
}
