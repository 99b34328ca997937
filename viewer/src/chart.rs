//! Charts as SVG: two axes with ticks, and bands, lines and points between them.
//!
//! The text is the same on every machine if the numbers are.

use std::fmt::Write;

use crate::draw::{Color, LIGHT};
use crate::report::escape;
use crate::ticks;

/// Space for labels, in pixels: left, right, above and below the area between the axes.
const MARGINS: [f64; 4] = [60.0, 16.0, 16.0, 52.0];
/// Height of a line of text, in pixels.
const LINE: f64 = 20.0;
/// Size of letters, in pixels: the usual one, and the smallest one for long labels.
const LETTERS: [f64; 2] = [14.0, 9.0];
/// Width of a usual letter, relative to the size of letters.
pub(crate) const LETTER: f64 = 0.55;

/// An axis with ticks at multiples of a step.
pub(crate) struct Axis {
    /// The name of its values, with the unit.
    pub label: String,
    /// The value at its beginning.
    pub from: f64,
    /// The value at its end, more than `from`.
    pub to: f64,
    /// The difference between two ticks.
    pub step: f64,
}

impl Axis {
    /// Returns an axis that shows all these numbers, with about five ticks.
    pub(crate) fn around(label: String, numbers: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            if number < low {
                low = number;
            }
            if number > high {
                high = number;
            }
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        } else if high - low <= 1e-9 * (low.abs() + high.abs()) {
            let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
            (low, high) = (low - half, high + half);
        }
        let range = high - low;
        Self {
            label,
            from: low - 0.04 * range,
            to: high + 0.04 * range,
            step: ticks::round_step(range / 5.0),
        }
    }

    /// Returns where a value is, from 0 at the beginning to 1 at the end.
    fn place(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// Returns the values that have a tick.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        ticks::multiples(self.step, self.from, self.to)
    }
}

/// Returns a label as it fits into a space: with smaller letters, and at last without its end. And the attribute with their size,
/// if it is not the usual one.
fn fitted(label: &str, room: f64) -> (String, String) {
    let count = label.chars().count().max(1);
    let [usual, least] = LETTERS;
    let size = room / (LETTER * count as f64);
    if size >= usual {
        return (escape(label), String::new());
    }
    if size >= least {
        return (escape(label), format!(" font-size=\"{size:.1}\""));
    }
    let most = (room / (LETTER * least)) as usize;
    let cut: String = label.chars().take(most.saturating_sub(1)).collect();
    (escape(&format!("{cut}…")), format!(" font-size=\"{least}\""))
}

/// How values are drawn.
pub(crate) enum Shape {
    /// The area between two lines, each given by its points (x, y).
    Band { lower: Vec<(f64, f64)>, upper: Vec<(f64, f64)> },
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// A dot at each point.
    Points(Vec<(f64, f64)>),
    /// Rectangles, each with two opposite corners and a color.
    Cells(Vec<([(f64, f64); 2], Color)>),
}

/// Values with a name and a color.
pub(crate) struct Series {
    /// The name in the legend; empty for none.
    pub name: String,
    pub color: Color,
    pub shape: Shape,
}

