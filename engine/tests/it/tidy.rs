//! Checks the order of the modules, and which code may use which library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::skipped;

/// The modules of the engine, by the folder of their crate. Each may use those before it in this list, and none after it.
const MODULES: &[(&str, &[&str])] = &[
    (
        "engine/core/src/",
        &[
            "tokens",
            "diag",
            "threads",
            "simd",
            "math",
            "geom",
            "schema",
            "number",
            "distribution",
            "world",
            "steer",
            "sim",
            "trace",
            "expect",
        ],
    ),
    // All files of these two are one module each.
    ("engine/program/src/", &["program"]),
    ("engine/script/src/", &["script"]),
    (
        "engine/src/",
        &[
            "golden",
            "scenario",
            "load",
            "format",
            "runner",
            "json",
            "suite",
            "experiment",
            "plan_file",
            "live",
            "prelude",
        ],
    ),
];

/// The submodules of `script`. Each may use those before it in this list, and none after it.
const SCRIPT: &[&str] = &[
    // The mistakes of a script, its values, and its turn.
    "problem",
    "handles",
    "value",
    "meter",
    "limits",
    "messages",
    "live_values",
    "trace",
    "record",
    "turn",
    "tracer",
    // The functions that it can call.
    "choice_kind",
    "api",
    // Its text, and what is wrong there.
    "scope",
    "wrong_arguments",
    "first_value",
    "sources",
    "syntax",
    "imports",
    "statements",
    "choices",
    "synonyms",
    "missing_value",
    "stop",
    "foreign_forms",
    "nothing",
    "missing_token",
    "grammar_words",
    "grammar",
    "missing_parenthesis",
    "parse_error",
    "recovery",
    "unfinished_member",
    "remains",
    "error",
    "names",
    "compile",
    // Running it.
    "interpreter",
    "reach",
    "explain",
    "trial",
    "choice_findings",
    "lower",
    // The uses of scripts.
    "entry_point",
    "prepared",
    "together",
    "weights",
    "mentions",
    "symmetry",
    "behavior",
    "turns_of_machines",
    "condition",
    "returned",
    "now",
    "expectation",
    "measure",
    "field",
    "places",
    "reference",
];

/// The files that still import each other in a circle. Do not add to them: move what two files need into a third one, and
/// what needs both up to its caller.
const CIRCLES: &[&[&str]] = &[
    &["engine/src/scenario/advice.rs", "engine/src/scenario/advice_by_shape.rs"],
    &["engine/src/suite/case.rs", "engine/src/suite/seeds.rs"],
    &["engine/src/suite/diagnose.rs", "engine/src/suite/old_files.rs"],
    &["viewer/lsp/src/diagnostics.rs", "viewer/lsp/src/project.rs"],
    &["viewer/lsp/src/names.rs", "viewer/lsp/src/plans.rs"],
    &["viewer/lsp/src/navigate.rs", "viewer/lsp/src/own_names.rs", "viewer/lsp/src/rename.rs"],
];

/// Paths that only some places may use, with these places.
const OWNED: &[(&str, &[&str])] = &[
    ("rhai::", &["engine/script/src/script"]),
    (
        "ron::",
        &["engine/src/scenario", "viewer/src/view/keys_file", "viewer/src/view/window_position"],
    ),
    (
        "std::fs",
        &[
            "engine/src/load",
            "viewer/src/cli/new",
            "viewer/src/report/tests",
            "engine/core/src/diag/cases",
            "engine/src/format/tests",
            "engine/src/scenario/tests/ron_tree",
            "engine/src/live/tests",
            "engine/script/src/script/scope/tests",
            "viewer/src/view/tests",
            // The folder of sockets, which only this user may enter.
            "viewer/src/sharing",
        ],
    ),
    ("rayon::", &["engine/core/src/threads"]),
    ("notify::", &["engine/src/load"]),
    ("std::time", &["viewer/src", "viewer/draw/src/tests", "engine/src/load/watch"]),
    (
        "std::env",
        &["viewer/src", "viewer/lsp/src/project", "engine/src/load", "engine/core/src/simd"],
    ),
    ("clap::", &["viewer/src"]),
    ("arboard::", &["viewer/src/view/clipboard"]),
    ("lsp_server::", &["viewer/lsp/src", "viewer/src/lsp"]),
    ("lsp_types::", &["viewer/lsp/src", "viewer/src/lsp"]),
    ("minifb::", &["viewer/src/view/window"]),
    ("x11rb::", &["viewer/src/view/desktop", "viewer/src/view/window_events"]),
    ("gif::", &["viewer/draw/src/film", "viewer/draw/src/frames"]),
    ("tiny_skia::", &["viewer/draw/src"]),
    ("ttf_parser::", &["viewer/draw/src"]),
    ("i_overlay::", &["viewer/src/area"]),
    ("parquet::", &["viewer/src/cli/typed_table"]),
    ("roxmltree::", &["viewer/src/cli/import"]),
];

