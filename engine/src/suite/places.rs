//! Finds the places of an old script again in its new text.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::RecordingLibrary;
use crate::diag::{Place, Source};
use crate::tokens::{Language, tokens};

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
    /// Compares old scripts with new ones that have the same name.
    pub(super) fn between(old: &RecordingLibrary<'_>, new: &RecordingLibrary<'_>) -> Self {
        let new = new.scripts();
        let old = old.scripts().into_iter();
        let both = old.filter_map(|(name, old)| Some((old, new.get(&name)?)));
        let scripts = both.map(|(old, new)| (old.name.clone(), ScriptMap::between(&old, new)));
        Self { scripts: scripts.collect() }
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
}

impl ScriptMap {
    fn between(old: &Source, new: &Source) -> Self {
        let (old_spans, new_spans) = (spans(old), spans(new));
        let words = |source: &'_ Source, spans: &[Range<usize>]| -> Vec<String> {
            spans.iter().map(|span| source.text[span.clone()].to_owned()).collect()
        };
        let (was, is) = (words(old, &old_spans), words(new, &new_spans));
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

fn spans(source: &Source) -> Vec<Range<usize>> {
    let code = tokens(&source.text, Language::Rhai).filter(|token| !token.is_comment());
    code.map(|token| token.span).collect()
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
}
