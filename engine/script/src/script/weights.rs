//! Finds the params that are weights of forces: whatever they multiply is added to what agents do, so that 0 switches it off.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::api;
use super::choice_kind::ChoiceKind;
use super::compile::Script;
use crate::steer::{self, ParamKind};

/// The place of an expression: the index of its script, and its position there.
type Place = (usize, Position);

/// A function of a script, with copies of the parts that vectors may come from.
struct FunctionBody {
    script: usize,
    name: String,
    parameters: Vec<String>,
    body: AST,
    returned: Vec<Expr>,
    declared: Vec<(String, Expr)>,
    assigned: Vec<Assignment>,
    calls: Vec<FnCallExpr>,
    /// The reads of variables.
    read: Vec<(String, Position)>,
}

/// An assignment to a variable or to `me.vel`.
struct Assignment {
    target: Target,
    /// The operator before the `=`, if there is one.
    operator: Option<&'static str>,
    value: Expr,
}

#[derive(PartialEq)]
enum Target {
    Variable(String),
    Velocity,
}

/// The params that scripts read, and those reads that are weights.
#[derive(Default)]
struct Reads {
    all: BTreeMap<String, BTreeSet<Place>>,
    /// The names of variables that hold `me.params`, for each script.
    aliases: Vec<BTreeSet<String>>,
}

/// Returns the names of the params that are weights: wherever one is read, it multiplies something that is added to a vector that
/// `steer` returns or to `me.vel`.
pub(super) fn weights(scripts: &[&Script]) -> BTreeSet<String> {
    let reads = Reads::of(scripts);
    if reads.all.is_empty() {
        return BTreeSet::new();
    }
    let functions = functions(scripts);
    let mut finder = Finder {
        scripts,
        functions: &functions,
        reads: &reads,
        factors: BTreeSet::new(),
        followed: BTreeSet::new(),
        variables: BTreeSet::new(),
        factor_variables: BTreeSet::new(),
    };
    finder.follow_results();
    finder.add_variables();
    let is_weight = |places: &BTreeSet<Place>| places.is_subset(&finder.factors);
    let weights = reads.all.iter().filter(|(_, places)| is_weight(places));
    weights.map(|(name, _)| name.clone()).collect()
}

fn functions(scripts: &[&Script]) -> Vec<FunctionBody> {
    let of_script = |(index, script): (usize, &&Script)| {
        let functions = script.functions();
        functions.map(|one| FunctionBody::new(index, script, one)).collect::<Vec<_>>()
    };
    scripts.iter().enumerate().flat_map(of_script).collect()
}

impl FunctionBody {
    fn new(index: usize, script: &Script, (name, count): (&str, usize)) -> Self {
        let mut function = Self {
            script: index,
            name: name.to_owned(),
            parameters: script.parameters(name, count),
            body: script.body(name, count),
            returned: Vec::new(),
            declared: Vec::new(),
            assigned: Vec::new(),
            calls: Vec::new(),
            read: Vec::new(),
        };
        let body = function.body.clone();
        for statement in body.statements() {
            statement.walk(&mut Vec::new(), &mut |path| {
                function.add(path.last());
                true
            });
        }
        function
    }

    fn add(&mut self, node: Option<&ASTNode<'_>>) {
        match node {
            Some(ASTNode::Stmt(Stmt::Return(Some(result), ..))) => {
                self.returned.push((**result).clone());
            }
            Some(ASTNode::Stmt(Stmt::Var(variable, ..))) => {
                self.declared.push((variable.0.name.to_string(), variable.1.clone()));
            }
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                let (operator, sides) = &**assignment;
                if let Some(target) = Target::new(&sides.lhs) {
                    let operator = operator.get_op_assignment_info();
                    let operator = operator.map(|(_, _, _, _, _, name)| name);
                    self.assigned.push(Assignment { target, operator, value: sides.rhs.clone() });
                }
            }
            Some(ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _))) => {
                self.calls.push((**call).clone());
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, position))) => {
                self.read.push((variable.1.to_string(), *position));
            }
            _ => {}
        }
    }
}

impl Target {
    fn new(target: &Expr) -> Option<Self> {
        match target {
            Expr::Variable(variable, ..) => Some(Self::Variable(variable.1.to_string())),
            Expr::Dot(parts, ..) => {
                let is_me = matches!(&parts.lhs, Expr::Variable(me, ..) if me.1 == "me");
                let is_vel = matches!(&parts.rhs, Expr::Property(name, _) if name.2 == "vel");
                (is_me && is_vel).then_some(Self::Velocity)
            }
            _ => None,
        }
    }
}

