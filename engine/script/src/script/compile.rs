//! Compiles scripts with everything they import, and finds the errors that can be found before they run.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rhai::module_resolvers::StaticModuleResolver;
use rhai::{AST, ASTNode, Engine, Expr, Module, Position, Scope, Shared, Stmt};

use super::choice_kind::ChoiceKind;
use super::choices::Choice;
use super::handles::WorldHandle;
use super::imports::{ImportStatement, import_statements};
use super::parse_error::parse_error;
use super::recovery::{Mistakes, mistakes, with_head, without_imports, without_statements};
use super::remains::LeftOut;
use super::sources::Sources;
use super::syntax::{body_of, definition_span};
use super::unfinished_member::unfinished_members;
use super::{Library, Scripts, api, choices, error, limits, meter, names, tracer};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::steer::ChoiceRule;

/// A compiled script with everything it imports: a behavior, an expectation, or functions for other scripts.
#[derive(Debug)]
pub struct Script {
    pub(super) engine: Engine,
    pub(super) ast: AST,
    pub(super) source: Arc<Source>,
    pub(super) imported: Vec<Arc<Source>>,
    /// The scripts that it imports directly, by the names that it gives them.
    pub(super) modules: Vec<(String, Arc<Self>)>,
    /// The constants that its functions can use.
    pub(super) constants: Vec<(String, rhai::Dynamic)>,
    /// The choices that it makes and keeps in `me.state`.
    pub(super) choices: Vec<Choice>,
    /// Number of elements in its constants and in the arrays and maps written in it.
    pub(super) elements: usize,
    /// Whether its variables, or those of scripts that it imports, may hold arrays, maps or growing strings.
    pub(super) holds_data: bool,
    /// The names of the properties that it reads or sets, and the scripts that it imports.
    pub(super) properties: BTreeSet<String>,
    /// The name and the source of the script that was compiled and of those that it imports, for compiling them again. Empty in a script
    /// that is imported.
    parts: (String, Scripts),
    /// The findings that do not depend on a scenario; made when they are first asked for.
    pub(super) findings_in_text: OnceLock<Vec<Diagnostic>>,
}

type CompileResult<T> = Result<T, Diagnostics>;

