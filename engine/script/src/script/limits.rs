//! Limits on what scripts can use. They are the same in every build and on every platform, so that a script that
//! exceeds one fails everywhere.

use std::sync::Arc;

use rhai::{
    AST, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, FnPtr, ImmutableString, Map,
    Position, Scope,
};

use super::meter;
use super::problem::Result;
use crate::diag::{Diagnostic, Source};

/// Number of calls that can be nested.
pub(super) const MAX_CALL_DEPTH: usize = 32;

/// Number of expressions that can be nested in the text of a script.
const MAX_EXPRESSION_DEPTH: usize = 64;

/// Number of elements of an array or a map, and of bytes of a string.
pub(super) const MAX_ELEMENTS: usize = 10_000;

/// Number of elements and bytes in the state of an agent, in a world with few agents.
const MAX_STATE_ELEMENTS: usize = MAX_ELEMENTS;

/// Number of elements and bytes in the states of all agents together.
const MAX_STATE_ELEMENTS_OF_ALL: usize = 4_000_000;

/// Number of elements and bytes that each agent can have in its state, however many agents there are.
const MIN_STATE_ELEMENTS: usize = 100;

/// Number of elements in all variables of a function at one time.
const MAX_VARIABLE_ELEMENTS: usize = 50_000;

/// Number of arrays, maps and closures that can be nested.
const MAX_NESTING: usize = 64;

/// Number of characters shown of each of these messages.
pub(super) const MAX_MESSAGE_CHARS: usize = 500;

/// Number of functions of one script.
const MAX_FUNCTIONS: usize = 500;

/// Number of arrows `=>` in a script, and so of the cases of all its `switch`es: sorting them takes quadratic time.
const MAX_CASES: usize = 5_000;

/// Number of scripts that a script can import directly.
const MAX_MODULES: usize = 50;

/// Length of a chain of scripts that import each other.
pub(super) const MAX_IMPORT_DEPTH: usize = 16;

/// Number of routes of imports from a script to others. The interpreter keeps a table of them.
pub(super) const MAX_IMPORT_ROUTES: usize = 200;

/// Number of elements that a value with its own memory counts as, such as an entry of a map or a nested array.
pub(super) const ELEMENTS_PER_ENTRY: usize = 8;

/// Number of bytes of a string that count as one element.
pub(super) const BYTES_PER_ELEMENT: usize = 8;

/// Number of steps that waiting for a variable in use counts as.
const STEPS_OF_WAITING: usize = 50_000;

/// Sets the limits of an engine.
pub(super) fn set(engine: &mut Engine) {
    engine
        .set_max_call_levels(MAX_CALL_DEPTH)
        .set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH)
        .set_max_array_size(MAX_ELEMENTS)
        .set_max_map_size(MAX_ELEMENTS)
        .set_max_string_size(MAX_ELEMENTS)
        .set_max_functions(MAX_FUNCTIONS)
        .set_max_modules(MAX_MODULES);
    // Rhai's own counter is not used: it does not count the steps of closures that native functions call.
    engine.on_progress(|_| {
        if meter::step() {
            Some(Dynamic::UNIT)
        } else {
            // This runs at each step, so it creates nothing that has to be dropped.
            None
        }
    });
}

/// Makes the engine measure from time to time how much data the variables hold, and count each use of a long string as
/// work.
pub(super) fn watch_variables(engine: &mut Engine) {
    #[expect(deprecated, reason = "not deprecated but volatile, and the version is pinned")]
    engine.on_var(|name, from_top, context| {
        let scope = context.scope();
        let value = match from_top {
            0 => scope.get(name),
            _ => scope.iter_raw().nth(from_top - 1).map(|(_, _, value)| value),
        };
        let text =
            value.filter(|value| value.is_string()).and_then(Dynamic::read_lock::<ImmutableString>);
        meter::spend(text.map_or(0, |text| meter::steps_of_text(text.len())))?;
        if meter::is_measurement_due() {
            measure_variables(context.scope())?;
        }
        Ok(None)
    });
}

/// Measures how much data the variables of a function hold. Copying a value is one step for the interpreter, however
/// large the value is, so all following steps count more.
fn measure_variables(scope: &Scope<'_>) -> Result<()> {
    let mut elements = 0;
    for (_, _, value) in scope.iter_raw() {
        add_elements(value, 0, &mut elements)?;
    }
    meter::note_measurement(elements);
    Ok(())
}

