//! Tests of formatting.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::verbatim::{Verbatim, VerbatimKind};
use super::*;

fn formatted(language: Language, text: &str) -> String {
    match format(&Source::new("a", text), language) {
        Ok(text) => text,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Compares with what is expected, and formats that again.
#[track_caller]
fn becomes(language: Language, text: &str, expected: &str) {
    assert_eq!(formatted(language, text), expected);
    assert_eq!(formatted(language, expected), expected);
}

/// Compares a scenario or a part of one in the style with what is expected.
#[track_caller]
fn data_style(text: &str, expected: &str) {
    becomes(Language::Ron, text, expected);
}

#[test]
fn scenarios_are_indented_by_the_brackets_around_each_line() {
    data_style(
        "(\n  name: \"A\",\n\tworld: (size: (1, 2)),\ngroups: { \"a\": (\n spawn: Points([\n(1, 2),\n    ]),\n ) },\n  )",
        "(\n    name: \"A\",\n    world: (size: (1, 2)),\n    groups: { \"a\": (\n        spawn: Points([\n            (1, 2),\n        ]),\n    ) },\n)\n",
    );
    // A bracket is on the line of its name.
    data_style(
        "(\n  world:\n(\nsize : (1, 2),\n),\n  spawn: Points\n ([\n(1, 2),\n]),\n)\n",
        "(\n    world: (\n        size: (1, 2),\n    ),\n    spawn: Points([\n        (1, 2),\n    ]),\n)\n",
    );
    data_style("(\n    a:\n        1,\n)\n", "(\n    a: 1,\n)\n");
    // An attribute takes no comma.
    data_style(
        "#![enable(\nimplicit_some\n)]\n(\na:1\n)\n",
        "#![enable(\n    implicit_some\n)]\n(\n    a: 1,\n)\n",
    );
    data_style("(\n    a: // why\n    (b: 1),\n)\n", "(\n    a: // why\n        (b: 1),\n)\n");
}

#[test]
fn scenarios_have_one_style_for_spaces() {
    data_style(
        "(a:1,b :[ (1,2),( 3 ,4),  -1,+2 ],c:{\"x\":\"y,z:w\"},d:'a',e:{ },f:Stop ( ))\n",
        "(a: 1, b: [(1, 2), (3, 4), -1, +2], c: { \"x\": \"y,z:w\" }, d: 'a', e: {}, f: Stop())\n",
    );
    // The names are not in columns. Comments are, whose distances stay.
    data_style(
        "{\n    \"a\":   1,     // one\n    \"long\": 23,   // two\n}\n",
        "{\n    \"a\": 1,       // one\n    \"long\": 23,   // two\n}\n",
    );
}

#[test]
fn brackets_of_scenarios_have_line_breaks_at_both_ends_or_none() {
    data_style("(a: 1,\n b: 2)\n", "(\n    a: 1,\n    b: 2,\n)\n");
    data_style("(\na: 1, b: 2)\n", "(\n    a: 1, b: 2,\n)\n");
    data_style("(a: [1, 2\n])\n", "(a: [\n    1, 2,\n])\n");
    // A short list in several lines stays as it was written.
    let list = "[\n    1,\n\n    2,\n]\n";
    data_style(list, list);
}

#[test]
fn elements_of_scenarios_with_several_lines_begin_lines_of_their_own() {
    let parted = "(\n    a: {\n        \"b\": 1,\n    },\n    c: {\n        \"d\": 2,\n    },\n)\n";
    data_style(&parted.replace("},\n    c", "}, c"), parted);
    data_style(
        &parted.replace("},\n    c", "} , /* all */ c"),
        &parted.replacen("},\n", "}, /* all */\n", 1),
    );
    // Others stay as they are written.
    for text in [
        "(\n    a: {\n        \"b\": 1,\n    }, c: { \"d\": 2 },\n)\n",
        "(\n    a: { \"b\": 1 }, c: {\n        \"d\": 2,\n    },\n)\n",
        "[(\n    a: 1,\n), (\n    a: 2,\n)]\n",
    ] {
        data_style(text, text);
    }
}

#[test]
fn a_comma_is_behind_the_last_element_if_the_bracket_begins_a_line() {
    data_style("(a: (1, 2,), b: [3,], c: Some(4,),)\n", "(a: (1, 2), b: [3], c: Some(4))\n");
    data_style("(\n    a: (\n        1, 2\n    )\n)\n", "(\n    a: (\n        1, 2,\n    ),\n)\n");
    data_style("[\n    1 // one\n]\n", "[\n    1, // one\n]\n");
    data_style("[\n    1 /* one */\n    // two\n]\n", "[\n    1, /* one */\n    // two\n]\n");
    data_style("[1, /* one */]\n", "[1 /* one */]\n");
    data_style("(\n    // nothing\n)\n", "(\n    // nothing\n)\n");
    let text = "[\n  1 // one\n]\n";
    assert_eq!(
        changes(text, "[\n    1, // one\n]\n"),
        [Change { span: 4..4, text: "  ".into() }, Change { span: 5..5, text: ",".into() },]
    );
}

#[test]
fn long_lines_of_scenarios_are_broken() {
    // A name and its value are on a line of their own.
    let body =
        "body: (radius: 0.25, max_speed: 1.3, max_force: 30, solid: true, noise: (motion: 0.02))";
    data_style(
        &format!("(\n    behavior: \"orca\", {body},\n    ticks: 3, seed: 1,\n)\n"),
        &format!("(\n    behavior: \"orca\",\n    {body},\n    ticks: 3, seed: 1,\n)\n"),
    );
    let max = "max_speed: Normal(mean: 1.34, deviation: 0.26, within: (0.8, 2))";
    data_style(
        &format!("(\n    body: (radius: 0.2, {max}, solid: true),\n)\n")
            .replace("0.2,", "0.20000,"),
        &format!(
            "(\n    body: (\n        radius: 0.20000,\n        {max},\n        solid: true,\n    ),\n)\n"
        ),
    );
    let names = (10..26).map(|i| format!("n{i}: {i},")).collect::<Vec<_>>();
    data_style(
        &format!("(\n    {}\n)\n", names.join(" ")),
        &format!("(\n    {}\n)\n", names.join("\n    ")),
    );
    // A list that is broken behind a comma is opened.
    let rest = [
        "MaxSpeed(group: \"guard\", speed: 60.5)",
        "MinSeparation(between: (\"a\", \"b\"), distance: 1)",
    ];
    data_style(
        &format!(
            "(\n    expect: [Reach(\n        by: 1,\n    ), {}, AllFinite],\n)\n",
            rest.join(", ")
        ),
        &format!(
            "(\n    expect: [\n        Reach(\n            by: 1,\n        ),\n        {},\n        AllFinite,\n    ],\n)\n",
            rest.join(",\n        ")
        ),
    );
    // Rows of points are filled, in the brackets of the list.
    let row = |count: usize| vec!["(123, 567)"; count].join(", ");
    data_style(
        &format!("(\n    spawn: Points([{}]),\n)\n", row(17)),
        &format!(
            "(\n    spawn: Points([\n        {},\n        {},\n        {},\n    ]),\n)\n",
            row(7),
            row(7),
            row(3)
        ),
    );
    // The comma that comes with a line break counts.
    let exact = format!("[\n    {}, {}\n]\n", "a".repeat(50), "b".repeat(44));
    data_style(&exact, &exact.replace(", b", ",\n    b").replace("b\n", "b,\n"));
    let string = format!("(\n    name: \"{}\",\n)\n", "long ".repeat(30));
    data_style(&string, &string);
}

#[test]
fn white_space_at_ends_goes_and_empty_lines_stay() {
    becomes(
        Language::Ron,
        "\r\n(  \r\n\r\n \r\n  a: 1, // x \t\r\n)",
        "(\r\n    a: 1, // x\r\n)\r\n",
    );
    becomes(Language::Rhai, "\n\nlet a = 1;\n\n\n\n// x\n\n", "let a = 1;\n\n// x\n");
    becomes(Language::Rhai, " \n", "");
    becomes(Language::Rhai, "", "");
}

#[test]
fn strings_and_comments_stay_byte_for_byte() {
    let kept = [
        (Language::Rhai, "let a = `x  \n\n\n  ${ f(1,2)  \n }  ,y  \n` + \"a,b;c:d\";\n"),
        (Language::Rhai, "/* a  \n\n\n\tb,c */\nlet a = #\"\n\n\n \"x,y \"#;\n"),
        (Language::Rhai, "/* /* a  \n */\n  b  \n */ let a = 'x';\n"),
        (Language::Ron, "(\n    a: r#\"\n\n\n  \"x\",y  \n\"#,\n    b: \"c  \n\n\n d\",\n)\n"),
    ];
    for (language, text) in kept {
        becomes(language, text, text);
    }
    // The white space left out of the next line depends on the column of the quote.
    let continued = "fn f() {\n  let a = [1,2, \"one \\\n          two\"];\n}\n";
    becomes(Language::Rhai, continued, continued);
    let block = "fn f() {\n  /* a\n   * b */\n    1\n}\n";
    becomes(Language::Rhai, block, block);
}

/// Compares a script in the style with what is expected.
#[track_caller]
fn style(text: &str, expected: &str) {
    becomes(Language::Rhai, text, expected);
}

/// Caught: a block with several statements stayed in one line.
#[test]
fn each_statement_of_a_block_has_its_own_line() {
    style(
        "fn f(a) { let b = a; b + 1 }\nfn g() { 1 }\n",
        "fn f(a) {\n    let b = a;\n    b + 1\n}\nfn g() { 1 }\n",
    );
    style(
        "if a { b = 1; c = 2; } else { d }\nif a { b = 1; }\n",
        "if a {\n    b = 1;\n    c = 2;\n} else {\n    d\n}\nif a { b = 1; }\n",
    );
    style("fn f() { if a { return b; } c }\n", "fn f() {\n    if a { return b; }\n    c\n}\n");
    style(
        "switch a { 1 => { b; c }, _ => d }\n",
        "switch a {\n    1 => {\n        b;\n        c\n    },\n    _ => d\n}\n",
    );
    style(
        "let n = all.map(|x| { let y = x; y * 2 }).len();\nlet m = all.map(|x| { x });\n",
        "let n = all.map(|x| {\n    let y = x;\n    y * 2\n}).len();\nlet m = all.map(|x| { x });\n",
    );
    style("loop { b(); break; // c\n}\n", "loop {\n    b();\n    break; // c\n}\n");
}

/// Caught: blocks in each other stayed in one line.
#[test]
fn a_block_with_another_block_in_it_has_several_lines() {
    style(
        "fn f(a) { if a { if b { c } } }\n",
        "fn f(a) {\n    if a {\n        if b { c }\n    }\n}\n",
    );
    let (entry, large) = ("\"x\": (at: 1)", "\"y\": (spawn: Disc(at: 1))");
    let data = |text: &str, expected: &str| becomes(Language::Ron, text, expected);
    data(&format!("(a: {{ {entry} }}, b: 2)\n"), &format!("(a: {{ {entry} }}, b: 2)\n"));
    let lines = |entries: &[&str]| {
        let entries: String = entries.iter().map(|one| format!("        {one},\n")).collect();
        format!("(\n    a: {{\n{entries}    }},\n    b: 2,\n)\n")
    };
    data(&format!("(a: {{ {entry}, {entry} }}, b: 2)\n"), &lines(&[entry, entry]));
    data(&format!("(a: {{ {large} }}, b: 2)\n"), &lines(&[large]));
}

#[test]
fn scripts_have_one_style_for_blocks_and_statements() {
    style(
        "fn steer(me)\n{\n  if a\n  {\n  b()\n}\n  else\n  {\nc()\n}\n me.wander()\n}\n",
        "fn steer(me) {\n    if a {\n        b()\n    } else {\n        c()\n    }\n    me.wander()\n}\n",
    );
    style(
        "import \"a\" as a;let b=a::f(1,2);fn g(x,y) {x}\n",
        "import \"a\" as a;\nlet b = a::f(1, 2);\nfn g(x, y) { x }\n",
    );
    style("fn f() { a;\nb; c }\nfn g() {\n}\n", "fn f() {\n    a;\n    b;\n    c\n}\nfn g() {}\n");
    // All blocks of one `if` have several lines, or none has.
    style("if a { b } else {\nc }\n", "if a {\n    b\n} else {\n    c\n}\n");
    style(
        "do{x+=1;}\nwhile x<5;\nloop{break;}\ntry{a()}\ncatch(e){throw e;}\n",
        "do { x += 1; } while x < 5;\nloop { break; }\ntry {\n    a()\n} catch (e) {\n    throw e;\n}\n",
    );
    style(
        "switch a\n{\n1=>\nb,2|3=>{c} 4 if d=>e }\n",
        "switch a {\n    1 => b,\n    2 | 3 => { c }\n    4 if d => e\n}\n",
    );
    style("if a { b }\n-1\n", "if a { b }\n-1\n");
}

/// Caught: `if k == 1 { force += vec(0, k); } else { force *= 1; }` stayed in one line.
#[test]
fn blocks_that_else_connects_have_several_lines_if_one_has_a_statement() {
    style(
        "if k==1{force+=vec(0,k);}else{force*=1;}",
        "if k == 1 {\n    force += vec(0, k);\n} else {\n    force *= 1;\n}\n",
    );
    style(
        "let f = |k| if k { a } else if b { c } else { return d; };\n",
        "let f = |k| if k {\n    a\n} else if b {\n    c\n} else {\n    return d;\n};\n",
    );
    // A value has no `;`, and a single block stays as it is written.
    for text in [
        "let k = if a { b } else { c };\n",
        "let k = if a { f(b) } else { c };\n",
        "if x == () { return; }\nif y { k += 1; }\nfor z in all { k += z; }\nfn init(me) { k = 1; }\n",
    ] {
        style(text, text);
    }
}

#[test]
fn scripts_have_one_style_for_operators_and_brackets() {
    for (text, expected) in [
        ("let a=b+c*-d-1;", "let a = b + c * -d - 1;"),
        ("a   =  !x&&y||z;", "a = !x && y || z;"),
        ("for i in 0 .. 5 { x[ i ] += 1 ; }", "for i in 0..5 { x[i] += 1; }"),
        ("let f=|a,b|a+b; ", "let f = |a, b| a + b;"),
        ("let f=| | 5;", "let f = | | 5;"),
        ("let f=||5;", "let f = || 5;"),
        ("let m=#{a:1,b :[ 1,2 ]};", "let m = #{ a: 1, b: [1, 2] };"),
        ("f ( a , b ) . g ( ) ;", "f(a, b).g();"),
        ("return( a );", "return (a);"),
        ("let a = x !in y;", "let a = x !in y;"),
        ("let a = b?[0] ?? c;", "let a = b?[0] ?? c;"),
        // The sign belongs to the number, or not.
        ("let a = - 5.abs() - -5.abs();", "let a = - 5.abs() - -5.abs();"),
        ("let a = - -b;", "let a = - -b;"),
    ] {
        style(text, &format!("{expected}\n"));
    }
}

#[test]
fn continued_lines_are_indented_by_one_level() {
    style("let a = b\n      + c\n  * d;\n", "let a = b\n    + c\n    * d;\n");
    style("let a = b +\nc;\nlet d = e.\nf();\n", "let a = b\n    + c;\nlet d = e\n    .f();\n");
    style("if a\n&& b {\nc\n}\n", "if a\n    && b {\n    c\n}\n");
    style("f(a,\n  b)\n", "f(\n    a,\n    b\n)\n");
    style("f(\n1, 2,\n)\n", "f(\n    1, 2,\n)\n");
    style("f(a, |x| {\nx\n})\n", "f(a, |x| {\n    x\n})\n");
    style("let a = [\n[1,\n2],\n];\n", "let a = [\n    [\n        1,\n        2\n    ],\n];\n");
    style("let a =\nb;\n", "let a =\n    b;\n");
}

#[test]
fn comments_stay_where_they_are() {
    style("let a=1; // one\nlet bcd = 2;  //two\n", "let a = 1; // one\nlet bcd = 2; //two\n");
    style(
        "let a=1;       // one\nlet bcd = 2;   // two\n               // three\n",
        "let a = 1;     // one\nlet bcd = 2;   // two\n               // three\n",
    );
    style("f(a, // one\nb // two\n)\n", "f(\n    a, // one\n    b // two\n)\n");
    style(
        "if a // why\n{\nb\n}\n// no\nelse {c}\n",
        "if a // why\n{\n    b\n}\n// no\nelse { c }\n",
    );
    style("let a = b + // why\nc;\n", "let a = b + // why\n    c;\n");
    style(
        "fn f() { // first\n  a;\n\n\n  // last\n}\n",
        "fn f() { // first\n    a;\n\n    // last\n}\n",
    );
}

/// Caught: the spaces before a comment stayed as they were typed.
#[test]
fn one_space_is_before_a_comment_that_is_not_below_another_one() {
    style("force   // the   end\n", "force // the   end\n");
    style("a;// one\n\n\nb;  // two\nc;\n", "a; // one\n\nb; // two\nc;\n");
    data_style("(\n    a: 6.0,   // how far\n)\n", "(\n    a: 6.0, // how far\n)\n");
    // An empty line is between these.
    style("a;   // one\n\nb;   // two\n", "a; // one\n\nb; // two\n");
    for text in
        ["let a = 1;     // one\nlet bcd = 2;   // two\n", "a;   // one\n     // and more\n"]
    {
        style(text, text);
    }
}

#[test]
fn long_lines_are_broken() {
    let long = "abcdefghijklmnopqrstuvwxyz";
    style(
        &format!("let a = {long} + {long} * {long} + {long};\n"),
        &format!("let a = {long}\n    + {long} * {long}\n    + {long};\n"),
    );
    style(
        &format!("let a = f({long}, g({long}, {long}), {long});\n"),
        &format!("let a = f(\n    {long}, g({long}, {long}), {long}\n);\n").replace(
            &format!("    {long}, g({long}, {long}), {long}\n"),
            &format!("    {long},\n    g({long}, {long}),\n    {long}\n"),
        ),
    );
    style(
        &format!("if {long} < {long} {{ a({long}) }} else {{ {long} }}\n"),
        &format!("if {long} < {long} {{\n    a({long})\n}} else {{\n    {long}\n}}\n"),
    );
    style(
        &format!("{long}.filter(|one| one.{long} < 5).map(|one| one.{long});\n"),
        &format!("{long}\n    .filter(|one| one.{long} < 5)\n    .map(|one| one.{long});\n"),
    );
    style(
        &format!("let a = {long}.map(|one| {{ let b = one.{long}; b + {long} }});\n"),
        &format!("let a = {long}.map(|one| {{\n    let b = one.{long};\n    b + {long}\n}});\n"),
    );
    // Rows of narrow elements are filled.
    let row = |count: usize| vec!["123456789"; count].join(", ");
    style(
        &format!("let a = [{}];\n", row(20)),
        &format!("let a = [\n    {},\n    {},\n    {}\n];\n", row(8), row(8), row(4)),
    );
    // Nothing helps here.
    let string = format!("debug(\"{}\");\n", long.repeat(5));
    style(&string, &string);
    let comment = format!("let a = 1; // {}\n", long.repeat(5));
    style(&comment, &comment);
}

#[test]
fn a_new_line_gets_its_indentation() {
    for (language, before, line, columns) in [
        (Language::Rhai, "fn f() {", "", 4),
        (Language::Rhai, "fn f() {", "}", 0),
        (Language::Rhai, "fn f() {\n    if a {\n        b();", "c", 8),
        (Language::Rhai, "fn f() {\n    if a {\n        b();", "} else {", 4),
        (Language::Rhai, "fn f() {\n    if a {\n        b();\n    }", "", 4),
        (Language::Rhai, "fn f() {\n    let a = b", "", 8),
        (Language::Rhai, "fn f() {\n    g(\n", "", 8),
        (Language::Rhai, "let a = 1;", "", 0),
        (Language::Ron, "(\n    groups: {\n        \"a\": (", "", 12),
        (Language::Ron, "(\n    ticks: 3,", ")", 0),
    ] {
        assert_eq!(indentation(before, line, language), Some(columns), "{before} {line}");
    }
    assert_eq!(indentation("let a = `x", "", Language::Rhai), None);
}

#[test]
fn what_has_been_typed_is_formatted() {
    for (before, after, expected) in [
        ("fn f() {\n  let a=1;\n  let b=2;", "\n", "fn f() {\n  let a=1;\n    let b = 2;\n"),
        ("x=1;\nfn f()\n{\na=1;\n}", " fn g() {", "x=1;\nfn f() {\n    a = 1;\n} fn g() {"),
        ("let s = \"a=1;", "", "let s = \"a=1;"),
    ] {
        let mut text = format!("{before}{after}");
        for Change { span, text: new } in
            changes_before(&text, before.len(), Language::Rhai).into_iter().rev()
        {
            text.replace_range(span, &new);
        }
        assert_eq!(text, expected);
    }
}

#[test]
fn the_difference_is_shown_as_diff_shows_it() {
    assert_eq!(diff("let a = 1;\n", "let a = 1;\n"), "");
    let text = "a;\nb;\nc;\nd;\nlet e=1;\nf;\ng;\nh;\ni;\nj;\nk;\nl;\nm; n;\no;";
    let shown = diff(text, &formatted(Language::Rhai, text));
    let expected = "@@ -2,7 +2,7 @@\n b;\n c;\n d;\n-let e=1;\n+let e = 1;\n f;\n g;\n h;\n\
        @@ -10,5 +10,6 @@\n j;\n k;\n l;\n-m; n;\n-o;\n\\ No newline at end of file\n+m;\n+n;\n+o;\n";
    assert_eq!(shown, expected);
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    for (language, text, line) in [
        (Language::Ron, "(\n  a: 1\n  b: 2\n)", 2),
        (Language::Ron, "(\n  a: (1,\n", 2),
        (Language::Rhai, "let a = 1;\nlet b = = 2;\n", 2),
        (Language::Rhai, "fn f() {\n  `a\n", 2),
    ] {
        let source = Source::new("a", text);
        let error = format(&source, language).unwrap_err();
        let place = error.place.as_ref().unwrap();
        assert_eq!(source.line_column(place.span.start).0, line, "{error}");
        assert_eq!(error.code, Code::Syntax);
    }
}

/// All scenarios, plans and scripts of the repository, and those that tests read.
fn files() -> Vec<(PathBuf, Language, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../scenarios", "../scripts", "../viewer/src/cli/new", "src/scenario/tests"];
    let folders = folders.map(|folder| top.join(folder));
    let all = folders.iter().filter(|folder| folder.is_dir()).flat_map(walkdir::WalkDir::new);
    let all = all.map(|entry| entry.unwrap().into_path());
    let mut files: Vec<_> = all
        .filter_map(|path| {
            let language = language(&path)?;
            let text = fs::read_to_string(&path).unwrap();
            Some((path, language, text))
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(!files.is_empty());
    files
}

#[test]
fn the_files_here_are_formatted() {
    for (path, language, text) in files() {
        assert_eq!(formatted(language, &text), text, "{}", path.display());
    }
}

/// The scripts and the parts of scenarios in the book, but for the reference, which shows how functions are called.
#[test]
fn the_examples_in_the_book_are_formatted() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src");
    let pages = walkdir::WalkDir::new(&book).into_iter().filter_map(Result::ok);
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|of| of == "md") && !path.ends_with("reference.md")
    };
    for path in pages.map(walkdir::DirEntry::into_path).filter(is_page) {
        let page = fs::read_to_string(&path).unwrap();
        for (language, start) in [(Language::Rhai, "```rhai\n"), (Language::Ron, "```ron\n")] {
            for part in page.split(start).skip(1) {
                let example = part.split("```").next().unwrap();
                let is_whole = || script::check_syntax(&Source::new("a", example)).is_ok();
                if language == Language::Ron || is_whole() {
                    let formatted = laid_out(example, language).unwrap();
                    assert_eq!(formatted, example, "{}", path.display());
                }
            }
        }
    }
}

/// Returns the meaning of a file to the parsers, without its white space.
fn meaning(language: Language, text: &str) -> String {
    match language {
        Language::Ron => scenario::value_text(text),
        // Brackets with nothing in them are one token for Rhai, and two with a space between them.
        Language::Rhai => {
            script::tokens_text(&without_templates(text)).replace("Unit", "LeftParen, RightParen")
        }
    }
}

/// Returns a script with an empty string for each string with code. Rhai's list of tokens does not know where the text in them goes on behind
/// the code. [`kept`] compares them.
fn without_templates(script: &str) -> String {
    let mut rest = script.to_owned();
    for part in verbatim(script, Language::Rhai).unwrap().into_iter().rev() {
        if script[part.span.clone()].starts_with('`') {
            rest.replace_range(part.span, "\"\"");
        }
    }
    rest
}

/// The strings and comments of a text as they are written, without white space at the end of line comments.
fn kept(language: Language, text: &str) -> Vec<String> {
    let all = verbatim(text, language).unwrap();
    let written = |one: &Verbatim| match one.kind {
        VerbatimKind::LineComment => text[one.span.clone()].trim_end().to_owned(),
        VerbatimKind::Text | VerbatimKind::BlockComment => text[one.span.clone()].to_owned(),
    };
    all.iter().map(written).collect()
}

/// Returns the text with the changes that make it the formatted one.
fn applied(text: &str, formatted: &str) -> String {
    let mut text = text.to_owned();
    for Change { span, text: new } in changes(&text.clone(), formatted).into_iter().rev() {
        let is_filling =
            |part: &str| part.trim_matches(|c: char| c.is_whitespace() || c == ',').is_empty();
        assert!(is_filling(&text[span.clone()]) && is_filling(&new));
        text.replace_range(span, &new);
    }
    text
}

/// Changes white space at a place of a text, or adds a string or a comment there. Returns it unchanged if the place is inside a
/// word, a string or a comment.
fn disturbed(language: Language, text: &str, place: prop::sample::Index, what: &str) -> String {
    let at = text.floor_char_boundary(place.index(text.len()));
    let is_inside = |one: &Verbatim| one.span.start < at && at < one.span.end;
    let is_letter = |c: char| c.is_alphanumeric() || ".+-_=!<>&|?:*/#'".contains(c);
    let parts = verbatim(text, language).unwrap_or_default();
    if parts.iter().any(is_inside)
        || (text[..at].ends_with(is_letter) && text[at..].starts_with(is_letter))
    {
        return text.to_owned();
    }
    let after = match what {
        "" => text[at..].trim_start_matches([' ', '\t']),
        _ => &text[at..],
    };
    format!("{}{what}{after}", &text[..at])
}

/// Returns a file with other white space where there was some, but for line breaks behind comments and what is in strings.
fn mangled(language: Language, text: &str, spaces: &[&str]) -> String {
    let parts = verbatim(text, language).unwrap();
    let mut spaces = spaces.iter().cycle();
    let (mut out, mut at) = (String::new(), 0);
    while at < text.len() {
        if let Some(part) = parts.iter().find(|part| part.span.start == at) {
            out += &text[part.span.clone()];
            at = part.span.end;
            if part.kind == VerbatimKind::LineComment {
                out.push('\n');
            }
            continue;
        }
        let rest = &text[at..];
        let space = rest.len() - rest.trim_start().len();
        if space > 0 {
            out += spaces.next().unwrap();
            at += space;
        } else {
            let sign = rest.chars().next().unwrap();
            out.push(sign);
            at += sign.len_utf8();
        }
    }
    out
}

/// Returns the line of a formatted text that is not indented by one level below a line that ends with an opening
/// bracket. Left out are lines that also close brackets of lines above, and blocks of scripts behind something else,
/// which may begin anywhere.
fn badly_indented(language: Language, text: &str) -> Option<String> {
    let mut code = text.as_bytes().to_vec();
    for part in verbatim(text, language).unwrap() {
        let sign = if part.kind == VerbatimKind::Text { b'x' } else { b' ' };
        // A part of several lines makes one line, so that what is in it does not count.
        code[part.span].fill(sign);
    }
    let code = String::from_utf8(code).unwrap();
    let (mut at, mut lines) = (0, Vec::new());
    for line in code.split_inclusive('\n') {
        let whole = &text[at..at + line.len()];
        at += line.len();
        if !line.trim().is_empty() {
            let is_one = whole.trim_end().matches('\n').count() == 0;
            let column = whole.len() - whole.trim_start_matches([' ', '\t']).len();
            lines.push((line.trim(), column, is_one));
        } else if !whole.trim().is_empty() {
            lines.push(("", 0, false));
        }
    }
    let closes_more = |line: &str| {
        let depths = line.bytes().scan(0, |depth: &mut i32, sign| {
            *depth += i32::from(b"([{".contains(&sign)) - i32::from(b")]}".contains(&sign));
            Some(*depth)
        });
        depths.min().is_some_and(|least| least < 0)
    };
    let bad = lines.windows(2).find(|pair| {
        let (head, head_column, head_is_one) = pair[0];
        let (line, column, is_one) = pair[1];
        let is_taste = language == Language::Rhai && head.ends_with('{') && head != "{";
        head.ends_with(['(', '[', '{'])
            && (head_is_one && is_one && !is_taste && !closes_more(head))
            && !line.starts_with([')', ']', '}'])
            && column != head_column + LEVEL
    });
    bad.map(|pair| format!("{}\n{}", pair[0].0, pair[1].0))
}

proptest! {
    /// Formatting twice is formatting once; parsers read the same; strings and comments stay.
    #[test]
    fn formatting_keeps_everything(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                prop::sample::select(vec![
                    "", "", "", " ", "  ", "\t", "\n", "\r\n", "\n\n\n", "\n \n\t", " // a,b  \n", "/* a,b \n  /* c */*/", "\n      ",
                ]),
            ),
            0..30,
        ),
    ) {
        let files = files();
        let (path, language, text) = &files[file.index(files.len())];
        let mut text = text.clone();
        for (place, what) in changes {
            text = disturbed(*language, &text, place, what);
        }
        let source = Source::new(path.to_string_lossy(), text.as_str());
        // A comment may have swallowed code.
        let Ok(once) = format(&source, *language) else {
            return Ok(());
        };
        prop_assert_eq!(formatted(*language, &once), once.as_str(), "{}", text);
        prop_assert_eq!(meaning(*language, &once), meaning(*language, &text), "{}\n{}", text, once);
        prop_assert_eq!(kept(*language, &once), kept(*language, &text), "{}", text);
        prop_assert_eq!(applied(&text, &once), once.as_str());
        let without = |text: &str| text.replace(|c: char| c.is_whitespace() || c == ',', "");
        prop_assert_eq!(without(&once), without(&text));
        prop_assert_eq!(badly_indented(*language, &once), None, "{}", once);
        prop_assert!(is_same(&text, &written(&text, *language).unwrap(), *language), "{}", text);
    }

    /// Files with any other white space between their tokens mean the same when they are formatted. In scripts, statements of blocks of
    /// several lines have lines of their own; in scenarios, only long strings and comments are in long lines.
    #[test]
    fn any_white_space_is_formatted(
        file in any::<prop::sample::Index>(),
        spaces in prop::collection::vec(
            prop::sample::select(vec![" ", " ", "  ", "\t", "\n", "\r\n", "\n\n\n", "\n          "]),
            1..200,
        ),
    ) {
        let files = files();
        let (path, language, text) = &files[file.index(files.len())];
        let mangled = mangled(*language, text, &spaces);
        let once = formatted(*language, &mangled);
        prop_assert_eq!(formatted(*language, &once), once.as_str(), "{}", mangled);
        prop_assert_eq!(meaning(*language, &once), meaning(*language, text), "{}", path.display());
        prop_assert_eq!(kept(*language, &once), kept(*language, text));
        for line in once.lines().filter(|line| !line.contains(['"', '`', '/', '}', '|'])) {
            prop_assert!(line.matches("; ").count() == 0, "{}", line);
        }
        let is_long = |line: &&str| line.chars().count() > WIDTH && !line.contains('/');
        for line in once.lines().filter(is_long).filter(|_| *language == Language::Ron) {
            prop_assert!(line.split('"').any(|part| part.len() > WIDTH / 2), "{}", line);
        }
    }
}