/// A chart. Later series are drawn over earlier ones. Points beyond the axes are not shown.
pub(crate) struct Chart {
    /// Width and height, in pixels.
    pub size: (f64, f64),
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

impl Chart {
    /// Returns the chart as an SVG document.
    pub(crate) fn to_svg(&self) -> String {
        let (width, height) = self.size;
        let [left, right, above, below] = MARGINS;
        let (right, bottom) = (width - right, height - below);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"14\" fill=\"{ink}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>\n\
             <clipPath id=\"area-{width}\"><rect x=\"{left}\" y=\"{above}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            right - left,
            bottom - above,
            ink = LIGHT.ink.css(),
            ground = LIGHT.ground.css(),
        );
        self.write_axes(&mut svg);
        push(&mut svg, format_args!("<g clip-path=\"url(#area-{width})\">"));
        for series in &self.series {
            self.write_series(&mut svg, series);
        }
        svg.push_str("</g>\n");
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        for (index, series) in named.enumerate() {
            let y = above + LINE * (index as f64 + 0.9);
            let sample = match series.shape {
                Shape::Band { .. } => band("M0,-9h24v9h-24z", series.color),
                Shape::Line(_) => line("M0,-5h24", series.color),
                Shape::Points(_) | Shape::Cells(_) => dot((12.0, -5.0), series.color),
            };
            let x = right - 210.0;
            let name = escape(&series.name);
            push(
                &mut svg,
                format_args!(
                    "<g transform=\"translate({x:.1},{y:.1})\">{sample}<text x=\"32\">{name}</text></g>"
                ),
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Returns the position of a point of the chart in the picture, in pixels.
    fn position(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (width, height) = self.size;
        let [left, right, above, below] = MARGINS;
        let (bottom, top) = (height - below, above);
        let x = left + self.x.place(x) * (width - right - left);
        (x, bottom + self.y.place(y) * (top - bottom))
    }

    /// Writes a grid line and a number for each tick, and the labels of the axes.
    fn write_axes(&self, svg: &mut String) {
        let (from, to) =
            (self.position((self.x.from, self.y.from)), self.position((self.x.to, self.y.to)));
        let line = LIGHT.band.css();
        for value in self.x.ticks() {
            let (x, _) = self.position((value, self.y.from));
            let (y, text) = (from.1 + LINE, ticks::text(self.x.step, value));
            push(
                svg,
                format_args!(
                    "<path d=\"M{x:.1},{:.1}V{:.1}\" stroke=\"{line}\"/><text x=\"{x:.1}\" y=\"{y:.1}\" \
                 text-anchor=\"middle\">{text}</text>",
                    from.1, to.1
                ),
            );
        }
        for value in self.y.ticks() {
            let (_, y) = self.position((self.x.from, value));
            let (x, baseline, text) = (from.0 - 8.0, y + 5.0, ticks::text(self.y.step, value));
            push(
                svg,
                format_args!(
                    "<path d=\"M{:.1},{y:.1}H{:.1}\" stroke=\"{line}\"/><text x=\"{x:.1}\" y=\"{baseline:.1}\" \
                 text-anchor=\"end\">{text}</text>",
                    from.0, to.0
                ),
            );
        }
        let (x, y) = (0.5 * (from.0 + to.0), from.1 + 2.2 * LINE);
        let (label, letters) = fitted(&self.x.label, self.size.0);
        push(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\"{letters} text-anchor=\"middle\">{label}</text>"
            ),
        );
        let y = 0.5 * (from.1 + to.1);
        let (label, letters) = fitted(&self.y.label, self.size.1);
        push(
            svg,
            format_args!(
                "<text transform=\"translate(14,{y:.1}) rotate(-90)\"{letters} text-anchor=\"middle\">{label}</text>"
            ),
        );
    }

    fn write_series(&self, svg: &mut String, series: &Series) {
        match &series.shape {
            Shape::Band { lower, upper } => {
                let outline: Vec<_> = lower.iter().chain(upper.iter().rev()).copied().collect();
                push(svg, format_args!("{}", band(&(self.way(&outline) + "z"), series.color)));
            }
            Shape::Line(points) => {
                push(svg, format_args!("{}", line(&self.way(points), series.color)));
            }
            Shape::Points(points) => {
                for &point in points {
                    push(svg, format_args!("{}", dot(self.position(point), series.color)));
                }
            }
            Shape::Cells(cells) => {
                for &([from, to], color) in cells {
                    let ((left, bottom), (right, top)) = (self.position(from), self.position(to));
                    let (width, height, color) = (right - left, bottom - top, color.css());
                    push(
                        svg,
                        format_args!(
                            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>"
                        ),
                    );
                }
            }
        }
    }

    /// Returns a way through points in the syntax of SVG.
    fn way(&self, points: &[(f64, f64)]) -> String {
        let mut way = String::new();
        for (index, &point) in points.iter().enumerate() {
            let (x, y) = self.position(point);
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(way, "{letter}{x:.1},{y:.1}");
        }
        way
    }
}

/// Appends a line.
fn push(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(svg, "{line}");
}

fn band(way: &str, color: Color) -> String {
    format!("<path d=\"{way}\" fill=\"{}\" fill-opacity=\"0.2\"/>", color.css())
}

fn line(way: &str, color: Color) -> String {
    format!("<path d=\"{way}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>", color.css())
}

fn dot((x, y): (f64, f64), color: Color) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\"/>", color.css())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use flockwork_engine::trace::Measures;
    use flockwork_engine::world::GroupId;
    use flockwork_engine::{Options, Run, math};

    use super::*;

    fn axis(from: f64, to: f64, step: f64) -> Axis {
        Axis { label: "a < b".into(), from, to, step }
    }

    #[test]
    fn long_texts_fit() {
        assert_eq!(fitted("a < b", 400.0), ("a &lt; b".into(), String::new()));
        let (label, letters) = fitted(&"x".repeat(60), 400.0);
        assert_eq!((label.len(), letters.as_str()), (60, " font-size=\"12.1\""));
        let (label, letters) = fitted(&"x".repeat(200), 400.0);
        assert!(label.ends_with('…') && label.chars().count() <= 80, "{label}");
        assert_eq!(letters, " font-size=\"9\"");
    }

    #[test]
    fn axes_go_right_and_up_and_texts_are_escaped() {
        let (x, y) = (axis(0.0, 2.0, 1.0), axis(10.0, 20.0, 5.0));
        let chart = Chart { size: (640.0, 400.0), x, y, series: Vec::new() };
        let (from, to) = (chart.position((0.0, 10.0)), chart.position((2.0, 20.0)));
        assert_eq!((from, to), ((60.0, 348.0), (624.0, 16.0)));
        let svg = chart.to_svg();
        assert_eq!(svg.matches("a &lt; b").count(), 2);
    }

    /// Returns the speed in a crowd of a density after Weidmann (1993), in m/s.
    fn weidmann(density: f64) -> f64 {
        1.34 * (1.0 - f64::from(math::exp((-1.913 * (1.0 / density - 1.0 / 5.4)) as f32)))
    }