/// The files and folders at the top of the repository, except those that start with a dot.
const TOP_LEVEL: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "docs",
    "engine",
    "scenarios",
    "scripts",
    "target",
    "viewer",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns whether the whole repository is here. The packed files of a crate are not enough for these tests.
fn in_repository() -> bool {
    let is_here = root().join("engine/src").is_dir();
    if !is_here {
        skipped("this is not a checkout of the repository");
    }
    is_here
}

/// Returns every Rust file below a folder of the repository: its path from the top, and its content.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// Returns the Rust files of the engine's crates, each with the module that it belongs to.
fn engine_files() -> Vec<(String, String, String)> {
    let of_crate = |(folder, modules): &(&str, &[&str])| {
        let (folder, only) =
            ((*folder).to_owned(), matches!(modules, [_]).then(|| modules[0].to_owned()));
        rust_files(&folder).into_iter().map(move |(file, text)| {
            let inner = file.strip_prefix(&folder).unwrap();
            let first = inner.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
            (file, only.clone().unwrap_or(first), text)
        })
    };
    MODULES.iter().flat_map(of_crate).collect()
}

/// Returns the modules of the engine that a file names, with the lines.
fn named_modules(text: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if code[..at].ends_with('$') || name.is_empty() {
                continue;
            }
            names.push((number + 1, name));
        }
    }
    names
}