impl Script {
    /// Reads and compiles a script and everything it imports.
    ///
    /// # Errors
    ///
    /// If a script does not exist, cannot be read, or has errors.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Diagnostics> {
        Self::compile_with(&mut Compiler::new(library), name, None)
    }

    /// Compiles a script without the parts of it that are wrong. `head` is the error of a function that it lacks, if it has it by another
    /// name.
    ///
    /// # Errors
    ///
    /// If nothing else is left of it.
    pub(super) fn compile_remains(
        name: &str,
        library: &dyn Library,
        head: Option<&Diagnostic>,
    ) -> Result<(Self, LeftOut), Diagnostics> {
        let left_out = Some(LeftOut::default());
        let mut compiler = Compiler { left_out, ..Compiler::new(library) };
        let script = Self::compile_with(&mut compiler, name, head)?;
        Ok((script, compiler.left_out.unwrap_or_default()))
    }

    fn compile_with(
        compiler: &mut Compiler<'_>,
        name: &str,
        head: Option<&Diagnostic>,
    ) -> Result<Self, Diagnostics> {
        let source = compiler
            .library
            .read(name)?
            .ok_or_else(|| Diagnostic::error(format!("there is no script `{name}`")))?;
        let unit = match head.and_then(|wrong| with_head(wrong, &source)) {
            Some(mistakes) => compiler.compile_rest(mistakes, name, &source)?,
            None => compiler.compile_script(name, &source)?,
        };
        let mut script = unit.script;
        script.parts.0 = name.to_owned();
        script.parts.1.extend([(name.to_owned(), source)]);
        let imported = compiler.imported.iter();
        let imported =
            imported.map(|(name, imported)| (name.clone(), Arc::clone(&imported.script.source)));
        script.parts.1.extend(imported);
        Ok(script)
    }

    /// Compiles it again, such that its turns can be traced: it is slower, with the same results.
    ///
    /// # Errors
    ///
    /// None, unless it is a script that was imported.
    pub(super) fn traced(&self) -> Result<Self, Diagnostics> {
        let (name, library) = &self.parts;
        let compiler = Compiler { is_traced: true, ..Compiler::new(library) };
        Ok({ compiler }.compile_script(name, &self.source)?.script)
    }

    /// Like `compile`, but words errors for a script that runs for no agent.
    pub(super) fn compile_without_agent(
        name: &str,
        library: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let compiled = Self::compile(name, library);
        compiled.map_err(|errors| errors.into_iter().map(error::without_agent).collect())
    }

    /// Returns whether it defines a function with a name.
    pub fn defines(&self, function: &str) -> bool {
        self.functions().any(|(name, _)| name == function)
    }

    /// Returns the names of the functions that are written in it, for messages.
    pub(super) fn written_functions(&self) -> impl Iterator<Item = &str> {
        let names = self.functions().map(|(name, _)| name);
        names.filter(|name| !name.starts_with(error::CLOSURE) && !ChoiceKind::generates(name))
    }

    /// Returns the name and the number of parameters of each function that it defines.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, usize)> {
        self.ast.iter_functions().map(|function| (function.name, function.params.len()))
    }

    /// Returns the body of a function as a script of its own, in which its parameters are variables. Rhai loses the
    /// place of some errors when it calls a function, but not when it runs a script.
    pub(super) fn body(&self, function: &str, parameters: usize) -> AST {
        let mut body = body_of(&self.ast, function, parameters);
        body.set_source(self.source.name.as_str());
        body
    }

    /// Returns the names of the parameters of a function.
    pub(super) fn parameters(&self, function: &str, count: usize) -> Vec<String> {
        self.ast
            .iter_functions()
            .find(|known| known.name == function && known.params.len() == count)
            .map(|known| known.params.iter().map(ToString::to_string).collect())
            .unwrap_or_default()
    }

    /// Returns the functions of a state machine that decide which state is next, and where they are.
    pub(super) fn machine_rule<N>(&self, choice: &Choice) -> ChoiceRule<N> {
        let next =
            choice.options.iter().filter(|state| self.defines(&choices::next_function(state)));
        let place = |state: &String| {
            let head = self.place_of(&choices::next_function(state));
            Diagnostic::note("").at(&self.source, head).place
        };
        ChoiceRule::Machine { next: next.map(|state| (state.clone(), place(state))).collect() }
    }

    /// Returns where the head of a function is: `fn name(parameters)`.
    pub(super) fn place_of(&self, function: &str) -> Range<usize> {
        let text = &self.source.text;
        let found = definition_span(text, "fn", function);
        if found.is_empty() {
            return found;
        }
        let end = text[found.end..].find(')').map_or(0, |end| end + 1);
        found.start..found.end + end
    }

    pub(super) fn sources(&self) -> Sources<'_> {
        Sources { own: &self.source, imported: &self.imported }
    }
}

/// Returns what the functions of a script can use anywhere: as the scope in which it is parsed, and as a module.
fn globals(constants: &[Constant]) -> (Scope<'static>, Module) {
    let mut scope = Scope::new();
    scope.push_constant("world", WorldHandle);
    scope.push_constant("PI", crate::math::PI);
    let mut module = Module::new();
    for Constant { name, value, .. } in constants {
        scope.push_constant_dynamic(name.as_str(), value.clone());
        module.set_var(name.as_str(), value.clone());
    }
    (scope, module)
}

/// Returns the names of the properties that a script reads or sets.
fn properties(ast: &AST) -> impl Iterator<Item = String> {
    let mut names = BTreeSet::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::Property(property, _))) = path.last() {
            names.insert(property.2.to_string());
        }
        true
    });
    names.into_iter()
}

/// A compiled script and its constants, including those of the scripts that it imports.
struct Unit {
    script: Script,
    constants: Vec<Constant>,
    /// Number of routes of imports that start here, including the empty one.
    routes: usize,
}

/// A script that others import, compiled once for all of them.
struct ImportedScript {
    script: Arc<Script>,
    module: Module,
    constants: Vec<Constant>,
    routes: usize,
}

#[derive(Clone)]
struct Constant {
    name: String,
    value: rhai::Dynamic,
    source: Arc<Source>,
}

/// Compiles a script with everything it imports.
struct Compiler<'a> {
    library: &'a dyn Library,
    /// The chain of imports to the script that is being compiled.
    importing: Vec<String>,
    imported: BTreeMap<String, Arc<ImportedScript>>,
    /// The scripts with errors that others import.
    failed: BTreeSet<String>,
    /// Whether turns can be traced.
    is_traced: bool,
    /// What is left out of scripts with mistakes, if their rest is compiled nevertheless.
    left_out: Option<LeftOut>,
}

