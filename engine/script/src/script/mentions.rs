//! Collects the names that scripts mention: a name that no script mentions is certainly not used.

use std::collections::BTreeSet;

use rhai::{ASTNode, Array, BinaryExpr, Dynamic, Expr, FnPtr, ImmutableString, Map, Stmt};

use super::api::define::Attribute;
use super::compile::Script;
use super::lower::assigned_state;
use super::{Behavior, api, reach, weights};
use crate::steer::{self, ParamKind, Primitive};
use crate::trace::Measure;
use crate::world::ScenarioPart;

/// The names that a script and everything it imports mention anywhere.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    names: BTreeSet<String>,
    /// The strings among the names.
    strings: BTreeSet<String>,
    /// The functions among the names.
    functions: BTreeSet<String>,
    /// The params that are weights of forces.
    weights: BTreeSet<String>,
    /// Whether `me.params` is used as a whole, so that any param may be read.
    params_as_a_whole: bool,
    /// The states that are set, or might be: a map may have an element of that name.
    set_states: BTreeSet<String>,
    /// Whether a state may be set whose name is computed.
    sets_any_state: bool,
    /// The states of other agents that are read.
    states_of_others: BTreeSet<String>,
}

impl Behavior {
    /// Returns the names that its script and everything it imports mention.
    pub fn mentions(&self) -> Mentions {
        Mentions::of(&self.script)
    }
}

impl Mentions {
    /// Returns the names that a script and everything it imports mention.
    pub(super) fn of(script: &Script) -> Self {
        let mut mentions = Self::default();
        let scripts = reach::all(script);
        scripts.iter().for_each(|script| mentions.add(script));
        mentions.weights = weights::weights(&scripts);
        mentions
    }

    /// Returns whether a measure may be read.
    pub(super) fn reads_measure(&self, measure: Measure) -> bool {
        self.names.contains(measure.name())
    }

    /// Returns whether any script reads `world.obstacles`.
    pub(super) fn reads_obstacle_list(&self) -> bool {
        self.names.contains("obstacles")
    }

    /// Returns whether any script reads `world.cursor`.
    pub fn reads_cursor(&self) -> bool {
        self.names.contains("cursor")
    }

    /// Returns whether any script reads the input with a name.
    pub fn reads_input(&self, name: &str) -> bool {
        self.names.contains("inputs") && self.names.contains(name)
    }

    /// Returns whether a param may be read.
    pub fn reads_param(&self, name: &str) -> bool {
        self.params_as_a_whole || self.names.contains(name)
    }

    /// Returns whether a param is the weight of a force: wherever it is read, it multiplies something that is added to what the
    /// agent does. With 0 nothing is left of that.
    pub fn is_weight(&self, param: &str) -> bool {
        self.weights.contains(param) && !self.params_as_a_whole
    }

    /// Returns whether a state may be set.
    pub fn sets_state(&self, name: &str) -> bool {
        self.sets_any_state || self.set_states.contains(name)
    }

    /// Returns whether a public state of this name may change by what agents do to each other and to the world.
    pub fn changes_state(&self, name: &str) -> bool {
        let mut changing = api::changes::FUNCTIONS.iter().filter(|one| one.changes_state);
        changing.any(|one| self.calls(one.name)) && self.names.contains(name)
    }

    /// Returns whether a function may be called.
    pub(super) fn calls(&self, function: &str) -> bool {
        self.functions.contains(function)
    }

    /// Returns whether other agents may be told a value of this name, unless it is put together.
    pub(super) fn tells(&self, name: &str) -> bool {
        self.calls("tell") && self.strings.contains(name)
    }

    /// Returns whether something may be contributed to a shared value.
    pub fn shares(&self, name: &str) -> bool {
        self.functions.contains("share") && self.names.contains(name)
    }

    /// Returns whether a shared value may be read.
    pub fn reads_shared(&self, name: &str) -> bool {
        self.names.contains("shared") && self.names.contains(name)
    }

