//! Messages about numbers that are written wrong, in scenarios and in scripts.

use super::{Code, Diagnostic};

/// Returns the error of a number with several decimal points, such as `2.9.3`. `None` if it is no such number.
pub fn decimal_points(number: &str) -> Option<Diagnostic> {
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    let is_number = digits
        .split('.')
        .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '_'));
    let count = match digits.matches('.').count() {
        0 | 1 => return None,
        2 => "two".to_owned(),
        count => count.to_string(),
    };
    is_number.then(|| {
        Diagnostic::error(format!("`{number}` has {count} decimal points"))
            .code(Code::Syntax)
            .help("a number has one decimal point, as in `2.5`")
    })
}