impl<'a> Compiler<'a> {
    fn new(library: &'a dyn Library) -> Self {
        let (importing, imported, failed) = Default::default();
        Self { library, importing, imported, failed, is_traced: false, left_out: None }
    }

    /// Compiles a script that others import, if it has not been compiled yet.
    fn compile_import(
        &mut self,
        name: &str,
        source: &Arc<Source>,
    ) -> CompileResult<Arc<ImportedScript>> {
        if let Some(known) = self.imported.get(name) {
            return Ok(Arc::clone(known));
        }
        let Unit { script, constants, routes } = self.compile_script(name, source)?;
        meter::restart(script.elements);
        let module = Module::eval_ast_as_new(Scope::new(), &script.ast, &script.engine)
            .map_err(|error| vec![error::runtime_error(&error, &script.sources())])?;
        let imported =
            Arc::new(ImportedScript { script: Arc::new(script), module, constants, routes });
        self.imported.insert(name.to_owned(), Arc::clone(&imported));
        Ok(imported)
    }

    /// Compiles the rest of a script that cannot be parsed.
    ///
    /// # Errors
    ///
    /// The mistakes of the script, and those of the rest; unless what is wrong is to be left out and the rest can be compiled.
    fn compile_rest(
        &mut self,
        mut mistakes: Mistakes,
        name: &str,
        source: &Arc<Source>,
    ) -> CompileResult<Unit> {
        if let Some(left_out) = &mut self.left_out {
            left_out.note(source, &mistakes);
        }
        if let Some(rest) = mistakes.rest.take() {
            let rest = Source::new(source.name.clone(), rest);
            match self.compile_script(name, &rest) {
                Ok(unit) if self.left_out.is_some() => return Ok(unit),
                Ok(_) => {}
                Err(more) => mistakes.add_of_rest(more.into_vec(), source),
            }
        }
        Err(mistakes.found.into())
    }

    fn compile_script(&mut self, name: &str, source: &Arc<Source>) -> CompileResult<Unit> {
        let mut engine = api::engine();
        if self.is_traced {
            tracer::register(&mut engine);
        }
        let draft = match parse(&engine, &Scope::new(), source, &[]) {
            Ok(draft) => draft,
            Err(mistakes) => return self.compile_rest(mistakes, name, source),
        };
        self.importing.push(name.to_owned());
        let imports = self.imports(&draft, source);
        self.importing.pop();
        let imports = match imports {
            Ok(imports) => imports,
            Err(mistakes) => return self.compile_rest(mistakes, name, source),
        };

        let mut resolver = StaticModuleResolver::new();
        let mut imported: Vec<Arc<Source>> = Vec::new();
        let mut names = Vec::new();
        let mut modules = Vec::new();
        let mut constants: Vec<Constant> = Vec::new();
        let mut routes = 1;
        for Import { path, alias, unit } in imports {
            let functions = unit.script.functions().map(|(name, _)| name.to_owned());
            names.push(names::ImportedNames {
                functions: functions.collect(),
                alias: alias.clone(),
            });
            resolver.insert(path.as_str(), unit.module.clone());
            engine.register_static_module(alias.as_str(), Shared::new(unit.module.clone()));
            for new in iter::once(&unit.script.source).chain(&unit.script.imported) {
                if !imported.iter().any(|known| known.name == new.name) {
                    imported.push(Arc::clone(new));
                }
            }
            modules.push((alias, Arc::clone(&unit.script)));
            for constant in &unit.constants {
                add_constant(&mut constants, constant)?;
            }
            routes += unit.routes;
        }
        engine.set_module_resolver(resolver);
        let holds_data =
            may_hold_data(&draft) || modules.iter().any(|(_, module)| module.holds_data);
        if holds_data {
            limits::watch_variables(&mut engine);
        }

        for constant in own_constants(&engine, &draft, source, &imported)? {
            add_constant(&mut constants, &constant)?;
        }
        let (scope, mut globals) = globals(&constants);
        let properties = properties(&draft)
            .chain(modules.iter().flat_map(|(_, module)| module.properties.iter().cloned()));
        let properties: BTreeSet<String> = properties.collect();
        api::add_accessors(&mut globals, properties.iter().map(String::as_str));
        engine.register_global_module(Shared::new(globals));
        engine.set_strict_variables(true);
        let mut ast = match parse(&engine, &scope, source, &imported) {
            Ok(ast) => ast,
            Err(mistakes) => return self.compile_rest(mistakes, name, source),
        };
        let values: Vec<_> =
            constants.iter().map(|constant| (constant.name.as_str(), &constant.value)).collect();
        let choices = choices::find(source, &values)?;
        choices::add_functions(&engine, &scope, source, &choices, &mut ast)?;
        let sources = Sources { own: source, imported: &imported };
        let wrong = names::check(&engine, &ast, &names, &sources);
        if !wrong.is_empty() && self.left_out.is_none() {
            return Err(wrong.into());
        }
        let values = constants.iter().map(|constant| &constant.value);
        let elements = limits::written_elements(&ast, values);
        let below = modules.iter().map(|(_, module)| module.elements).max();
        let script = Script {
            choices,
            elements: elements.max(below.unwrap_or(0)),
            holds_data,
            properties,
            parts: Default::default(),
            findings_in_text: OnceLock::new(),
            engine,
            ast,
            source: Arc::clone(source),
            imported,
            modules,
            constants: constants
                .iter()
                .map(|constant| (constant.name.clone(), constant.value.clone()))
                .collect(),
        };
        Ok(Unit { script, constants, routes })
    }