    /// Returns whether a state of other agents is read.
    pub fn reads_state_of_others(&self, name: &str) -> bool {
        self.states_of_others.contains(name)
    }

    /// Returns whether anything is mentioned that needs a part of the scenario.
    pub fn needs(&self, part: ScenarioPart) -> bool {
        self.names.iter().any(|name| {
            api::needs(name, part)
                || steer::find(name).is_some_and(|primitive| primitive.needs() == Some(part))
        })
    }

    /// Returns whether a field may be read. A string that is a part of its name may be put together to the name.
    pub fn may_read_field(&self, name: &str) -> bool {
        self.names.contains(name)
            || self.strings.iter().any(|text| !text.is_empty() && name.contains(text.as_str()))
    }

    /// Returns whether a name is mentioned, that of a group or a path for example.
    pub fn names(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns whether goals are read.
    pub fn reads_goals(&self) -> bool {
        self.names.iter().any(|name| api::has_attribute(name, Attribute::ReadsGoals))
    }

    /// Returns whether agents of a group may be made. Its name may be put together.
    pub fn makes(&self, group: &str) -> bool {
        let mut strings = self.strings.iter();
        self.calls("create")
            && strings.any(|text| !text.is_empty() && group.contains(text.as_str()))
    }

    /// Returns whether agents may set themselves goals.
    pub fn sets_goals(&self) -> bool {
        self.calls("set_goal")
    }

    /// Returns whether an agent may have random numbers of its own. A string may be the name of a function.
    pub fn may_be_random(&self) -> bool {
        self.functions.union(&self.strings).any(|name| {
            api::has_attribute(name, Attribute::IsRandom)
                || steer::find(name).is_some_and(|primitive| primitive.is_random)
        })
    }

    /// Returns whether obstacles are read.
    pub fn reads_obstacles(&self) -> bool {
        self.names.iter().any(|name| reads_obstacles(name))
    }

    /// Returns whether a primitive is mentioned that searches ways around obstacles.
    pub fn searches_ways(&self) -> bool {
        self.primitives().any(|primitive| primitive.searches_way)
    }

    /// Returns whether agents that follow a path know the obstacles on it. A primitive that searches ways may lead from
    /// point to point of a path, but changes nothing for a primitive that follows the path itself.
    pub fn knows_obstacles_on_paths(&self) -> bool {
        let follows = || {
            self.primitives()
                .any(|one| one.params.iter().any(|param| param.kind == ParamKind::Path))
        };
        let is_other = |name: &&String| !steer::find(name).is_some_and(|one| one.searches_way);
        self.names.iter().filter(is_other).any(|name| reads_obstacles(name))
            || (self.searches_ways() && !follows())
    }

    fn primitives(&self) -> impl Iterator<Item = &'static Primitive> {
        self.names.iter().filter_map(|name| steer::find(name))
    }