impl Reads {
    fn of(scripts: &[&Script]) -> Self {
        let mut reads = Self::default();
        for (index, script) in scripts.iter().enumerate() {
            reads.aliases.push(aliases_of_params(script));
            script.ast.walk(&mut |path| {
                if let Some(ASTNode::Expr(expression)) = path.last()
                    && let Some((name, position)) = reads.read_param(index, expression)
                {
                    reads.all.entry(name.to_owned()).or_default().insert((index, position));
                }
                true
            });
        }
        reads
    }

    /// Returns the param that an expression reads, as in `me.params.speed` or `p.speed`, and where.
    fn read_param<'e>(&self, script: usize, expression: &'e Expr) -> Option<(&'e str, Position)> {
        let Expr::Dot(parts, ..) = expression else { return None };
        let Expr::Variable(variable, ..) = &parts.lhs else { return None };
        let name = match &parts.rhs {
            Expr::Dot(rest, ..) if variable.1 == "me" => {
                let is_of_params =
                    matches!(&rest.lhs, Expr::Property(property, _) if property.2 == "params");
                Some(&rest.rhs).filter(|_| is_of_params)?
            }
            name if self.aliases[script].contains(variable.1.as_str()) => name,
            _ => return None,
        };
        let Expr::Property(property, position) = name else { return None };
        Some((property.2.as_str(), *position))
    }
}

/// Follows the vectors that scripts give back to what they are made of.
struct Finder<'a> {
    scripts: &'a [&'a Script],
    functions: &'a [FunctionBody],
    reads: &'a Reads,
    /// The reads of params, and of variables, that multiply something.
    factors: BTreeSet<Place>,
    /// The functions whose results were followed, and the variables of functions, by the index of the function.
    followed: BTreeSet<usize>,
    variables: BTreeSet<(usize, String)>,
    /// The variables that multiply something.
    factor_variables: BTreeSet<(usize, String)>,
}

