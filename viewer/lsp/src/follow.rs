//! Names in a script that are read somewhere else than where they are written: a param of a variable with params, a string that is
//! handed to a function of a script, and one that is compared with the name of a group.

use std::path::Path;

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{DeclarationKind, script_names};
use flockwork_engine::tokens::TokenKind;

use super::completion::imported;
use super::names::named_by_argument;
use super::project::Project;
use super::rhai_text::Tokens;

/// Number of functions that an argument is followed through.
const MAX_CALLS: usize = 8;

impl Tokens<'_> {
    /// Returns the indices of the names of params that are read through a variable: `x` of `p.x` and `p["x"]` after
    /// `let p = me.params;`.
    pub(super) fn params_of_variables(&self) -> Vec<usize> {
        let index_at = |start: usize| {
            let index = self.all.partition_point(|token| token.span.start < start);
            self.all.get(index).is_some_and(|token| token.span.start == start).then_some(index)
        };
        let mut all = Vec::new();
        for one in script_names(self.text).declared {
            let is_params = one.kind == DeclarationKind::Variable
                && index_at(one.name.start).is_some_and(|name| self.is_set_to_params(name));
            if !is_params {
                continue;
            }
            let uses = one.uses.iter().filter_map(|span| index_at(span.start));
            let uses: Vec<usize> = uses.collect();
            // Another value may have other names.
            if uses.iter().any(|&index| self.get(index + 1) == "=") {
                continue;
            }
            let is = |index: usize, kind| self.all.get(index).is_some_and(|of| of.kind == kind);
            let members = uses.into_iter().filter(|&index| {
                self.is_dot(index + 1) && is(index + 2, TokenKind::Word)
                    || self.get(index + 1) == "[" && is(index + 2, TokenKind::Text)
            });
            all.extend(members.map(|index| index + 2));
        }
        all
    }

    /// Returns whether a token is a string that is compared with the name of an agent's group: `"cat"` of `me.group == "cat"`, of
    /// `me.group in ["cat", "dog"]`, of `["cat"].contains(me.group)`, and of `switch me.group { "cat" => .. }`.
    pub(super) fn is_compared_with_group(&self, index: usize) -> bool {
        if self.all[index].kind != TokenKind::Text {
            return false;
        }
        let before = index.checked_sub(1).map_or("", |before| self.get(before));
        let is_equals = |sign: &str| matches!(sign, "==" | "!=");
        if is_equals(before) {
            return index >= 2 && self.is_group(index - 2);
        }
        if is_equals(self.get(index + 1)) {
            return self.behind(index + 1).is_some_and(|last| self.is_group(last));
        }
        let Some(open) = self.opening_around(index) else { return false };
        match self.get(open) {
            "[" if open > 1 && self.get(open - 1) == "in" => self.is_group(open - 2),
            "[" => self.closing(open).is_some_and(|close| {
                let is_asked = self.is_dot(close + 1)
                    && self.get(close + 2) == "contains"
                    && self.get(close + 3) == "(";
                is_asked && self.behind(close + 3).is_some_and(|last| self.is_group(last))
            }),
            "{" if open > 0 && self.is_group(open - 1) => {
                let is_arm = matches!(self.get(index + 1), "=>" | "|" | "if");
                let start = match self.get(open - 2) {
                    "." | "?." => self.start_of_value(open - 2),
                    _ => Some(open - 1),
                };
                let word = start.and_then(|start| start.checked_sub(1));
                is_arm && word.is_some_and(|word| self.get(word) == "switch")
            }
            _ => false,
        }
    }

    /// Returns whether a value is the name of an agent's group, by the last token of it: `group` of `me.group`, or a variable that is
    /// declared with that.
    fn is_group(&self, index: usize) -> bool {
        let is_property = |index: usize| {
            self.get(index) == "group"
                && index >= 2
                && self.is_dot(index - 1)
                && !matches!(self.get(index - 2), "params" | "state")
        };
        let is_alone = index == 0 || !self.is_dot(index - 1);
        is_property(index)
            || (is_alone
                && self.all[index].kind == TokenKind::Word
                && self.declared_with(index).is_some_and(is_property))
    }

    /// Returns the innermost bracket that is open before a token.
    fn opening_around(&self, index: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..index).rev() {
            match self.get(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some(at),
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the bracket that closes the one at a token.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.all.len() {
            match self.get(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns whether a variable is declared with the params of an agent, by the index of its name.
    fn is_set_to_params(&self, name: usize) -> bool {
        let end = (name..self.all.len()).find(|&index| self.get(index) == ";");
        let last = end.and_then(|end| end.checked_sub(1)).filter(|&last| last > name + 3);
        last.is_some_and(|last| {
            let path = self.path(last);
            // The path is all that is behind the equals sign.
            self.get(name + 1) == "="
                && path.len() > 1
                && path.last() == Some(&"params")
                && last + 1 == name + 2 + 2 * path.len() - 1
        })
    }
}

impl Project {
    /// Returns what a string in an argument of a call is the name of, by the index of the name of the function: what this function, or
    /// one that it hands the argument to, asks for.
    pub(super) fn kind_of_argument(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        (call, argument): (usize, usize),
    ) -> Option<NameKind> {
        self.kind_through(path, tokens, (call, argument), MAX_CALLS)
    }

    fn kind_through(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        (call, argument): (usize, usize),
        left: usize,
    ) -> Option<NameKind> {
        let function = tokens.get(call);
        let is_imported = call >= 2 && tokens.get(call - 1) == "::";
        let known = named_by_argument(function, argument).filter(|_| !is_imported);
        if known.is_some() || left == 0 {
            return known;
        }
        if !is_imported {
            return self.kind_of_parameter(path, tokens, (function, argument), left - 1);
        }
        let (library, script) = imported(self, path, tokens, tokens.get(call - 2))?;
        let library = Tokens::new(&library.text);
        self.kind_of_parameter(&script, &library, (function, argument), left - 1)
    }

    /// Returns what a function of a script asks for as an argument.
    fn kind_of_parameter(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        (function, argument): (&str, usize),
        left: usize,
    ) -> Option<NameKind> {
        let functions = tokens.functions().into_iter();
        functions.filter(|(name, _)| tokens.get(*name) == function).find_map(|(name, end)| {
            let parameter = *tokens.parameters(name).get(argument)?;
            let is_argument = |index: usize| {
                tokens.get(index) == parameter
                    && matches!(tokens.get(index - 1), "(" | ",")
                    && matches!(tokens.get(index + 1), ")" | ",")
            };
            (name + 1..end).filter(|&index| is_argument(index)).find_map(|index| {
                let call = tokens.call_around(tokens.all[index].span.start)?;
                self.kind_through(path, tokens, call, left)
            })
        })
    }
}
