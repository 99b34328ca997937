//! The page about a sweep: which values matter for which results, and how.
//!
//! It needs nothing but a browser, and loads nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use flockwork_engine::experiment::mean_interval;
use flockwork_engine::math::random::Mix;

use super::columns::{CHART, Column, Input, plain};
use super::escape;
use super::figures::{Figure, FigureSource};
use super::maps;
use crate::chart::{Axis, Chart, Shape};
use crate::draw::LIGHT;

/// The frame of the page.
const FRAME: &str = include_str!("sweep.html");

/// The maximum number of dots in a chart.
const MAX_DOTS: usize = 400;

/// The content of the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepPage {
    /// The name of the sweep.
    pub title: String,
    /// Sentences about the whole sweep.
    pub notes: Vec<String>,
    /// What its figures are made of.
    pub source: FigureSource,
    /// The values that vary.
    pub inputs: Vec<Column>,
    /// Measures and margins at the end of each run.
    pub outputs: Vec<Column>,
    /// Measures over time.
    pub series: Vec<TimeSeries>,
    /// How much each value matters for each result, if the points tell that.
    pub sensitivities: Option<PageTable>,
}

/// The name of the column with results.
const SHARE_OF_VARIANCE: &str = "share of the variance";

/// A table: its first row has the names of the columns.
pub(crate) type PageTable = Vec<Vec<String>>;

/// A measure at some ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeSeries {
    /// The name of the measure.
    pub name: String,
    /// Its value in each run, by tick.
    pub values: BTreeMap<u64, Vec<f64>>,
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
        match &self.sensitivities {
            Some(sensitivities) => {
                body.push_str("<h2>What matters</h2>\n");
                write_table(&mut body, sensitivities);
                body.push_str(SENSITIVITY_NOTE);
            }
            None => self.write_shares(&mut body, &inputs),
        }
        for FigureGroup { title, note, figures } in &self.figures() {
            let _ = writeln!(body, "<h2>{}</h2>", escape(title));
            if !note.is_empty() {
                let _ = writeln!(body, "<p class=\"note\">{note}</p>");
            }
            body.push_str("<div class=\"charts\">\n");
            for figure in figures {
                figure.write_html(&mut body);
            }
            body.push_str("</div>\n");
        }
        page(&self.title, &body)
    }

    /// Returns all figures: for each result how it depends on the values, and the measures over time.
    pub(crate) fn figures(&self) -> Vec<FigureGroup<'_>> {
        let inputs: Vec<Input<'_>> = self.inputs.iter().map(Input::new).collect();
        let inputs: Vec<&Input<'_>> = inputs.iter().filter(|input| input.ends.len() > 1).collect();
        let mut groups = Vec::new();
        for output in &self.outputs {
            let figures = figures_of(&inputs, output);
            if !figures.is_empty() {
                groups.push(FigureGroup { title: &output.name, note: "", figures });
            }
        }
        if !self.series.is_empty() {
            let figures = self.series.iter().map(over_time).collect();
            groups.push(FigureGroup { title: "Over time", note: OVER_TIME_NOTE, figures });
        }
        groups
    }

    /// Writes a table: how much of the variance of each output comes from each input.
    fn write_shares(&self, body: &mut String, inputs: &[&Input<'_>]) {
        if inputs.is_empty() || self.outputs.is_empty() {
            return;
        }
        body.push_str("<h2>What matters</h2>\n");
        let names = inputs.iter().map(|input| input.column.name.clone());
        let mut table = vec![[SHARE_OF_VARIANCE.to_owned()].into_iter().chain(names).collect()];
        for output in &self.outputs {
            let share = |input: &&Input<'_>| {
                share(input, output)
                    .map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share))
            };
            let shares = inputs.iter().map(share);
            table.push([output.name.clone()].into_iter().chain(shares).collect::<Vec<_>>());
        }
        write_table(body, &table);
        body.push_str(
            "<p class=\"note\">How much of the variance of a result is explained by one value alone: the variance of \
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

/// A line through means, and the ends of their 95 % intervals where there are enough numbers.
#[derive(Default)]
struct MeanLine {
    lower: Vec<(f64, f64)>,
    line: Vec<(f64, f64)>,
    upper: Vec<(f64, f64)>,
}

impl MeanLine {
    fn add(&mut self, x: f64, numbers: &[f64]) {
        match (mean_interval(numbers), numbers.first()) {
            (Some((mean, [low, high])), _) => {
                self.lower.push((x, low));
                self.line.push((x, mean));
                self.upper.push((x, high));
            }
            (None, Some(only)) => self.line.push((x, *only)),
            (None, None) => {}
        }
    }
}

/// Figures with a common title.
pub(crate) struct FigureGroup<'p> {
    title: &'p str,
    note: &'static str,
    pub(crate) figures: Vec<Figure>,
}

