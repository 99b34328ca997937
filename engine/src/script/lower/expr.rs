//! Expressions: their values, and what a condition says about what it looks at.

use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{ASTFlags, Dynamic, Expr, ImmutableString, Position};

use super::flow::joined;
use super::value::{Alt, Pick, Val};
use super::{Binding, Key, Known, Lower};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::program::{B, Columns, I, Op, Type, V};
use crate::script::api;

impl Lower<'_> {
    /// The value of an expression for the lanes that get here.
    pub(super) fn expression(&mut self, expression: &Expr) -> Val {
        self.nodes += 1;
        if self.active.is_none() {
            return Val::never();
        }
        match expression {
            Expr::IntegerConstant(x, _) => Val::whole(self.emit.const_i(*x)),
            Expr::FloatConstant(x, _) => Val::number(self.const_f(**x)),
            Expr::BoolConstant(x, _) => Val::truth(self.emit.const_b(*x)),
            Expr::StringConstant(text, _) => self.text(text),
            Expr::Unit(_) => Val::nothing(),
            Expr::DynamicConstant(value, _) => self.constant(value),
            Expr::Variable(variable, _, position) if variable.2.is_empty() => {
                let name = variable.1.to_string();
                self.variable(&name, *position)
            }
            Expr::Array(items, _) => {
                let mut all = Vec::with_capacity(items.len());
                for item in &**items {
                    all.push(self.expression(item));
                }
                if self.active.is_none() {
                    return Val::never();
                }
                Val::List(Rc::new(all))
            }
            Expr::Stmt(block) => self.block(block.statements()),
            Expr::FnCall(call, position) => self.function_call(call, *position),
            Expr::Dot(parts, flags, _) => self.parts(&parts.lhs, &parts.rhs, false, *flags),
            Expr::Index(parts, flags, _) => self.parts(&parts.lhs, &parts.rhs, true, *flags),
            Expr::And(..) | Expr::Or(..) => match self.truth(expression) {
                Some(truth) => Val::truth(truth),
                None => Val::never(),
            },
            Expr::Coalesce(choices, _) => self.first_of(choices),
            Expr::Custom(_, position) => self.slow("this", *position),
            Expr::InterpolatedString(_, position) => self.slow("making texts", *position),
            Expr::Map(_, position) => self.slow("a map", *position),
            Expr::CharConstant(_, position) => self.slow("a character", *position),
            other => self.slow("this", other.position()),
        }
    }

    /// The place of a text among those of the program.
    pub(super) fn text(&mut self, text: &str) -> Val {
        let texts = &mut self.emit.program.texts;
        let place = texts
            .iter()
            .position(|known| **known == *text)
            .unwrap_or_else(|| {
                texts.push(text.into());
                texts.len() - 1
            });
        Val::one(Type::Text, Columns::I(self.emit.const_i(place as i64)))
    }

    /// A value that is known now.
    pub(super) fn constant(&mut self, value: &Dynamic) -> Val {
        if value.is_unit() {
            return Val::nothing();
        }
        if let Ok(x) = value.as_bool() {
            return Val::truth(self.emit.const_b(x));
        }
        if let Ok(x) = value.as_int() {
            return Val::whole(self.emit.const_i(x));
        }
        if let Ok(x) = value.as_float() {
            return Val::number(self.const_f(x));
        }
        if let Some(v) = value.read_lock::<Vec2>().map(|v| *v) {
            return Val::vector(V(self.const_f(v.x), self.const_f(v.y)));
        }
        if let Some(text) = value
            .read_lock::<ImmutableString>()
            .map(|text| text.clone())
        {
            return self.text(&text);
        }
        if value.is::<api::Surroundings>() {
            return Val::World;
        }
        if let Some(range) = value.read_lock::<std::ops::Range<i64>>().map(|r| r.clone()) {
            return Val::Range {
                from: self.emit.const_i(range.start),
                to: self.emit.const_i(range.end),
                inclusive: false,
            };
        }
        if let Some(range) = value
            .read_lock::<std::ops::RangeInclusive<i64>>()
            .map(|r| r.clone())
        {
            return Val::Range {
                from: self.emit.const_i(*range.start()),
                to: self.emit.const_i(*range.end()),
                inclusive: true,
            };
        }
        Val::Constant(Pick {
            among: Rc::new(vec![value.clone()]),
            at: None,
        })
    }

    /// A variable, or a constant of the script.
    pub(super) fn variable(&mut self, name: &str, position: Position) -> Val {
        let found = self
            .frame()
            .variables
            .iter()
            .rev()
            .find(|variable| variable.name == name);
        if let Some(variable) = found {
            return match variable.is.clone() {
                Binding::Fixed(value) => {
                    let key = self.fixed_key(name);
                    self.narrowed(&key, value)
                }
                Binding::Home(key) => self.read_home(&key),
                Binding::Known(value, ..) => value,
            };
        }
        match name {
            "world" => return Val::World,
            "PI" => return Val::number(self.const_f(crate::math::PI)),
            _ => {}
        }
        let script = match self.frames.last() {
            Some(frame) => frame.script,
            None => return Val::never(),
        };
        match script
            .constants
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
        {
            Some(value) => self.constant(&value),
            None => self.slow("this variable", position),
        }
    }

    /// What conditions tell about a variable that never changes is kept by its name and function.
    pub(super) fn fixed_key(&mut self, name: &str) -> Key {
        let place = self
            .frame()
            .variables
            .iter()
            .rposition(|variable| variable.name == name)
            .unwrap_or(usize::MAX);
        let path = self.frame().path.clone();
        Key::Variable(path, u16::MAX, place as u16, name.to_owned())
    }

    /// A value without the types that it is known not to have here.
    pub(super) fn narrowed(&mut self, key: &Key, value: Val) -> Val {
        let Val::Alts(alts) = value else { return value };
        let Some(types) = self.now.get(key) else {
            return Val::Alts(alts);
        };
        let mut left: Vec<Alt> = alts
            .into_iter()
            .filter(|alt| types.contains(&alt.is))
            .collect();
        if let [only] = &mut left[..] {
            only.mask = None;
        }
        Val::Alts(left)
    }

    /// A condition: a truth value, or the lanes are at fault.
    pub(super) fn truth(&mut self, condition: &Expr) -> Option<B> {
        match condition {
            Expr::And(parts, _) => self.and_or(parts, true),
            Expr::Or(parts, _) => self.and_or(parts, false),
            _ => {
                let value = self.expression(condition);
                self.as_truth(&value, condition.position())
            }
        }
    }

    /// `a && b && c`, or `a || b || c`: each is asked only where those before leave it open.
    fn and_or(&mut self, parts: &[Expr], is_and: bool) -> Option<B> {
        let entered = self.active?;
        // What is known at the end is what is known on every way there.
        let mut known: Option<Known> = None;
        let mut result = self.emit.const_b(is_and);
        // Those that are still here, whether they are asked on or not.
        let mut here = entered;
        for (i, part) in parts.iter().enumerate() {
            let asked = self.active?;
            let truth = self.truth(part);
            here = self.rejoined(here, asked, self.active);
            let Some(truth) = truth else {
                // Those that came by are at fault, or have returned; all others are decided.
                if i == 0 {
                    return None;
                }
                break;
            };
            known = Some(match known {
                Some(known) => joined(known, self.now.clone()),
                None => self.now.clone(),
            });
            // Whoever is decided already stays so, whatever the column holds there.
            result = if is_and {
                self.emit.and(result, truth)
            } else {
                self.emit.or(result, truth)
            };
            if self.emit.known(result) == Some(!is_and) {
                break;
            }
            self.active = Some(if is_and {
                self.emit.and(here, result)
            } else {
                self.emit.and_not(here, result)
            });
            self.learn(part, is_and);
        }
        self.active = Some(here);
        self.now = known.unwrap_or_default();
        Some(result)
    }

    /// Who is here after some of those who were went on a way of their own, from which some may not have
    /// come back.
    fn rejoined(&mut self, all: B, went: B, back: Option<B>) -> B {
        match back {
            Some(back) if back == went => all,
            Some(back) => {
                let lost = self.emit.and_not(went, back);
                self.emit.and_not(all, lost)
            }
            None => self.emit.and_not(all, went),
        }
    }

    /// `a ?? b`: the first that is not nothing.
    fn first_of(&mut self, choices: &[Expr]) -> Val {
        let Some((first, rest)) = choices.split_first() else {
            return Val::nothing();
        };
        let value = self.expression(first);
        if rest.is_empty() {
            return value;
        }
        let Some(entered) = self.active else {
            return Val::never();
        };
        let Val::Alts(alts) = &value else {
            return value;
        };
        let Some(nothing) = alts.iter().find(|alt| alt.is == Type::Nothing) else {
            return value;
        };
        let missing = nothing
            .mask
            .map_or(entered, |mask| self.emit.and(entered, mask));
        let mut there: Vec<Alt> = alts
            .iter()
            .filter(|alt| alt.is != Type::Nothing)
            .copied()
            .collect();
        if let [only] = &mut there[..] {
            only.mask = None;
        }
        let before = self.now.clone();
        let skip = self.emit.skip(missing);
        self.active = Some(missing);
        let other = self.first_of(rest);
        self.emit.land(skip);
        self.now = if self.active.is_some() {
            joined(before, std::mem::take(&mut self.now))
        } else {
            before
        };
        let back = self.active.map(|back| {
            if back == missing {
                missing
            } else {
                self.emit.and(missing, back)
            }
        });
        self.active = Some(self.rejoined(entered, missing, back));
        if back.is_none() || there.is_empty() {
            if there.is_empty() && back.is_none() {
                self.active = None;
            }
            return if there.is_empty() {
                other
            } else {
                Val::Alts(there)
            };
        }
        self.merge(missing, other, Val::Alts(there), first.position())
    }

    /// What a condition that is known to hold, or not to hold, says about what it looks at.
    pub(super) fn learn(&mut self, condition: &Expr, holds: bool) {
        match condition {
            Expr::And(parts, _) if holds => parts.iter().for_each(|part| self.learn(part, true)),
            Expr::Or(parts, _) if !holds => parts.iter().for_each(|part| self.learn(part, false)),
            Expr::FnCall(call, _) if call.args.len() == 1 && call.name == "!" => {
                self.learn(&call.args[0], !holds);
            }
            Expr::FnCall(call, _) if call.args.len() == 2 => {
                let is_equal = match call.name.as_str() {
                    "==" => holds,
                    "!=" => !holds,
                    _ => return,
                };
                let looked_at = match (&call.args[0], &call.args[1]) {
                    (one, Expr::Unit(_)) | (Expr::Unit(_), one) => one,
                    _ => return,
                };
                if let Some(key) = self.key_of(looked_at) {
                    let types = self.types_of(&key, looked_at);
                    let left: BTreeSet<Type> = types
                        .into_iter()
                        .filter(|&is| (is == Type::Nothing) == is_equal)
                        .collect();
                    self.now.insert(key, left);
                }
            }
            _ => {}
        }
    }

    /// What stays the same from a condition to what follows it.
    fn key_of(&mut self, expression: &Expr) -> Option<Key> {
        match expression {
            Expr::Variable(variable, ..) => {
                let name = variable.1.to_string();
                let found = self
                    .frame()
                    .variables
                    .iter()
                    .rev()
                    .find(|variable| variable.name == name)?;
                match found.is.clone() {
                    Binding::Fixed(_) => Some(self.fixed_key(&name)),
                    Binding::Home(key) => Some(key),
                    Binding::Known(..) => None,
                }
            }
            Expr::Dot(dot, ..) => {
                let base = match &dot.lhs {
                    Expr::Variable(variable, ..) => variable.1.to_string(),
                    _ => return None,
                };
                let base = self.variable(&base, Position::NONE);
                match (base, &dot.rhs) {
                    (Val::Me, Expr::Property(property, _)) if property.2 == "goal" => {
                        Some(Key::Goal)
                    }
                    (Val::World, Expr::Property(property, _)) if property.2 == "cursor" => {
                        Some(Key::Cursor)
                    }
                    (Val::Me, Expr::Dot(inner, ..)) => match (&inner.lhs, &inner.rhs) {
                        (Expr::Property(first, _), Expr::Property(name, _))
                            if first.2 == "state" =>
                        {
                            Some(Key::State(name.2.to_string()))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The types that something may have by now.
    fn types_of(&mut self, key: &Key, expression: &Expr) -> BTreeSet<Type> {
        if let Some(types) = self.now.get(key) {
            return types.clone();
        }
        match key {
            Key::Goal | Key::Cursor => [Type::Nothing, Type::Vector].into(),
            Key::Variable(_, u16::MAX, ..) => {
                let Expr::Variable(variable, ..) = expression else {
                    return BTreeSet::new();
                };
                let name = variable.1.to_string();
                match self.variable(&name, Position::NONE).types() {
                    Some(types) => types.into_iter().collect(),
                    None => BTreeSet::new(),
                }
            }
            _ => self.seen.types.get(key).cloned().unwrap_or_default(),
        }
    }

    // Chains: `a.b(c).d[e]`.

    fn parts(&mut self, root: &Expr, rest: &Expr, is_index: bool, flags: ASTFlags) -> Val {
        // All arguments on the way come before the first step.
        let mut arguments = Vec::new();
        self.gather(rest, is_index, flags, &mut arguments);
        arguments.reverse();
        let base = self.expression(root);
        self.walk_on(base, rest, is_index, flags, &mut arguments)
    }

    fn gather(&mut self, rest: &Expr, is_index: bool, flags: ASTFlags, all: &mut Vec<Vec<Val>>) {
        self.nodes += 1;
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                self.gather_one(&parts.lhs, is_index, all);
                let next = matches!(rest, Expr::Index(..));
                self.gather(&parts.rhs, next, *own, all);
            }
            one => self.gather_one(one, is_index, all),
        }
    }

    fn gather_one(&mut self, one: &Expr, is_index: bool, all: &mut Vec<Vec<Val>>) {
        match one {
            Expr::MethodCall(call, _) if !is_index => {
                let mut values = Vec::with_capacity(call.args.len());
                for argument in &call.args {
                    values.push(self.expression(argument));
                }
                all.push(values);
            }
            Expr::Property(..) if !is_index => {}
            index => {
                let value = self.expression(index);
                all.push(vec![value]);
            }
        }
    }

    fn walk_on(
        &mut self,
        base: Val,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
        arguments: &mut Vec<Vec<Val>>,
    ) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        // `a?.b` is nothing where `a` is.
        if flags.contains(ASTFlags::NEGATED)
            && let Val::Alts(alts) = &base
            && let Some(nothing) = alts.iter().find(|alt| alt.is == Type::Nothing)
        {
            let there = alts.iter().filter(|alt| alt.is != Type::Nothing);
            let mut there: Vec<Alt> = there.copied().collect();
            let Some(missing) = nothing.mask.filter(|_| !there.is_empty()) else {
                return Val::nothing();
            };
            if let [only] = &mut there[..] {
                only.mask = None;
            }
            self.active = Some(self.emit.and_not(active, missing));
            let flags = flags - ASTFlags::NEGATED;
            let value = self.walk_on(Val::Alts(there), rest, is_index, flags, arguments);
            self.active = Some(active);
            return self.merge(missing, Val::nothing(), value, rest.position());
        }
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                let next = self.step(base, &parts.lhs, is_index, arguments);
                self.walk_on(
                    next,
                    &parts.rhs,
                    matches!(rest, Expr::Index(..)),
                    *own,
                    arguments,
                )
            }
            one => self.step(base, one, is_index, arguments),
        }
    }

    fn step(
        &mut self,
        base: Val,
        one: &Expr,
        is_index: bool,
        arguments: &mut Vec<Vec<Val>>,
    ) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        match one {
            Expr::MethodCall(call, position) if !is_index => {
                let mut values = vec![base];
                values.extend(arguments.pop().unwrap_or_default());
                if self.script_defines(&call.name, values.len() - 1) {
                    return self.slow("a function of the script called on something", *position);
                }
                self.native(&call.name, values, *position, true)
            }
            Expr::Property(property, position) if !is_index => {
                self.property(&base, &property.2, *position)
            }
            index => {
                let place = arguments.pop().and_then(|mut values| values.pop());
                let position = index.position();
                match place {
                    Some(place) => self.element(&base, &place, position),
                    None => self.slow("this", position),
                }
            }
        }
    }

    /// Whether the script has a function of this name and number of parameters.
    pub(super) fn script_defines(&self, name: &str, parameters: usize) -> bool {
        self.frames.last().is_some_and(|frame| {
            frame
                .script
                .functions()
                .any(|(known, count)| known == name && count == parameters)
        })
    }

    /// `base[place]`.
    fn element(&mut self, base: &Val, place: &Val, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        if let (Val::State | Val::Params, Val::Alts(alts)) = (base, place)
            && let [alt] = &alts[..]
            && alt.is == Type::Text
            && let Some(name) = self.known_text(alt.at)
        {
            return self.property(base, &name, position);
        }
        if matches!(base, Val::Any) || matches!(place, Val::Any) {
            return Val::Any;
        }
        let Val::Alts(alts) = place else {
            return self.slow("looking up an element by this", position);
        };
        let [
            Alt {
                is: Type::Int,
                at: Columns::I(at),
                ..
            },
        ] = alts[..]
        else {
            return self.slow("looking up an element by this", position);
        };
        match base {
            Val::List(items) => {
                if let Some(place) = self.known_whole(at) {
                    let place = usize::try_from(place).ok();
                    return match place.and_then(|place| items.get(place)) {
                        Some(item) => item.clone(),
                        None => self.slow(
                            "an element that is not there, or counted from the end,",
                            position,
                        ),
                    };
                }
                self.slow(
                    "an element whose place differs from agent to agent",
                    position,
                )
            }
            Val::Constant(pick) if pick.at.is_none() => {
                let items = pick
                    .among
                    .first()
                    .and_then(|value| value.read_lock::<rhai::Array>().map(|items| items.clone()));
                let Some(items) = items else {
                    return self.slow("an element of this", position);
                };
                if let Some(place) = self.known_whole(at) {
                    let place = usize::try_from(place).ok();
                    return match place.and_then(|place| items.get(place)) {
                        Some(item) => self.constant(item),
                        None => self.slow(
                            "an element that is not there, or counted from the end,",
                            position,
                        ),
                    };
                }
                // Whoever is out of range is looked up in vain here, where the place is known.
                let table = self.table_i((0..items.len() as i64).collect());
                let to = self.emit.i();
                self.emit.op(Op::TableI {
                    table,
                    to,
                    at,
                    active,
                });
                self.picked(
                    Pick {
                        among: Rc::new(items),
                        at: Some(to),
                    },
                    position,
                )
            }
            Val::Alts(alts) if alts.is_empty() => Val::never(),
            _ => self.slow("an element of this", position),
        }
    }

    /// One of several constants: as columns where they are of one type.
    pub(super) fn picked(&mut self, pick: Pick, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        let Some(at) = pick.at else {
            return match pick.among.first() {
                Some(value) => {
                    let value = value.clone();
                    self.constant(&value)
                }
                None => self.slow("this", position),
            };
        };
        let among = &pick.among;
        if !among.is_empty() && among.iter().all(Dynamic::is_int) {
            let table = self.table_i(among.iter().filter_map(|x| x.as_int().ok()).collect());
            let to = self.emit.i();
            self.emit.op(Op::TableI {
                table,
                to,
                at,
                active,
            });
            return Val::whole(to);
        }
        if !among.is_empty() && among.iter().all(Dynamic::is_float) {
            let numbers = among.iter().filter_map(|x| x.as_float().ok()).collect();
            return Val::number(self.look_up(numbers, at, active));
        }
        let vectors: Vec<Vec2> = among
            .iter()
            .filter_map(|v| v.read_lock::<Vec2>().map(|v| *v))
            .collect();
        if !among.is_empty() && vectors.len() == among.len() {
            let x = self.look_up(vectors.iter().map(|v| v.x).collect(), at, active);
            let y = self.look_up(vectors.iter().map(|v| v.y).collect(), at, active);
            return Val::vector(V(x, y));
        }
        if !among.is_empty() && among.iter().all(Dynamic::is_map) {
            return Val::Constant(pick);
        }
        self.slow("constants of different kinds in one array", position)
    }

    fn look_up(&mut self, numbers: Vec<f32>, at: I, active: B) -> crate::program::F {
        let tables = &mut self.emit.program.tables_f;
        tables.push(numbers);
        let table = (tables.len() - 1) as u16;
        let to = self.emit.f();
        self.emit.op(Op::TableF {
            table,
            to,
            at,
            active,
        });
        to
    }

    fn table_i(&mut self, numbers: Vec<i64>) -> u16 {
        let tables = &mut self.emit.program.tables_i;
        tables.push(numbers);
        (tables.len() - 1) as u16
    }

    /// The text that a column of texts is known to hold.
    pub(super) fn known_text(&self, at: Columns) -> Option<String> {
        let Columns::I(at) = at else { return None };
        let place = usize::try_from(self.known_whole(at)?).ok()?;
        self.emit.program.texts.get(place).map(ToString::to_string)
    }

    /// The whole number that a column is known to hold.
    pub(super) fn known_whole(&self, at: I) -> Option<i64> {
        self.emit.program.prologue.iter().find_map(|op| match op {
            Op::ConstI { to, value } if *to == at && !self.is_home(at) => Some(*value),
            _ => None,
        })
    }

    fn is_home(&self, at: I) -> bool {
        self.steps == Some(at) || self.homes.values().any(|home| home.tag == at)
    }

    // Values as what is wanted of them.

    /// The alternatives that fit; lanes with another are at fault, and if none fits, the script fails.
    pub(super) fn fitting(
        &mut self,
        value: &Val,
        fits: impl Fn(Type) -> bool,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Vec<Alt> {
        let Some(active) = self.active else {
            return Vec::new();
        };
        let alts = match value {
            Val::Alts(alts) => alts,
            Val::Any => return Vec::new(),
            Val::Mixed(at) => {
                let at = *at;
                self.slow("one thing on one way and another on another", at);
                return Vec::new();
            }
            other => {
                let kind = other.kind();
                let wrong = Diagnostic::error(format!("{what} must be {wanted}, and is {kind}"));
                self.fails(wrong, position);
                return Vec::new();
            }
        };
        if alts.is_empty() {
            self.stop();
            return Vec::new();
        }
        let (good, bad): (Vec<Alt>, Vec<Alt>) = alts.iter().partition(|alt| fits(alt.is));
        if good.is_empty() {
            let kind = super::value::name(bad[0].is);
            let wrong = Diagnostic::error(format!("{what} must be {wanted}, and is {kind}"));
            let wrong = if bad[0].is == Type::Nothing {
                wrong.help(NOTHING)
            } else {
                wrong
            };
            self.fails(wrong, position);
            return Vec::new();
        }
        for alt in &bad {
            let active = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            self.emit.op(Op::Fault { active });
            if alt.is == Type::Nothing {
                self.may_be_nothing(alt.mask, format!("{what} may be nothing, ()"), position);
            }
        }
        if let [only] = good[..] {
            return vec![Alt { mask: None, ..only }];
        }
        good
    }

    /// Warns of something that may be nothing, once for each thing.
    pub(super) fn may_be_nothing(&mut self, mask: Option<B>, what: String, position: Position) {
        if mask.is_some_and(|mask| !self.warned.insert(mask)) {
            return;
        }
        let may =
            Diagnostic::warning(what).help("ask first whether it is there: `if it != () { ... }`");
        let may = self.place(may, position);
        self.findings.push(may);
    }

    pub(super) fn as_truth(&mut self, value: &Val, position: Position) -> Option<B> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.b());
        }
        let alts = self.fitting(
            value,
            |is| is == Type::Bool,
            "a condition",
            "true or false",
            position,
        );
        match alts.first()?.at {
            Columns::B(b) => Some(b),
            _ => None,
        }
    }

    pub(super) fn as_vector(&mut self, value: &Val, what: &str, position: Position) -> Option<V> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.v());
        }
        let alts = self.fitting(value, |is| is == Type::Vector, what, "a vector", position);
        match alts.first()?.at {
            Columns::V(v) => Some(v),
            _ => None,
        }
    }

    /// A number of either kind, as one with a fraction.
    pub(super) fn as_number(
        &mut self,
        value: &Val,
        what: &str,
        position: Position,
    ) -> Option<crate::program::F> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.f());
        }
        let fits = |is| matches!(is, Type::Int | Type::Float);
        let alts = self.fitting(value, fits, what, "a number", position);
        let mut result = None;
        for alt in alts {
            let x = match alt.at {
                Columns::F(x) => x,
                Columns::I(x) => self.emit.to_f(x),
                _ => continue,
            };
            result = Some(match (result, alt.mask) {
                (Some(other), Some(mask)) => self.emit.select_f(mask, x, other),
                _ => x,
            });
        }
        result
    }

    /// A vector of numbers, which must be finite.
    pub(super) fn finite(&mut self, a: V) -> Val {
        if let Some(active) = self.active {
            self.emit.op(Op::Finite { a, active });
        }
        Val::vector(a)
    }
}

pub(super) const NOTHING: &str = "`()` stands for nothing: an agent that is not there, a goal after the last one; test for it with `!= ()`";
