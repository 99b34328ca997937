//! The order of members in completion: those that most of the shipped scripts use come first.
//!
//! A program has no shipped scripts, so `member_order.txt` has their members in this order. A test in `viewer/tests/it/lsp` writes it from the
//! scripts.

/// The members that several shipped scripts use, the most frequent first: `me.vel`, `world.agent(` and, of all other values, `.count`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_their_places_behind_what_they_belong_to() {
        assert!(place(&["me"], "vel", false) < place(&["me"], "contain", true));
        assert_eq!(place(&["me"], "vel", true), None);
        assert!(place(&["near"], "count", false) == place(&["other", "seen"], "count", false));
        assert_ne!(place(&["near"], "pos", false), place(&["me"], "pos", false));
    }
}
