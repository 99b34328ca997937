//! Facts about scripts that the lowering needs repeatedly, computed once for each script.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use rhai::{AST, ASTNode, Dynamic, Expr, Stmt};

use super::assignments::{self, AssignedStates, root};
use super::recursion::{self, FunctionKey};
use super::switch::{self, Literal};
use crate::script::compile::Script;
use crate::script::{Mentions, reach};

/// Constants that are identified by their address.
type ConstantList = Rc<Vec<Dynamic>>;

/// The analyses of all scripts of a behavior, and of parts of their constants.
pub(super) struct Analyses<'a> {
    main: &'a Script,
    scripts: RefCell<HashMap<*const Script, Rc<ScriptAnalysis<'a>>>>,
    assigned: OnceCell<AssignedStates>,
    sets_vel: OnceCell<bool>,
    has_closures: OnceCell<bool>,
    mentions: OnceCell<Mentions>,
    parts: RefCell<HashMap<(*const Vec<Dynamic>, ConstantPart), ConstantList>>,
    /// Keeps every list alive whose address is a key above.
    kept_alive: RefCell<Vec<ConstantList>>,
}

/// A part of each of several constants that are arrays or maps.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum ConstantPart {
    /// The elements of the first constant.
    Elements,
    /// One element of the list alone.
    One(usize),
    /// A field of each constant.
    Field(String),
}

/// The analysis of one script.
pub(super) struct ScriptAnalysis<'a> {
    pub(super) script: &'a Script,
    functions: HashSet<(&'a str, usize)>,
    constants: HashMap<&'a str, &'a Dynamic>,
    constant_lists: RefCell<HashMap<&'a str, ConstantList>>,
    bodies: RefCell<HashMap<(String, usize), Rc<FunctionAnalysis>>>,
    literals: OnceCell<BTreeMap<u64, Literal>>,
    changed: RefCell<HashMap<*const Stmt, Rc<BTreeSet<String>>>>,
    /// The names that closures assign to. A variable of such a name may be captured.
    captured: OnceCell<BTreeSet<String>>,
    endless: OnceCell<BTreeSet<FunctionKey>>,
}

/// A function of a script.
pub(super) struct FunctionAnalysis {
    pub(super) ast: AST,
    pub(super) parameters: Vec<String>,
    /// Names that it assigns to anywhere.
    pub(super) assigned: BTreeSet<String>,
    /// Names that it assigns to as a whole anywhere.
    pub(super) changed_as_whole: BTreeSet<String>,
    /// Names that it adds to with `+=` anywhere.
    pub(super) added_to: BTreeSet<String>,
    /// Names of values that it changes in place anywhere.
    pub(super) changed_in_place: ChangedInPlace,
    /// Whether it has a `return`.
    pub(super) has_return: bool,
}

/// Names of values that a function changes other than by assigning to the name.
#[derive(Default)]
pub(super) struct ChangedInPlace {
    /// By functions of the script language, such as `a.push(1)`.
    pub(super) by_calls: BTreeSet<String>,
    /// By functions of the script that are called as methods.
    pub(super) by_own: BTreeSet<String>,
    /// By assignments to their parts, such as `a[0] = 1`, and by operators, such as `a += 1`.
    pub(super) by_assignments: BTreeSet<String>,
}

impl<'a> Analyses<'a> {
    pub(super) fn new(main: &'a Script) -> Self {
        Self {
            main,
            scripts: RefCell::default(),
            assigned: OnceCell::new(),
            sets_vel: OnceCell::new(),
            has_closures: OnceCell::new(),
            mentions: OnceCell::new(),
            parts: RefCell::default(),
            kept_alive: RefCell::default(),
        }
    }