    /// Reads and compiles the scripts that a script imports.
    ///
    /// # Errors
    ///
    /// What is wrong in its import statements and in the scripts, without the names that these statements give.
    fn imports(&mut self, draft: &AST, source: &Arc<Source>) -> Result<Vec<Import>, Mistakes> {
        let mut imports: Vec<Import> = Vec::new();
        let (mut wrong, mut left_out) = (Vec::new(), Vec::new());
        let mut routes = 1;
        for statement in import_statements(draft, source) {
            let (place, alias) = (statement.place.clone(), statement.alias.clone());
            match self.import(statement, source) {
                Ok(import) => {
                    routes += import.unit.routes;
                    imports.push(import);
                }
                Err(errors) => {
                    wrong.extend(errors.into_vec());
                    left_out.push((place.clone(), alias));
                }
            }
            if routes > limits::MAX_IMPORT_ROUTES {
                return Err(limits::too_many_imports().at(source, place).into());
            }
        }
        if left_out.is_empty() {
            Ok(imports)
        } else {
            Err(without_imports(wrong, left_out, source))
        }
    }

    /// Reads and compiles the script of an import statement. Of a script that has errors, only its first import tells them.
    fn import(
        &mut self,
        statement: ImportStatement,
        source: &Arc<Source>,
    ) -> CompileResult<Import> {
        let place = statement.place.clone();
        let at = |wrong: Diagnostic| Diagnostics::from(wrong.at(source, place.clone()));
        let (path, alias) = statement.checked().map_err(at)?;
        if self.importing.contains(&path) {
            return Err(at(Diagnostic::error(format!("`{path}` imports itself"))
                .help(format!("{} -> {path}", self.importing.join(" -> ")))));
        }
        if self.importing.len() >= limits::MAX_IMPORT_DEPTH {
            return Err(at(limits::imports_too_deep()));
        }
        if self.failed.contains(&path) {
            return Err(Vec::new().into());
        }
        let Some(text) = self.library.read(&path)? else {
            let names = self.library.names();
            let wrong = Diagnostic::error(format!("there is no script `{path}` to import"));
            return Err(at(wrong.suggest(&path, names.iter().map(String::as_str))));
        };
        let unit = self.compile_import(&path, &text).inspect_err(|_| {
            self.failed.insert(path.clone());
        })?;
        Ok(Import { path, alias, unit })
    }
}

/// An import statement and the script that it imports.
struct Import {
    path: String,
    alias: String,
    unit: Arc<ImportedScript>,
}

