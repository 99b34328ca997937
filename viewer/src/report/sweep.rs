//! The page about a sweep: which values matter for which results, and how.
//!
//! It needs nothing but a browser, and loads nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape;
use crate::chart::{Axis, Chart, Series, Shape};
use crate::draw::{Color, LIGHT};

/// The frame of the page.
const FRAME: &str = include_str!("sweep.html");

/// Size of a chart, in pixels.
const CHART: (f64, f64) = (480.0, 300.0);

/// The maximum number of dots in a chart.
const MAX_DOTS: usize = 400;

/// A value that varies is shown by its values if there are at most this many, and otherwise by this many equal parts of
/// its range.
const MAX_BINS: usize = 12;

/// The content of the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepPage {
    /// The name of the sweep.
    pub title: String,
    /// Sentences about the whole sweep.
    pub notes: Vec<String>,
    /// The values that vary.
    pub inputs: Vec<Column>,
    /// Measures and margins at the end of each run.
    pub outputs: Vec<Column>,
    /// Measures over time.
    pub series: Vec<TimeSeries>,
}

/// A column of a table: one entry for each run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// The name.
    pub name: String,
    /// Each entry as it is written; empty if there is none.
    pub cells: Vec<String>,
}

/// A measure at some ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeSeries {
    /// The name of the measure.
    pub name: String,
    /// Its value in each run, by tick.
    pub values: BTreeMap<u64, Vec<f64>>,
}

/// A value that varies, as numbers.
struct Input<'c> {
    label: String,
    /// The number of each run.
    numbers: Vec<f64>,
    /// The bin of each run.
    bins: Vec<usize>,
    /// The ends of each bin, to draw it.
    ends: Vec<(f64, f64)>,
    column: &'c Column,
}

impl<'c> Input<'c> {
    fn new(column: &'c Column) -> Self {
        let parsed: Option<Vec<f64>> = column.cells.iter().map(|text| text.parse().ok()).collect();
        let mut label = column.name.clone();
        let numbers = parsed.unwrap_or_else(|| {
            // Other values are numbered.
            let mut known: Vec<&String> = Vec::new();
            let numbers = column.cells.iter().map(|text| {
                let place = known.iter().position(|of| *of == text).unwrap_or_else(|| {
                    known.push(text);
                    known.len() - 1
                });
                place as f64
            });
            let numbers = numbers.collect();
            let names = known.iter().take(6).enumerate();
            let names: Vec<String> =
                names.map(|(place, text)| format!("{place}: {text}")).collect();
            label = format!("{label} ({})", names.join(", "));
            numbers
        });
        let mut distinct = numbers.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let ends: Vec<(f64, f64)> = if distinct.len() <= MAX_BINS {
            let width = distinct.windows(2).map(|pair| pair[1] - pair[0]);
            let width = width.min_by(f64::total_cmp).unwrap_or(1.0);
            distinct.iter().map(|x| (x - 0.5 * width, x + 0.5 * width)).collect()
        } else {
            let (low, high) = (distinct[0], distinct[distinct.len() - 1]);
            let width = (high - low) / MAX_BINS as f64;
            (0..MAX_BINS)
                .map(|bin| (low + width * bin as f64, low + width * (bin + 1) as f64))
                .collect()
        };
        let bin_of = |x: &f64| {
            let after = ends.iter().position(|(_, end)| x < end);
            after.unwrap_or(ends.len().saturating_sub(1))
        };
        let bins = numbers.iter().map(bin_of).collect();
        Self { label, numbers, bins, ends, column }
    }

    fn middle(&self, bin: usize) -> f64 {
        let (from, to) = self.ends[bin];
        0.5 * (from + to)
    }
}

impl SweepPage {
    /// Returns the page.
    pub(crate) fn to_html(&self) -> String {
        let mut body = String::new();
        for note in &self.notes {
            let _ = writeln!(body, "<p>{}</p>", escape(note));
        }
        let inputs: Vec<Input<'_>> = self.inputs.iter().map(Input::new).collect();
        let inputs: Vec<&Input<'_>> = inputs.iter().filter(|input| input.ends.len() > 1).collect();
        self.write_shares(&mut body, &inputs);
        for output in &self.outputs {
            write_output(&mut body, &inputs, output);
        }
        if !self.series.is_empty() {
            body.push_str(
                "<h2>Over time</h2>\n<p class=\"note\">The line is the median of all runs; 80 % of them are within the \
                 band.</p>\n<div class=\"charts\">\n",
            );
            for series in &self.series {
                figure(&mut body, &band_over_time(series), "");
            }
            body.push_str("</div>\n");
        }
        FRAME.replace("{title}", &escape(&self.title)).replace("{body}", &body)
    }

