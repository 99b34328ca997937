//! The names that a script declares, and where it uses them, from its text alone: also of a script that cannot be
//! compiled.

use std::ops::Range;

use crate::tokens::{CodeTokens, Language, TokenKind};

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A function with a number of parameters.
    Function {
        /// Number of its parameters.
        parameters: usize,
        /// Whether other scripts cannot call it.
        is_private: bool,
    },
    /// A constant.
    Constant,
    /// A variable, also that of a loop or of an error that is caught.
    Variable,
    /// A parameter of a function or a closure.
    Parameter,
    /// A script that is imported.
    Import,
}

/// A name that a script declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The kind of the declaration.
    pub kind: DeclarationKind,
    /// The bytes of the name where it is declared.
    pub name: Range<usize>,
    /// The bytes of the text in which it is known.
    pub scope: Range<usize>,
    /// The bytes of the name where it is used.
    pub uses: Vec<Range<usize>>,
}

impl Declaration {
    /// Returns whether it is a variable, a parameter or a constant.
    pub fn is_value(&self) -> bool {
        use DeclarationKind as Kind;
        matches!(self.kind, Kind::Constant | Kind::Variable | Kind::Parameter)
    }

    /// Returns whether it is a constant that all functions of a script with a text know.
    pub fn is_constant_of(&self, text: &str) -> bool {
        self.kind == DeclarationKind::Constant && self.scope == (0..text.len())
    }

    /// Returns whether the name is written at a byte offset, or directly before it.
    pub fn is_at(&self, at: usize) -> bool {
        let mut all = std::iter::once(&self.name).chain(&self.uses);
        all.any(|span| (span.start..=span.end).contains(&at))
    }
}

/// A call of a function of an imported script, such as `lib::far(a, b)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedCall {
    /// The bytes of the name of the imported script.
    pub script: Range<usize>,
    /// The bytes of the name of the function.
    pub name: Range<usize>,
    /// Number of arguments; `None` if the call does not end.
    pub arguments: Option<usize>,
}

/// The names in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptNames {
    /// Its declarations, in the order of the text.
    pub declared: Vec<Declaration>,
    /// Its calls of functions of imported scripts.
    pub imported_calls: Vec<ImportedCall>,
}

/// Returns the names that a script declares and uses.
pub fn script_names(text: &str) -> ScriptNames {
    let mut scan = NameScan {
        code: CodeTokens::new(text, Language::Rhai),
        at: 0,
        scopes: vec![Scope::new(ScopeKind::File)],
        names: ScriptNames::default(),
        waiting: Vec::new(),
        late: Vec::new(),
    };
    scan.read();
    scan.names.declared.sort_by_key(|one| one.name.start);
    scan.names
}

