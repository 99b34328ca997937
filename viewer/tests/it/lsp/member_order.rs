//! The order in which completion offers members: the file with it is what the shipped scripts use, the most frequent first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use flockwork_engine::load::{ScriptsFolder, read};
use flockwork_engine::script::{Library, reference};
use flockwork_engine::tokens::{Language, tokens};
use snapbox::{Assert, Data};

/// A member that fewer scripts use is a matter of chance.
const MIN_SCRIPTS: usize = 2;

/// The same for a member that begins the value of a variable, which comes before all others.
const MIN_IN_LET: usize = 3;

/// Returns the members that a script uses, as the order has them.
fn members(text: &str, known: &BTreeSet<&str>) -> BTreeSet<String> {
    let all: Vec<&str> = tokens(text, Language::Rhai)
        .filter(|token| !token.is_comment())
        .map(|token| &text[token.span])
        .collect();
    let is_dot = |index: usize| matches!(all[index], "." | "?.");
    let member = |index: usize| {
        let name = all[index];
        if !(is_dot(index - 1) && known.contains(name)) {
            return None;
        }
        let is_first = index < 3 || !is_dot(index - 3);
        let of = match all[index - 2] {
            value @ ("me" | "world") if is_first => value,
            // Names that scenarios and scripts give.
            "params" | "state" | "inputs" | "shared" => return None,
            _ => "",
        };
        let bracket = all.get(index + 1).filter(|next| **next == "(").unwrap_or(&"");
        let is_let = index >= 5 && all[index - 3] == "=" && all[index - 5] == "let";
        let written = format!("{of}.{name}{bracket}");
        let in_let = (is_let && !of.is_empty()).then(|| format!("let {written}"));
        Some([written].into_iter().chain(in_let))
    };
    (2..all.len()).filter_map(member).flatten().collect()
}

#[test]
fn the_order_of_members_is_that_of_the_shipped_scripts() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = ScriptsFolder::of_scenario(&viewer.join("../scenarios/flock.ron"));
    let all = reference();
    let receivers = all.iter().filter(|entry| entry.receiver.is_some());
    let known: BTreeSet<&str> = receivers.flat_map(|entry| entry.names.clone()).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in folder.names() {
        let script = read(&folder.path_of(&name).unwrap()).unwrap();
        for member in members(&script.text, &known) {
            *counts.entry(member).or_default() += 1;
        }
    }
    assert!(counts.len() > 50, "the shipped scripts are missing: {counts:?}");
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.retain(|(member, count)| {
        *count >= if member.starts_with("let ") { MIN_IN_LET } else { MIN_SCRIPTS }
    });
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut order = String::new();
    for (member, _) in counts {
        let _ = writeln!(order, "{member}");
    }
    let file = Data::read_from(&viewer.join("lsp/src/member_order.txt"), None).raw();
    Assert::new().action_env("SNAPSHOTS").eq(order, file);
}

#[test]
fn members_are_counted_behind_what_they_belong_to() {
    let known = ["pos", "count", "agent"].into();
    let text =
        "fn steer(me) { me.pos; me.params.count; near.count(1); let a = world.agent(3).pos; }";
    let found: Vec<String> = members(text, &known).into_iter().collect();
    assert_eq!(found, [".count(", ".pos", "let world.agent(", "me.pos", "world.agent("]);
}
