//! The order of members in completion: those that most of the shipped scripts use come first.
//!
//! A program has no shipped scripts, so `member_order.txt` has their members in this order. A test writes it from the scripts.

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
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::path::Path;

    use flockwork_engine::load::{OutputFile, ScriptsFolder, read};
    use flockwork_engine::script::{Library, reference};

    use super::super::rhai_text::Tokens;
    use super::*;

    /// A member that fewer scripts use is a matter of chance.
    const MIN_SCRIPTS: usize = 2;

    /// Returns the members that a script uses, as the order has them.
    fn members(text: &str, known: &BTreeSet<&str>) -> BTreeSet<String> {
        let tokens = Tokens::new(text);
        let is_member = |&index: &usize| {
            index > 0 && tokens.is_dot(index - 1) && known.contains(tokens.get(index))
        };
        let member = |index: usize| {
            let value = tokens.before_dot(index - 1).map(|value| tokens.path(value));
            let value = value.unwrap_or_default();
            // Names that scenarios and scripts give.
            let is_given = matches!(value[..], [.., "params" | "state" | "inputs" | "shared"]);
            let is_call = tokens.get(index + 1) == "(";
            (!is_given).then(|| written(&value, tokens.get(index), is_call))
        };
        (0..tokens.all.len()).filter(is_member).filter_map(member).collect()
    }

    #[test]
    fn the_order_is_that_of_the_shipped_scripts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = ScriptsFolder::of_scenario(&root.join("scenarios/flock.ron"));
        let all = reference();
        let receivers = all.iter().filter(|entry| entry.receiver.is_some());
        let known: BTreeSet<&str> = receivers.flat_map(|entry| entry.names.clone()).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for name in folder.names() {
            let path = folder.path_of(&name).expect("a name of the folder");
            let script = read(&path).expect("a script");
            for member in members(&script.text, &known) {
                *counts.entry(member).or_default() += 1;
            }
        }
        assert!(!counts.is_empty(), "there are no scripts in {}", root.display());
        let mut counts: Vec<_> =
            counts.into_iter().filter(|(_, count)| *count >= MIN_SCRIPTS).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut expected = String::new();
        for (member, _) in counts {
            let _ = writeln!(expected, "{member}");
        }
        if std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/member_order.txt");
            let old = read(&file).expect("the order before");
            let new = OutputFile::rewrite(&file, old).and_then(|to| to.write_whole(&expected));
            new.expect("the order is written");
            return;
        }
        assert_eq!(ORDER, expected, "SNAPSHOTS=overwrite writes viewer/lsp/src/member_order.txt");
    }

    #[test]
    fn members_are_counted_behind_what_they_belong_to() {
        let known = ["pos", "count", "agent"].into();
        let text = "fn steer(me) { me.pos; me.params.count; near.count(1); world.agent(3).pos; }";
        let found: Vec<String> = members(text, &known).into_iter().collect();
        assert_eq!(found, [".count(", ".pos", "me.pos", "world.agent("]);
        assert!(place(&["me"], "vel", false) < place(&["me"], "contain", true));
        assert_eq!(place(&["me"], "vel", true), None);
    }
}
