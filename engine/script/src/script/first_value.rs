//! The fix of a value of an agent's state that is read before it is set: its first value, in `init`.

use std::sync::Arc;

use crate::diag::{Diagnostic, Fix, Remedy, Source};
use crate::tokens::{CodeTokens, Language, line_start};

/// Signs that stand behind a number.
const OF_NUMBERS: [&str; 14] =
    ["+=", "-=", "*=", "/=", "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "=="];

/// Adds the fix that sets a number to 0 in `init`. `offset` is that of its name behind `me.state.`.
pub(super) fn with_first_value(
    error: Diagnostic,
    source: &Arc<Source>,
    offset: usize,
) -> Diagnostic {
    match first_value(source, offset) {
        Some(fix) => error.remedy(Remedy::Change(fix)),
        None => error,
    }
}

fn first_value(source: &Arc<Source>, offset: usize) -> Option<Fix> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let at = code.all.partition_point(|token| token.span.start < offset);
    let (name, sign) = (code.get(at), code.get(at + 1));
    if !source.text[..offset].ends_with(".state.") || !OF_NUMBERS.contains(&sign) {
        return None;
    }
    let is_whole = code.get(at + 2).parse::<u32>().is_ok();
    let value = if is_whole { "0" } else { "0.0" };
    let function = |name: &str| {
        let mut heads = (1..code.all.len()).filter(|&index| code.before(index) == "fn");
        heads.find(|&index| code.get(index) == name)
    };
    let (place, new, parameter) = match function("init") {
        Some(init) => {
            let parameter = code.get(init + 2);
            let open = (init..code.all.len()).find(|&index| code.get(index) == "{")?;
            let place = code.all[open].span.end;
            (place, format!("\n    {parameter}.state.{name} = {value};"), parameter)
        }
        None => {
            let steer = function("steer")?;
            let parameter = code.get(steer + 2);
            let body = format!("{parameter}.state.{name} = {value};");
            let place = line_start(&source.text, code.all[steer].span.start);
            (place, format!("fn init({parameter}) {{\n    {body}\n}}\n\n"), parameter)
        }
    };
    let title = format!("Add `{parameter}.state.{name} = {value}` to `init`");
    Some(Fix::new(title, source, place..place, new))
}
