//! Maps: the mean of a result for each pair of bins of two values, as colored cells; and small multiples of them for a third value.

use std::collections::BTreeMap;

use super::columns::{CHART, Column, Input, plain};
use super::figures::Figure;
use crate::chart::{Axis, Chart, Shape};
use crate::draw::{Color, LIGHT};

/// Maximum number of small multiples.
const MAX_PANELS: usize = 6;

/// A result of some runs: the index of each run, and the result.
type Numbers = [(usize, f64)];

/// The mean for each pair of bins.
type Means = Vec<((usize, usize), f64)>;

fn means<'n>(
    [first, second]: [&Input<'_>; 2],
    numbers: impl Iterator<Item = &'n (usize, f64)>,
) -> Means {
    let mut bins: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for &(run, number) in numbers {
        let bin = bins.entry((first.bins[run], second.bins[run])).or_default();
        *bin = (bin.0 + number, bin.1 + 1.0);
    }
    bins.into_iter().map(|(bin, (sum, count))| (bin, sum / count)).collect()
}

/// Returns the lowest and the highest mean.
fn ends<'m>(means: impl Iterator<Item = &'m ((usize, usize), f64)> + Clone) -> [f64; 2] {
    let all = means.map(|(_, mean)| *mean);
    let low = all.clone().min_by(f64::total_cmp).unwrap_or(0.0);
    [low, all.max_by(f64::total_cmp).unwrap_or(0.0)]
}

/// Returns a chart of means with the colors of a scale.
fn chart([first, second]: [&Input<'_>; 2], means: &Means, [low, high]: [f64; 2]) -> Chart {
    let cell = |&((x, y), mean): &((usize, usize), f64)| {
        let part = if high > low { (mean - low) / (high - low) } else { 0.5 };
        let ((left, right), (bottom, top)) = (first.ends[x], second.ends[y]);
        ([(left, bottom), (right, top)], shade(part))
    };
    let bounds = |of: &Input<'_>| {
        let all = of.ends.iter().flat_map(|(from, to)| [*from, *to]);
        Axis::around(of.label.clone(), all)
    };
    let cells = means.iter().map(cell).collect();
    let (x, y) = (bounds(first), bounds(second));
    let series = vec![plain(LIGHT.group(0), Shape::Cells(cells))];
    Chart { size: CHART, x, y, series }
}

fn caption(output: &Column, [low, high]: [f64; 2]) -> String {
    format!("mean of {}: light is {low:.4}, dark is {high:.4}", output.name)
}

/// Returns a figure with the mean of an output for each pair of bins of two inputs.
pub(super) fn map(output: &Column, of: [&Input<'_>; 2], numbers: &Numbers) -> Figure {
    let means = means(of, numbers.iter());
    let scale = ends(means.iter());
    Figure {
        name: format!("{} map", output.name),
        data: "points.csv",
        panels: vec![(String::new(), chart(of, &means, scale))],
        caption: caption(output, scale),
        description: format!(
            "The mean of {} over {} and {}.",
            output.name, of[0].column.name, of[1].column.name
        ),
    }
}

/// Returns such maps side by side, one for each part of the range of a third input, all with the same colors.
pub(super) fn multiples(output: &Column, of: [&Input<'_>; 3], numbers: &Numbers) -> Figure {
    let [first, second, third] = of;
    let count = third.ends.len().min(MAX_PANELS);
    // Neighboring bins share a panel if there are more bins.
    let panel_of = |bin: usize| bin * count / third.ends.len();
    let panels: Vec<(String, Means)> = (0..count)
        .map(|panel| {
            let bins = (0..third.ends.len()).filter(|bin| panel_of(*bin) == panel);
            let title = title(third, bins.collect());
            let numbers = numbers.iter().filter(|(run, _)| panel_of(third.bins[*run]) == panel);
            (title, means([first, second], numbers))
        })
        .collect();
    let scale = ends(panels.iter().flat_map(|(_, means)| means));
    Figure {
        name: format!("{} maps", output.name),
        data: "points.csv",
        panels: panels
            .iter()
            .map(|(title, means)| (title.clone(), chart([first, second], means, scale)))
            .collect(),
        caption: caption(output, scale),
        description: format!(
            "The mean of {} over {} and {}, for each part of {}.",
            output.name, first.column.name, second.column.name, third.column.name
        ),
    }
}

/// Returns the title of a panel with these bins of a value: its values, or their ends.
fn title(of: &Input<'_>, bins: Vec<usize>) -> String {
    let cells = of.column.cells.iter().zip(&of.bins).filter(|(_, bin)| bins.contains(bin));
    let mut texts: Vec<&String> = cells.map(|(text, _)| text).collect();
    texts.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    texts.dedup();
    match &texts[..] {
        [] => of.column.name.clone(),
        [only] => format!("{}: {only}", of.column.name),
        [first, .., last] => format!("{}: {first} to {last}", of.column.name),
    }
}

/// Returns a color between a light and a dark one.
fn shade(part: f64) -> Color {
    let (light, dark) = (LIGHT.band, LIGHT.group(0));
    let mix = |from: u8, to: u8| {
        (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8
    };
    Color {
        red: mix(light.red, dark.red),
        green: mix(light.green, dark.green),
        blue: mix(light.blue, dark.blue),
        alpha: 255,
    }
}
