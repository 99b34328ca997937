//! Generates scripts from a list of choices. They are typed, so that most of them run, and some contain something
//! that may fail. Fewer and smaller choices give a shorter and simpler script.

use std::collections::BTreeSet;

use super::expressions::EXPRESSIONS;
use super::templates::{ASSIGNMENTS, DANGERS, GENERAL, STATEMENTS, STEERING};

/// A generated script, its library, and the templates that they are made of.
pub(super) struct GeneratedScript {
    pub(super) main: String,
    pub(super) lib: String,
    /// Whether all of it should be lowered.
    pub(super) is_lowered: bool,
    pub(super) used: BTreeSet<&'static str>,
}

/// Maximum depth of expressions and statements.
const DEPTH: u32 = 3;

/// A function that calls itself `n` times.
const DEEP: &str = "fn deep(n) { if n <= 0 { 1 } else { deep(n - 1) + 1 } }\n";

/// Names of variables; few, so that some hide others.
const NAMES: &[&str] = &["a", "b", "c", "d", "f", "g", "h", "p", "q", "s", "u", "w"];

/// Kinds of parameters and of results, by their letters in templates.
const PARAMETERS: &[char] = &['T', 'V', 'W', 'B', 'S', 'M', 'A', 'L', 'N', 'U', 'Q', 'X', 'H', 'D'];
const RESULTS: &[char] = &['V', 'T', 'W', 'B', 'M', 'N', 'S', 'U', 'Q', 'X'];

/// Kinds of values that are not in columns: a variable may hold one, but agents cannot choose different ones.
const NOT_IN_COLUMNS: &[char] = &['G', 'E', 'H', 'I', 'Y', 'l', 'L', 'F', 'D', 'C', 'w', 't', 'q'];

struct DeclaredVariable {
    name: String,
    kind: char,
    is_constant: bool,
}

#[derive(Clone)]
struct DeclaredFunction {
    name: String,
    has_me: bool,
    parameters: Vec<char>,
    result: char,
    /// Whether it has a loop, and so takes too long to be called in one.
    is_expensive: bool,
}

/// Generates a script from choices.
pub(super) fn generate(choices: &[u16]) -> GeneratedScript {
    let mut generator = Generator {
        choices: choices.iter(),
        variables: Vec::new(),
        functions: Vec::new(),
        has_me: false,
        has_state: false,
        has_init: false,
        is_expensive: false,
        result: 'V',
        loops: Vec::new(),
        depth: DEPTH,
        used: BTreeSet::new(),
        is_lowered: false,
    };
    generator.is_lowered = generator.below(4) < 3;
    let lib = if generator.below(4) == 3 { generator.library() } else { String::new() };
    let main = generator.main(!lib.is_empty());
    GeneratedScript { main, lib, is_lowered: generator.is_lowered, used: generator.used }
}

/// The statements that may leave a loop.
#[derive(Clone, Copy, PartialEq)]
enum Leaving {
    BreakOrContinue,
    Continue,
    /// A closure: none of them.
    Neither,
}

struct Generator<'c> {
    choices: std::slice::Iter<'c, u16>,
    variables: Vec<DeclaredVariable>,
    functions: Vec<DeclaredFunction>,
    /// Whether `me` is in scope here, and whether its state has been set.
    has_me: bool,
    has_state: bool,
    /// Whether the script has an `init`.
    has_init: bool,
    is_expensive: bool,
    result: char,
    /// For each loop and closure around this point, what may leave it.
    loops: Vec<Leaving>,
    depth: u32,
    used: BTreeSet<&'static str>,
    /// Whether templates marked with `~` are left out.
    is_lowered: bool,
}

