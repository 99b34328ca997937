//! What `check` would say of an expression in a script: conditions and expressions of a debugger have the messages that the script would have.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::Severity;
use flockwork_engine::load::{OpenFiles, read};
use flockwork_engine::runner::check_open;
use flockwork_engine::script::check_syntax;

/// Words of errors that an expression may have in one turn, and not in another one.
const DIFFERS: [&str; 2] = ["`()`", "is read before it is set"];

/// Returns what is wrong with an expression if it is computed before a line of a script, whenever that is. `None` if it is right, if only
/// some agents have no value for it, or if nothing can be computed there.
pub(super) fn mistake(scenario: &Path, script: &Path, line: usize, text: &str) -> Option<String> {
    let own = read(script).ok()?;
    let start = own.text.match_indices('\n').map(|(at, _)| at + 1).nth(line.checked_sub(2)?)?;
    let head = format!("{}let _value = (", &own.text[..start]);
    let with_text = format!("{head}{text}); {}", &own.text[start..]);
    let mut open = OpenFiles::default();
    let changed = open.open(script, &with_text);
    // A statement goes on in this line, or the script itself is wrong.
    check_syntax(&changed).ok()?;
    let found = check_open(scenario, &Arc::new(open)).findings;
    let span = head.len()..head.len() + text.len();
    let error = found.iter().find(|found| {
        let place = found.place.as_ref().filter(|place| place.source.text == changed.text);
        let is_inside =
            place.is_some_and(|place| span.start <= place.span.start && place.span.end <= span.end);
        let may_change = DIFFERS.iter().any(|words| found.message.contains(words));
        found.severity == Severity::Error && is_inside && !may_change
    });
    error.map(|error| error.in_one_line())
}
