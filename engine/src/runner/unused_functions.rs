//! Warnings about functions of a script that nothing calls: neither the engine nor the script nor one that imports it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Source};
use crate::script::{Library, Topic, reference};
use crate::tokens::{CodeTokens, Language, TokenKind, code};

/// Returns a warning for each function that nothing calls, in scripts that the engine calls itself. Others are collections of functions.
pub(super) fn unused_functions<'n>(
    names: impl IntoIterator<Item = &'n str>,
    scripts: &dyn Library,
) -> Vec<Diagnostic> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let mut found = Vec::new();
    for name in names {
        let Ok(Some(source)) = scripts.read(name) else { continue };
        let unused = uncalled(&source.text);
        if unused.is_empty() {
            continue;
        }
        let importing = importing_scripts(name, scripts);
        for span in unused {
            let function = &source.text[span.clone()];
            if importing.iter().any(|other| may_name(&other.text, function)) {
                continue;
            }
            let warning = Diagnostic::warning(format!("nothing calls the function `{function}`"))
                .code(Code::UnusedFunction)
                .help(format!("call it, remove it, or name it `_{function}`"));
            found.push(warning.at(&source, span.clone()));
        }
    }
    found
}

/// Returns the names of functions that a script defines and does not mention elsewhere, if it has functions that the engine calls.
fn uncalled(text: &str) -> Vec<Range<usize>> {
    let entry_points = reference().into_iter().filter(|entry| entry.topic == Topic::EntryPoints);
    let entry_points: BTreeSet<&str> = entry_points.flat_map(|entry| entry.names).collect();
    let code = CodeTokens::new(text, Language::Rhai);
    let all = 0..code.all.len();
    let is_defined = |&index: &usize| code.before(index) == "fn" && code.is_word(index);
    let (defined, others): (Vec<_>, Vec<_>) = all.clone().partition(is_defined);
    if !defined.iter().any(|&index| entry_points.contains(code.get(index))) {
        return Vec::new();
    }
    // A function that only calls itself is not used.
    let body_end = |defined: usize| {
        let open = (defined..all.end).find(|&index| code.get(index) == "{")?;
        code.closing(open)
    };
    let is_used = |defined: usize| {
        let function = code.get(defined);
        let own = defined..body_end(defined).unwrap_or(defined);
        others.iter().filter(|index| !own.contains(index)).any(|&index| {
            match code.all[index].kind {
                TokenKind::Text => string_names(code.get(index), function),
                TokenKind::Word => code.get(index) == function,
                _ => false,
            }
        })
    };
    let unused = defined.iter().filter(|&&index| {
        let function = code.get(index);
        !function.starts_with('_') && !entry_points.contains(function) && !is_used(index)
    });
    unused.map(|&index| code.all[index].span.clone()).collect()
}

/// Returns whether a string may name a function: it has its name, or a part from which it is put together, as those of state machines.
fn string_names(string: &str, function: &str) -> bool {
    let content = string.trim_matches(['"', '`', '\'']);
    let is_end = function.strip_suffix(content).is_some_and(|start| start.ends_with('_'));
    string.contains(function) || is_end || (content.len() > 2 && function.contains(content))
}

/// Returns the scripts that import another one.
fn importing_scripts(name: &str, scripts: &dyn Library) -> Vec<Arc<Source>> {
    let others = scripts.names().into_iter().filter(|other| other != name);
    let read = others.filter_map(|other| scripts.read(&other).ok().flatten());
    let quoted = format!("\"{name}\"");
    read.filter(|source| source.text.contains("import") && source.text.contains(&quoted)).collect()
}

/// Returns whether a script may name a function of one that it imports.
fn may_name(text: &str, function: &str) -> bool {
    code(text, Language::Rhai).any(|token| {
        let word = &text[token.span];
        match token.kind {
            TokenKind::Text => string_names(word, function),
            _ => word == function,
        }
    })
}