    /// Writes a table: how much of the variance of each output comes from each input.
    fn write_shares(&self, body: &mut String, inputs: &[&Input<'_>]) {
        if inputs.is_empty() || self.outputs.is_empty() {
            return;
        }
        body.push_str("<h2>What matters</h2>\n<table>\n<tr><th>share of the variance</th>");
        for input in inputs {
            let _ = write!(body, "<th>{}</th>", escape(&input.column.name));
        }
        body.push_str("</tr>\n");
        for output in &self.outputs {
            let _ = write!(body, "<tr><td>{}</td>", escape(&output.name));
            for input in inputs {
                let text = match share(input, output) {
                    Some(share) => format!("{:.0} %", 100.0 * share),
                    None => String::new(),
                };
                let _ = write!(body, "<td>{text}</td>");
            }
            body.push_str("</tr>\n");
        }
        body.push_str(
            "</table>\n<p class=\"note\">How much of the variance of a result is explained by one value alone: the variance of \
             the means at each value, divided by the whole variance, less what chance would give. The rest comes from seeds, \
             and from values that act only together.</p>\n",
        );
    }
}

/// Returns the numbers of an output with the runs that they belong to.
fn numbers(output: &Column) -> Vec<(usize, f64)> {
    let all = output.cells.iter().enumerate();
    all.filter_map(|(run, text)| Some((run, text.parse::<f64>().ok().filter(|x| x.is_finite())?)))
        .collect()
}

/// Returns the share of the variance of an output that an input explains; `None` if there is no variance.
fn share(input: &Input<'_>, output: &Column) -> Option<f64> {
    let numbers = numbers(output);
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let all: Vec<f64> = numbers.iter().map(|(_, x)| *x).collect();
    let middle = mean(&all);
    let whole: f64 = all.iter().map(|x| (x - middle) * (x - middle)).sum();
    if whole <= 0.0 || whole.is_nan() {
        return None;
    }
    let mut bins: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (run, x) in numbers {
        bins.entry(input.bins[run]).or_default().push(x);
    }
    let inside: f64 = bins
        .values()
        .map(|of| {
            let middle = mean(of);
            of.iter().map(|x| (x - middle) * (x - middle)).sum::<f64>()
        })
        .sum();
    let (runs, bins) = (all.len() as f64, bins.len() as f64);
    let share = if runs > bins {
        1.0 - (inside / (runs - bins)) / (whole / (runs - 1.0))
    } else {
        1.0 - inside / whole
    };
    Some(if share > 0.0 { share } else { 0.0 })
}

/// Returns the value below which a part of sorted numbers is.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (low, rest) = (place.floor() as usize, place.fract());
    let high = sorted[(low + 1).min(sorted.len() - 1)];
    sorted[low] + (high - sorted[low]) * rest
}

/// Writes how an output depends on each input, and on the two that matter most.
fn write_output(body: &mut String, inputs: &[&Input<'_>], output: &Column) {
    let numbers = numbers(output);
    if numbers.is_empty() || inputs.is_empty() {
        return;
    }
    let _ = writeln!(body, "<h2>{}</h2>\n<div class=\"charts\">", escape(&output.name));
    for input in inputs {
        figure(body, &effect(input, output, &numbers), "");
    }
    let mut ranked = inputs.to_vec();
    let key = |input: &&&Input<'_>| share(input, output).unwrap_or(0.0);
    ranked.sort_by(|a, b| key(&b).total_cmp(&key(&a)));
    if let [first, second, ..] = &*ranked {
        let (chart, low, high) = heat_map(first, second, &numbers);
        let name = &output.name;
        let text = format!("mean of {name}: light is {low:.4}, dark is {high:.4}");
        figure(body, &chart, &text);
    }
    body.push_str("</div>\n");
}

fn figure(body: &mut String, chart: &Chart, text: &str) {
    let caption = if text.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>", escape(text))
    };
    let _ = writeln!(body, "<figure>{}{caption}</figure>", chart.to_svg());
}

fn plain(color: Color, shape: Shape) -> Series {
    Series { name: String::new(), color, shape }
}