#[test]
fn modules_use_only_modules_above_them() {
    if !in_repository() {
        return;
    }
    let modules: Vec<&str> = MODULES.iter().flat_map(|(_, modules)| *modules).copied().collect();
    let rank = |name: &str| modules.iter().position(|module| *module == name);
    let mut wrong = Vec::new();
    for (file, own, text) in engine_files() {
        if own == "lib" || own == "prelude" {
            continue;
        }
        let Some(own_rank) = rank(&own) else {
            wrong.push(format!("{file} belongs to no module in the list"));
            continue;
        };
        for (line, name) in named_modules(&text) {
            match rank(&name) {
                // Helpers of tests, which the crates above include.
                _ if name == "cases" => {}
                Some(other) if other <= own_rank => {}
                Some(_) => wrong.push(format!(
                    "{file}:{line}: `{own}` is above `{name}` and must not use it"
                )),
                None => wrong.push(format!(
                    "{file}:{line}: `crate::{name}` is not a module; use the path through its module"
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Adds the paths at the beginning of a text without comments: one, or all of a list in braces. Returns the text behind them.
fn add_paths<'t>(mut text: &'t str, before: &str, all: &mut Vec<String>) -> &'t str {
    let mut path = before.to_owned();
    loop {
        if let Some(list) = text.strip_prefix('{') {
            let mut rest = list.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = add_paths(rest, &path, all);
                // What is left of an item is its other name, behind `as`.
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                rest = rest[end..].strip_prefix(',').unwrap_or(&rest[end..]).trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        path.push_str(&text[..end]);
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) if end > 0 => {
                path.push_str("::");
                text = rest;
            }
            _ => {
                all.push(path);
                return text;
            }
        }
    }
}

/// Returns the paths that follow a prefix in a text without comments.
fn paths_behind(text: &str, prefix: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        // `super::super::` is found by its last part.
        if !text[..at].ends_with("::") && !text[..at].ends_with(|c: char| c.is_alphanumeric()) {
            add_paths(&text[at + prefix.len()..], "", &mut paths);
        }
    }
    paths
}

/// Returns the code of a file without comments and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    code.join("\n")
}

#[test]
fn submodules_of_script_use_only_those_above_them() {
    if !in_repository() {
        return;
    }
    let folder = "engine/script/src/script/";
    let rank = |name: &str| SCRIPT.iter().position(|submodule| *submodule == name);
    let mut wrong = Vec::new();
    for (file, text) in rust_files(folder) {
        let inner = file.strip_prefix(folder).unwrap();
        let depth = inner.matches('/').count();
        let own = inner.split('/').next().unwrap().trim_end_matches(".rs");
        if own == "mod" || inner.split('/').any(|part| part.starts_with("tests")) {
            continue;
        }
        let Some(own_rank) = rank(own) else {
            wrong.push(format!("{file} is not in the list"));
            continue;
        };
        let code = code(&text);
        let up = format!("{}::", vec!["super"; depth + 1].join("::"));
        let named =
            paths_behind(&code, "crate::script::").into_iter().chain(paths_behind(&code, &up));
        for path in named {
            let name = path.split("::").next().unwrap();
            if rank(name).is_some_and(|other| other > own_rank) {
                wrong.push(format!("{file}: `{own}` is above `{name}` and must not use it"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns the files of a crate, each with the files of the crate that it names. A module of a folder is the file `mod.rs`
/// there, or the file beside it; what a file has from the module that it is in does not count.
fn named_files(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = rust_files(folder);
    let mut modules = BTreeMap::new();
    for (file, text) in &files {
        let inner = file.strip_prefix(folder).unwrap().strip_suffix(".rs").unwrap();
        let module: Vec<&str> = inner.trim_start_matches('/').split('/').collect();
        let module = match &module[..] {
            [folders @ .., "mod" | "lib" | "main"] => folders.join("::"),
            whole => whole.join("::"),
        };
        if !file.contains("/tests/") && !file.ends_with("tests.rs") {
            modules.insert(module, (file, code(text)));
        }
    }
    let named = modules.iter().map(|(own, (file, code))| {
        let own: Vec<&str> = own.split("::").filter(|part| !part.is_empty()).collect();
        let mut found = BTreeSet::new();
        // From the crate, from the module itself, from the one above it, and so on.
        let up = (1..=own.len()).map(|up| ("super::".repeat(up), &own[..own.len() - up]));
        let from = [("crate::".to_owned(), &[][..]), ("self::".to_owned(), &own[..])];
        for (prefix, base) in from.into_iter().chain(up) {
            for path in paths_behind(code, &prefix) {
                let path: Vec<&str> = base.iter().copied().chain(path.split("::")).collect();
                let named = (base.len() + 1..=path.len()).rev();
                let named = named.filter_map(|length| modules.get(&path[..length].join("::")));
                found.extend(named.take(1).map(|(other, _)| (*other).clone()));
            }
        }
        found.remove(*file);
        ((*file).clone(), found)
    });
    named.collect()
}

/// Returns the files that a file names, directly or through others.
fn reached<'f>(file: &str, named: &'f BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'f String> {
    let mut all = BTreeSet::new();
    let mut next: Vec<&String> = named[file].iter().collect();
    while let Some(file) = next.pop() {
        if all.insert(file) {
            next.extend(&named[file]);
        }
    }
    all
}

/// Two files that need each other are one file in two pieces: neither can be understood alone.
#[test]
fn files_import_each_other_in_no_circle() {
    if !in_repository() {
        return;
    }
    let mut wrong = BTreeSet::new();
    let crates = MODULES.iter().map(|(folder, _)| folder.trim_end_matches('/'));
    for folder in crates.chain(["viewer/draw/src", "viewer/lsp/src", "viewer/src"]) {
        let named = named_files(folder);
        let reached: BTreeMap<_, _> =
            named.keys().map(|file| (file, reached(file, &named))).collect();
        for (file, all) in reached.iter().filter(|(file, all)| all.contains(*file)) {
            let circle: Vec<&str> = all
                .iter()
                .filter(|other| reached[**other].contains(file))
                .map(|other| other.as_str())
                .collect();
            let is_known = |known: &&[&str]| circle.iter().all(|file| known.contains(file));
            if !CIRCLES.iter().any(is_known) {
                wrong.insert(circle.join(", "));
            }
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "these files import each other in a circle:\n{}", wrong.join("\n"));
}

#[test]
fn libraries_are_used_only_in_their_places() {
    if !in_repository() {
        return;
    }
    let mut wrong = Vec::new();
    let of_engine = engine_files().into_iter().map(|(file, _, text)| (file, text));
    let of_viewer =
        ["viewer/src", "viewer/draw/src", "viewer/lsp/src"].into_iter().flat_map(rust_files);
    for (file, text) in of_engine.chain(of_viewer) {
        for (name, owners) in OWNED {
            let owned = owners.iter().any(|owner| file.starts_with(owner));
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap();
                let found = code.find(name).is_some_and(|at| {
                    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                });
                if found && !owned {
                    wrong.push(format!(
                        "{file}:{}: `{name}` belongs to {}",
                        number + 1,
                        owners.join(" and ")
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_primitive_has_a_file_of_its_own() {
    if !in_repository() {
        return;
    }
    let names: Vec<&str> = flockwork_engine::steer::PRIMITIVES
        .iter()
        .chain(flockwork_engine::steer::COMBINATORS)
        .map(|primitive| primitive.name)
        .collect();
    for (file, _) in rust_files("engine/core/src/steer") {
        let name = file.rsplit('/').next().unwrap().trim_end_matches(".rs");
        assert!(
            ["algebra", "cause", "choice", "explanation", "mod", "passing_tests", "table", "tests"]
                .contains(&name)
                || names.contains(&name),
            "{file} is not in the table"
        );
    }
    for name in names {
        assert!(
            root().join(format!("engine/core/src/steer/{name}.rs")).is_file(),
            "{name} has no file of its name"
        );
    }
}

#[test]
fn the_top_level_contains_only_known_files() {
    if !in_repository() {
        return;
    }
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(
            name.starts_with('.') || TOP_LEVEL.contains(&name.as_str()),
            "{name} is not in the list of top-level files"
        );
    }
}
