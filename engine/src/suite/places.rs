//! Finds the places of an old script again in its new text.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::RecordingLibrary;
use crate::diag::{Place, Source};
use crate::tokens::{Language, code, line_start};

/// Where the words and signs of old scripts are in the new ones, by the name of the old text.
#[derive(Debug, Default)]
pub(super) struct PlaceMap {
    scripts: BTreeMap<String, ScriptMap>,
}

/// Where the words and signs of one script are.
#[derive(Debug, Default)]
struct ScriptMap {
    /// The name of the new text.
    name: String,
    /// The new offset of each old offset, for words that both versions have.
    new: BTreeMap<usize, usize>,
    /// The old offset of each of these new ones.
    old: BTreeMap<usize, usize>,
}

impl PlaceMap {
    /// Compares old scripts with new ones that have the same name. A script without one is compared with the most similar of the new
    /// scripts that had no version of their name: it was renamed.
    pub(super) fn between(old: &RecordingLibrary<'_>, new: &RecordingLibrary<'_>) -> Self {
        let (old, new) = (old.scripts(), new.scripts());
        let mut added: Vec<&Arc<Source>> =
            new.iter().filter(|(name, _)| !old.contains_key(*name)).map(|(_, new)| new).collect();
        let mut scripts = BTreeMap::new();
        for (name, old) in &old {
            let map = match new.get(name) {
                Some(new) => Some(ScriptMap::between(old, new)),
                None => {
                    let maps = added.iter().map(|new| ScriptMap::between(old, new)).enumerate();
                    let best = maps.max_by_key(|(index, map)| (map.new.len(), Reverse(*index)));
                    best.filter(|(_, map)| map.keeps_most(old)).map(|(index, map)| {
                        added.remove(index);
                        map
                    })
                }
            };
            scripts.extend(map.map(|map| (old.name.clone(), map)));
        }
        Self { scripts }
    }

    /// Returns whether two places are the same one before and after the change of their script. They may also be the same
    /// if each exists in its own version only: then one was replaced by the other.
    pub(super) fn may_be_same(&self, old: &Place, new: &Place) -> bool {
        let script = self.scripts.get(&old.source.name);
        let Some(script) = script.filter(|script| script.name == new.source.name) else {
            return false;
        };
        match script.new.get(&old.span.start) {
            Some(&is) => is == new.span.start,
            None => !script.old.contains_key(&new.span.start),
        }
    }

    /// Returns whether neither of two places has a counterpart in the other version, so that a call may have moved from one
    /// to the other, also to another script.
    pub(super) fn may_have_moved(&self, old: &Place, new: &Place) -> bool {
        let kept = self.scripts.get(&old.source.name);
        let mut origins = self.scripts.values().filter(|script| script.name == new.source.name);
        kept.is_none_or(|script| !script.new.contains_key(&old.span.start))
            && !origins.any(|script| script.old.contains_key(&new.span.start))
    }
}

impl ScriptMap {
    /// Returns whether more than half of the words and signs of an old script are in the new one.
    fn keeps_most(&self, old: &Source) -> bool {
        2 * self.new.len() > spans(old).len()
    }

    fn between(old: &Source, new: &Source) -> Self {
        let (old_spans, new_spans) = (spans(old), spans(new));
        let (was, is) = (words(old), words(new));
        let mut map = Self { name: new.name.clone(), ..Self::default() };
        for change in capture_diff_slices(Algorithm::Patience, &was, &is) {
            let DiffOp::Equal { old_index, new_index, len } = change else { continue };
            for i in 0..len {
                let (old, new) = (old_spans[old_index + i].start, new_spans[new_index + i].start);
                map.new.insert(old, new);
                map.old.insert(new, old);
            }
        }
        map
    }
}

/// Returns the first line of a text whose code differs from that of the old text; where code is missing, the line before it. `None` if
/// nothing differs.
pub(super) fn first_change(old: &Source, new: &Arc<Source>) -> Option<Place> {
    if old.text == new.text {
        return None;
    }
    let all = [words(old), words(new)];
    let changes = capture_diff_slices(Algorithm::Patience, &all[0], &all[1]);
    let at = changes.into_iter().find_map(|change| match change {
        DiffOp::Equal { .. } => None,
        DiffOp::Delete { new_index, .. } => Some(new_index.saturating_sub(1)),
        DiffOp::Insert { new_index, .. } | DiffOp::Replace { new_index, .. } => Some(new_index),
    });
    let start = at.and_then(|at| Some(spans(new).get(at)?.start)).unwrap_or(0);
    let start = line_start(&new.text, start);
    let span = start..start + new.line_at(start).len();
    Some(Place { source: Arc::clone(new), span })
}

/// Returns the line of a script where the turn of an agent begins, without a comment; in a script without turns, the first line of code.
pub(super) fn turn_line(source: &Arc<Source>) -> Option<Place> {
    let spans = spans(source);
    let is_turn = |pair: &&[Range<usize>]| {
        (&source.text[pair[0].clone()], &source.text[pair[1].clone()]) == ("fn", "steer")
    };
    let start = spans.windows(2).find(is_turn).map_or(spans.first(), |pair| pair.first())?.start;
    let line = code(source.line_at(start), Language::Rhai).last()?.span.end;
    let span = start..line_start(&source.text, start) + line;
    Some(Place { source: Arc::clone(source), span })
}

