//! Tests of size: programs grow in proportion to their scripts up to a limit, and groups share them.

use std::fmt::Write;
use std::sync::Arc;

use super::{scripts, start};
use crate::program::Program;
use crate::script::compile::Script;
use crate::script::entry_point::EntryFunction;
use crate::script::lower::{self, GroupFacts};
use crate::script::prepared::ProgramCache;
use crate::sim::Simulation;
use crate::world::{GroupId, Value, World};

/// Returns a simulation of the world of the tests, where one script steers both groups.
fn simulation() -> Simulation {
    start(&scripts(&[("main", "fn steer(me) { vec(0, 0) }")])).unwrap()
}

fn script(text: &str) -> Script {
    Script::compile("main", &scripts(&[("main", text)])).unwrap_or_else(|all| panic!("{}", all[0]))
}

/// Returns a function `steer` with `n` generated lines, that changes and returns `x`.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::from("fn steer(me) {\nlet x = 0.0;\n");
    for place in 0..n {
        writeln!(text, "{}", line(place)).unwrap();
    }
    text + "vec(x, 0)\n}\n"
}

fn lowered(text: &str) -> (Option<Program>, Vec<String>) {
    let simulation = simulation();
    let facts = GroupFacts::of(simulation.world(), GroupId(0));
    let (_, steer) = lower::lower(&script(text), &facts, None);
    let slow = steer.interpreted.iter().map(|note| note.message.clone());
    (steer.program, slow.collect())
}

fn size(program: &Program) -> usize {
    let tables = program.tables_f.iter().map(Vec::len).sum::<usize>();
    let (f, i, b) = program.columns;
    program.prologue.len() + program.body.len() + tables + f + i + b
}