    pub(super) fn of(&self, script: &'a Script) -> Rc<ScriptAnalysis<'a>> {
        let mut scripts = self.scripts.borrow_mut();
        let analysis =
            scripts.entry(script).or_insert_with(|| Rc::new(ScriptAnalysis::new(script)));
        Rc::clone(analysis)
    }

    /// Returns whether any script sets the velocity.
    pub(super) fn sets_vel(&self) -> bool {
        let find = || reach::all(self.main).into_iter().any(assignments::sets_vel);
        *self.sets_vel.get_or_init(find)
    }

    /// Returns whether any script has a closure.
    pub(super) fn has_closures(&self) -> bool {
        let find = || {
            let scripts = reach::all(self.main);
            scripts.iter().any(|script| script.functions().any(|(name, _)| is_closure(name)))
        };
        *self.has_closures.get_or_init(find)
    }

    /// Returns the names that the scripts mention.
    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(self.main))
    }

    /// Returns whether any script may set a state without reading it first. Code that is not lowered counts
    /// too.
    pub(super) fn may_set(&self, state: &str) -> bool {
        let find = || AssignedStates::of(&reach::all(self.main));
        self.assigned.get_or_init(find).may_set(state)
    }

    /// Returns a part of constants; always the same list for the same part.
    pub(super) fn constant_part(
        &self,
        of: &Rc<Vec<Dynamic>>,
        part: ConstantPart,
        find: impl FnOnce(&[Dynamic]) -> Vec<Dynamic>,
    ) -> Rc<Vec<Dynamic>> {
        let mut parts = self.parts.borrow_mut();
        let known = parts.entry((Rc::as_ptr(of), part)).or_insert_with(|| {
            self.kept_alive.borrow_mut().push(Rc::clone(of));
            Rc::new(find(of))
        });
        Rc::clone(known)
    }
}

impl<'a> ScriptAnalysis<'a> {
    fn new(script: &'a Script) -> Self {
        let mut constants = HashMap::new();
        for (name, value) in &script.constants {
            constants.entry(name.as_str()).or_insert(value);
        }
        Self {
            script,
            functions: script.functions().collect(),
            constants,
            constant_lists: RefCell::default(),
            bodies: RefCell::default(),
            literals: OnceCell::new(),
            changed: RefCell::default(),
            captured: OnceCell::new(),
            endless: OnceCell::new(),
        }
    }

    /// Returns whether a function of the script surely calls itself without end, directly or through others.
    pub(super) fn is_endless(&self, function: &str, parameters: usize) -> bool {
        let find = || {
            let all =
                self.functions.iter().map(|&(name, parameters)| (name.to_owned(), parameters));
            recursion::endless(all.collect(), |(name, parameters)| {
                recursion::sure_calls(self.body(name, *parameters).ast.statements())
            })
        };
        self.endless.get_or_init(find).contains(&(function.to_owned(), parameters))
    }

    /// Returns whether a closure of the script assigns to a variable of this name.
    pub(super) fn is_captured(&self, name: &str) -> bool {
        let find = || {
            let closures = self.functions.iter().filter(|(name, _)| is_closure(name));
            let mut all = BTreeSet::new();
            for (name, parameters) in closures.collect::<BTreeSet<_>>() {
                all.extend(FunctionAnalysis::of(self.script, name, *parameters).assigned);
            }
            all
        };
        self.captured.get_or_init(find).contains(name)
    }

    /// Returns whether the script has a function of this name and number of parameters.
    pub(super) fn defines(&self, function: &str, parameters: usize) -> bool {
        self.functions.contains(&(function, parameters))
    }

    /// Returns a constant of the script.
    pub(super) fn constant(&self, name: &str) -> Option<&'a Dynamic> {
        self.constants.get(name).copied()
    }

    /// Returns a constant of the script as the only element of a list; always the same list.
    pub(super) fn constant_as_list(&self, name: &str) -> Option<Rc<Vec<Dynamic>>> {
        let (&name, &value) = self.constants.get_key_value(name)?;
        let mut constant_lists = self.constant_lists.borrow_mut();
        let list = constant_lists.entry(name).or_insert_with(|| Rc::new(vec![value.clone()]));
        Some(Rc::clone(list))
    }

    pub(super) fn body(&self, function: &str, parameters: usize) -> Rc<FunctionAnalysis> {
        let key = (function.to_owned(), parameters);
        let mut bodies = self.bodies.borrow_mut();
        let body = bodies
            .entry(key)
            .or_insert_with(|| Rc::new(FunctionAnalysis::of(self.script, function, parameters)));
        Rc::clone(body)
    }

    /// Returns the values written anywhere in the script, by the hashes under which the cases of a `switch`
    /// are kept.
    pub(super) fn literals(&self) -> &BTreeMap<u64, Literal> {
        self.literals.get_or_init(|| switch::literals(&self.script.source.text))
    }

    /// Returns the names that statements of the script assign to.
    pub(super) fn assigned_in(&self, statements: &[Stmt]) -> Rc<BTreeSet<String>> {
        let find = || {
            let mut changed = BTreeSet::new();
            let mut see = collect_assigned(&mut changed);
            for statement in statements {
                statement.walk(&mut Vec::new(), &mut see);
            }
            drop(see);
            Rc::new(changed)
        };
        if statements.is_empty() {
            return Rc::default();
        }
        // The bodies of functions live as long as this analysis, so the address identifies the statements.
        let mut all = self.changed.borrow_mut();
        Rc::clone(all.entry(statements.as_ptr()).or_insert_with(find))
    }
}