/// Returns the names of the variables and constants that can be read at a byte offset.
pub fn variables(text: &str, at: usize) -> Vec<&str> {
    let all = script_names(text).declared.into_iter();
    let known = all.filter(|one| one.is_value() && (one.scope.start..=one.scope.end).contains(&at));
    let mut known: Vec<&str> = known.map(|one| &text[one.name]).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Returns where the variable of a name is declared that is used at a byte offset before it: in the same block, or in one around that.
pub(super) fn declaration_below(text: &str, at: usize, name: &str) -> Option<Range<usize>> {
    let code = CodeTokens::new(text, Language::Rhai);
    let open_at = |at: usize| {
        let index = code.all.partition_point(|token| token.span.start < at);
        code.opening_around(index)
    };
    let mut below = script_names(text).declared.into_iter().filter(|one| {
        let is_variable = matches!(one.kind, DeclarationKind::Variable | DeclarationKind::Constant);
        is_variable && one.name.start > at && text[one.name.clone()] == *name
    });
    let first = below.next()?.name;
    let mut around = open_at(at);
    let block = open_at(first.start).filter(|&open| code.get(open) == "{")?;
    while around.is_some_and(|open| open > block) {
        around = code.opening_around(around?);
    }
    (around == Some(block)).then_some(first)
}

/// Returns where the variable of a name is declared that is used at a byte offset behind the block in which it is known, in the same function.
pub(super) fn declaration_in_block(text: &str, at: usize, name: &str) -> Option<Range<usize>> {
    let all = script_names(text).declared;
    let is_function = |one: &&Declaration| {
        matches!(one.kind, DeclarationKind::Function { .. }) && one.name.start < at
    };
    let start = all.iter().rfind(is_function)?.name.start;
    let mut inside = all.iter().rev().filter(|one| {
        matches!(one.kind, DeclarationKind::Variable | DeclarationKind::Constant)
            && (start..at).contains(&one.name.start)
            && one.scope.end <= at
    });
    inside.find(|one| text[one.name.clone()] == *name).map(|one| one.name.clone())
}

/// Returns the constants of a script that are declared outside of functions.
pub(super) fn constants(text: &str) -> Vec<&str> {
    let all = script_names(text).declared.into_iter();
    all.filter(|one| one.is_constant_of(text)).map(|one| &text[one.name]).collect()
}

/// The kind of a part of a script in which names are declared, or whose end matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    File,
    /// `{ }`.
    Block,
    /// The body of a function, which does not know the variables around it.
    Function,
    /// `#{ }`.
    Map,
    /// `( )` or `[ ]`, or the code in a string.
    Brackets,
    /// A closure, from its parameters on.
    Closure,
}

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    /// The sign that closes it; empty if other signs do.
    closing: &'static str,
    /// Its declarations, by their indices in the list of all.
    declared: Vec<usize>,
    /// The token of the name that is called with these brackets.
    call: Option<usize>,
    /// Number of commas so far.
    commas: usize,
    /// Whether there is something after the last comma.
    has_value: bool,
}

impl Scope {
    fn new(kind: ScopeKind) -> Self {
        Self { kind, closing: "", declared: Vec::new(), call: None, commas: 0, has_value: false }
    }
}

/// A name that is known from a later token on.
struct Waiting {
    name: Range<usize>,
    kind: DeclarationKind,
    /// Number of scopes around its declaration.
    depth: usize,
    /// Whether it is known in the next block; otherwise after the next semicolon.
    is_for_block: bool,
}

/// A use of a name that may be declared further down.
struct LateUse {
    name: Range<usize>,
    what: LateKind,
}

enum LateKind {
    /// A call of a function; the declaration of a variable of this name, if there is no such function.
    Call {
        arguments: Option<usize>,
        variable: Option<usize>,
    },
    /// A function after a dot, or by its name in a string.
    Function {
        arguments: Option<usize>,
    },
    Constant,
    Import,
}

struct NameScan<'t> {
    code: CodeTokens<'t>,
    at: usize,
    /// The scopes around the token, the outermost first.
    scopes: Vec<Scope>,
    names: ScriptNames,
    waiting: Vec<Waiting>,
    late: Vec<LateUse>,
}

/// Keywords before a value.
const BEFORE_VALUES: [&str; 10] =
    ["return", "in", "if", "else", "while", "until", "throw", "switch", "loop", "do"];

impl<'t> NameScan<'t> {
    fn span(&self, index: usize) -> Range<usize> {
        self.code.all[index].span.clone()
    }

    fn read(&mut self) {
        while self.at < self.code.all.len() {
            self.token();
            self.at += 1;
        }
        self.close_to(0, self.code.text.len());
        self.resolve();
    }

    /// Reads the token at `at`, and those after it that belong to it.
    fn token(&mut self) {
        let (at, start) = (self.at, self.code.all[self.at].span.start);
        let word = self.code.get(at);
        if let Some(scope) = self.scopes.last_mut()
            && !matches!(word, "," | ")" | "]" | "}")
        {
            scope.has_value = true;
        }
        match self.code.all[at].kind {
            TokenKind::Word => self.word(word),
            TokenKind::Text if self.code.before(at) == "(" && at >= 2 => self.first_argument(at),
            TokenKind::Template => {
                if word.starts_with('}') {
                    self.close("}", start);
                }
                if self.code.all[at].opens_code() {
                    self.scopes.push(Scope { closing: "}", ..Scope::new(ScopeKind::Brackets) });
                }
            }
            TokenKind::Sign => self.sign(word),
            _ => {}
        }
    }