/// Generators of scripts of any length, by name.
type Long = (&'static str, fn(usize) -> String);

const LONG: &[Long] = &[
    ("sums", |n| lines(n, |i| format!("x += me.pos.x * {i}.5;"))),
    ("blocks", |n| lines(n, |i| format!("{{ let a = me.pos.x + {i}; x += a; }}"))),
    ("branches", |n| lines(n, |i| format!("if me.pos.x > {i} {{ x += 1; }} else {{ x -= {i}; }}"))),
    ("calls", |n| lines(n, |i| format!("x += me.seek(vec({i}, 3)).x;"))),
    ("own functions", |n| {
        lines(n, |i| format!("x = f(x, {i});")) + "fn f(a, b) { if a > b { return a; } a + b }"
    }),
    ("loops", |n| lines(n, |i| format!("for i in 0..3 {{ x += i * {i}; }}"))),
    ("cases", |n| lines(n, |i| format!("switch me.id {{ {i} => x += 1.0, _ => x -= 1.0 }}"))),
    ("neighborhoods", |n| lines(n, |i| format!("x += me.separation({i}.5).x;"))),
    ("strings", |n| lines(n, |i| format!("if me.group == \"g{i}\" {{ x += 1.0; }}"))),
    ("states", |n| lines(n, |i| format!("me.state.s{i} = x; x += me.state.s{i};"))),
    ("constants", |n| {
        let numbers: Vec<String> = (0..n).map(|i| format!("{i}.5")).collect();
        format!("const A = [{}];\n", numbers.join(", "))
            + lines(n, |_| "x += A[me.id % 7];".to_owned()).as_str()
    }),
];

#[test]
fn a_program_grows_linearly_with_its_script() {
    for (name, long) in LONG {
        let sizes = [100, 200, 400].map(|n| {
            let (program, slow) = lowered(&long(n));
            assert_eq!(slow, [""; 0], "{name}");
            size(&program.unwrap()) as f32
        });
        for pair in sizes.windows(2) {
            assert!(pair[1] < 2.1 * pair[0], "{name}: {sizes:?}");
        }
    }
}

/// Returns functions that each call the next one twice, `depth` levels deep.
fn doubling(depth: usize) -> String {
    let mut text = lines(1, |_| "x = f0(me.pos.x);".to_owned());
    for i in 0..depth {
        writeln!(text, "fn f{i}(a) {{ f{}(a + 1) + f{}(a) }}", i + 1, i + 1).unwrap();
    }
    text + format!("fn f{depth}(a) {{ a * 1.5 }}").as_str()
}

/// Returns nested loops over arrays of 60 elements.
fn nested(depth: usize) -> String {
    let all: Vec<String> = (0..60).map(|i| i.to_string()).collect();
    let heads: String =
        (0..depth).map(|i| format!("for i{i} in [{}] {{ ", all.join(", "))).collect();
    lines(1, |_| format!("{heads} x += me.pos.x * i0; {}", "}".repeat(depth)))
}

/// Returns a `switch` with `n` cases.
fn cases(n: usize) -> String {
    let cases: String = (0..n).map(|i| format!("{i} => x = {i}.5,\n")).collect();
    lines(1, |_| format!("switch me.id {{ {cases} _ => x = 1.0 }}"))
}

/// Returns calls that are nested as deeply as possible, each in as many parentheses as possible.
fn deep() -> String {
    let mut text = lines(1, |_| "x = f0(me.pos.x);".to_owned());
    for i in 0..31 {
        let (open, close) = ("(1 + ".repeat(28), ")".repeat(28));
        writeln!(text, "fn f{i}(a) {{ {open}f{}(a){close} }}", i + 1).unwrap();
    }
    text + "fn f31(a) { a }"
}

#[test]
fn a_script_that_is_too_large_is_interpreted_with_a_note() {
    let large = [
        ("a doubling", doubling(30)),
        ("nested loops", nested(6)),
        ("many cases", cases(1000)),
        ("deep calls", deep()),
        ("many lines", LONG[0].1(9000)),
        ("many branches", LONG[2].1(7000)),
        ("large constants", {
            let numbers: Vec<String> = (0..5000).map(|i| format!("{i}.5")).collect();
            let numbers = numbers.join(", ");
            lines(400, |_| format!("x += [{numbers}][me.id];"))
        }),
    ];
    for (name, text) in large {
        let (program, slow) = lowered(&text);
        assert!(program.is_none(), "{name}");
        let note = "`steer` is too large to be lowered and needs the interpreter, which is slower";
        assert_eq!(slow, [note], "{name}");
    }
    for small in [doubling(8), nested(2), cases(100)] {
        assert!(lowered(&small).0.is_some(), "{small}");
    }
}

/// Caught: the known value of each column was searched among all columns, twice for each sum.
#[test]
fn known_values_of_nested_sums_are_found_quickly() {
    let text = lines(0, |_| String::new());
    let sums = "let a = a + a;\n".repeat(60);
    let text = text.replace("let x", &format!("let a = 1.5;\n{sums}let x"));
    let simulation = simulation();
    let behavior = crate::script::Behavior::new(script(&text)).unwrap();
    let found = behavior.findings(simulation.world(), GroupId(0), vec![true, true], &[]);
    assert!(found.is_empty(), "{found:?}");
}

fn same(a: &Program, b: &Program) -> bool {
    std::ptr::eq(a, b)
}

/// Returns whether both groups of a world share one program.
fn is_shared(programs: &ProgramCache, script: &Script, world: &World) -> bool {
    let [a, b] = [0, 1].map(|group| programs.prepared(script, world, GroupId(group)));
    let again = programs.prepared(script, world, GroupId(0));
    let (a, b) =
        (a.program(EntryFunction::Steer).unwrap(), b.program(EntryFunction::Steer).unwrap());
    assert!(same(a, again.program(EntryFunction::Steer).unwrap()), "nothing has changed");
    same(a, b)
}

#[test]
fn groups_of_the_same_kind_share_a_program() {
    let simulation = simulation();
    let mut world = World::clone(simulation.world());
    let plain = script("fn steer(me) { if me.group == \"hero\" { me.seek(vec(me.params.n, 0)) } }");
    let programs = ProgramCache::default();
    assert!(is_shared(&programs, &plain, &world));
    // A param of another type makes another kind, and so does a string that is not the name of a group.
    world.groups[1].params.set("n", Value::Float(1.5));
    assert!(!is_shared(&programs, &plain, &world));
    world.groups[0].params.set("n", Value::Float(2.5));
    assert!(is_shared(&programs, &plain, &world));
    for (text, shared) in [("hero", true), ("far", false)] {
        world.groups[0].params.set("to", Value::String(text.into()));
        world.groups[1].params.set("to", Value::String("others".into()));
        assert_eq!(is_shared(&programs, &plain, &world), shared, "{text}");
    }
    // Other names, in another world.
    let known = programs.prepared(&plain, &world, GroupId(1));
    let mut setup = super::setup();
    setup.groups[0].0.name = "other".into();
    let brains = (0..2).map(|_| Arc::new(crate::sim::NoBehavior) as _).collect();
    let other = Simulation::new(setup, brains).unwrap();
    let anew = programs.prepared(&plain, other.world(), GroupId(1));
    assert!(!Arc::ptr_eq(&known, &anew));
}

#[test]
fn a_program_that_uses_the_name_of_its_group_is_not_shared() {
    let simulation = simulation();
    let named = script("fn steer(me) { me.seek(vec(world.count(me.group), 0)) }");
    assert!(!is_shared(&ProgramCache::default(), &named, simulation.world()));
}

/// A program that was asked for in a second world of the same scenario was shared by all groups of its kind.
#[test]
fn a_program_that_uses_the_name_of_its_group_is_not_shared_in_another_world_either() {
    let (one, other) = (simulation(), simulation());
    let named = script("fn steer(me) { me.seek(vec(world.count(me.group), 0)) }");
    let programs = ProgramCache::default();
    programs.prepared(&named, one.world(), GroupId(0));
    assert!(!is_shared(&programs, &named, other.world()));
}
