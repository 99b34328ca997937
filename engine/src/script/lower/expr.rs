//! Expressions: their values, and what a condition says about what it looks at.

use std::rc::Rc;

use rhai::{Dynamic, Expr, ImmutableString, Position};

use super::keys::{Id, Key, Known, Types};
use super::value::{Alt, Pick, Val};
use super::{Binding, Lower, Variable, definitions};
use crate::math::Vec2;
use crate::program::{B, Columns, Type, V};
use crate::script::api;
use crate::script::api::define::Attribute;

impl Lower<'_> {
    /// The value of an expression for the lanes that get here.
    pub(super) fn expression(&mut self, expression: &Expr) -> Val {
        self.nodes += 1;
        if self.active.is_none() {
            return Val::never();
        }
        self.within(|this| this.expression_within(expression))
    }

    fn expression_within(&mut self, expression: &Expr) -> Val {
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
        let place = self.emit.program.texts.add(text);
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
        if let Some(text) = value.read_lock::<ImmutableString>().map(|text| text.clone()) {
            return self.text(&text);
        }
        if value.is::<api::WorldHandle>() {
            return Val::World;
        }
        if let Some(range) = value.read_lock::<std::ops::Range<i64>>().map(|r| r.clone()) {
            return Val::Range {
                from: self.emit.const_i(range.start),
                to: self.emit.const_i(range.end),
                inclusive: false,
            };
        }
        if let Some(range) = value.read_lock::<std::ops::RangeInclusive<i64>>().map(|r| r.clone()) {
            return Val::Range {
                from: self.emit.const_i(*range.start()),
                to: self.emit.const_i(*range.end()),
                inclusive: true,
            };
        }
        self.work += size(value);
        Val::Constant(Pick { among: Rc::new(vec![value.clone()]), at: None })
    }

    /// A variable, or a constant of the script.
    pub(super) fn variable(&mut self, name: &str, position: Position) -> Val {
        if let Some(variable) = self.in_reach(name) {
            return match variable.is.clone() {
                Binding::Fixed(value) => {
                    let id = variable.id;
                    self.narrowed(id, value)
                }
                Binding::Home(id) => self.read_home(id),
                Binding::Known(value, ..) => value,
            };
        }
        match name {
            "world" => return Val::World,
            "PI" => return Val::number(self.const_f(crate::math::PI)),
            _ => {}
        }
        let digest = Rc::clone(&self.frame().digest);
        match digest.constant(name) {
            Some(value) if value.is_array() || value.is_map() => match digest.listed(name) {
                Some(among) => Val::Constant(Pick { among, at: None }),
                None => Val::never(),
            },
            Some(value) => self.constant(value),
            None => self.slow("this variable", position),
        }
    }

    /// A value without the types that it is known not to have here.
    pub(super) fn narrowed(&mut self, id: Id, value: Val) -> Val {
        let Val::Alts(alts) = value else { return value };
        let Some(types) = self.now.get(id) else {
            return Val::Alts(alts);
        };
        let mut left: Vec<Alt> = alts.into_iter().filter(|alt| types.contains(alt.is)).collect();
        if let [only] = &mut left[..] {
            only.mask = None;
        }
        Val::Alts(left)
    }

    /// A condition: a boolean, or the lanes are at fault.
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
                Some(known) => known.joined(&self.now),
                None => self.now.clone(),
            });
            // Whoever is decided already stays so, whatever the column holds there.
            result =
                if is_and { self.emit.and(result, truth) } else { self.emit.or(result, truth) };
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
        let missing = nothing.mask.map_or(entered, |mask| self.emit.and(entered, mask));
        let mut there: Vec<Alt> =
            alts.iter().filter(|alt| alt.is != Type::Nothing).copied().collect();
        if let [only] = &mut there[..] {
            only.mask = None;
        }
        let before = self.now.clone();
        let skip = self.emit.skip(missing);
        self.active = Some(missing);
        let other = self.first_of(rest);
        self.emit.land(skip);
        self.now = if self.active.is_some() { before.joined(&self.now) } else { before };
        let back = self
            .active
            .map(|back| if back == missing { missing } else { self.emit.and(missing, back) });
        self.active = Some(self.rejoined(entered, missing, back));
        if back.is_none() || there.is_empty() {
            if there.is_empty() && back.is_none() {
                self.active = None;
            }
            return if there.is_empty() { other } else { Val::Alts(there) };
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
                if let Some(id) = self.key_of(looked_at) {
                    let types = self.types_of(id, looked_at);
                    let left: Types =
                        types.iter().filter(|&is| (is == Type::Nothing) == is_equal).collect();
                    self.now.insert(id, left);
                }
            }
            _ => {}
        }
    }

    /// What stays the same from a condition to what follows it.
    fn key_of(&mut self, expression: &Expr) -> Option<Id> {
        match expression {
            Expr::Variable(variable, ..) => {
                let found = self.in_reach(&variable.1)?;
                match found.is {
                    Binding::Fixed(_) => Some(found.id),
                    Binding::Home(id) => Some(id),
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
                    (base @ (Val::Me | Val::World), Expr::Property(property, _)) => {
                        lasting(&base, &property.2).map(|(key, _)| self.seen.keys.id(key))
                    }
                    (Val::Me, Expr::Dot(inner, ..)) => match (&inner.lhs, &inner.rhs) {
                        (Expr::Property(first, _), Expr::Property(name, _))
                            if first.2 == "state" =>
                        {
                            Some(self.seen.keys.id(Key::State(name.2.to_string())))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The variable of a name, if there is one in reach.
    fn in_reach(&self, name: &str) -> Option<&Variable> {
        let variables = &self.frames.last()?.variables;
        variables.iter().rev().find(|variable| variable.name == name)
    }

    /// The types that something may have now.
    fn types_of(&mut self, id: Id, expression: &Expr) -> Types {
        if let Some(types) = self.now.get(id) {
            return types;
        }
        let variable = match expression {
            Expr::Variable(variable, ..) => variable,
            Expr::Dot(dot, ..) => {
                let (Expr::Variable(base, ..), Expr::Property(property, _)) = (&dot.lhs, &dot.rhs)
                else {
                    return self.seen.types(id);
                };
                let base = self.variable(&base.1, Position::NONE);
                return match lasting(&base, &property.2) {
                    Some((_, is)) => [Type::Nothing, is].into_iter().collect(),
                    None => self.seen.types(id),
                };
            }
            _ => return self.seen.types(id),
        };
        match self.in_reach(&variable.1).map(|found| &found.is) {
            Some(Binding::Fixed(value)) => value.types().into_iter().flatten().collect(),
            _ => self.seen.types(id),
        }
    }
}

/// The key of a property that stays what it is for a whole turn, and its type where it is not nothing.
fn lasting(of: &Val, property: &str) -> Option<(Key, Type)> {
    let found = definitions::find_property(property, of).filter(|one| one.has(Attribute::StableInTurn))?;
    Some((Key::Lasting(found.names[0]), found.result.column()))
}

/// How many values a constant is made of.
fn size(value: &Dynamic) -> usize {
    if let Some(items) = value.read_lock::<rhai::Array>() {
        return 1 + items.iter().map(size).sum::<usize>();
    }
    match value.read_lock::<rhai::Map>() {
        Some(items) => 1 + items.values().map(size).sum::<usize>(),
        None => 1,
    }
}
