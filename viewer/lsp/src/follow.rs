//! What the names in a script are names of, also where they are read somewhere else than where they are written: a param of a variable
//! that has the params, a string that goes through variables and functions of scripts to a function that asks for a name, and one that
//! is compared with the name of a group.

use std::path::Path;

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Declaration, DeclarationKind, script_names};
use flockwork_engine::tokens::TokenKind;

use super::entries::named_by_argument;
use super::imports::imported;
use super::project::{Project, is_script};
use super::rhai_text::Tokens;

/// Number of variables, functions and brackets that a value is followed through.
const MAX_STEPS: usize = 12;

/// The values whose members are names, by the names that scripts read them by.
const HOLDERS: [(&str, NameKind); 4] = [
    ("params", NameKind::Param),
    ("state", NameKind::State),
    ("inputs", NameKind::Input),
    ("shared", NameKind::Shared),
];

/// What comes behind the name of a state machine or a choice in the names of what Flockwork keeps with it.
pub(super) const SUFFIXES: [&str; 2] = ["_since", "_before"];

/// A script whose values are followed.
pub(super) struct Followed<'a> {
    project: &'a Project,
    path: &'a Path,
    tokens: &'a Tokens<'a>,
    declared: Vec<Declaration>,
}

/// A value in a script: its first and its last token.
type Value = (usize, usize);

/// What reads a value.
#[derive(Clone, Copy)]
struct Reader {
    /// Whether the value is an array of the names that are followed, and not one of them.
    is_array: bool,
    /// Number of steps that are left.
    left: usize,
}

impl Reader {
    const NAME: Self = Self { is_array: false, left: MAX_STEPS };

    fn next(self) -> Option<Self> {
        Some(Self { left: self.left.checked_sub(1)?, ..self })
    }
}

impl<'a> Followed<'a> {
    pub(super) fn new(project: &'a Project, path: &'a Path, tokens: &'a Tokens<'a>) -> Self {
        Self { project, path, tokens, declared: script_names(tokens.text).declared }
    }

    /// Returns what a token is the name of, except for what the script itself declares.
    pub(super) fn kind_at(&self, index: usize) -> Option<NameKind> {
        let tokens = self.tokens;
        match tokens.all[index].kind {
            TokenKind::Word if index > 1 && tokens.is_dot(index - 1) => {
                let kind = self.held_by(index - 2, MAX_STEPS)?;
                // `me.state.contains(..)`
                (tokens.get(index + 1) != "(").then_some(kind)
            }
            TokenKind::Word if self.is_key_of_new_state(index) => Some(NameKind::State),
            TokenKind::Text if index > 0 && tokens.get(index - 1) == "import" => {
                Some(NameKind::Script)
            }
            TokenKind::Text => self.kind_of((index, index), Reader::NAME),
            _ => None,
        }
    }

    /// Returns what a string that is being written in a call or an index is the name of.
    pub(super) fn kind_of_unfinished(&self, index: usize) -> Option<NameKind> {
        if index > 1 && self.tokens.get(index - 1) == "[" && self.is_value(index - 2) {
            return self.held_by(index - 2, MAX_STEPS);
        }
        let call = self.tokens.call_around(self.tokens.all[index].span.start)?;
        self.kind_through(call, Reader::NAME)
    }

    /// Returns what the members of a value are names of, by its last token: `me.params`, or a variable or a parameter that has them.
    fn held_by(&self, last: usize, left: usize) -> Option<NameKind> {
        let tokens = self.tokens;
        if tokens.all[last].kind != TokenKind::Word {
            return None;
        }
        if last > 1 && tokens.is_dot(last - 1) {
            let name = tokens.get(last);
            if tokens.path(last) == ["now", "groups"] {
                return Some(NameKind::Group);
            }
            return HOLDERS.iter().find(|(holder, _)| *holder == name).map(|(_, kind)| *kind);
        }
        let left = left.checked_sub(1)?;
        let one = self.declaration_at(last)?;
        let name = self.index_of(one.name.start)?;
        match one.kind {
            DeclarationKind::Variable | DeclarationKind::Constant => {
                // Another value may have other names.
                if self.uses(one).any(|index| tokens.get(index + 1) == "=") {
                    return None;
                }
                self.held_by(self.alone_until(name + 2, ";")?, left)
            }
            DeclarationKind::Parameter => {
                let (function, argument) = self.function_of_parameter(name)?;
                self.calls_of(tokens.get(function), |caller, call| {
                    let value = caller.arguments(call + 1).into_iter().nth(argument)?;
                    caller.held_by(caller.alone(value)?, left)
                })
            }
            _ => None,
        }
    }