impl Generator<'_> {
    /// Returns a choice below `count`; 0 if no choices are left.
    fn below(&mut self, count: usize) -> usize {
        let choice = self.choices.next().copied().unwrap_or(0);
        (usize::from(choice) * count) >> 16
    }

    fn library(&mut self) -> String {
        let mut text = format!("const LK = 3.5;\nconst LV = vec(1, -2);\n{DEEP}");
        self.variable("LK", 'T', true);
        self.variable("LV", 'V', true);
        for i in 0..1 + self.below(2) {
            text += &self.function(format!("l{i}"));
        }
        for function in &mut self.functions {
            function.name.insert_str(0, "lib::");
        }
        text
    }

    fn main(&mut self, imports: bool) -> String {
        let mut text = String::new();
        if imports {
            text += "import \"lib\" as lib;\n";
        }
        for (definition, name, kind) in [
            ("1.25", "K", 'T'),
            ("vec(3, 4).rotated(1)", "KV", 'V'),
            ("[2, 0.5, -1]", "KL", 'L'),
            ("#{ n: 2, v: vec(1, 2), t: \"calm\" }", "KD", 'D'),
            (
                "[#{ n: 1.5, v: vec(3, 0), t: \"a\" }, #{ n: 4.0, v: vec(0, -2), t: \"left\" }]",
                "KC",
                'C',
            ),
            ("\"left\"", "KS", 'S'),
            ("sin(2) * 3 + 12 / 5", "KN", 'N'),
            ("12", "KW", 'W'),
            ("[3, 1, 4]", "KI", 'w'),
            ("[0.5, 2.5, -1.0]", "KT", 't'),
            ("[vec(0, 1), vec(-2, 0.5)]", "KQ", 'q'),
        ] {
            if self.below(3) == 2 {
                text += &format!("const {name} = {definition};\n");
                self.variable(name, kind, true);
            }
        }
        text += DEEP;
        self.has_init = self.below(8) < 7;
        for i in 0..self.below(4) {
            text += &self.function(format!("f{i}"));
        }
        self.has_me = true;
        self.has_state = self.has_init;
        if self.has_state {
            text += &self.init();
        }
        text += "fn steer(me) {\n";
        (self.result, self.depth) = ('V', DEPTH);
        let start = self.variables.len();
        for function in self.functions.clone() {
            // So that the results of most functions are used.
            let given = function.parameters.iter().all(|&kind| self.can_give(kind));
            if self.below(4) > 0 && given {
                let (call, name) = (self.call_of(&function), format!("r{}", self.variables.len()));
                text += &format!("  let {name} = {call};\n");
                self.variable(&name, function.result, false);
            }
        }
        for _ in 0..1 + self.below(8) {
            if self.choices.len() > 0 {
                text += &format!("  {}\n", self.statement());
            }
        }
        text += &format!("  {}\n}}\n", self.result(start));
        self.variables.truncate(start);
        text
    }

    fn init(&mut self) -> String {
        let mut text = "fn init(me) {
  me.state.n = if me.index % 2 == 0 { 1.5 } else { me.index };
  me.state.w = 3; me.state.b = me.index % 3 == 0; me.state.v = me.vel; me.state.t = WORD; me.state.a = ();
  me.state.x = (); me.state.u = me.goal;
"
        .replace("WORD", if self.is_lowered { "me.group" } else { "\"calm\"" });
        if !self.is_lowered {
            text += "  me.state.l = [1, 2.5]; me.state.m = #{ n: 1, v: vec(0, 1), t: \"x\" };\n";
        }
        (self.result, self.depth) = ('X', 2);
        if self.below(3) == 2 {
            text += &format!("  {}\n", self.block());
        }
        text + "}\n"
    }

    /// Returns vectors that depend on the variables declared since `start`.
    fn result_terms(&self, start: usize) -> Vec<String> {
        let own = &self.variables[start.min(self.variables.len())..];
        let own: BTreeSet<&str> = own.iter().map(|one| one.name.as_str()).collect();
        let mut terms = Vec::new();
        for (kind, term) in [
            ('V', "$"),
            ('N', "vec(clamp($, -9, 9), 0)"),
            ('B', "vec(if $ { 1 } else { 0 }, 0)"),
            ('L', "vec($.len(), $[0])"),
            ('S', "vec(0, if $ == \"left\" { 2 } else { 3 })"),
            ('M', "(if $ == () { vec(1, 1) } else { $.pos })"),
            ('U', "($ ?? vec(1, 1))"),
            ('Q', "me.to($)"),
            ('X', "(if $ == () { vec(1, 2) } else { vec(2, 1) })"),
            ('H', "$.mean_offset"),
            ('D', "$.v"),
        ] {
            let known = self.variables_of(kind, false).into_iter();
            let known = known.filter(|one| own.contains(one.name.as_str()));
            if !self.has_me && uses_me(term) {
                continue;
            }
            terms.extend(known.map(|one| term.replace('$', &one.name)));
        }
        terms
    }

    /// Returns the last expression of a function.
    fn result(&mut self, start: usize) -> String {
        let terms = self.result_terms(start);
        if terms.is_empty() || self.below(4) == 0 {
            return self.expression(self.result);
        }
        let sum = format!("({} + {})", self.expression('V'), terms.join(" + "));
        match self.result {
            'V' => sum,
            'T' => format!("clamp({sum}.x, -50, 50)"),
            'N' => format!("{sum}.y"),
            'W' => format!("to_int({sum}.length()) % 1000"),
            'B' => format!("{sum}.x > 4"),
            'S' if self.is_lowered => {
                format!("(if {sum}.x > 4 {{ \"left\" }} else {{ \"calm\" }})")
            }
            'S' => format!("`${{{sum}.x}}`"),
            _ => self.expression(self.result),
        }
    }

    /// Returns a statement that keeps results of the block that began at `start`; without it they would have no
    /// effect.
    fn keep_results(&mut self, start: usize) -> String {
        let terms = self.result_terms(start);
        if terms.is_empty() || self.below(4) == 0 {
            return String::new();
        }
        let sum = terms.join(" + ");
        let known = self.variables_of('V', true);
        let outer = known.iter().find(|one| {
            let mut before = self.variables[..start].iter();
            one.kind == 'V'
                && before.any(|outer| outer.name == one.name)
                && !terms.contains(&one.name)
        });
        match outer {
            Some(outer) => format!("{} += ({sum}).limit(9);", outer.name),
            None if self.has_state => format!("me.state.v = (me.state.v * 0.5 + {sum}).limit(90);"),
            None if self.has_me => format!("me.vel += ({sum}).limit(3);"),
            None => String::new(),
        }
    }

    fn function(&mut self, name: String) -> String {
        self.has_me = self.below(3) < 2;
        self.has_state = self.has_me && self.has_init && self.below(2) == 1;
        self.is_expensive = false;
        self.result = RESULTS[self.below(RESULTS.len())];
        self.depth = DEPTH - 1;
        let start = self.variables.len();
        let mut list = Vec::new();
        let mut parameters = Vec::new();
        if self.has_me {
            list.push("me".to_owned());
        }
        for name in ["x", "y", "z"].iter().take(self.below(4)) {
            let kind = PARAMETERS[self.below(PARAMETERS.len())];
            parameters.push(kind);
            list.push((*name).to_owned());
            self.variable(name, kind, false);
        }
        let mut body = String::new();
        for _ in 0..self.below(4) {
            body += &format!("  {}\n", self.statement());
        }
        body += &format!("  {}\n", self.result(start));
        self.variables.truncate(start);
        let text = format!("fn {name}({}) {{\n{body}}}\n", list.join(", "));
        self.functions.push(DeclaredFunction {
            name,
            has_me: self.has_me,
            parameters,
            result: self.result,
            is_expensive: self.is_expensive,
        });
        text
    }

    fn variable(&mut self, name: &str, kind: char, is_constant: bool) {
        self.variables.push(DeclaredVariable { name: name.to_owned(), kind, is_constant });
    }

    /// Returns the variables in scope that fit a kind.
    fn variables_of(&self, wanted: char, assigned: bool) -> Vec<&DeclaredVariable> {
        let fits = |kind| match wanted {
            'N' => ['N', 'T', 'W'].contains(&kind),
            'M' => ['M', 'A'].contains(&kind),
            'Q' => ['V', 'A', 'Q'].contains(&kind),
            'U' => ['V', 'U'].contains(&kind),
            'I' => kind == 'H',
            'X' if self.is_lowered => kind != 'Z' && !NOT_IN_COLUMNS.contains(&kind),
            'X' => kind != 'Z',
            _ => kind == wanted,
        };
        let hidden = |i: usize| {
            let name = &self.variables[i].name;
            self.variables[i + 1..].iter().any(|later| later.name == *name)
        };
        let all = self.variables.iter().enumerate();
        all.filter(|(i, one)| {
            let fits = if assigned { !one.is_constant } else { fits(one.kind) };
            fits && !hidden(*i)
        })
        .map(|(_, one)| one)
        .collect()
    }

    fn has(&self, kind: char) -> bool {
        !self.variables_of(kind, false).is_empty()
    }

    /// Returns whether a template can be filled here.
    fn is_possible(&self, template: &str) -> bool {
        let is_loop = ["$<", "$^", "$("].iter().any(|mark| template.contains(mark));
        let leaves = template.contains("{ break; }") || template.contains("{ continue; }");
        let most = if template.contains("in $H") { 0 } else { 1 };
        (self.has_me || !uses_me(template))
            && (self.has_state || !template.contains("state"))
            && (self.has_me || !(template.contains("$H") || template.contains("$I")))
            && (!template.contains("$A") || self.has('A'))
            && ['C', 'w', 't', 'q'].iter().all(|&kind| !asks_for(template, kind) || self.has(kind))
            && !(self.is_lowered && template.starts_with('~'))
            && (!self.is_lowered || !asks_for(template, 'D') || self.has('D') || self.has('C'))
            && !(is_loop && self.loops.len() > most)
            && (is_loop || !leaves || self.loops.last() == Some(&Leaving::BreakOrContinue))
    }

    fn choose(&mut self, templates: &[&'static str]) -> Option<&'static str> {
        let mut possible: Vec<_> =
            templates.iter().filter(|template| self.is_possible(template)).copied().collect();
        // A variable with another agent is rare, so use it when there is one.
        if possible.iter().any(|one| one.contains("$A")) && self.below(3) == 2 {
            possible.retain(|one| one.contains("$A"));
        }
        if possible.is_empty() {
            return None;
        }
        let chosen = possible[self.below(possible.len())];
        self.used.insert(chosen);
        Some(chosen)
    }

    fn expression(&mut self, kind: char) -> String {
        let forms = EXPRESSIONS.iter().find(|forms| forms.kind == kind);
        let (leaves, trees) = forms.map_or((&[][..], &[][..]), |f| (f.leaves, f.trees));
        let choice = self.below(14);
        let given_only =
            ['A', 'C', 'w', 't', 'q'].contains(&kind) || (self.is_lowered && kind == 'D');
        if (4..7).contains(&choice) || given_only {
            let known: Vec<String> =
                self.variables_of(kind, false).iter().map(|one| one.name.clone()).collect();
            if !known.is_empty() {
                return known[self.below(known.len())].clone();
            }
        }
        if self.depth == 0 || choice < 7 {
            return match self.choose(leaves).or_else(|| self.choose(trees)) {
                Some(leaf) => self.fill(leaf, kind),
                None => "()".to_owned(),
            };
        }
        self.depth -= 1;
        let choice = if self.is_lowered && NOT_IN_COLUMNS.contains(&kind) { 7 } else { choice };
        let text = match choice {
            12 => self.call(kind),
            13 => self.choose(GENERAL).map(|template| self.fill(template, kind)),
            10 | 11 if kind == 'V' => {
                let all: Vec<&'static str> = STEERING.iter().map(String::as_str).collect();
                self.choose(&all).map(|template| self.fill(template, kind))
            }
            _ => None,
        };
        let text = match text {
            Some(text) => text,
            None => match self.choose(trees).or_else(|| self.choose(leaves)) {
                Some(template) => self.fill(template, kind),
                None => "()".to_owned(),
            },
        };
        self.depth += 1;
        text
    }

    /// Returns whether a value of a kind can be written here.
    fn can_give(&self, kind: char) -> bool {
        match kind {
            'A' => self.has('A'),
            'H' => self.has_me,
            'D' if self.is_lowered => self.has('D') || self.has('C'),
            _ => true,
        }
    }

    /// Returns a call of a function of the script.
    fn call(&mut self, kind: char) -> Option<String> {
        let possible: Vec<DeclaredFunction> = self
            .functions
            .iter()
            .filter(|f| {
                let result = f.result == kind
                    || (kind == 'N' && f.result == 'T')
                    || (['Q', 'U'].contains(&kind) && f.result == 'V')
                    || kind == 'X';
                let is_callable =
                    (self.has_me || !f.has_me) && (self.loops.is_empty() || !f.is_expensive);
                let given = f.parameters.iter().all(|&kind| self.can_give(kind));
                result && is_callable && given
            })
            .cloned()
            .collect();
        if possible.is_empty() {
            return None;
        }
        let function = possible[self.below(possible.len())].clone();
        Some(self.call_of(&function))
    }

    fn call_of(&mut self, function: &DeclaredFunction) -> String {
        self.is_expensive |= function.is_expensive;
        let mut arguments = Vec::new();
        if function.has_me {
            arguments.push("me".to_owned());
        }
        for kind in &function.parameters {
            arguments.push(self.expression(*kind));
        }
        format!("{}({})", function.name, arguments.join(", "))
    }

    fn block(&mut self) -> String {
        let start = self.variables.len();
        let mut text = String::new();
        if self.depth > 0 {
            self.depth -= 1;
            for _ in 0..[0, 1, 1, 1, 2, 2, 3][self.below(7)] {
                text += &format!("\n{}", self.statement());
            }
            self.depth += 1;
        } else if self.below(8) > 0 {
            text += &format!("\n{}", self.simple_statement());
        }
        let kept = self.keep_results(start);
        self.variables.truncate(start);
        if text.is_empty() && kept.is_empty() {
            return text;
        }
        format!("{text}\n{kept}\n").replace("\n\n", "\n")
    }

    fn statement(&mut self) -> String {
        match self.below(60) {
            12..25 => self.assignment(),
            25 if self.loops.last().is_some_and(|last| *last != Leaving::Neither) => {
                let can_leave = self.loops.last() == Some(&Leaving::BreakOrContinue);
                let how = if can_leave && self.below(2) == 1 { "break" } else { "continue" };
                Some(format!("if {} {{ {how}; }}", self.expression('B')))
            }
            56.. => {
                // For few agents, and in different ticks: an error of one must not stop all at once.
                let (index, tick) = (self.below(75), self.below(5));
                let guard = format!("world.tick >= {tick}");
                let guard =
                    if self.has_me { format!("me.index == {index} && {guard}") } else { guard };
                Some(format!("if {guard} {{ {} }}", self.danger()))
            }
            _ => None,
        }
        .or_else(|| {
            let template = self.choose(STATEMENTS)?;
            Some(self.fill(template, 'X'))
        })
        .unwrap_or_default()
    }

    /// Returns a statement without other statements in it.
    fn simple_statement(&mut self) -> String {
        if self.below(3) > 0
            && let Some(text) = self.assignment()
        {
            return text;
        }
        let simple = STATEMENTS.iter().filter(|text| !text.contains("$_"));
        let simple: Vec<_> = simple.copied().collect();
        let template = self.choose(&simple);
        template.map_or_else(String::new, |template| self.fill(template, 'X'))
    }

    fn danger(&mut self) -> String {
        match self.choose(DANGERS) {
            Some(template) => self.fill(template, 'X'),
            None => String::new(),
        }
    }

    fn assignment(&mut self) -> Option<String> {
        let known: Vec<(String, char)> =
            self.variables_of('X', true).iter().map(|one| (one.name.clone(), one.kind)).collect();
        if known.is_empty() {
            return None;
        }
        let (name, kind) = known[self.below(known.len())].clone();
        let (_, templates) = ASSIGNMENTS.iter().find(|(of, _)| *of == kind)?;
        let template = self.choose(templates)?;
        Some(self.fill(template, kind).replace("$v", &name))
    }

    /// Fills in a template.
    fn fill(&mut self, template: &str, kind: char) -> String {
        let template = template.strip_prefix('~').unwrap_or(template);
        let first = if template.contains("$1") { self.below(NAMES.len()) } else { 0 };
        let name = |which: char| {
            let place = first + which.to_digit(10).map_or(0, |digit| digit as usize);
            NAMES[place % NAMES.len()]
        };
        let mut text = String::new();
        let (mut starts, mut outer) = (Vec::new(), Vec::new());
        let mut rest = template.chars();
        while let Some(letter) = rest.next() {
            if letter != '$' {
                text.push(letter);
                continue;
            }
            match rest.next().unwrap_or('$') {
                '{' => text += "${",
                'v' => text += "$v",
                which @ '1'..='3' => text += name(which),
                how @ ('+' | '=') => {
                    let (which, kind) = (rest.next().unwrap_or('1'), rest.next().unwrap_or('X'));
                    self.variable(name(which), kind, how == '=');
                }
                '[' => starts.push(self.variables.len()),
                ']' => self.variables.truncate(starts.pop().unwrap_or(0)),
                how @ ('<' | '^') => {
                    self.is_expensive = true;
                    let can_break = how == '<';
                    self.loops.push(if can_break {
                        Leaving::BreakOrContinue
                    } else {
                        Leaving::Continue
                    });
                }
                '(' => {
                    self.is_expensive = true;
                    self.loops.push(Leaving::Neither);
                    let constants: Vec<bool> =
                        self.variables.iter().map(|one| one.is_constant).collect();
                    outer.push((self.result, constants));
                    self.variables.iter_mut().for_each(|one| one.is_constant = true);
                    self.result = rest.next().unwrap_or('X');
                }
                ')' => {
                    self.loops.pop();
                    if let Some((result, constants)) = outer.pop() {
                        self.result = result;
                        for (one, is_constant) in self.variables.iter_mut().zip(constants) {
                            one.is_constant = is_constant;
                        }
                    }
                }
                '>' => {
                    self.loops.pop();
                }
                '_' => text += &self.block(),
                '!' => text += &self.danger(),
                '?' => text += &self.expression(kind),
                'r' => text += &self.expression(self.result),
                kind => text += &self.expression(kind),
            }
        }
        text
    }
}

/// Returns whether a template has a place for a kind of value.
fn asks_for(template: &str, kind: char) -> bool {
    template.match_indices('$').any(|(at, _)| template[at + 1..].starts_with(kind))
}

/// Returns whether a template contains `me` as a word.
fn uses_me(template: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    template.match_indices("me").any(|(at, found)| {
        !template[..at].ends_with(is_letter) && !template[at + found.len()..].starts_with(is_letter)
    })
}