/// Returns the words and signs of a script.
fn words(source: &Source) -> Vec<String> {
    spans(source).into_iter().map(|span| source.text[span].to_owned()).collect()
}

fn spans(source: &Source) -> Vec<Range<usize>> {
    code(&source.text, Language::Rhai).map(|token| token.span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Library as _, Scripts};

    fn place(text: &str, word: &str, which: usize) -> Place {
        let source = Source::new("a", text.to_owned());
        let at = text.match_indices(word).nth(which).expect("the word is there").0;
        Place { source, span: at..at + word.len() }
    }

    #[test]
    fn a_place_is_found_again_after_a_change_elsewhere() {
        let (old, new) = ("seek(1)\nif 2 > 1 {\nseek(3)", "flee(5)\nseek(1)\nif 4 > 1 {\nseek(3)");
        let [first, second] = [0, 1].map(|which| place(old, "seek", which));
        let [new_first, new_second] = [0, 1].map(|which| place(new, "seek", which));
        let scripts = [old, new].map(|text| Scripts::new().with("a", text));
        let [was, is] = [0, 1].map(|which| RecordingLibrary::new(&scripts[which]));
        was.read("a").and(is.read("a")).expect("the scripts are there");
        let map = PlaceMap::between(&was, &is);
        assert!(map.may_be_same(&first, &new_first));
        assert!(map.may_be_same(&second, &new_second));
        assert!(!map.may_be_same(&first, &new_second));
        assert!(!map.may_be_same(&second, &new_first));
        assert!(!map.may_be_same(&first, &place(new, "flee", 0)));
        assert!(map.may_be_same(&place(old, "2", 0), &place(new, "4", 0)));
    }

    #[test]
    fn the_first_change_is_a_line_of_the_new_text() {
        let first = |old: &str, new: &str| {
            let new = Source::new("a", new.to_owned());
            first_change(&Source::new("a", old.to_owned()), &new)
                .map(|place| (place.to_string(), place.text().to_owned()))
        };
        assert_eq!(first("a\nb\n", "a\nb\n"), None);
        let found = |at: &str, line: &str| Some((at.to_owned(), line.to_owned()));
        assert_eq!(first("a\nb\nc\n", "a\nB\nc\n"), found("a:2:1", "B"));
        // Where something is missing, the line before.
        assert_eq!(first("a\nb\nc\n", "a\nc\n"), found("a:1:1", "a"));
        assert_eq!(first("a\nb\n", "a\n"), found("a:1:1", "a"));
        // A comment changes nothing.
        assert_eq!(first("a\nb\nc\n", "// x\na\nb\n"), found("a:3:1", "b"));
        assert_eq!(first("a\n", "// x\na\n"), found("a:1:1", "// x"));
    }

    #[test]
    fn a_turn_begins_at_its_function() {
        let line = |text: &str| {
            let place = turn_line(&Source::new("a", text.to_owned()))?;
            Some((place.to_string(), place.text().to_owned()))
        };
        let found = |at: &str, line: &str| Some((at.to_owned(), line.to_owned()));
        let text = "// fn steer\nfn a() {}\nfn steer(me) { // goes\n    a()\n}\n";
        assert_eq!(line(text), found("a:3:1", "fn steer(me) {"));
        assert_eq!(line("// judges\nfn expect(world) {}\n"), found("a:2:1", "fn expect(world) {}"));
        assert_eq!(line("// nothing\n"), None);
    }

    /// Caught: after a script had been renamed, all of its calls were new ones.
    #[test]
    fn a_renamed_script_is_the_most_similar_one() {
        let (crowd, other) = ("me.seek(1) + 1.5 * me.flee(2)", "fn two() { 1 + 2 * 3 - 4 * 5 }");
        let old = Scripts::new().with("crowd", crowd).with("other", other);
        let people = "me.seek(1) + 1.6 * me.flee(2)";
        let new =
            Scripts::new().with("people", people).with("another", "fn three() { me.seek(1) }");
        let (was, is) = (RecordingLibrary::new(&old), RecordingLibrary::new(&new));
        let [first, second] = ["crowd", "other"].map(|name| was.read(name).unwrap().unwrap());
        let [renamed, another] = ["people", "another"].map(|name| is.read(name).unwrap().unwrap());
        let map = PlaceMap::between(&was, &is);
        let at = |source: &Arc<Source>, word: &str| {
            let at = source.text.find(word).unwrap();
            Place { source: Arc::clone(source), span: at..at + word.len() }
        };
        assert!(map.may_be_same(&at(&first, "flee"), &at(&renamed, "flee")));
        assert!(map.may_be_same(&at(&first, "1.5"), &at(&renamed, "1.6")));
        assert!(!map.may_be_same(&at(&first, "seek"), &at(&another, "seek")));
        assert!(!map.may_be_same(&at(&second, "2"), &at(&another, "1")));
    }
}