    /// Returns the last token of a value behind an equals sign that is one name with dots.
    fn alone_until(&self, first: usize, end: &str) -> Option<usize> {
        let tokens = self.tokens;
        let is_set = tokens.get(first - 1) == "=";
        let end = (first..tokens.all.len()).find(|&index| tokens.get(index) == end)?;
        is_set.then(|| self.alone((first, end.checked_sub(1)?))).flatten()
    }

    /// Returns the last token of a value that is one name with dots.
    fn alone(&self, (first, last): Value) -> Option<usize> {
        let path = self.tokens.path(last);
        (!path.is_empty() && first + 2 * path.len() == last + 2).then_some(last)
    }

    /// Returns what a value is the name of, by what reads it.
    fn kind_of(&self, (first, last): Value, reader: Reader) -> Option<NameKind> {
        let reader = reader.next()?;
        let tokens = self.tokens;
        let before = first.checked_sub(1).map_or("", |index| tokens.get(index));
        let after = tokens.get(last + 1);
        if !reader.is_array && self.is_compared_with_group(first, last) {
            return Some(NameKind::Group);
        }
        match (before, after) {
            ("=", ";") => self.kind_of_variable(first.checked_sub(2)?, reader),
            ("in", "{") if reader.is_array => {
                let each = Reader { is_array: false, ..reader };
                self.kind_of_variable(first.checked_sub(2)?, each)
            }
            ("in", _) if reader.is_array => {
                first.checked_sub(2).filter(|&of| self.is_group(of)).map(|_| NameKind::Group)
            }
            (_, "[") if reader.is_array => {
                let each = Reader { is_array: false, ..reader };
                self.kind_of((first, tokens.closing(last + 1)?), each)
            }
            (_, "." | "?.") if reader.is_array => {
                let is_asked = tokens.get(last + 2) == "contains" && tokens.get(last + 3) == "(";
                let asked = tokens.behind(last + 3).filter(|_| is_asked)?;
                self.is_group(asked).then_some(NameKind::Group)
            }
            ("return", ";" | "}") => self.kind_of_result(first, reader),
            ("[", "]") if first > 1 && self.is_value(first - 2) => {
                self.held_by(first - 2, MAX_STEPS)
            }
            ("[" | ",", "]" | ",") if self.is_in_array(first) => {
                let open = tokens.opening_around(first)?;
                let array = Reader { is_array: true, ..reader };
                self.kind_of((open, tokens.closing(open)?), array)
            }
            ("(", ")") if !self.is_call(first - 1) => self.kind_of((first - 1, last + 1), reader),
            ("(" | ",", ")" | ",") => {
                let call = tokens.call_around(tokens.all[first].span.start)?;
                self.kind_through(call, reader)
            }
            ("{" | "}" | ";" | "=>", "}") | ("=>", ",") => self.kind_of_block(first, reader),
            _ => None,
        }
    }

    /// Returns what the value of a variable is the name of, by a token of the variable.
    fn kind_of_variable(&self, name: usize, reader: Reader) -> Option<NameKind> {
        let one = self.declaration_at(name)?;
        self.uses(one).find_map(|index| self.kind_of((index, index), reader))
    }

    /// Returns what the value of a block is the name of, by the first token of its last statement.
    fn kind_of_block(&self, first: usize, reader: Reader) -> Option<NameKind> {
        let tokens = self.tokens;
        let open = tokens.opening_around(first).filter(|&open| tokens.get(open) == "{")?;
        let close = tokens.closing(open)?;
        if tokens.functions().iter().any(|(_, end)| *end == close) {
            return self.kind_of_result(first, reader);
        }
        let start = self.head_of(open)?;
        let end = match tokens.get(start) {
            "switch" => close,
            "if" => self.end_of_else(close)?,
            _ => return None,
        };
        self.kind_of((start, end), reader)
    }

    /// Returns the word that begins the statement of a block: the first `if` of several, or `switch`.
    fn head_of(&self, open: usize) -> Option<usize> {
        let tokens = self.tokens;
        let mut at = open;
        loop {
            let before = at.checked_sub(1)?;
            match tokens.get(before) {
                ")" | "]" => at = tokens.opening(before)?,
                // The block before `else`.
                "else" => at = tokens.opening(before.checked_sub(1)?)?,
                "if" if before > 0 && tokens.get(before - 1) == "else" => {
                    at = tokens.opening(before.checked_sub(2)?)?;
                }
                "if" | "switch" => return Some(before),
                "{" | "}" | ";" | "=>" => return None,
                _ => at = before,
            }
        }
    }

