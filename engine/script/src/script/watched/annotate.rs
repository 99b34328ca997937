//! Writes the calls that note values into the text of a script.
//!
//! Variables are noted by statements of their own, since a call that changes a variable needs the variable itself. Results of
//! calls and properties are noted where they are computed. The syntax tree says where each of them begins, and the brackets of the text where it
//! ends.

use std::ops::Range;
use std::sync::Arc;

use rhai::{
    AST, ASTFlags, ASTNode, Expr, FnCallExpr, Module, OptimizationLevel, Position, Shared, Stmt,
    StmtBlock,
};

use super::{NOTE, VALUE};
use crate::diag::{Place, Source, brackets};
use crate::script::api;
use crate::script::compile::Script;
use crate::sim::ValueKind;
use crate::tokens::Language;

/// A value that is noted under one number.
#[derive(Debug)]
pub(super) struct Slot {
    /// The names in the text that have the value.
    pub(super) places: Vec<Place>,
    /// What has the value.
    pub(super) kind: ValueKind,
}

/// Returns the text of a script with calls that note its values, and adds what they note to `slots`. `None` if that is not
/// possible.
pub(super) fn annotated(script: &Script, slots: &mut Vec<Slot>) -> Option<String> {
    let source = &script.source;
    // The usual tree is optimized: it lacks parts of the text.
    let mut engine = api::engine();
    engine.set_optimization_level(OptimizationLevel::None);
    let ast = engine.compile(&source.text).ok()?;
    let mut annotator = Annotator {
        source,
        pairs: brackets::pairs(&source.text, Language::Rhai)?,
        insertions: Vec::new(),
        uses: Vec::new(),
        slots,
    };
    let functions: Vec<(String, usize)> = ast
        .iter_functions()
        .map(|function| (function.name.to_owned(), function.params.len()))
        .collect();
    for (name, params) in functions {
        let Some(function) = ast.shared_lib().get_script_fn(&name, params) else { continue };
        let (start, end) = (function.body.start_position(), function.body.end_position());
        let mut only = Module::new();
        only.set_script_fn(Shared::clone(function));
        let mut statements = Vec::new();
        AST::new([], only).walk(&mut |path| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        annotator.block(&statements, (start, end), &[]);
        annotator.uses.clear();
    }
    Some(annotator.text())
}

/// A text to insert.
struct Insertion {
    at: usize,
    /// The order of texts that are inserted at the same place.
    order: (u8, usize),
    text: String,
}

/// The end of a call that notes a value comes first, then statements, then the beginnings of calls, the outermost first.
const END: u8 = 0;
const STATEMENT: u8 = 1;
const BEGINNING: u8 = 2;

struct Annotator<'s> {
    source: &'s Arc<Source>,
    /// The pairs of brackets, each from the opening one to the end of the closing one.
    pairs: Vec<Range<usize>>,
    insertions: Vec<Insertion>,
    /// The variables that the statement uses, and where.
    uses: Vec<(String, Range<usize>)>,
    slots: &'s mut Vec<Slot>,
}

