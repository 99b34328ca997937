//! Tests of the names of scripts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rhai::{ASTNode, Engine, Expr, OptimizationLevel, Position, Stmt};

use super::*;
use crate::diag::Source;
use crate::script::{Topic, reference};

/// Returns the variables at the `‹` in a script.
fn at(text: &str) -> Vec<String> {
    let at = text.find('‹').unwrap();
    let text = text.replacen('‹', "", 1);
    variables(&text, at).into_iter().map(str::to_owned).collect()
}

#[test]
fn only_variables_in_scope_are_found() {
    let text = "const LIMIT = 3;\n// let comment = 1;\nfn far(other) { let gone = 1; }\n\
        fn steer(me) {\n  let text = \"let string = 2\";\n  if true { let inner = 2; }\n  \
        for (one, i) in list { ‹ let late = 1; }\n}\nconst END = 1;";
    assert_eq!(at(text), ["END", "LIMIT", "i", "me", "one", "text"]);
    assert_eq!(at("fn f(a, b) { ‹ }\nfn g(c) { }"), ["a", "b"]);
    assert_eq!(at("fn f(a) { list.filter(|x| x > ‹1) }"), ["a", "x"]);
    assert_eq!(at("fn f(a) { a || b || ‹c }"), ["a"]);
    assert_eq!(at("fn f(a) { list.filter(|x| x > 1); ‹ }"), ["a"]);
    assert_eq!(at("fn f(a) { list.map(|x| if x { 1 } else { ‹ }) }"), ["a", "x"]);
    assert_eq!(at("fn f(a) { let g = |x| { let y = x; ‹ }; }"), ["a", "x", "y"]);
    assert_eq!(at("fn f(a) { let b = 1; let c = b + ‹; }"), ["a", "b"]);
    assert_eq!(at("fn f(a) { let b = `${if a { let c = 1; ‹ }}`; }"), ["a", "c"]);
    assert_eq!(at("fn f(a) { try { } catch (e) { ‹ } }"), ["a", "e"]);
    assert_eq!(at("‹"), [""; 0]);
}

/// Returns a script with a number after each name that it declares, and the same number after its uses.
fn numbered(text: &str) -> String {
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (number, one) in script_names(text).declared.iter().enumerate() {
        marks.extend(std::iter::once(&one.name).chain(&one.uses).map(|span| (span.end, number)));
    }
    marks.sort_unstable();
    let mut numbered = text.to_owned();
    for (end, number) in marks.into_iter().rev() {
        numbered.insert_str(end, &number.to_string());
    }
    numbered
}

#[test]
fn uses_belong_to_the_declaration_that_is_meant() {
    for expected in [
        "fn f0(a1) { let b2 = a1; let b3 = b2 + 1; b3 }",
        "fn f0(a1) { if a1 { let a2 = 1; a2 } a1 }",
        "fn f0(a1) { a1.map(|a2| a2 + 1).filter(|b3, c4| b3 > c4 | a1) }",
        "fn f0(a1) { let k2 = 1; #{ k: k2, a: a1, b: #{ k: k2 } }.k }",
        "fn f0(a1) { `a ${a1 + `${a1}`} a` + f0(a1) + g2(1, [a1, 2]) } fn g2(b3, c4) { a + b3.c }",
        "fn f0(a1) { f0(1) + f2(1, 2) } fn f2(a3, b4) { } // f",
        "fn f0() { } fn g1(f2) { f2 + f0() }",
        "import \"lib\" as l0; const C1 = 2; fn f2(x3) { l0::far(x3, C1) + global::C1 + D4 } const D4 = C1;",
        "fn f0(a1) { for (a2, i3) in a1 { a2 + i3 } for b4 in a1 { b4 } a1 }",
        "fn f0(a1) { let g2 = |x3| { x3 + a1 }; g2.call(a1) + x }",
        "fn f0(a1) { try { a1 } catch (e2) { e2 } e }",
        "fn f0(a1) { switch a1 { 1 | 2 => a1, _ => |a2| a2 } }",
        "fn f0() { this.x } fn g1(a2) { a2.f0() + a2.f(1) + Fn(\"f0\") }",
        "fn f0(a1) { a1.f(|| a1, |b2| [b2, a1], ) + f0(|a3, b4| a3) }",
        "fn f0() { is_def_fn(\"f0\", 0) } fn f1(a2) { is_def_fn(\"f1\", 1) || is_def_var(\"a2\") || is_def_var(\"b\") }",
    ] {
        assert_eq!(numbered(&without_numbers(expected)), expected);
    }
}

/// Returns a script without the numbers directly after its names.
fn without_numbers(numbered: &str) -> String {
    let mut text = String::new();
    let mut is_name = false;
    for c in numbered.chars() {
        if is_name && c.is_ascii_digit() {
            continue;
        }
        is_name = c.is_alphabetic() || c == '_';
        text.push(c);
    }
    text
}

/// Returns the scripts that ship.
fn shipped() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts")];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "rhai") {
                all.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    assert!(all.len() > 30, "{}", all.len());
    all
}

/// Returns the byte offsets at which Rhai reads variables of a script, and those of calls of its own functions.
fn read_by_rhai(text: &str) -> [BTreeSet<usize>; 2] {
    let mut engine = Engine::new();
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_expr_depths(0, 0);
    let ast = engine.compile(text).unwrap();
    let own: BTreeSet<(&str, usize)> =
        ast.iter_functions().map(|one| (one.name, one.params.len())).collect();
    // Scripts do not declare what they are given, such as `world` and `PI`.
    let given = reference().into_iter().filter(|entry| {
        entry.receiver.is_none()
            && entry.topic != Topic::EntryPoints
            && !entry.signature.contains('(')
    });
    let given: BTreeSet<&str> =
        given.flat_map(|entry| entry.names).filter(|name| *name != "me").collect();
    let source = Source::new("a", text);
    let [mut variables, mut calls] = [BTreeSet::new(), BTreeSet::new()];
    ast.walk(&mut |path| {
        let at = |position: Position| Some(source.offset(position.line()?, position.position()?));
        match path.last() {
            Some(ASTNode::Expr(Expr::Variable(variable, ..)))
                if variable.2.is_empty() && !given.contains(&*variable.1) =>
            {
                variables.extend(at(path.last().unwrap().position()));
            }
            Some(
                ASTNode::Expr(Expr::FnCall(call, position))
                | ASTNode::Stmt(Stmt::FnCall(call, position)),
            ) if call.namespace.is_empty() && own.contains(&(&*call.name, call.args.len())) => {
                calls.extend(at(*position));
            }
            _ => {}
        }
        true
    });
    [variables, calls]
}

#[test]
fn names_of_shipped_scripts_are_those_that_rhai_reads() {
    for text in shipped() {
        let names = script_names(&text);
        let uses = |is_function: bool| -> BTreeSet<usize> {
            let is_it = |one: &&Declaration| match one.kind {
                DeclarationKind::Function { .. } => is_function,
                DeclarationKind::Import => false,
                _ => !is_function,
            };
            let all = names.declared.iter().filter(is_it);
            all.flat_map(|one| one.uses.iter().map(|span| span.start)).collect()
        };
        let shown = |all: BTreeSet<usize>| -> Vec<String> {
            let line = |at: &usize| text[*at..].lines().next().unwrap_or_default().to_owned();
            all.iter().map(line).collect()
        };
        let [variables, calls] = read_by_rhai(&text);
        assert_eq!(shown(uses(false)), shown(variables), "{text}");
        assert_eq!(shown(uses(true)), shown(calls), "{text}");
    }
}