const OVER_TIME_NOTE: &str = "The line is the mean of all runs, and the band its 95 % interval.";

/// Says which runs have dots.
fn dots_are(runs: usize) -> String {
    match runs {
        0..=MAX_DOTS => "runs".to_owned(),
        _ => format!("{MAX_DOTS} of {runs} runs, drawn at random"),
    }
}

/// The share of the variance from which on a third value is shown beside the two that matter most.
const MATTERS: f64 = 0.05;

/// Returns figures of how an output depends on each input, on the two that matter most, and on the third if that matters.
fn figures_of(inputs: &[&Input<'_>], output: &Column) -> Vec<Figure> {
    let numbers = numbers(output);
    if numbers.is_empty() || inputs.is_empty() {
        return Vec::new();
    }
    let name = &output.name;
    let mut figures: Vec<Figure> = inputs
        .iter()
        .map(|input| Figure {
            name: format!("{name} by {}", input.column.name),
            data: RUNS_AND_POINTS,
            panels: vec![(String::new(), effect(input, output, &numbers))],
            caption: String::new(),
            description: format!(
                "{name} over {}: dots are {}, the line is the mean of all, and the band its 95 % interval.",
                input.column.name,
                dots_are(numbers.len())
            ),
        })
        .collect();
    let mut ranked: Vec<(f64, &Input<'_>)> =
        inputs.iter().map(|input| (share(input, output).unwrap_or(0.0), *input)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let others: Vec<&Input<'_>> = ranked.iter().map(|(_, input)| *input).collect();
    if let [first, second, ..] = others[..] {
        figures.push(maps::map(output, [first, second], &numbers));
    }
    if let ([first, second, third, ..], true) =
        (&others[..], ranked.get(2).is_some_and(|(share, _)| *share >= MATTERS))
    {
        figures.push(maps::multiples(output, [first, second, third], &numbers));
    }
    figures
}

/// The tables with what a figure of runs shows.
pub(super) const RUNS_AND_POINTS: &str = "runs.csv and points.csv";

/// What the columns of sensitivities mean.
const SENSITIVITY_NOTE: &str = "<p class=\"note\">With points of Saltelli: the share of the variance of the means over seeds that a value explains \
    alone, and in total, together with others, each with the ends of its 95 % interval. With points of Morris: the mean effect of a change of one \
    value for its whole range, the mean size of such effects with the ends of its 95 % interval, and their standard deviation.</p>\n";

/// Writes a table.
pub(super) fn write_table(body: &mut String, table: &PageTable) {
    body.push_str("<div class=\"wide\"><table>\n");
    for (index, row) in table.iter().enumerate() {
        let tag = if index == 0 { "th" } else { "td" };
        let cells = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        let _ = writeln!(body, "<tr>{}</tr>", cells.collect::<String>());
    }
    body.push_str("</table></div>\n");
}

/// Returns a page about experiments.
pub(super) fn page(title: &str, body: &str) -> String {
    FRAME.replace("{title}", &escape(title)).replace("{body}", body)
}

/// Returns the runs that have dots: all, or some that are drawn at random. Every second run, for example, may have the same seed.
fn drawn(numbers: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut all = numbers.to_vec();
    if all.len() > MAX_DOTS {
        all.sort_by_key(|(run, _)| Mix::new(*run as u64).with_str("dot").value());
        all.truncate(MAX_DOTS);
        all.sort_by_key(|(run, _)| *run);
    }
    all
}

/// Returns a chart of an output over an input: dots for runs, the mean and its interval for each bin.
fn effect(input: &Input<'_>, output: &Column, numbers: &[(usize, f64)]) -> Chart {
    let dots = drawn(numbers).into_iter().map(|(run, y)| (input.numbers[run], y)).collect();
    let mut bins: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for &(run, y) in numbers {
        bins.entry(input.bins[run]).or_default().push(y);
    }
    let mut mean = MeanLine::default();
    for (bin, all) in bins {
        mean.add(input.middle(bin), &all);
    }
    let color = LIGHT.group(0);
    Chart {
        size: CHART,
        x: Axis::around(input.label.clone(), input.numbers.iter().copied()),
        y: Axis::around(output.name.clone(), numbers.iter().map(|(_, y)| *y)),
        series: vec![
            plain(LIGHT.edge, Shape::Points(dots)),
            plain(color, Shape::Band { lower: mean.lower, upper: mean.upper }),
            plain(color, Shape::Line(mean.line)),
        ],
    }
}

/// Returns a figure of a measure over time.
fn over_time(series: &TimeSeries) -> Figure {
    let name = &series.name;
    Figure {
        name: format!("{name} over time"),
        data: "series.csv",
        panels: vec![(String::new(), band_over_time(series))],
        caption: String::new(),
        description: format!(
            "{name} over time: the line is the mean of all runs, and the band its 95 % interval."
        ),
    }
}

/// Returns a chart of a measure over time.
fn band_over_time(series: &TimeSeries) -> Chart {
    let mut mean = MeanLine::default();
    for (&tick, values) in &series.values {
        mean.add(tick as f64, values);
    }
    let MeanLine { lower, line, upper } = mean;
    let color = LIGHT.group(0);
    Chart {
        size: CHART,
        x: Axis::around("tick".to_owned(), line.iter().map(|(x, _)| *x)),
        y: Axis::around(
            series.name.clone(),
            lower.iter().chain(&line).chain(&upper).map(|(_, y)| *y),
        ),
        series: vec![plain(color, Shape::Band { lower, upper }), plain(color, Shape::Line(line))],
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

    /// Caught: every third run had a dot, and every third run had the same seed.
    #[test]
    fn dots_are_drawn_from_all_seeds() {
        let runs: Vec<(usize, f64)> = (0..1200).map(|run| (run, 0.0)).collect();
        let dots = drawn(&runs);
        assert_eq!(dots.len(), MAX_DOTS);
        for divisor in [2, 3, 4] {
            for rest in 0..divisor {
                let count = dots.iter().filter(|(run, _)| run % divisor == rest).count();
                let expected = MAX_DOTS / divisor;
                assert!(count.abs_diff(expected) < expected / 4, "{count} of {expected}");
            }
        }
        assert_eq!(drawn(&runs[..MAX_DOTS]), runs[..MAX_DOTS]);
    }

    #[test]
    fn the_page_loads_nothing_and_escapes_names() {
        let page = SweepPage {
            title: "<b>".into(),
            notes: vec!["2 & 3".into()],
            source: FigureSource::default(),
            inputs: vec![column("a<", &["1", "2", "1", "2"]), column("b", &["x", "x", "y", "y"])],
            outputs: vec![column("out", &["1", "2", "", "4"])],
            series: vec![TimeSeries {
                name: "m".into(),
                values: [(0, vec![1.0]), (5, vec![2.0, 3.0])].into(),
            }],
            sensitivities: None,
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