impl Annotator<'_> {
    fn text(mut self) -> String {
        self.insertions.sort_by_key(|insertion| (insertion.at, insertion.order));
        let text = &self.source.text;
        let (mut out, mut from) = (String::with_capacity(text.len() * 2), 0);
        for Insertion { at, text: new, .. } in &self.insertions {
            out.push_str(&text[from..*at]);
            out.push_str(new);
            from = *at;
        }
        out + &text[from..]
    }

    fn offset(&self, position: Position) -> Option<usize> {
        Some(self.source.offset(position.line()?, position.position()?))
    }

    /// Returns the innermost brackets around an offset.
    fn around(&self, at: usize) -> Option<&Range<usize>> {
        let around = self.pairs.iter().filter(|pair| pair.start < at && at < pair.end);
        around.max_by_key(|pair| pair.start)
    }

    fn slot(&mut self, spans: Vec<Range<usize>>, kind: ValueKind) -> usize {
        let place = |span| Place { source: Arc::clone(self.source), span };
        self.slots.push(Slot { places: spans.into_iter().map(place).collect(), kind });
        self.slots.len() - 1
    }

    /// Inserts a statement that notes what is written as `value`.
    fn note(&mut self, at: usize, value: &str, spans: Vec<Range<usize>>, kind: ValueKind) {
        let slot = self.slot(spans, kind);
        // A statement before the end of a block may have no semicolon.
        let before = if self.source.text[at..].starts_with('}') { ";" } else { "" };
        let text = format!("{before}{NOTE}({slot}, {value});");
        self.insertions.push(Insertion { at, order: (STATEMENT, self.insertions.len()), text });
    }

    /// Notes the value of the call or the property with a name.
    fn wrap(&mut self, start: Position, name: Position, call: Option<&str>) {
        let (Some(mut start), Some(mut name)) = (self.offset(start), self.offset(name)) else {
            return;
        };
        let text = &self.source.text;
        let mut span = self.source.token(name);
        while let Some(rest) = text[span.end..].strip_prefix("::") {
            name = text.len() - rest.len();
            span = self.source.token(name);
        }
        let mut end = span.end;
        if let Some(called) = call {
            // An operator such as `in` calls a function with another name.
            if &text[span.clone()] != called {
                return;
            }
            let open = text.len() - text[end..].trim_start().len();
            let Some(pair) = self.pairs.iter().find(|pair| pair.start == open) else { return };
            end = pair.end;
        }
        // What is in brackets before a dot begins with its bracket.
        while let Some(pair) = self.around(start)
            && pair.end <= end
        {
            start = pair.start;
        }
        self.note_value(start..end, span, ValueKind::Result);
    }

    /// Notes the value of an expression, for a place in the text.
    fn note_value(&mut self, written: Range<usize>, span: Range<usize>, kind: ValueKind) {
        let slot = self.slot(vec![span], kind);
        let text = format!("{VALUE}({slot}, ");
        let Range { start, end } = written;
        self.insertions.push(Insertion { at: start, order: (BEGINNING, usize::MAX - end), text });
        self.insertions.push(Insertion { at: end, order: (END, 0), text: ")".to_owned() });
    }

    /// Notes what an `if` or a `switch` decides by: everything between this word and the brace.
    fn condition(&mut self, keyword: Position) {
        let Some(keyword) = self.offset(keyword) else { return };
        let text = &self.source.text;
        let start = self.source.token(keyword).end;
        let is_block = |pair: &&Range<usize>| {
            pair.start >= start
                && text[pair.start..].starts_with('{')
                && !text[..pair.start].ends_with('#')
                && self.around(pair.start) == self.around(keyword)
        };
        let Some(block) = self.pairs.iter().filter(is_block).min_by_key(|pair| pair.start) else {
            return;
        };
        let written = &text[start..block.start];
        let first = start + (written.len() - written.trim_start().len());
        let span = first..first + written.trim().len();
        self.note_value(span.clone(), span, ValueKind::Condition);
    }

    /// Returns the brackets of a block, if it has any.
    fn braces(&self, (start, end): (Position, Position)) -> Option<Range<usize>> {
        let (start, end) = (self.offset(start)?, self.offset(end)?);
        let pair = start..end + 1;
        (self.source.text[start..].starts_with('{') && self.pairs.contains(&pair)).then_some(pair)
    }

    /// Returns where a statement begins in a block.
    fn start_in(&self, block: &Range<usize>, statement: &Stmt) -> Option<usize> {
        let mut at = self.offset(start_of(statement)?)?;
        while let Some(pair) = self.around(at)
            && pair.start > block.start
        {
            at = pair.start;
        }
        (block.start < at && at < block.end).then_some(at)
    }

    fn block_of(&mut self, block: &StmtBlock) {
        self.block(block.statements(), (block.position(), block.end_position()), &[]);
    }

    /// Notes the values in a block, and before it those of the variables of a loop.
    fn block(
        &mut self,
        statements: &[Stmt],
        ends: (Position, Position),
        variables: &[&rhai::Ident],
    ) {
        let braces = self.braces(ends);
        if let Some(braces) = &braces {
            for variable in variables {
                if let Some(at) = self.offset(variable.pos) {
                    let span = self.source.token(at);
                    // Directly behind the bracket, also if the block is empty.
                    let slot = self.slot(vec![span], ValueKind::Variable);
                    let text = format!("{NOTE}({slot}, {});", variable.name);
                    let order = (STATEMENT, 0);
                    self.insertions.push(Insertion { at: braces.start + 1, order, text });
                }
            }
        }
        for (index, statement) in statements.iter().enumerate() {
            let around = std::mem::take(&mut self.uses);
            self.statement(statement);
            let uses = std::mem::replace(&mut self.uses, around);
            let start = braces.as_ref().and_then(|braces| self.start_in(braces, statement));
            let (Some(braces), Some(start)) = (&braces, start) else {
                self.uses.extend(uses);
                continue;
            };
            let mut names: Vec<&String> = uses.iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let of = uses.iter().filter(|(used, _)| used == name);
                self.note(
                    start,
                    name,
                    of.map(|(_, span)| span.clone()).collect(),
                    ValueKind::Result,
                );
            }
            if let Some((value, span)) = self.set_by(statement) {
                let rest = statements[index + 1..].iter();
                let next = rest.filter_map(|next| self.start_in(braces, next)).next();
                self.note(next.unwrap_or(braces.end - 1), &value, vec![span], ValueKind::Variable);
            }
        }
    }

    /// Returns what a statement declares or sets, as it is written, and where its name is.
    fn set_by(&self, statement: &Stmt) -> Option<(String, Range<usize>)> {
        match statement {
            Stmt::Var(variable, ..) => {
                let at = self.offset(variable.0.pos)?;
                Some((variable.0.name.to_string(), self.source.token(at)))
            }
            Stmt::Assignment(assignment) => {
                let target = &assignment.1.lhs;
                let mut last = target;
                while let Expr::Dot(parts, ..) = last {
                    let is_plain = matches!(parts.lhs, Expr::Variable(..) | Expr::Property(..));
                    last = is_plain.then_some(&parts.rhs)?;
                }
                let (Expr::Variable(_, _, position) | Expr::Property(_, position)) = last else {
                    return None;
                };
                let span = self.source.token(self.offset(*position)?);
                let start = self.offset(target.start_position())?;
                let written = self.source.text.get(start..span.end)?;
                // A comment may be in between.
                let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '?';
                written.chars().all(is_name).then(|| (written.to_owned(), span))
            }
            _ => None,
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If(flow, position) => {
                self.condition(*position);
                self.expression(&flow.expr);
                self.block_of(&flow.body);
                self.block_of(&flow.branch);
            }
            Stmt::Switch(switch, position) => {
                self.condition(*position);
                self.expression(&switch.0);
                for case in &switch.1.expressions {
                    self.expression(&case.lhs);
                    self.expression(&case.rhs);
                }
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                // A variable in the condition may differ each time that it is asked.
                let known = self.uses.len();
                self.expression(&flow.expr);
                self.uses.truncate(known);
                self.block_of(&flow.body);
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                self.expression(&flow.expr);
                let variables: Vec<&rhai::Ident> = counter.iter().chain([item]).collect();
                let ends = (flow.body.position(), flow.body.end_position());
                self.block(flow.body.statements(), ends, &variables);
            }
            Stmt::Var(variable, ..) => self.expression(&variable.1),
            Stmt::Assignment(assignment) => self.expression(&assignment.1.rhs),
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::Block(block) => self.block_of(block),
            Stmt::TryCatch(flow, _) => {
                self.block_of(&flow.body);
                self.block_of(&flow.branch);
            }
            Stmt::Expr(expression) => self.expression(expression),
            Stmt::Return(Some(expression), ..) | Stmt::BreakLoop(Some(expression), ..) => {
                self.expression(expression);
            }
            _ => {}
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Variable(variable, _, position) => {
                let name = variable.1.as_str();
                if variable.2.is_empty()
                    && name != "me"
                    && name != "world"
                    && let Some(at) = self.offset(*position)
                {
                    self.uses.push((name.to_owned(), self.source.token(at)));
                }
            }
            Expr::Array(items, _) => items.iter().for_each(|item| self.expression(item)),
            Expr::Map(items, _) => items.0.iter().for_each(|(_, item)| self.expression(item)),
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => {
                all.iter().for_each(|one| self.expression(one));
            }
            // A closure: variables that it captures must not be read here.
            Expr::Stmt(block) if block.iter().any(|one| matches!(one, Stmt::Share(..))) => {}
            Expr::Stmt(block) => self.block_of(block),
            Expr::FnCall(call, position) => self.call(call, *position),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression),
            _ => {}
        }
    }

    fn call(&mut self, call: &FnCallExpr, position: Position) {
        call.args.iter().for_each(|argument| self.expression(argument));
        if is_word(call) {
            let start =
                if call.namespace.is_empty() { position } else { call.namespace.position() };
            self.wrap(start, start, Some(&call.name));
        }
    }

    /// Notes the values in a chain of properties and calls, and that of the whole chain.
    fn chain(&mut self, chain: &Expr) {
        let mut rest = chain;
        while let Expr::Dot(parts, flags, _) | Expr::Index(parts, flags, _) = rest {
            let ends_in_index = matches!(rest, Expr::Index(..)) && flags.contains(ASTFlags::BREAK);
            self.part(&parts.lhs);
            if let Expr::MethodCall(call, name) = &parts.lhs {
                self.wrap(first(chain), *name, Some(&call.name));
            }
            if ends_in_index {
                self.expression(&parts.rhs);
                return;
            }
            rest = &parts.rhs;
        }
        self.part(rest);
        let start = first(chain);
        match rest {
            Expr::Property(_, name) => self.wrap(start, *name, None),
            Expr::MethodCall(call, name) => self.wrap(start, *name, Some(&call.name)),
            _ => {}
        }
    }

    fn part(&mut self, part: &Expr) {
        match part {
            Expr::MethodCall(call, _) => {
                call.args.iter().for_each(|argument| self.expression(argument));
            }
            Expr::Property(..) => {}
            other => self.expression(other),
        }
    }
}

/// Returns whether a call is written as a name with arguments in brackets, and not with an operator.
fn is_word(call: &FnCallExpr) -> bool {
    call.op_token.is_none() && call.name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns where an expression begins, apart from brackets around its parts.
fn first(expression: &Expr) -> Position {
    match expression {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => first(&parts.lhs),
        Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => first(&all[0]),
        Expr::FnCall(call, position) => first_of_call(call, *position),
        other => other.start_position(),
    }
}

fn first_of_call(call: &FnCallExpr, position: Position) -> Position {
    if !call.namespace.is_empty() {
        return call.namespace.position();
    }
    let arguments = call.args.iter().map(first).filter(|position| !position.is_none());
    arguments.chain([position]).min().unwrap_or(position)
}

/// Returns where a statement begins; `None` if that is not known.
fn start_of(statement: &Stmt) -> Option<Position> {
    match statement {
        Stmt::Noop(_) | Stmt::Share(_) => None,
        Stmt::Assignment(assignment) => Some(first(&assignment.1.lhs)),
        Stmt::FnCall(call, position) => Some(first_of_call(call, *position)),
        Stmt::Expr(expression) => Some(first(expression)),
        other => Some(other.position()),
    }
}
