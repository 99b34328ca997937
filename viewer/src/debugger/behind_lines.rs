//! What stands behind the lines of a script that ran in a turn.

use std::path::Path;

use flockwork_engine::load;
use flockwork_lsp::{SharedValue, line_values};

use super::travel::Travel;

/// Returns the numbers of the lines of a script, each with the values that it computed when it ran last in a function that runs where the
/// debugger stands, and what the line at which it stands compares.
pub(super) fn behind_lines(travel: &Travel, script: &Path, frame: usize) -> Vec<(usize, String)> {
    let found = travel.place().and_then(|(turn, at)| turn.last_values(at, frame));
    let Some((source, values)) = found else { return Vec::new() };
    if load::real_path(Path::new(&source.name)) != load::real_path(script) {
        return Vec::new();
    }
    let values: Vec<SharedValue> = values.into_iter().map(SharedValue::from).collect();
    let all = line_values(&source.text, &values).into_iter();
    all.map(|one| (source.line_column(one.end).0, one.words)).collect()
}
