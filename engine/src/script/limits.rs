//! What a script may use up: the same in every build, so that a run that is stopped is stopped anywhere.

use std::collections::HashSet;
use std::sync::Arc;

use rhai::{
    AST, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, FnPtr, ImmutableString, Map,
    Position, Scope,
};

use super::api;
use super::error::Result;
use super::meter;
use crate::diag::{Diagnostic, Source};

/// Calls within calls.
pub(super) const MAX_CALL_DEPTH: usize = 32;

/// Expressions within expressions, as written.
const MAX_EXPRESSION_DEPTH: usize = 64;

/// Elements of an array or a map, and bytes of a string.
const MAX_ELEMENTS: usize = 10_000;

/// Elements and bytes of all that an agent remembers: in a large crowd, of all agents together, but for what
/// every script may need.
const MAX_STATE_ELEMENTS: usize = MAX_ELEMENTS;
const MAX_STATE_ELEMENTS_OF_ALL: usize = 4_000_000;
const MIN_STATE_ELEMENTS: usize = 100;

/// Elements of all variables that a function has at one time.
const MAX_VARIABLE_ELEMENTS: usize = 50_000;

/// Arrays, maps and closures within each other.
const MAX_NESTING: usize = 64;

/// What one agent can say with `debug` in one tick.
pub(super) const MAX_MESSAGES: usize = 100;

/// Characters of each of these messages that are shown.
pub(super) const MAX_MESSAGE_CHARS: usize = 500;

/// Functions of one script.
const MAX_FUNCTIONS: usize = 500;

/// Arrows `=>` in a script, and so cases of all its `switch`es: to put them in order takes time with their square.
const MAX_CASES: usize = 5_000;

/// Scripts that a script imports itself.
const MAX_MODULES: usize = 50;

/// Scripts that import each other, one below the other.
pub(super) const MAX_IMPORT_DEPTH: usize = 16;

/// Ways that lead from a script to another by imports. The interpreter keeps a table of them.
pub(super) const MAX_IMPORT_ROUTES: usize = 200;

/// What has memory of its own, such as an entry of a map or an array in another, takes as much memory and time as
/// this many elements of an array.
const ELEMENTS_PER_ENTRY: usize = 8;

/// So many bytes of a string take as much as an element of an array.
const BYTES_PER_ELEMENT: usize = 8;

/// Waiting for a variable that something else holds takes as long as so many steps.
const STEPS_OF_WAITING: usize = 50_000;

/// Sets all limits.
pub(super) fn set(engine: &mut Engine) {
    engine
        .set_max_call_levels(MAX_CALL_DEPTH)
        .set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH)
        .set_max_array_size(MAX_ELEMENTS)
        .set_max_map_size(MAX_ELEMENTS)
        .set_max_string_size(MAX_ELEMENTS)
        .set_max_functions(MAX_FUNCTIONS)
        .set_max_modules(MAX_MODULES);
    // Not Rhai's own counter: it forgets what closures do that native functions call.
    engine.on_progress(|_| {
        if meter::step() {
            Some(Dynamic::UNIT)
        } else {
            // Nothing is made that would have to be dropped: this is done at each step.
            None
        }
    });
}

/// Has the engine look at how much data variables hold, whenever it is time.
pub(super) fn watch_variables(engine: &mut Engine) {
    #[expect(deprecated, reason = "not deprecated but volatile, and the version is pinned")]
    engine.on_var(|_, _, context| {
        if meter::is_measurement_due() {
            measure_variables(context.scope())?;
        }
        Ok(None)
    });
}