/// Adds the number of elements of a value, including those of the values in it.
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
            // The interpreter has waited for the variable.
            None => meter::spend(STEPS_OF_WAITING),
        };
    }
    let is_plain = value.is_int() || value.is_float() || value.is_bool() || value.is_unit();
    if is_plain {
        return Ok(());
    }
    // Only inside other values: a variable itself needs no memory of its own.
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

/// Returns an upper bound of the number of elements in the arrays and maps written in a script and in its constants.
pub(super) fn written_elements<'a>(
    ast: &AST,
    constants: impl Iterator<Item = &'a Dynamic>,
) -> usize {
    let mut elements = 0;
    let mut add = |value: &Dynamic| {
        // An error is not reported here: the same value is also too large for a variable.
        let _ = add_elements(value, 0, &mut elements);
    };
    constants.for_each(&mut add);
    let mut written = 0;
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => add(value),
            Some(ASTNode::Expr(Expr::Array(items, _))) => written += items.len(),
            Some(ASTNode::Expr(Expr::Map(entries, _))) => written += entries.0.len(),
            // Where it is written, nothing counts its use.
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                written += meter::steps_of_text(text.len());
            }
            _ => {}
        }
        true
    });
    elements + written * ELEMENTS_PER_ENTRY
}

fn too_large(what: &str) -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE).into()
}

/// Names of what `measure_variables` finds too large, in addition to those of Rhai.
const VARIABLES: &str = "variables";
const DEEP: &str = "nesting";

/// Returns the error of data that is too large, by the name in the interpreter's error.
pub(super) fn data_too_large(what: &str) -> Diagnostic {
    match what {
        VARIABLES => Diagnostic::error("the variables of this function hold too much data").help(format!(
            "together they can have {MAX_VARIABLE_ELEMENTS} elements; each one that is not a number or a boolean counts as {ELEMENTS_PER_ENTRY}"
        )),
        DEEP => Diagnostic::error("arrays, maps or closures are nested too deeply")
            .help(format!("at most {MAX_NESTING} can be nested")),
        what if what.contains("string") => Diagnostic::error("a string grows too large")
            .help(format!("a string can have {MAX_ELEMENTS} bytes")),
        _ => Diagnostic::error("an array or a map grows too large").help(format!(
            "it can have {MAX_ELEMENTS} elements, including those of all arrays and maps in it"
        )),
    }
}

/// Returns how many elements the state of each agent can have in a world with a number of agents.
pub(super) fn max_state_elements(agents: usize) -> usize {
    (MAX_STATE_ELEMENTS_OF_ALL / agents.max(1)).clamp(MIN_STATE_ELEMENTS, MAX_STATE_ELEMENTS)
}

/// Returns the error of a script with too many cases, if it has too many.
pub(super) fn too_many_cases(source: &Arc<Source>) -> Option<Diagnostic> {
    let (at, _) = source.text.match_indices("=>").nth(MAX_CASES)?;
    let many = Diagnostic::error(format!("the script has more than {MAX_CASES} cases of `switch`"))
        .at(source, at..at + 2)
        .help("look the values up in an array, or compute them");
    Some(many)
}

/// Returns the error of a script with too many functions.
pub(super) fn too_many_functions() -> Diagnostic {
    Diagnostic::error(format!("the script has more than {MAX_FUNCTIONS} functions"))
        .help("move some into another script, and `import` it")
}

/// Returns the error of expressions that are nested too deeply.
pub(super) fn too_deep() -> Diagnostic {
    Diagnostic::error("this is nested too deeply").help(format!(
        "at most {MAX_EXPRESSION_DEPTH} blocks, calls or parentheses can be nested: move parts into variables or functions"
    ))
}

/// Returns the error of a chain of imports that is too long.
pub(super) fn imports_too_deep() -> Diagnostic {
    Diagnostic::error("scripts import each other too deeply")
        .help(format!("a chain of imports can have {MAX_IMPORT_DEPTH} scripts"))
}

/// Returns the error of a script with too many routes of imports.
pub(super) fn too_many_imports() -> Diagnostic {
    Diagnostic::error("the script has too many imports, including those of the scripts it imports").help(format!(
        "at most {MAX_IMPORT_ROUTES} are possible, and a script counts each time it is imported: \
         import a script that several others need in only one of them"
    ))
}

/// Returns the error of functions that call each other too many levels deep.
pub(super) fn too_many_calls() -> Diagnostic {
    let levels = MAX_CALL_DEPTH;
    Diagnostic::error(format!("functions call each other more than {levels} levels deep"))
        .help("does a function call itself endlessly? It needs a condition that ends this, such as `if depth > 5 { return; }`")
}