/// Adds a constant. The functions of all files of a behavior can use it by its plain name.
///
/// # Errors
///
/// If another file defines a constant with the same name.
fn add_constant(constants: &mut Vec<Constant>, new: &Constant) -> CompileResult<()> {
    if let Some(old) = constants.iter().find(|old| old.name == new.name) {
        if old.source.name == new.source.name {
            return Ok(());
        }
        let name_of = |constant: &Constant| {
            let definition = definition_span(&constant.source.text, "const", &constant.name);
            definition.end - constant.name.len().min(definition.len())..definition.end
        };
        let first = name_of(old);
        let (line, _) = old.source.line_column(first.start);
        let file = &old.source.name;
        return Err(Diagnostic::error(format!(
            "the constant `{}` is also defined in {file}:{line}",
            new.name
        ))
        .at(&new.source, name_of(new))
        .label("the second one")
        .related(Place { source: Arc::clone(&old.source), span: first }, "the first one")
        .help(
            "a behavior and the scripts that it imports share their constants: rename one of them",
        )
        .into());
    }
    constants.push(new.clone());
    Ok(())
}

/// Checks that a script follows the grammar of Rhai, whatever it calls.
///
/// # Errors
///
/// If it does not.
pub fn check_syntax(source: &Arc<Source>) -> Result<(), Diagnostic> {
    if let Some(error) = too_long(source).or_else(|| limits::too_many_cases(source)) {
        return Err(error);
    }
    if let Some(unfinished) = unfinished_members(source) {
        return unfinished.found.into_iter().next().map_or(Ok(()), Err);
    }
    let sources = Sources { own: source, imported: &[] };
    let read = api::engine().compile(&source.text);
    read.map(|_| ()).map_err(|error| parse_error(&error, &sources))
}

/// Returns the tokens that Rhai reads in a script, for comparisons.
#[doc(hidden)]
pub fn tokens_text(text: &str) -> String {
    let engine = api::engine();
    // Rhai returns the token of the end again and again.
    let sources = [text];
    let tokens = engine.lex(&sources).0.map(|(token, _)| token);
    let tokens: Vec<_> = tokens.take_while(|token| *token != rhai::Token::EOF).collect();
    format!("{tokens:?}")
}

fn parse(
    engine: &Engine,
    scope: &Scope<'_>,
    source: &Arc<Source>,
    imported: &[Arc<Source>],
) -> Result<AST, Mistakes> {
    let sources = Sources { own: source, imported };
    if let Some(error) = too_long(source).or_else(|| limits::too_many_cases(source)) {
        return Err(error.into());
    }
    if let Some(unfinished) = unfinished_members(source) {
        return Err(unfinished);
    }
    let mut ast = engine.compile_with_scope(scope, &source.text).map_err(|error| {
        mistakes(error, |text| engine.compile_with_scope(scope, text), &sources)
    })?;
    ast.set_source(source.name.as_str());
    let mut found = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() {
            let wrong = find_read_only_target(&assignment.1.lhs, scope);
            found.extend(wrong.map(|(what, at)| error::read_only_target(what, at, &sources)));
        }
        if let Some(ASTNode::Expr(Expr::Dot(part, ..) | Expr::Index(part, ..))) = path.last()
            && let Expr::Variable(variable, ..) = &part.lhs
            && let Some(position) = captured_in(&variable.1, &part.rhs)
        {
            let name = variable.1.as_str();
            let both = Diagnostic::error(format!(
                "a closure cannot use `{name}` in a chain of calls that starts with `{name}`"
            ))
            .help(format!(
                "assign the part before the closure to a variable: `let near = {name}...;`, \
                 then write `near.filter(|other| ...)`"
            ));
            found.push(sources.place(both, position));
        }
        true
    });
    if found.is_empty() { Ok(ast) } else { Err(without_statements(found, source)) }
}

/// Returns where a closure captures a variable in a chain of calls that starts with this variable. Rhai locks the
/// variable until the chain ends, so the closure would fail.
fn captured_in(name: &str, rest: &Expr) -> Option<Position> {
    let mut found = None;
    rest.walk(&mut Vec::new(), &mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Share(captured))) = path.last() {
            let same = captured.iter().find(|(ident, _)| ident.name == name);
            found = same.map(|(ident, _)| ident.pos);
        }
        found.is_none()
    });
    found
}

