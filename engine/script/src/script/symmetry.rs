//! Finds the laws that a behavior is expected to obey: whether it reads or calls anything that knows a place, a
//! direction or a side.

use std::collections::BTreeSet;

use rhai::{ASTNode, Dynamic, Expr, FnCallExpr, Stmt};

use super::api::changes::{ChangeFunction, OrderMatters};
use super::api::define::Attribute;
use super::compile::Script;
use super::{Behavior, api, reach, value};
use crate::math::Vec2;
use crate::sim::Law;
use crate::steer::{self, Primitive};
use crate::world::{GroupId, SharedRule, Value, World};

/// The functions that a script and everything it imports call, and the properties that they read.
#[derive(Debug, Default)]
struct Uses {
    calls: BTreeSet<String>,
    properties: BTreeSet<String>,
    /// Whether it makes a vector from numbers that are not all 0.
    vector: bool,
    /// Whether it uses `vec(0, 0)` for more than returning it, so that it may be a place.
    origin: bool,
}

impl Behavior {
    /// Returns why a law is not expected to hold for agents of a group; `None` if nothing speaks against it.
    pub(super) fn why_asymmetric(&self, law: Law, world: &World, group: GroupId) -> Option<String> {
        let uses = Uses::of(&self.script);
        let name = &self.script.source.name;
        let what = match law {
            Law::Reordered => {
                let what = uses.reads(Attribute::KnowsOrder).or_else(|| self.ordered_change(world));
                return what.map(|what| format!("{name} {what}"));
            }
            Law::Translated => uses
                .vectors(true)
                .or_else(|| uses.reads(Attribute::KnowsPlace))
                .or_else(|| uses.calls(Attribute::KnowsPlace, |one| one.knows_place)),
            Law::Rotated => uses.directions(),
            Law::Mirrored => uses.directions().or_else(|| {
                let has_side = |one: &Primitive| one.prefers_a_side || one.needs_a_side;
                uses.calls(Attribute::KnowsSide, has_side)
            }),
        };
        if let Some(what) = what {
            return Some(format!("{name} {what}"));
        }
        let mentions = self.mentions();
        let mut params = world.group(group).params.iter();
        let (param, _) = params.find(|(param, value)| {
            matches!(value, Value::Vector(_)) && mentions.reads_param(param)
        })?;
        let group = &world.group(group).name;
        Some(format!("the param `{param}` of group `{group}` may be a place or a direction"))
    }

    /// Returns a call of something that happens in the order of the agents, if there is one.
    fn ordered_change(&self, world: &World) -> Option<String> {
        let mentions = self.mentions();
        let public = world.groups.iter().flat_map(|group| {
            group.public.names().map(|name| (name, group.public_rules.get(name)))
        });
        let told: Vec<bool> = public
            .filter(|(name, _)| mentions.tells(name))
            .map(|(_, rule)| rule.is_none_or(|rule| rule.rule == SharedRule::Latest))
            .collect();
        let counts = |one: &&ChangeFunction| match one.order {
            OrderMatters::Never => false,
            OrderMatters::Always => true,
            // A name may be put together.
            OrderMatters::IfLatestTold => told.is_empty() || told.contains(&true),
            OrderMatters::IfLatestShared => {
                world.shared.iter().any(|one| one.rule == SharedRule::Latest)
            }
        };
        let mut called = api::changes::FUNCTIONS.iter().filter(|one| mentions.calls(one.name));
        Some(format!("calls `{}`", called.find(counts)?.name))
    }
}

impl Uses {
    fn of(script: &Script) -> Self {
        let mut uses = Self::default();
        for script in reach::all(script) {
            uses.properties.extend(script.properties.iter().cloned());
            uses.vector |= script.constants.iter().any(|(_, value)| has_vector(value));
            script.ast.walk(&mut |path| {
                uses.add(path);
                true
            });
        }
        uses
    }

    fn add(&mut self, path: &[ASTNode<'_>]) {
        let (call, is_result) = match path {
            [.., ASTNode::Stmt(Stmt::FnCall(call, _))] => (call, true),
            [.., before, ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))] => {
                let is_result = matches!(before, ASTNode::Stmt(Stmt::Return(..) | Stmt::Expr(..)));
                (call, is_result)
            }
            [ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))] => (call, false),
            _ => return,
        };
        self.calls.insert(call.name.to_string());
        if call.name == "vec" {
            let is_zero = is_zero(call);
            self.vector |= !is_zero;
            self.origin |= is_zero && !is_result;
        }
    }

    fn vectors(&self, with_origin: bool) -> Option<String> {
        let has_place = self.vector || (with_origin && self.origin);
        has_place.then(|| "calls `vec`".to_owned())
    }

    /// Returns the first use of something that knows a direction, if there is one.
    fn directions(&self) -> Option<String> {
        self.vectors(false)
            .or_else(|| self.reads(Attribute::KnowsDirection))
            .or_else(|| self.calls(Attribute::KnowsDirection, |one| one.knows_direction))
    }

    /// Returns a property with an attribute that is read, if there is one.
    fn reads(&self, attribute: Attribute) -> Option<String> {
        let found = self.properties.iter().find(|name| api::property_has(name, attribute))?;
        Some(format!("reads `{found}`"))
    }

    /// Returns a function with an attribute, or a primitive for which something holds, that is called, if there is one.
    fn calls(&self, attribute: Attribute, holds: fn(&Primitive) -> bool) -> Option<String> {
        let is_one = |name: &&String| {
            api::function_has(name, attribute) || steer::find(name).is_some_and(holds)
        };
        Some(format!("calls `{}`", self.calls.iter().find(is_one)?))
    }
}

/// Returns whether the arguments of a call are all zero, as they are written.
fn is_zero(call: &FnCallExpr) -> bool {
    call.args.iter().all(|argument| match argument {
        Expr::IntegerConstant(x, _) => *x == 0,
        Expr::FloatConstant(x, _) => **x == 0.0,
        _ => false,
    })
}

/// Returns whether a constant contains a vector that is not zero, or anything unknown.
fn has_vector(constant: &Dynamic) -> bool {
    fn contains(value: &Value) -> bool {
        match value {
            Value::Vector(vector) => *vector != Vec2::ZERO,
            Value::List(items) => items.iter().any(contains),
            Value::Map(items) => items.iter().any(|(_, item)| contains(item)),
            _ => false,
        }
    }
    value::from_script(constant).map_or(true, |value| contains(&value))
}