    fn add(&mut self, script: &Script) {
        for choice in &script.choices {
            let name = &choice.name;
            self.set_states.extend([
                name.clone(),
                format!("{name}_since"),
                format!("{name}_before"),
            ]);
        }
        script.ast.walk(&mut |path| {
            match path.last() {
                Some(ASTNode::Expr(expression)) => {
                    let known = self.params_as_a_whole;
                    self.add_expression(expression);
                    if weights::alias_of_params(path).is_some() {
                        self.params_as_a_whole = known;
                    }
                }
                Some(ASTNode::Stmt(Stmt::FnCall(call, _))) => self.add_function(&call.name),
                Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                    match assigned_state(&assignment.1.lhs) {
                        Some(Some(name)) => {
                            self.set_states.insert(name.to_owned());
                        }
                        Some(None) => self.sets_any_state = true,
                        None => {}
                    }
                }
                _ => {}
            }
            true
        });
        let aliases = weights::aliases_of_params(script);
        script.ast.walk(&mut |path| {
            self.params_as_a_whole |= uses_as_a_whole(path, &aliases);
            true
        });
    }

    fn add_string(&mut self, text: &str) {
        self.names.insert(text.to_owned());
        self.strings.insert(text.to_owned());
    }

    fn add_value(&mut self, value: &Dynamic) {
        if let Some(text) = value.read_lock::<ImmutableString>() {
            self.add_string(text.as_str());
        } else if let Some(function) = value.read_lock::<FnPtr>() {
            self.add_function(function.fn_name());
        } else if let Some(items) = value.read_lock::<Array>() {
            items.iter().for_each(|item| self.add_value(item));
        } else if let Some(entries) = value.read_lock::<Map>() {
            entries.values().for_each(|item| self.add_value(item));
        }
    }

    fn add_function(&mut self, name: &str) {
        self.names.insert(name.to_owned());
        self.functions.insert(name.to_owned());
    }

    fn add_expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Property(property, _) => {
                self.names.insert(property.2.to_string());
            }
            Expr::StringConstant(text, _) => self.add_string(text),
            // An array, a map or `Fn("name")`, if it is made of literals only.
            Expr::DynamicConstant(value, _) => self.add_value(value),
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => self.add_function(&call.name),
            // `me.params` without a name after it.
            Expr::Dot(parts, ..) => {
                self.states_of_others.extend(state_of_other(parts).map(str::to_owned));
                self.params_as_a_whole |=
                    matches!(&parts.rhs, Expr::Property(property, _) if property.2 == "params");
            }
            // `me.params[name]`, unless the name is a string literal.
            Expr::Index(parts, ..) => {
                let of_params =
                    matches!(&parts.lhs, Expr::Property(property, _) if property.2 == "params");
                self.params_as_a_whole |=
                    of_params && !matches!(&parts.rhs, Expr::StringConstant(..));
            }
            _ => {}
        }
    }
}

/// Returns whether the last node is one of some variables, and not only one of its members is read there, as in `p.speed`.
fn uses_as_a_whole(path: &[ASTNode<'_>], variables: &BTreeSet<String>) -> bool {
    let Some(ASTNode::Expr(node)) = path.last() else { return false };
    let Expr::Variable(variable, ..) = node else { return false };
    if !variables.contains(variable.1.as_str()) {
        return false;
    }
    let parent = path.len().checked_sub(2).map(|parent| &path[parent]);
    let Some(ASTNode::Expr(Expr::Dot(parts, ..))) = parent else { return true };
    let member = match &parts.rhs {
        Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
        member => member,
    };
    !(std::ptr::eq(&raw const parts.lhs, &raw const **node) && matches!(member, Expr::Property(..)))
}

/// Returns whether a name is that of something that depends on obstacles, or may be that of one.
fn reads_obstacles(name: &str) -> bool {
    name.contains("obstacle")
        || steer::find(name).is_some_and(|primitive| primitive.sees_obstacles)
        || api::has_attribute(name, Attribute::ReadsObstacles)
}

/// Returns the name of the state that is read from another agent than `me`, as in `other.state.alarm`.
fn state_of_other(parts: &BinaryExpr) -> Option<&str> {
    let is_me = matches!(&parts.lhs, Expr::Variable(variable, ..) if variable.1 == "me");
    let (Expr::Dot(rest, ..) | Expr::Index(rest, ..)) = &parts.rhs else { return None };
    let is_state = matches!(&rest.lhs, Expr::Property(property, _) if property.2 == "state");
    let mut name = &rest.rhs;
    if let Expr::Dot(rest, ..) | Expr::Index(rest, ..) = name {
        name = &rest.lhs;
    }
    match name {
        Expr::Property(property, _) if is_state && !is_me => Some(property.2.as_str()),
        Expr::StringConstant(text, _) if is_state && !is_me => Some(text.as_str()),
        _ => None,
    }
}