/// Returns what an assignment cannot change, and where. Rhai would silently change a copy, or panic.
fn find_read_only_target<'a>(
    target: &'a Expr,
    constants: &Scope<'_>,
) -> Option<(error::ReadOnlyTarget<'a>, Position)> {
    let mut root = target;
    let mut first = None;
    while let Expr::Dot(part, ..) | Expr::Index(part, ..) = root {
        (root, first) = (&part.lhs, Some(&part.rhs));
    }
    let position = root.start_position();
    let Expr::Variable(variable, ..) = root else {
        let is_value = root.is_constant() || matches!(root, Expr::Array(..) | Expr::Map(..));
        return is_value.then_some((error::ReadOnlyTarget::Constant, position));
    };
    let name = variable.1.as_str();
    if let Some(Expr::Dot(part, ..) | Expr::Index(part, ..)) = first
        && let Expr::Property(property, position) = &part.lhs
        && (name == "me" || name == "world")
        && !matches!(property.2.as_str(), "vel" | "state" | "params" | "inputs" | "shared")
        && api::properties(name).any(|known| known == property.2.as_str())
    {
        return Some((error::ReadOnlyTarget::Property(name, &property.2), *position));
    }
    // Rhai stores an index for variables that the function itself defines.
    let is_outside = variable.0.is_none() && first.is_some();
    let is_constant = name != "world" && constants.is_constant(name) == Some(true);
    (is_outside && is_constant).then_some((error::ReadOnlyTarget::Constant, position))
}

/// Last line and column that Rhai can count. Errors after it would have no place.
const MAX_POSITION: usize = u16::MAX as usize - 1;

fn too_long(source: &Arc<Source>) -> Option<Diagnostic> {
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let what = if number == MAX_POSITION {
            format!("the script has more than {MAX_POSITION} lines")
        } else if line.len() > MAX_POSITION && line.chars().count() > MAX_POSITION {
            format!("this line has more than {MAX_POSITION} characters")
        } else {
            start += line.len();
            continue;
        };
        return Some(
            Diagnostic::error(what)
                .at(source, start..start)
                .help("move parts into other scripts, and `import` them"),
        );
    }
    None
}

/// Runs the statements outside of functions once, and returns the constants that they define.
fn own_constants(
    engine: &Engine,
    draft: &AST,
    source: &Arc<Source>,
    imported: &[Arc<Source>],
) -> CompileResult<Vec<Constant>> {
    let mut scope = Scope::new();
    scope.push_constant("world", WorldHandle);
    let sources = Sources { own: source, imported };
    meter::restart(limits::written_elements(draft, iter::empty()));
    engine
        .run_ast_with_scope(&mut scope, draft)
        .map_err(|error| vec![error::runtime_error(&error, &sources)])?;
    let mut constants = Vec::new();
    for (name, is_constant, value) in scope.iter().filter(|(name, ..)| *name != "world") {
        if !is_constant {
            let place = definition_span(&source.text, "let", name);
            return Err(Diagnostic::error(format!("functions cannot use the variable `{name}`"))
                    .at(source, place)
                    .help("use `const` for a value that all agents share, and `me.state` for a value of each agent").into());
        }
        constants.push(Constant {
            name: name.to_owned(),
            value: value.clone(),
            source: Arc::clone(source),
        });
    }
    Ok(constants)
}

/// Returns whether variables of a script may hold more than numbers, vectors and other small values. If they cannot,
/// nothing has to be measured, and the script runs a little faster.
fn may_hold_data(ast: &AST) -> bool {
    let own: HashSet<(&str, usize)> =
        ast.iter_functions().map(|function| (function.name, function.params.len())).collect();
    let is_known = |name: &str, arguments: usize| {
        own.contains(&(name, arguments)) || (api::is_function(name) && !api::may_return_array(name))
    };
    let mut found = false;
    ast.walk(&mut |path| {
        let (last, parent) = (path.last(), path.len().checked_sub(2).map(|at| &path[at]));
        found = match last {
            Some(ASTNode::Expr(Expr::Array(..) | Expr::Map(..) | Expr::DynamicConstant(..))) => {
                true
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => {
                !call.is_operator_call()
                    && call.namespace.is_empty()
                    && !is_known(&call.name, call.args.len())
            }
            Some(ASTNode::Expr(Expr::Property(property, _))) => api::may_return_array(&property.2),
            // Strings grow only by operators, so one that is only passed to a function is small.
            Some(ASTNode::Expr(Expr::StringConstant(..) | Expr::InterpolatedString(..))) => {
                !matches!(
                    parent,
                    Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)))
                        if !matches!(call.name.as_str(), "+" | "+=")
                )
            }
            _ => false,
        };
        !found
    });
    found
}
