//! The picture of a search.

use std::io::Write;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{FileKind, OutputFile};

use super::outcome::TuneOutcome;
use crate::chart::{Axis, Chart, Series, Shape};
use crate::draw::LIGHT;

const PICTURE: &str = "search.svg";

const KIND: FileKind =
    FileKind { name: "an SVG picture", beginnings: &[&[b"<svg"]], max_bytes: u64::MAX };

/// Checks that the picture can be written.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(PICTURE), KIND)
}

/// Writes the picture: for one goal, its value in each try; for several, the first two of them.
pub(super) fn write(folder: &Path, outcome: &TuneOutcome<'_>) -> Result<(), Diagnostic> {
    let path = folder.join(PICTURE);
    let mut file = OutputFile::create(&path, KIND)?;
    let written = file.write_all(chart(outcome).to_svg().as_bytes());
    written.map_err(|error| OutputFile::error(&path, &error))?;
    file.commit()
}

fn chart(outcome: &TuneOutcome<'_>) -> Chart {
    let is_single = outcome.goals().count() == 1;
    let mut tries = Vec::new();
    let mut best: Vec<(f64, f64)> = Vec::new();
    let is_lower_better = outcome.goals().any(|goal| is_single && goal.is_lower_better());
    for (number, one) in outcome.search.evaluations.iter().enumerate() {
        let values = outcome.values(&one.scores);
        if !is_single {
            if let [Some(x), Some(y), ..] = values[..] {
                tries.push((x, y));
            }
            continue;
        }
        let Some(value) = values[0] else {
            continue;
        };
        let x = number as f64;
        tries.push((x, value));
        let before = best.last().map(|(_, value)| *value);
        let is_better = |before: f64| if is_lower_better { value < before } else { value > before };
        match before {
            Some(before) if !is_better(before) => best.push((x, before)),
            Some(before) => best.extend([(x, before), (x, value)]),
            None => best.push((x, value)),
        }
    }
    let front = outcome.search.front().into_iter().filter_map(|index| {
        let values = outcome.values(&outcome.search.evaluations[index].scores);
        Some((values[0]?, (*values.get(1)?)?))
    });
    let (x, y) = if is_single {
        ("number of the try", "goal")
    } else {
        ("first goal", "second goal")
    };
    let shape = if is_single { Shape::Line(best) } else { Shape::Points(front.collect()) };
    Chart {
        x: axis(x, tries.iter().map(|(x, _)| *x)),
        y: axis(y, tries.iter().map(|(_, y)| *y)),
        series: vec![
            Series { name: "tries", color: LIGHT.path, shape: Shape::Points(tries) },
            Series { name: "best", color: LIGHT.group(0), shape },
        ],
    }
}

/// Returns an axis for some values, with about five ticks.
fn axis(label: &'static str, values: impl Iterator<Item = f64>) -> Axis {
    let ends = values.fold(None, |ends: Option<(f64, f64)>, x| {
        let (low, high) = ends.unwrap_or((x, x));
        Some((if x < low { x } else { low }, if x > high { x } else { high }))
    });
    let (low, high) = ends.unwrap_or((0.0, 1.0));
    let range = if high > low { high - low } else { 1.0 };
    let mut step = 1.0;
    while step > range / 4.0 {
        step /= 10.0;
    }
    while step * 10.0 <= range / 4.0 {
        step *= 10.0;
    }
    step *= [5.0, 2.0].into_iter().find(|times| step * times <= range / 4.0).unwrap_or(1.0);
    Axis { label, from: low, to: low + range, step }
}
