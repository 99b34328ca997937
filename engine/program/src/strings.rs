//! The strings that a program can use.

use std::collections::HashMap;
use std::ops::Index;
use std::sync::Arc;

use crate::world::WorldNames;

/// Strings by their index, each once. The names of the world's groups come first, by the ids of the groups; all programs
/// of a world share these.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    names: Arc<WorldNames>,
    own: Vec<Arc<str>>,
    /// The indices of the program's own strings in `own`.
    indices: HashMap<Arc<str>, usize>,
    /// The length of the longest string, in bytes.
    longest: usize,
}

/// Up to this many strings, a linear search is faster than a hash map.
const FEW: usize = 8;

impl Strings {
    /// Makes the strings of the names of groups alone.
    pub fn of(names: &Arc<WorldNames>) -> Self {
        let longest = names.groups().iter().map(|name| name.len()).max();
        Self { names: Arc::clone(names), longest: longest.unwrap_or(0), ..Self::default() }
    }

    /// Returns the number of strings.
    pub fn count(&self) -> usize {
        self.names.groups().len() + self.own.len()
    }

    /// Returns the length of the longest string, in bytes.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the string at an index.
    pub fn get(&self, place: usize) -> Option<&Arc<str>> {
        let groups = self.names.groups();
        groups.get(place).or_else(|| self.own.get(place.checked_sub(groups.len())?))
    }

    /// Returns the index of a string, if it is contained.
    pub fn index_of(&self, text: &str) -> Option<usize> {
        let own = if self.own.len() <= FEW {
            self.own.iter().position(|known| **known == *text)
        } else {
            self.indices.get(text).copied()
        };
        match own {
            Some(own) => Some(self.names.groups().len() + own),
            None => self.names.group(text).map(|group| usize::from(group.0)),
        }
    }

    /// Returns the index of a string, which is added if it is new.
    pub fn add(&mut self, text: &str) -> usize {
        self.index_of(text).unwrap_or_else(|| {
            let text: Arc<str> = text.into();
            self.longest = self.longest.max(text.len());
            self.indices.insert(Arc::clone(&text), self.own.len());
            self.own.push(text);
            self.count() - 1
        })
    }
}

impl Index<usize> for Strings {
    type Output = Arc<str>;

    fn index(&self, place: usize) -> &Arc<str> {
        self.get(place).unwrap_or_else(|| unreachable!("a column holds the index of a string"))
    }
}

#[cfg(test)]
impl From<Vec<Arc<str>>> for Strings {
    fn from(groups: Vec<Arc<str>>) -> Self {
        Self::of(&Arc::new(WorldNames::from(groups)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_string_has_one_index_after_the_names_of_groups() {
        let mut strings = Strings::from(vec!["a".into(), "b".into()]);
        assert_eq!((strings.add("b"), strings.add("a"), strings.count()), (1, 0, 2));
        let many: Vec<String> = (0..3 * FEW).map(|n| format!("text {n}")).collect();
        for _ in 0..2 {
            for (n, text) in many.iter().enumerate() {
                assert_eq!(strings.add(text), n + 2);
                assert_eq!(*strings[n + 2], **text);
            }
        }
        assert_eq!(strings.count(), many.len() + 2);
        assert_eq!((strings.index_of("c"), strings.get(strings.count())), (None, None));
    }
}