    /// Notes a name in a string that is the first argument of a call.
    fn first_argument(&mut self, at: usize) {
        let name = self.code.all[at].inner.clone();
        let what = match self.code.get(at - 2) {
            "Fn" => LateKind::Function { arguments: None },
            "is_def_fn" => LateKind::Function { arguments: self.code.get(at + 2).parse().ok() },
            "is_def_var" => match self.local(&self.code.text[name.clone()], false) {
                Some(found) => return self.names.declared[found].uses.push(name),
                None => LateKind::Constant,
            },
            _ => return,
        };
        self.late.push(LateUse { name, what });
    }

    fn sign(&mut self, sign: &str) {
        let (at, start, end) =
            (self.at, self.code.all[self.at].span.start, self.code.all[self.at].span.end);
        let open = |closing, kind| Scope { closing, ..Scope::new(kind) };
        match sign {
            "(" => {
                let call = at.checked_sub(1).filter(|&name| self.code.is_word(name));
                self.scopes.push(Scope { call, ..open(")", ScopeKind::Brackets) });
            }
            "[" => self.scopes.push(open("]", ScopeKind::Brackets)),
            "{" if self.code.before(at) == "#" => self.scopes.push(open("}", ScopeKind::Map)),
            "{" => {
                let depth = self.scopes.len();
                self.scopes.push(open("}", ScopeKind::Block));
                let (known, rest) = std::mem::take(&mut self.waiting)
                    .into_iter()
                    .partition(|one| one.is_for_block && one.depth == depth);
                self.waiting = rest;
                self.declare_all(known, start);
            }
            ")" | "]" | "}" => self.close(sign, start),
            "," => {
                self.close_closures(start);
                if let Some(scope) = self.scopes.last_mut() {
                    (scope.commas, scope.has_value) = (scope.commas + 1, false);
                }
            }
            ";" => {
                // No statement ends in brackets: they were not closed.
                while self.scopes.last().is_some_and(|scope| matches!(scope.closing, ")" | "]")) {
                    self.end(start, None);
                }
                self.close_closures(start);
                let depth = self.scopes.len();
                let waiting = std::mem::take(&mut self.waiting).into_iter();
                let (mut known, rest): (Vec<_>, _) = waiting.partition(|one| one.depth >= depth);
                self.waiting = rest;
                known.retain(|one| !one.is_for_block);
                self.declare_all(known, end);
            }
            "|" | "||" if self.begins_value(at) => self.closure(sign),
            _ => {}
        }
    }

    /// Returns whether a value begins at a token, and not an operator between two values.
    fn begins_value(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match self.code.all[before].kind {
            TokenKind::Sign => !matches!(self.code.get(before), ")" | "]" | "}"),
            TokenKind::Word => BEFORE_VALUES.contains(&self.code.get(before)),
            TokenKind::Template => self.code.all[before].opens_code(),
            _ => false,
        }
    }

    /// Reads the parameters of a closure.
    fn closure(&mut self, sign: &str) {
        let start = self.at;
        self.scopes.push(Scope::new(ScopeKind::Closure));
        if sign == "||" {
            return;
        }
        let mut end = start + 1;
        while self.code.is_word(end) || self.code.get(end) == "," {
            end += 1;
        }
        let known = self.waiting_words(start + 1..end, DeclarationKind::Parameter);
        let from = self.code.all.get(end).map_or(self.code.text.len(), |token| token.span.end);
        self.declare_all(known, from);
        // The bar that closes the parameters opens nothing.
        self.at = if self.code.get(end) == "|" { end } else { end - 1 };
    }

    /// Returns the words of a list of names.
    fn waiting_words(&self, part: Range<usize>, kind: DeclarationKind) -> Vec<Waiting> {
        let words = part.filter(|&index| self.code.is_word(index));
        let depth = self.scopes.len();
        words
            .map(|index| Waiting { name: self.span(index), kind, depth, is_for_block: true })
            .collect()
    }