    /// Returns density and mean speed of each corridor of the scenario, from the tenth second on.
    fn measured() -> Vec<(f64, f64)> {
        let scenarios = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios"));
        let path = scenarios.join("rimea/04_fundamental_diagram.ron");
        let mut run = Run::open(&path, &Options::default()).unwrap();
        let groups = run.simulation().world().groups.len();
        let mut sums = vec![(0.0, 0.0); groups];
        let mut ticks = 0.0;
        while run.tick() < run.ticks() {
            run.step().unwrap();
            if run.tick() >= 100 {
                ticks += 1.0;
                for (id, sum) in (0..).map(GroupId).zip(&mut sums) {
                    let measures = Measures::of(run.simulation().world(), id).unwrap();
                    sum.0 = measures.agents as f64 / 40.0;
                    sum.1 += f64::from(measures.mean_speed);
                }
            }
        }
        sums.into_iter().map(|(density, sum)| (density, sum / ticks)).collect()
    }

    /// The picture on the page "Validation". `SNAPSHOTS=overwrite` draws it again.
    #[test]
    fn the_fundamental_diagram_is_what_the_scenario_gives() {
        let curve = |offset: f64| {
            let densities = (8..=108).map(|n| f64::from(n) * 0.05);
            densities.map(|density| (density, weidmann(density) + offset)).collect()
        };
        let (gray, blue) = (LIGHT.quiet, LIGHT.group(0));
        let band = Shape::Band { lower: curve(-0.1), upper: curve(0.1) };
        let chart = Chart {
            size: (640.0, 400.0),
            x: Axis { label: "people per m²".into(), from: 0.0, to: 5.5, step: 1.0 },
            y: Axis { label: "mean speed in m/s".into(), from: 0.0, to: 1.5, step: 0.25 },
            series: vec![
                Series { name: "expected: within 0.1 m/s".into(), color: gray, shape: band },
                Series {
                    name: "Weidmann (1993)".into(),
                    color: gray,
                    shape: Shape::Line(curve(0.0)),
                },
                Series { name: "Flockwork".into(), color: blue, shape: Shape::Points(measured()) },
            ],
        };
        let picture = snapbox::file!["../pictures/fundamental_diagram.svg"].raw();
        snapbox::assert_data_eq!(chart.to_svg(), picture);
    }

    /// Returns the width of each door and the median flow over the runs of a crowd model, in people per m and s, from the table
    /// of `scenarios/validation/doors.plan.ron`. A door where somebody stayed inside in a run has none.
    fn flows(table: &str, model: &str) -> Vec<(f64, f64)> {
        let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let column = |name: &str| header.iter().position(|&other| other == name).unwrap();
        let runs: Vec<_> =
            lines.filter(|run| run[column("params.model")].contains(model)).collect();
        assert_eq!(runs.len(), 6, "{model}");
        let flow = |width: &str| {
            let time = |run: &[&str], measure: &str| -> f64 {
                run[column(&format!("{width}.state.left.{measure}"))].parse().unwrap()
            };
            let width: f64 = width.parse().unwrap();
            if runs.iter().any(|run| time(run, "min") < 0.0) {
                return None;
            }
            let seconds = |run: &Vec<&str>| 2.0 * (time(run, "max") - time(run, "mean"));
            let mut flows: Vec<_> = runs.iter().map(|run| 80.0 / seconds(run) / width).collect();
            flows.sort_by(f64::total_cmp);
            Some((width, f64::midpoint(flows[2], flows[3])))
        };
        ["0.8", "1.0", "1.2", "1.4", "1.6"].into_iter().filter_map(flow).collect()
    }

    /// The second picture on that page. Copy the `runs.csv` of the sweep to the table beside it, and draw it again in the same way.
    #[test]
    fn the_flow_through_doors_is_what_the_sweep_gives() {
        let table = include_str!("../pictures/flow_through_doors.csv");
        let level = |flow: f64| vec![(0.7, flow), (1.7, flow)];
        let band = Shape::Band { lower: level(1.0), upper: level(1.9) };
        let mut series = vec![Series { name: "expected".into(), color: LIGHT.quiet, shape: band }];
        let models = [
            "headway",
            "collision_free_speed",
            "least_detour",
            "social_force",
            "orca",
            "anticipate",
            "anticipation_velocity",
        ];
        for (index, model) in models.into_iter().enumerate() {
            let (color, flows) = (LIGHT.group(index), flows(table, model));
            series.push(Series { name: model.into(), color, shape: Shape::Line(flows.clone()) });
            series.push(Series { name: String::new(), color, shape: Shape::Points(flows) });
        }
        let chart = Chart {
            size: (640.0, 400.0),
            x: Axis { label: "width of the door in m".into(), from: 0.7, to: 1.7, step: 0.2 },
            y: Axis { label: "people per m and s".into(), from: 0.0, to: 4.0, step: 0.5 },
            series,
        };
        let picture = snapbox::file!["../pictures/flow_through_doors.svg"].raw();
        snapbox::assert_data_eq!(chart.to_svg(), picture);
    }
}