impl Finder<'_> {
    /// Follows what `steer` returns, and the velocities that are set.
    fn follow_results(&mut self) {
        self.follow_function("steer", 1);
        // The velocity at the start is no force.
        let functions = self.functions.iter().enumerate().filter(|(_, one)| one.name != "init");
        for (index, function) in functions {
            self.follow_assigned(index, function, &Target::Velocity);
        }
    }

    /// Follows the result of the functions with a name and a number of parameters.
    fn follow_function(&mut self, name: &str, count: usize) {
        let functions = self.functions;
        let named = |one: &FunctionBody| one.name == name && one.parameters.len() == count;
        for (index, function) in functions.iter().enumerate().filter(|(_, one)| named(one)) {
            if !self.followed.insert(index) {
                continue;
            }
            self.follow_last(index, function.body.statements());
            function.returned.iter().for_each(|result| self.follow(index, result));
        }
    }

    /// Follows the value of a block.
    fn follow_last(&mut self, function: usize, statements: &[Stmt]) {
        match statements.last() {
            Some(Stmt::Expr(value)) => self.follow(function, value),
            Some(Stmt::FnCall(call, _)) => self.follow_call(function, call),
            Some(Stmt::Block(block)) => self.follow_last(function, block.statements()),
            Some(Stmt::If(flow, _)) => {
                self.follow_last(function, flow.body.statements());
                self.follow_last(function, flow.branch.statements());
            }
            Some(Stmt::Switch(switch, _)) => {
                switch.1.expressions.iter().for_each(|case| self.follow(function, &case.rhs));
            }
            _ => {}
        }
    }

    /// Follows a vector, or a part of one.
    fn follow(&mut self, function: usize, value: &Expr) {
        match value {
            Expr::FnCall(call, _) => self.follow_call(function, call),
            Expr::Variable(variable, ..) => self.follow_variable(function, &variable.1),
            Expr::Stmt(block) => self.follow_last(function, block.statements()),
            Expr::Array(items, _) => items.iter().for_each(|item| self.follow(function, item)),
            Expr::Dot(parts, ..) => {
                if are_of_vectors(&parts.rhs) {
                    self.follow(function, &parts.lhs);
                } else if let Expr::MethodCall(call, _) = &parts.rhs {
                    self.follow_call(function, call);
                }
            }
            _ => {}
        }
    }

    fn follow_call(&mut self, function: usize, call: &FnCallExpr) {
        let args = &call.args;
        match (&*call.name, args.len()) {
            // The factors in a place say where it is.
            ("+" | "-", _) if args.iter().any(is_place) => {}
            ("+" | "-", _) | ("vec", 2) => args.iter().for_each(|one| self.follow(function, one)),
            ("*", _) => args.iter().for_each(|one| self.follow_factor(function, one)),
            ("/", _) => args.iter().take(1).for_each(|one| self.follow_factor(function, one)),
            (name, _) if name == ChoiceKind::Machine.method() => self.follow_states(function),
            (name, count) => {
                self.follow_function(name, count);
                // A call of a machine that has a function of its own by now.
                if name.starts_with(&ChoiceKind::Machine.function("")) {
                    self.follow_states(function);
                }
                let primitive = steer::find(name);
                let params = primitive.into_iter().flat_map(|one| one.params).zip(args.iter());
                for (param, arg) in params {
                    match (param.kind, arg) {
                        (ParamKind::Forces, forces) => self.follow(function, forces),
                        (ParamKind::Numbers, Expr::Array(items, _)) => {
                            items.iter().for_each(|item| self.follow_factor(function, item));
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Follows the forces of the states of all machines.
    fn follow_states(&mut self, function: usize) {
        let script = self.scripts[self.functions[function].script];
        let machines = script.choices.iter().filter(|one| one.kind == ChoiceKind::Machine);
        machines.flat_map(|one| &one.options).for_each(|state| self.follow_function(state, 1));
    }

    /// Follows a factor of a vector, which is the vector itself or what multiplies it.
    fn follow_factor(&mut self, function: usize, factor: &Expr) {
        let script = self.functions[function].script;
        if let Some((_, position)) = self.reads.read_param(script, factor) {
            self.factors.insert((script, position));
            return;
        }
        if let Expr::Variable(variable, _, position) = factor {
            self.factors.insert((script, *position));
            self.factor_variables.insert((function, variable.1.to_string()));
        }
        self.follow(function, factor);
    }

    /// Follows what a variable or the velocity is set to in a function.
    fn follow_assigned(&mut self, index: usize, function: &FunctionBody, target: &Target) {
        for assignment in function.assigned.iter().filter(|one| one.target == *target) {
            match assignment.operator {
                None | Some("+" | "-") => self.follow(index, &assignment.value),
                Some("*") => self.follow_factor(index, &assignment.value),
                Some(_) => {}
            }
        }
    }

    /// Follows what a variable gets in its function, and from callers if it is a parameter.
    fn follow_variable(&mut self, index: usize, name: &str) {
        if !self.variables.insert((index, name.to_owned())) {
            return;
        }
        let functions = self.functions;
        let function = &functions[index];
        self.follow_assigned(index, function, &Target::Variable(name.to_owned()));
        let declared = function.declared.iter().filter(|(declared, _)| declared == name);
        declared.for_each(|(_, value)| self.follow(index, value));
        let Some(place) = function.parameters.iter().position(|one| one == name) else { return };
        let is_called = |call: &&FnCallExpr| {
            call.name == function.name && call.args.len() == function.parameters.len()
        };
        for (caller, one) in functions.iter().enumerate() {
            for call in one.calls.iter().filter(is_called) {
                self.follow(caller, &call.args[place]);
            }
        }
    }

    /// Adds the params that variables hold which do nothing but multiply.
    fn add_variables(&mut self) {
        for (index, name) in std::mem::take(&mut self.factor_variables) {
            let function = &self.functions[index];
            let mut reads = function.read.iter().filter(|(read, _)| *read == name);
            if reads.all(|(_, position)| self.factors.contains(&(function.script, *position))) {
                let values = function.declared.iter().filter(|(declared, _)| *declared == name);
                for (_, value) in values {
                    let read = self.reads.read_param(function.script, value);
                    self.factors.extend(read.map(|(_, position)| (function.script, position)));
                }
            }
        }
    }
}

/// Returns whether an expression is a place in the world, or a sum or a difference with one.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Dot(parts, ..) => {
            matches!(&parts.rhs, Expr::Property(name, _) if name.2 == "pos" || name.2 == "center")
        }
        Expr::FnCall(call, _) if matches!(&*call.name, "+" | "-") => call.args.iter().any(is_place),
        _ => false,
    }
}

/// Returns whether calls one after another, as in `v.limit(3).perp()`, make a vector of a vector each.
fn are_of_vectors(calls: &Expr) -> bool {
    match calls {
        Expr::Dot(parts, ..) => are_of_vectors(&parts.lhs) && are_of_vectors(&parts.rhs),
        Expr::MethodCall(call, _) => api::is_vector_of_vector(&call.name),
        _ => false,
    }
}

/// Returns the variables of a script that are declared as `me.params`.
pub(super) fn aliases_of_params(script: &Script) -> BTreeSet<String> {
    let mut aliases = BTreeSet::new();
    script.ast.walk(&mut |path| {
        aliases.extend(alias_of_params(path).map(str::to_owned));
        true
    });
    aliases
}

/// Returns the variable that is declared as `me.params`, if the last node is that value.
pub(super) fn alias_of_params<'p>(path: &'p [ASTNode<'_>]) -> Option<&'p str> {
    let [.., ASTNode::Stmt(Stmt::Var(var, ..)), ASTNode::Expr(value)] = path else { return None };
    let Expr::Dot(parts, ..) = value else { return None };
    let is_params = matches!(&parts.rhs, Expr::Property(property, _) if property.2 == "params");
    (is_params && std::ptr::eq(&raw const var.1, &raw const **value)).then_some(var.0.name.as_str())
}