    fn word(&mut self, word: &str) {
        let at = self.at;
        let is_member = matches!(self.code.before(at), "." | "?.");
        let depth = self.scopes.len();
        match word {
            _ if is_member => self.used(at),
            "fn" if self.code.is_word(at + 1) => self.function(),
            "let" | "const" if self.code.is_word(at + 1) => {
                let kind = if word == "let" {
                    DeclarationKind::Variable
                } else {
                    DeclarationKind::Constant
                };
                let name = self.span(at + 1);
                self.waiting.push(Waiting { name, kind, depth, is_for_block: false });
                self.at += 1;
            }
            "for" | "catch" => {
                let mut end = at + 1;
                while self.code.is_word(end) && self.code.get(end) != "in"
                    || matches!(self.code.get(end), "(" | ")" | ",")
                {
                    end += 1;
                }
                let names = self.waiting_words(at + 1..end, DeclarationKind::Variable);
                self.waiting.extend(names);
                self.at = end - 1;
            }
            "as" if self.code.is_word(at + 1) => {
                let name = self.span(at + 1);
                let from = name.end;
                self.declare_all(
                    vec![Waiting {
                        name,
                        kind: DeclarationKind::Import,
                        depth,
                        is_for_block: false,
                    }],
                    from,
                );
                self.at += 1;
            }
            _ => self.used(at),
        }
    }

    /// Reads the head of a function. Functions are never inside others.
    fn function(&mut self) {
        let (name, start) = (self.at + 1, self.code.all[self.at].span.start);
        self.close_to(1, start);
        self.waiting.clear();
        let mut end = name + 1;
        while self.code.is_word(end) || matches!(self.code.get(end), "(" | ",") {
            end += 1;
        }
        let parameters = self.waiting_words(name + 1..end, DeclarationKind::Parameter);
        let is_private = self.code.before(self.at) == "private";
        let kind = DeclarationKind::Function { parameters: parameters.len(), is_private };
        self.names.declared.push(Declaration {
            kind,
            name: self.span(name),
            scope: 0..self.code.text.len(),
            uses: Vec::new(),
        });
        self.at = end - usize::from(self.code.get(end) != ")");
        if self.code.get(self.at + 1) == "{" {
            self.at += 1;
            let start = self.code.all[self.at].span.start;
            self.scopes.push(Scope { closing: "}", ..Scope::new(ScopeKind::Function) });
            self.declare_all(parameters, start);
        }
    }

    /// Notes the use of a name.
    fn used(&mut self, at: usize) {
        let (name, span) = (self.code.get(at), self.span(at));
        let is_call = self.code.get(at + 1) == "(";
        let is_key = self.code.get(at + 1) == ":"
            && self.scopes.last().is_some_and(|scope| scope.kind == ScopeKind::Map)
            && matches!(self.code.before(at), "{" | ",");
        let what = match self.code.before(at) {
            // Where the call ends, its arguments have been counted.
            _ if is_call => return,
            "." | "?." => return,
            "::" if at >= 2 && self.code.get(at - 2) == "global" => LateKind::Constant,
            "::" => return,
            _ if is_key => return,
            _ if self.code.get(at + 1) == "::" => match self.local(name, true) {
                Some(found) => return self.names.declared[found].uses.push(span),
                None => LateKind::Import,
            },
            _ => match self.local(name, false) {
                Some(found) => return self.names.declared[found].uses.push(span),
                None => LateKind::Constant,
            },
        };
        self.late.push(LateUse { name: span, what });
    }

    /// Notes a call whose brackets end, or never end.
    fn called(&mut self, at: usize, arguments: Option<usize>) {
        let name = self.span(at);
        let what = match self.code.before(at) {
            "." | "?." => LateKind::Function { arguments },
            "::" => {
                let script = at.checked_sub(2).filter(|&script| self.code.is_word(script));
                if let Some(script) = script.map(|script| self.span(script)) {
                    self.names.imported_calls.push(ImportedCall { script, name, arguments });
                }
                return;
            }
            _ => LateKind::Call { arguments, variable: self.local(self.code.get(at), false) },
        };
        self.late.push(LateUse { name, what });
    }