/// Returns whether variables of a script may hold more than numbers, vectors and the like. Where they cannot, there
/// is nothing to look at, and the script runs a little faster.
pub(super) fn may_hold_data(ast: &AST) -> bool {
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
            // A string is made longer by operators.
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

/// Looks at how much data the variables of a function hold. To copy it takes one step, however much it is; so
/// all steps count for more from then on.
fn measure_variables(scope: &Scope<'_>) -> Result<()> {
    let mut elements = 0;
    for (_, _, value) in scope.iter_raw() {
        add_elements(value, 0, &mut elements)?;
    }
    meter::note_measurement(elements);
    Ok(())
}

/// Adds the number of elements that a value has, with those of the values within it.
fn add_elements(value: &Dynamic, depth: usize, elements: &mut usize) -> Result<()> {
    *elements += 1;
    if *elements > MAX_VARIABLE_ELEMENTS {
        return Err(too_large(VARIABLES));
    }
    if depth > MAX_NESTING {
        return Err(too_large(DEEP));
    }
    if value.is_shared() {
        return match value.read_lock::<Dynamic>() {
            Some(inner) => add_elements(&inner, depth + 1, elements),
            // The interpreter has waited for it.
            None => meter::spend(STEPS_OF_WAITING),
        };
    }
    let is_plain = value.is_int() || value.is_float() || value.is_bool() || value.is_unit();
    if is_plain {
        return Ok(());
    }
    // Only within others: a variable is copied alone.
    if depth > 0 {
        *elements += ELEMENTS_PER_ENTRY - 1;
    }
    let mut each = |item: &Dynamic| add_elements(item, depth + 1, elements);
    if let Some(items) = value.read_lock::<Array>() {
        items.iter().try_for_each(each)
    } else if let Some(entries) = value.read_lock::<Map>() {
        entries.values().try_for_each(&mut each)?;
        *elements += entries.len() * (ELEMENTS_PER_ENTRY - 1);
        Ok(())
    } else if let Some(function) = value.read_lock::<FnPtr>() {
        function.iter_curry().try_for_each(each)
    } else {
        let bytes = value.read_lock::<ImmutableString>().map(|text| text.len());
        *elements += bytes.unwrap_or(0) / BYTES_PER_ELEMENT;
        Ok(())
    }
}

/// Returns how many elements the arrays and maps that are written in a script can have, and its constants.
pub(super) fn written_elements<'a>(
    ast: &AST,
    constants: impl Iterator<Item = &'a Dynamic>,
) -> usize {
    let mut elements = 0;
    let mut add = |value: &Dynamic| {
        // What is too much, is too much for a variable already.
        let _ = add_elements(value, 0, &mut elements);
    };
    constants.for_each(&mut add);
    let mut written = 0;
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => add(value),
            Some(ASTNode::Expr(Expr::Array(items, _))) => written += items.len(),
            Some(ASTNode::Expr(Expr::Map(entries, _))) => written += entries.0.len(),
            _ => {}
        }
        true
    });
    elements + written * ELEMENTS_PER_ENTRY
}

fn too_large(what: &str) -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE).into()
}

/// Names of what `look` finds too large, beside those that Rhai has.
const VARIABLES: &str = "variables";
const DEEP: &str = "nesting";

/// Says what is too large, by the name in the interpreter's error.
pub(super) fn data_too_large(what: &str) -> Diagnostic {
    match what {
        VARIABLES => Diagnostic::error("the variables of this function hold too much").help(format!(
            "together they may have {MAX_VARIABLE_ELEMENTS} elements; all but numbers and booleans count as {ELEMENTS_PER_ENTRY}"
        )),
        DEEP => Diagnostic::error("arrays, maps or closures are nested too deeply")
            .help(format!("there may be {MAX_NESTING} within each other")),
        what if what.contains("string") => Diagnostic::error("a string grows too large")
            .help(format!("it may have {MAX_ELEMENTS} bytes")),
        _ => Diagnostic::error("an array or a map grows too large").help(format!(
            "it may have {MAX_ELEMENTS} elements, with those of all arrays and maps in it"
        )),
    }
}

/// Returns how many elements an agent may remember in a world of so many.
pub(super) fn max_state_elements(agents: usize) -> usize {
    (MAX_STATE_ELEMENTS_OF_ALL / agents.max(1)).clamp(MIN_STATE_ELEMENTS, MAX_STATE_ELEMENTS)
}

/// Says that a script has too many cases, if it has.
pub(super) fn too_many_cases(source: &Arc<Source>) -> Option<Diagnostic> {
    let (at, _) = source.text.match_indices("=>").nth(MAX_CASES)?;
    let many = Diagnostic::error(format!("the script has more than {MAX_CASES} cases of `switch`"))
        .at(source, at..at + 2)
        .help("look numbers up in an array, or compute what follows from them");
    Some(many)
}

/// Says that a script has too many functions.
pub(super) fn too_many_functions() -> Diagnostic {
    Diagnostic::error(format!("the script has more than {MAX_FUNCTIONS} functions"))
        .help("move some into a script of their own, and `import` it")
}

/// Says that what is written is nested too deeply.
pub(super) fn too_deep() -> Diagnostic {
    Diagnostic::error("this is nested too deeply").help(format!(
        "there may be {MAX_EXPRESSION_DEPTH} blocks, calls or parentheses within each other: put parts into variables or functions"
    ))
}

/// Says that scripts import each other down too many levels.
pub(super) fn imports_too_deep() -> Diagnostic {
    Diagnostic::error("scripts import each other too deeply")
        .help(format!("{MAX_IMPORT_DEPTH} scripts may import each other, one below the other"))
}

/// Says that a script imports too many others.
pub(super) fn too_many_imports() -> Diagnostic {
    Diagnostic::error("too many imports lead to other scripts").help(format!(
        "a script may reach others in {MAX_IMPORT_ROUTES} ways, counted again wherever a script is imported: \
         import what several scripts need in one of them"
    ))
}