    /// Returns the bracket that closes the last one of several blocks with `else`.
    fn end_of_else(&self, mut close: usize) -> Option<usize> {
        let tokens = self.tokens;
        while tokens.get(close + 1) == "else" {
            let open = (close..tokens.all.len()).find(|&index| tokens.get(index) == "{")?;
            close = tokens.closing(open)?;
        }
        Some(close)
    }

    /// Returns what the results of a function are names of, by a token in it.
    fn kind_of_result(&self, inside: usize, reader: Reader) -> Option<NameKind> {
        let functions = self.tokens.functions().into_iter();
        let (name, _) = functions.rev().find(|(name, end)| *name < inside && inside <= *end)?;
        self.calls_of(self.tokens.get(name), |caller, call| {
            let is_imported = call > 1 && caller.tokens.get(call - 1) == "::";
            let first = if is_imported { call - 2 } else { call };
            caller.kind_of((first, caller.tokens.closing(call + 1)?), reader)
        })
    }

    /// Returns what a value in an argument of a call is the name of: what the function, or what that hands it to, asks for.
    fn kind_through(&self, (call, argument): (usize, usize), reader: Reader) -> Option<NameKind> {
        let reader = reader.next()?;
        let tokens = self.tokens;
        let function = tokens.get(call);
        let is_imported = call > 1 && tokens.get(call - 1) == "::";
        let is_member = call > 0 && tokens.is_dot(call - 1);
        if is_member && function == "contains" {
            return self.held_by(tokens.before_dot(call - 1)?, reader.left);
        }
        let known = named_by_argument(function, argument).filter(|_| !is_imported);
        if known.is_some() || is_member {
            return known;
        }
        if !is_imported {
            return self.kind_of_parameter((function, argument), reader);
        }
        let (library, script) = imported(self.project, self.path, tokens, tokens.get(call - 2))?;
        let library = Tokens::new(&library.text);
        Followed::new(self.project, &script, &library)
            .kind_of_parameter((function, argument), reader)
    }

    /// Returns what a function of the script asks for as an argument.
    fn kind_of_parameter(
        &self,
        (function, argument): (&str, usize),
        reader: Reader,
    ) -> Option<NameKind> {
        let tokens = self.tokens;
        let functions = tokens.functions().into_iter();
        functions.filter(|(name, _)| tokens.get(*name) == function).find_map(|(name, end)| {
            let parameter = *tokens.parameters(name).get(argument)?;
            let mut words = name + 1..end;
            let index = words.find(|&index| tokens.get(index) == parameter)?;
            self.kind_of_variable(index, reader)
        })
    }

    /// Calls `work` for the calls of a function of the script, in this script and in those that import it, until it returns something. It is
    /// given the calling script and the index of the name.
    fn calls_of<T>(
        &self,
        function: &str,
        work: impl Fn(&Followed<'_>, usize) -> Option<T>,
    ) -> Option<T> {
        let is_call = |tokens: &Tokens<'_>, index: usize| {
            tokens.get(index) == function && tokens.get(index + 1) == "(" && index > 0
        };
        let own = (1..self.tokens.all.len()).filter(|&index| {
            let before = self.tokens.get(index - 1);
            is_call(self.tokens, index) && !matches!(before, "fn" | "::" | "." | "?.")
        });
        let found = own.into_iter().find_map(|call| work(self, call));
        if found.is_some() {
            return found;
        }
        let users = self.project.users_of(self.path).into_iter();
        users.filter(|user| is_script(user) && *user != self.path).find_map(|user| {
            let source = self.project.read(&user).ok()?;
            let tokens = Tokens::new(&source.text);
            let is_from_here = |index: usize| {
                let alias = tokens.get(index - 2);
                let script = imported(self.project, &user, &tokens, alias);
                script.is_some_and(|(_, script)| script == self.path)
            };
            let mut calls = (2..tokens.all.len()).filter(|&index| {
                is_call(&tokens, index) && tokens.get(index - 1) == "::" && is_from_here(index)
            });
            let caller = Followed::new(self.project, &user, &tokens);
            calls.find_map(|call| work(&caller, call))
        })
    }

    /// Returns the function that has a parameter, and the index of the parameter, by the token that declares it.
    fn function_of_parameter(&self, parameter: usize) -> Option<(usize, usize)> {
        let tokens = self.tokens;
        let open = tokens.opening_around(parameter).filter(|&open| tokens.get(open) == "(")?;
        let function = open.checked_sub(1)?;
        let is_function = function > 0 && tokens.get(function - 1) == "fn";
        is_function.then_some((function, (parameter - open - 1) / 2))
    }

