//! Messages about numbers that are written wrong, in scenarios and in scripts.

use std::ops::Range;
use std::sync::Arc;

use super::{Code, Diagnostic, Source};
use crate::tokens::{Language, TokenKind, code};

/// Returns a warning for each number of a text that begins with a 0 before another digit, such as `01`: often a slip for `0.1`.
pub fn leading_zeros(source: &Arc<Source>, language: Language) -> Vec<Diagnostic> {
    let numbers = code(&source.text, language).filter(|token| token.kind == TokenKind::Number);
    let warning = |span: Range<usize>| {
        let written = &source.text[span.clone()];
        let meant = without_leading_zero(written)?;
        let words: Vec<String> = meant.iter().map(|one| format!("`{one}`")).collect();
        let what = format!("`{written}` is {}: write {}", meant[0], words.join(", or "));
        let warning = Diagnostic::warning(what).at(source, span.clone());
        Some(meant.into_iter().fold(warning, |warning, one| {
            warning.fix(format!("Write `{one}`"), source, span.clone(), one)
        }))
    };
    numbers.filter_map(|token| warning(token.span)).collect()
}

/// Returns what may be meant by a number that begins with a 0 before another digit: first its value. `None` for other numbers.
fn without_leading_zero(number: &str) -> Option<Vec<String>> {
    let digits = number.trim_start_matches(['-', '+']);
    let sign = &number[..number.len() - digits.len()];
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_of_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    if !whole.starts_with('0')
        || whole.len() == 1
        || !is_of_digits(whole)
        || !is_of_digits(fraction)
    {
        return None;
    }
    let least = whole.trim_start_matches('0');
    let zero = if least.is_empty() { "0" } else { "" };
    let value = format!("{sign}{zero}{least}{}", &digits[whole.len()..]);
    let is_decimal = !digits.contains('.') && !least.is_empty();
    let decimal = is_decimal.then(|| format!("{sign}0.{}", &whole[1..]));
    Some([value].into_iter().chain(decimal).collect())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_leading_zero_gets_its_value_and_the_decimal() {
        let meant = |number| without_leading_zero(number).unwrap_or_default();
        assert_eq!(meant("01"), ["1", "0.1"]);
        assert_eq!(meant("-005"), ["-5", "-0.05"]);
        assert_eq!(meant("01.5"), ["1.5"]);
        assert_eq!(meant("00.5"), ["0.5"]);
        assert_eq!(meant("00"), ["0"]);
        for right in ["0", "10", "0.1", "-0.01", "0x01", "0b01", "1e05", "0."] {
            assert_eq!(without_leading_zero(right), None, "{right}");
        }
        let source = Source::new("a.rhai", "let a01 = 01; // 02\nlet b = \"03\";");
        let all = leading_zeros(&source, Language::Rhai);
        let [warning] = &all[..] else { panic!("{all:?}") };
        assert_eq!(warning.message, "`01` is 1: write `1`, or `0.1`");
        let fixes: Vec<String> = warning.repairs().into_iter().map(|fix| fix.text).collect();
        assert_eq!(fixes, ["1", "0.1"]);
    }
}