    /// Returns the declaration of a name in the scopes up to the function around it.
    fn local(&self, name: &str, is_import: bool) -> Option<usize> {
        for scope in self.scopes.iter().rev() {
            let found = scope.declared.iter().rev().copied().find(|&index| {
                let one = &self.names.declared[index];
                self.code.text[one.name.clone()] == *name
                    && (one.kind == DeclarationKind::Import) == is_import
            });
            if found.is_some() {
                return found;
            }
            if scope.kind == ScopeKind::Function {
                break;
            }
        }
        None
    }

    /// Declares names in the innermost scope.
    fn declare_all(&mut self, names: Vec<Waiting>, from: usize) {
        let is_file = self.scopes.len() == 1;
        for Waiting { name, kind, .. } in names {
            let is_global =
                is_file && matches!(kind, DeclarationKind::Constant | DeclarationKind::Import);
            let scope =
                if is_global { 0..self.code.text.len() } else { from..self.code.text.len() };
            let index = self.names.declared.len();
            self.names.declared.push(Declaration { kind, name, scope, uses: Vec::new() });
            if let Some(scope) = self.scopes.last_mut() {
                scope.declared.push(index);
            }
        }
    }

    /// Ends the innermost scope that a bracket closes, with those inside it. A bracket that closes none is ignored.
    fn close(&mut self, bracket: &str, at: usize) {
        let Some(place) = self.scopes.iter().rposition(|scope| scope.closing == bracket) else {
            return;
        };
        self.close_to(place + 1, at);
        let arguments = self.scopes.last().map(|scope| scope.commas + usize::from(scope.has_value));
        self.end(at, arguments);
    }

    /// Ends the closures that a comma or a semicolon ends.
    fn close_closures(&mut self, at: usize) {
        while self.scopes.last().is_some_and(|scope| scope.kind == ScopeKind::Closure) {
            self.end(at, None);
        }
    }

    /// Ends scopes until a number of them is left.
    fn close_to(&mut self, left: usize, at: usize) {
        while self.scopes.len() > left {
            self.end(at, None);
        }
    }

    /// Ends the innermost scope.
    fn end(&mut self, at: usize, arguments: Option<usize>) {
        let Some(scope) = self.scopes.pop() else { return };
        if let Some(name) = scope.call {
            // The name is looked up where the call is.
            self.called(name, arguments);
        }
        for index in scope.declared {
            let scope = &mut self.names.declared[index].scope;
            if *scope != (0..self.code.text.len()) {
                scope.end = at.max(scope.start);
            }
        }
        let depth = self.scopes.len();
        self.waiting.retain(|one| one.depth <= depth);
    }

    /// Finds the declarations of names that may be declared further down.
    fn resolve(&mut self) {
        for LateUse { name, what } in std::mem::take(&mut self.late) {
            let text = &self.code.text[name.clone()];
            let is_named = |one: &Declaration| self.code.text[one.name.clone()] == *text;
            let is_function = |one: &Declaration, arguments: Option<usize>| match one.kind {
                DeclarationKind::Function { parameters, .. } => {
                    arguments.is_none_or(|arguments| arguments == parameters)
                }
                _ => false,
            };
            let find = |is_it: &dyn Fn(&Declaration) -> bool| {
                self.names.declared.iter().position(|one| is_named(one) && is_it(one))
            };
            let found = match what {
                LateKind::Call { arguments, variable } => {
                    find(&|one| is_function(one, arguments)).or(variable)
                }
                LateKind::Function { arguments } => find(&|one| is_function(one, arguments)),
                LateKind::Constant => find(&|one| one.is_constant_of(self.code.text)),
                LateKind::Import => find(&|one| {
                    one.kind == DeclarationKind::Import && one.scope == (0..self.code.text.len())
                }),
            };
            if let Some(found) = found {
                self.names.declared[found].uses.push(name);
            }
        }
        for one in &mut self.names.declared {
            one.uses.sort_by_key(|span| span.start);
        }
    }
}

#[cfg(test)]
mod tests;