    /// Returns the arguments of a call, by the bracket that opens them.
    fn arguments(&self, open: usize) -> Vec<Value> {
        let tokens = self.tokens;
        let Some(close) = tokens.closing(open) else { return Vec::new() };
        let (mut all, mut first, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            match tokens.get(at) {
                "(" | "[" | "{" => at = tokens.closing(at).unwrap_or(close),
                "," => {
                    all.push((first, at - 1));
                    first = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if first < close {
            all.push((first, close - 1));
        }
        all
    }

    /// Returns the variable, constant or parameter that a token declares or uses.
    fn declaration_at(&self, index: usize) -> Option<&Declaration> {
        let span = &self.tokens.all.get(index)?.span;
        self.declared.iter().find(|one| {
            one.is_value() && (one.name == *span || one.uses.iter().any(|used| used == span))
        })
    }

    /// Returns the tokens that use a variable.
    fn uses(&self, one: &Declaration) -> impl Iterator<Item = usize> {
        one.uses.iter().filter_map(|span| self.index_of(span.start))
    }

    /// Returns the token that begins at a byte offset.
    fn index_of(&self, start: usize) -> Option<usize> {
        let index = self.tokens.all.partition_point(|token| token.span.start < start);
        self.tokens.all.get(index).is_some_and(|token| token.span.start == start).then_some(index)
    }

    /// Returns whether a token ends a value, so that a bracket behind it is an index or a call.
    fn is_value(&self, index: usize) -> bool {
        self.tokens.all[index].kind == TokenKind::Word
            && !matches!(self.tokens.get(index), "in" | "return")
            || matches!(self.tokens.get(index), ")" | "]")
    }

    /// Returns whether a round bracket opens the arguments of a call.
    fn is_call(&self, open: usize) -> bool {
        open > 0 && self.tokens.is_called(open - 1)
    }

    /// Returns whether the innermost bracket around a token is that of an array.
    fn is_in_array(&self, index: usize) -> bool {
        self.tokens.opening_around(index).is_some_and(|open| {
            self.tokens.get(open) == "[" && (open == 0 || !self.is_value(open - 1))
        })
    }

    /// Returns whether a word is a key of the state of an agent that is made: `energy` of `me.create("sheep", at, v, #{ energy: 1 })`.
    fn is_key_of_new_state(&self, index: usize) -> bool {
        let tokens = self.tokens;
        let is_key = tokens.get(index + 1) == ":" && index > 1;
        let open = tokens.opening_around(index).filter(|&open| is_key && open > 1);
        open.is_some_and(|open| {
            let is_argument = tokens.get(open - 1) == "#" && tokens.get(open - 2) == ",";
            let call = tokens.call_around(tokens.all[open - 1].span.start);
            is_argument
                && call.is_some_and(|(name, place)| (tokens.get(name), place) == ("create", 3))
        })
    }

    /// Returns whether a value is compared with the name of an agent's group: `me.group == "cat"`, `switch me.group { "cat" => .. }`.
    fn is_compared_with_group(&self, first: usize, last: usize) -> bool {
        let tokens = self.tokens;
        let is_equals = |sign: &str| matches!(sign, "==" | "!=");
        if first > 1 && is_equals(tokens.get(first - 1)) {
            return self.is_group(first - 2);
        }
        if is_equals(tokens.get(last + 1)) {
            return tokens.behind(last + 1).is_some_and(|last| self.is_group(last));
        }
        if !matches!(tokens.get(last + 1), "=>" | "|" | "if") {
            return false;
        }
        let open = tokens.opening_around(first).filter(|&open| tokens.get(open) == "{" && open > 0);
        open.is_some_and(|open| {
            let start = match open.checked_sub(2).filter(|&dot| tokens.is_dot(dot)) {
                Some(dot) => tokens.start_of_value(dot),
                None => Some(open - 1),
            };
            let word = start.and_then(|start| start.checked_sub(1));
            self.is_group(open - 1) && word.is_some_and(|word| tokens.get(word) == "switch")
        })
    }

    /// Returns whether a value is the name of an agent's group, by the last token of it: `group` of `me.group`, or a variable that is
    /// declared with that.
    fn is_group(&self, index: usize) -> bool {
        let tokens = self.tokens;
        let is_property = |index: usize| {
            tokens.get(index) == "group"
                && index >= 2
                && tokens.is_dot(index - 1)
                && !matches!(tokens.get(index - 2), "params" | "state")
        };
        let is_alone = index == 0 || !tokens.is_dot(index - 1);
        is_property(index)
            || (is_alone
                && tokens.all[index].kind == TokenKind::Word
                && tokens.declared_with(index).is_some_and(is_property))
    }
}
