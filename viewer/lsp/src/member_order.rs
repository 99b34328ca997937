//! The order of members in completion: those that most of the shipped scripts use come first.
//!
//! A program has no shipped scripts, so `member_order.txt` has their members in this order. A test in `viewer/tests/it/lsp` writes it from the
//! scripts.

use super::rhai_text::Tokens;

/// The members that several shipped scripts use, the most frequent first: `me.vel`, `world.agent(` and, of all other values, `.count`. Those that
/// begin the value of a variable are there once more: `let me.neighbors(`.
const ORDER: &str = include_str!("member_order.txt");

/// Returns how a member is written in the order: behind `me` or `world`, or behind any other value. `value` has the names before the dot.
fn written(value: &[&str], name: &str, is_call: bool) -> String {
    let of = match value {
        ["me"] => "me",
        ["world"] => "world",
        _ => "",
    };
    format!("{of}.{name}{}", if is_call { "(" } else { "" })
}

/// Returns the place of a member among those that scripts use most; `None` if hardly any script uses it. `value` has the names before the
/// dot.
pub(super) fn place(value: &[&str], name: &str, is_call: bool) -> Option<usize> {
    let wanted = written(value, name, is_call);
    ORDER.lines().position(|line| line == wanted)
}

/// Returns the place of a member of `me` or `world` among those that scripts begin variables with.
pub(super) fn place_in_let(value: &[&str], name: &str, is_call: bool) -> Option<usize> {
    let wanted = format!("let {}", written(value, name, is_call));
    ORDER.lines().position(|line| line == wanted)
}

/// Returns the name of the variable whose value begins with the name before a dot. `None` if it is none.
pub(super) fn declared_variable<'t>(tokens: &Tokens<'t>, dot: usize) -> Option<&'t str> {
    let is_it = dot >= 4 && tokens.get(dot - 2) == "=" && tokens.get(dot - 4) == "let";
    is_it.then(|| tokens.get(dot - 3))
}

/// Returns whether the value that begins with the name before a dot may be a force: in `steer`, where a statement begins or a sum goes on.
pub(super) fn may_be_force(tokens: &Tokens<'_>, dot: usize) -> bool {
    let is_steer = |(name, end): &(usize, usize)| {
        tokens.get(*name) == "steer" && (*name..=*end).contains(&dot)
    };
    let begins = ["{", "}", ";", "return"].contains(&before(tokens, dot));
    (begins || is_in_sum(tokens, dot)) && tokens.functions().iter().any(is_steer)
}

/// Returns whether the value that begins with the name before a dot goes on with a sum or a product.
pub(super) fn is_in_sum(tokens: &Tokens<'_>, dot: usize) -> bool {
    ["+", "-", "*", "+=", "-="].contains(&before(tokens, dot))
}

/// Returns the token before the name before a dot.
fn before<'t>(tokens: &Tokens<'t>, dot: usize) -> &'t str {
    dot.checked_sub(2).map_or("", |index| tokens.get(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_is_likely_where_a_statement_begins_or_a_sum_goes_on() {
        let is_likely = |text: &str| {
            let tokens = Tokens::new(text);
            let dot = (0..tokens.all.len()).rfind(|index| tokens.get(*index) == ".").unwrap();
            may_be_force(&tokens, dot)
        };
        for text in [
            "me. }",
            "a; me. }",
            "return me. }",
            "f + me. }",
            "if a { b } 0.4 * me. }",
            "f += me. }",
        ] {
            assert!(is_likely(&format!("fn steer(me) {{ {text}")), "{text}");
            assert!(!is_likely(&format!("fn helper(me) {{ {text}")), "{text}");
        }
        for text in ["if me. }", "f(me. }", "let a = me. }", "a[me. }", "a < me. }"] {
            assert!(!is_likely(&format!("fn steer(me) {{ {text}")), "{text}");
        }
    }

    #[test]
    fn members_have_their_places_behind_what_they_belong_to() {
        assert!(place(&["me"], "vel", false) < place(&["me"], "contain", true));
        assert_eq!(place(&["me"], "vel", true), None);
        assert!(place(&["near"], "count", false) == place(&["other", "seen"], "count", false));
        assert_ne!(place(&["near"], "pos", false), place(&["me"], "pos", false));
    }
}
