//! The picture of a search.

use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Goal, TuneOutcome};
use flockwork_engine::load::{FileKind, OutputFile};

use super::kept;
use crate::chart::{Axis, Chart, Series, Shape};
use crate::draw::LIGHT;
use crate::report::{FIGURE, Figure, FigureSource};

const PICTURE: &str = "search.svg";

/// The second beginning is that of older versions.
const KIND: FileKind = FileKind::new("an SVG picture", &[&[FIGURE.as_bytes()], &[b"<svg"]]);

/// Checks that the picture can be written.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(PICTURE), KIND)
}

/// Writes the picture: for one goal, its value in each try; for several, the first two of them.
pub(super) fn write(folder: &Path, outcome: &TuneOutcome<'_>) -> Result<(), Diagnostic> {
    let path = folder.join(PICTURE);
    let origin = kept::origin(outcome.tune);
    let (tries, seeds) = (outcome.search.evaluations.len(), outcome.tune.seeds().len());
    let source = FigureSource {
        short: format!("{tries} tries with {seeds} seeds, {}.", origin.short_caption()),
        long: origin.caption(),
    };
    let quantities: Vec<String> = outcome.goals().map(Goal::quantity).collect();
    let figure = Figure {
        name: "search".to_owned(),
        data: "evaluations.csv",
        panels: vec![(String::new(), chart(outcome))],
        caption: String::new(),
        description: match &quantities[..] {
            [one] => format!("{one} of each try of a tune, and the best so far."),
            all => format!("{} of each try of a tune, and the best.", all.join(", ")),
        },
    };
    OutputFile::create(&path, KIND)?.write_whole(figure.to_svg(&source))
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
    let mut quantities = outcome.goals().map(Goal::quantity);
    let x = if is_single {
        "number of the try".to_owned()
    } else {
        quantities.next().unwrap_or_default()
    };
    let y = quantities.next().unwrap_or_default();
    let shape = if is_single { Shape::Line(best) } else { Shape::Points(front.collect()) };
    Chart {
        size: (640.0, 400.0),
        x: Axis::around(x, tries.iter().map(|(x, _)| *x)),
        y: Axis::around(y, tries.iter().map(|(_, y)| *y)),
        series: vec![
            Series { name: "tries".to_owned(), color: LIGHT.path, shape: Shape::Points(tries) },
            Series { name: "best".to_owned(), color: LIGHT.group(0), shape },
        ],
    }
}