/// Returns a chart of an output over an input: dots for runs, the median and the band of 80 % for each bin.
fn effect(input: &Input<'_>, output: &Column, numbers: &[(usize, f64)]) -> Chart {
    let every = numbers.len().div_ceil(MAX_DOTS).max(1);
    let dots = numbers.iter().step_by(every).map(|&(run, y)| (input.numbers[run], y)).collect();
    let mut bins: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for &(run, y) in numbers {
        bins.entry(input.bins[run]).or_default().push(y);
    }
    let (mut lower, mut median, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for (bin, mut all) in bins {
        all.sort_by(f64::total_cmp);
        let x = input.middle(bin);
        lower.push((x, quantile(&all, 0.1)));
        median.push((x, quantile(&all, 0.5)));
        upper.push((x, quantile(&all, 0.9)));
    }
    let color = LIGHT.group(0);
    Chart {
        size: CHART,
        x: Axis::around(input.label.clone(), input.numbers.iter().copied()),
        y: Axis::around(output.name.clone(), numbers.iter().map(|(_, y)| *y)),
        series: vec![
            plain(LIGHT.edge, Shape::Points(dots)),
            plain(color, Shape::Band { lower, upper }),
            plain(color, Shape::Line(median)),
        ],
    }
}

/// Returns a chart with the mean of an output for each pair of bins of two inputs, and the lowest and the highest of them.
fn heat_map(first: &Input<'_>, second: &Input<'_>, numbers: &[(usize, f64)]) -> (Chart, f64, f64) {
    let mut bins: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for &(run, number) in numbers {
        let bin = bins.entry((first.bins[run], second.bins[run])).or_default();
        *bin = (bin.0 + number, bin.1 + 1.0);
    }
    let means: Vec<_> = bins.into_iter().map(|(bin, (sum, count))| (bin, sum / count)).collect();
    let low = means.iter().map(|(_, mean)| *mean).min_by(f64::total_cmp).unwrap_or(0.0);
    let high = means.iter().map(|(_, mean)| *mean).max_by(f64::total_cmp).unwrap_or(0.0);
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
    (Chart { size: CHART, x, y, series }, low, high)
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

/// Returns a chart of a measure over time.
fn band_over_time(series: &TimeSeries) -> Chart {
    let (mut lower, mut median, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for (&tick, values) in &series.values {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() {
            continue;
        }
        let x = tick as f64;
        lower.push((x, quantile(&sorted, 0.1)));
        median.push((x, quantile(&sorted, 0.5)));
        upper.push((x, quantile(&sorted, 0.9)));
    }
    let color = LIGHT.group(0);
    Chart {
        size: CHART,
        x: Axis::around("tick".to_owned(), median.iter().map(|(x, _)| *x)),
        y: Axis::around(series.name.clone(), lower.iter().chain(&upper).map(|(_, y)| *y)),
        series: vec![plain(color, Shape::Band { lower, upper }), plain(color, Shape::Line(median))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, cells: &[&str]) -> Column {
        Column { name: name.into(), cells: cells.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn the_share_of_the_variance_is_that_of_the_means() {
        let input = column("a", &["1", "1", "2", "2"]);
        let input = Input::new(&input);
        assert_eq!(share(&input, &column("y", &["5", "5", "7", "7"])), Some(1.0));
        assert_eq!(share(&input, &column("y", &["5", "7", "5", "7"])), Some(0.0));
        assert_eq!(share(&input, &column("y", &["5", "5", "5", "5"])), None);
        // Whole variance 10 / 3, inside the bins 2 / 2: 1 - 0.3.
        let partly = share(&input, &column("y", &["0", "1", "3", "4"])).unwrap();
        assert!((partly - 0.85).abs() < 1e-9, "{partly}");
    }

    #[test]
    fn quantiles_lie_between_the_numbers() {
        let sorted = [1.0, 2.0, 4.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|part| quantile(&sorted, part)), [1.0, 1.5, 2.0, 4.0]);
    }

    #[test]
    fn the_page_loads_nothing_and_escapes_names() {
        let page = SweepPage {
            title: "<b>".into(),
            notes: vec!["2 & 3".into()],
            inputs: vec![column("a<", &["1", "2", "1", "2"]), column("b", &["x", "x", "y", "y"])],
            outputs: vec![column("out", &["1", "2", "", "4"])],
            series: vec![TimeSeries {
                name: "m".into(),
                values: [(0, vec![1.0]), (5, vec![2.0, 3.0])].into(),
            }],
        };
        let html = page.to_html();
        // Two effects, one heat map, one measure over time.
        assert_eq!(html.matches("<svg ").count(), 4);
        assert!(html.contains("&lt;b&gt;") && html.contains("2 &amp; 3") && html.contains("a&lt;"));
        assert!(html.contains("b (0: x, 1: y)"));
        for loading in ["src=", "href=", "url(http", "<script"] {
            assert!(!html.contains(loading), "{loading}");
        }
    }
}