impl FunctionAnalysis {
    fn of(script: &Script, function: &str, parameters: usize) -> Self {
        let ast = script.body(function, parameters);
        let (mut assigned, mut added_to, mut has_return) =
            (BTreeSet::new(), BTreeSet::new(), false);
        let mut changed_as_whole = BTreeSet::new();
        let mut changed_in_place = ChangedInPlace::default();
        let own: HashSet<(&str, usize)> = script.functions().collect();
        {
            let mut see = collect_assigned(&mut assigned);
            for statement in ast.statements() {
                statement.walk(&mut Vec::new(), &mut |path| {
                    has_return |= matches!(path.last(), Some(ASTNode::Stmt(Stmt::Return(..))));
                    if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
                        && let Expr::Variable(variable, ..) = &assignment.1.lhs
                    {
                        changed_as_whole.insert(variable.1.to_string());
                        if let Some((.., "+")) = assignment.0.get_op_assignment_info() {
                            added_to.insert(variable.1.to_string());
                        }
                    }
                    changed_in_place.add(path.last(), &own);
                    see(path)
                });
            }
        }
        let parameters = script.parameters(function, parameters);
        Self { ast, parameters, assigned, changed_as_whole, added_to, changed_in_place, has_return }
    }
}

impl ChangedInPlace {
    /// Adds the names of values that a node of a syntax tree changes. `own` are the functions of the script, which may
    /// change the value that they are called on.
    fn add(&mut self, node: Option<&ASTNode<'_>>, own: &HashSet<(&str, usize)>) {
        match node {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                let (operator, sides) = &**assignment;
                let is_whole = matches!(sides.lhs, Expr::Variable(..));
                if !is_whole || operator.get_op_assignment_info().is_some() {
                    self.by_assignments.extend(root(&sides.lhs));
                }
            }
            Some(ASTNode::Expr(Expr::Dot(parts, ..) | Expr::Index(parts, ..))) => {
                if assignments::is_mutating(&parts.rhs) {
                    self.by_calls.extend(root(&parts.lhs));
                }
                if calls_any(&parts.rhs, own) {
                    self.by_own.extend(root(&parts.lhs));
                }
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)))
                if assignments::is_mutating_name(&call.name) =>
            {
                self.by_calls.extend(call.args.first().and_then(root));
            }
            _ => {}
        }
    }
}

/// Returns whether a chain calls one of some functions as a method.
fn calls_any(rest: &Expr, functions: &HashSet<(&str, usize)>) -> bool {
    match rest {
        Expr::MethodCall(call, _) => functions.contains(&(call.name.as_str(), call.args.len())),
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => {
            calls_any(&parts.lhs, functions) || calls_any(&parts.rhs, functions)
        }
        _ => false,
    }
}

/// Returns whether Rhai gives this name to a closure.
fn is_closure(name: &str) -> bool {
    name.contains('$')
}

/// Collects the names that are assigned to while a syntax tree is walked.
pub(super) fn collect_assigned(
    all: &mut BTreeSet<String>,
) -> impl FnMut(&[ASTNode<'_>]) -> bool + '_ {
    |path| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                all.extend(root(&assignment.1.lhs));
            }
            Some(ASTNode::Expr(Expr::Dot(dot, ..))) if assignments::is_mutating(&dot.rhs) => {
                all.extend(root(&dot.lhs));
            }
            _ => {}
        }
        true
    }
}
