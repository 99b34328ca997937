//! Tests of formatting.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

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

#[test]
fn lines_are_indented_by_the_brackets_around_them() {
    becomes(
        Language::Ron,
        "(\n  name: \"A\",\n\tworld: (size: (1, 2)),\ngroups: { \"a\": (\n spawn: Points([\n(1, 2),\n    ]),\n ) },\n  )",
        "(\n    name: \"A\",\n    world: (size: (1, 2)),\n    groups: { \"a\": (\n        spawn: Points([\n            (1, 2),\n        ]),\n    ) },\n)\n",
    );
    becomes(
        Language::Rhai,
        "fn steer(me) {\n  if a {\nb()\n}\n  else if c {\n  d();\n  } else {\n  let m = #{\n  a: 1,\n  };\n  }\n      me.seek(vec(\n  1, 2,\n  ))\n  }",
        "fn steer(me) {\n    if a {\n        b()\n    }\n    else if c {\n        d();\n    } else {\n        let m = #{\n            a: 1,\n        };\n    }\n    me.seek(vec(\n        1, 2,\n    ))\n}\n",
    );
}

/// Caught: a block stayed in column 0 if its bracket was on a line of its own, and in an odd column if the bracket was.
#[test]
fn blocks_below_brackets_on_their_own_lines_are_indented() {
    becomes(
        Language::Rhai,
        "fn steer(me)\n{\nif a\n  {\n  b()\n}\nelse\n{\nc()\n}\n  me.wander()\n}\n",
        "fn steer(me)\n{\n    if a\n    {\n        b()\n    }\n    else\n    {\n        c()\n    }\n    me.wander()\n}\n",
    );
    becomes(Language::Rhai, "if a\n    && b\n{\nc()\n}\n", "if a\n    && b\n{\n    c()\n}\n");
    becomes(
        Language::Ron,
        "(\n    world:\n(\nsize: (1, 2),\n),\n    groups:\n     {\n         \"a\": (),\n     },\n)\n",
        "(\n    world:\n    (\n        size: (1, 2),\n    ),\n    groups:\n    {\n        \"a\": (),\n    },\n)\n",
    );
    let deeper = "(\n    world:\n        (\n            size: (1, 2),\n        ),\n)\n";
    becomes(Language::Ron, deeper, deeper);
}

/// Caught: a line in brackets moved with the spaces inserted before the bracket, to column 5, and what was in it to column 9.
#[test]
fn only_what_is_arranged_behind_a_bracket_moves_with_it() {
    becomes(
        Language::Ron,
        "(groups:{\"a\":(count:1,\n    body: (\n        radius: 3,\n    ),\n)})\n",
        "(groups: {\"a\": (count: 1,\n    body: (\n        radius: 3,\n    ),\n)})\n",
    );
    becomes(Language::Ron, "(a:(1,\n    2))\n", "(a: (1,\n     2))\n");
}

#[test]
fn what_is_arranged_by_hand_keeps_its_distances() {
    for (language, text) in [
        (Language::Rhai, "let a = b\n      + c\n        * d;\nlet e = f(1,\n          2);\n"),
        (Language::Rhai, "if a\n    && b {\n    c\n} else {\n    d\n}\n"),
        (Language::Rhai, "fn f(a,\n     b) {\n    a\n}\n"),
        (Language::Rhai, "let a = b\n    .map(|c| {\n        c\n    })\n    .len();\n"),
        (Language::Rhai, "let a = 1;    // one\n              // two\nlet b = 2;\n// three\n"),
        (Language::Rhai, "let a = 1;\n//print(a);    // one\n               // two\n"),
        (Language::Rhai, "let a = if b { 1 } else { 2 }\n    + 3;\n"),
        (Language::Rhai, "switch a {\n    1 =>\n        b,\n    _ => {\n        c\n    }\n}\n"),
        (Language::Ron, "(\n    a: 1,       // one\n    long: 2,    // two\n)\n"),
        (Language::Ron, "{\n    \"a\":   Circle(center: ( 1,  2)),\n    \"abc\": 1,\n}\n"),
        (Language::Ron, "(groups: {\"a\": (count: 1,\n                 spawn: [1]),\n})\n"),
    ] {
        becomes(language, text, text);
    }
    // A moved statement takes its other lines along.
    becomes(
        Language::Rhai,
        "fn f() {\n  let a = b(1,\n            2)\n    + c; // one\n         // two\n}\n",
        "fn f() {\n    let a = b(1,\n              2)\n      + c; // one\n           // two\n}\n",
    );
}

#[test]
fn a_space_follows_commas_semicolons_and_colons_and_columns_stay() {
    becomes(
        Language::Ron,
        "(a:1,b:[(1,2),(3,4),],c:\"x,y:z\",d:'a',)\n",
        "(a: 1, b: [(1, 2), (3, 4),], c: \"x,y:z\", d: 'a',)\n",
    );
    becomes(
        Language::Ron,
        "(\n    a:1,     // one\n    long: 2, // two\n)\n",
        "(\n    a: 1,    // one\n    long: 2, // two\n)\n",
    );
    becomes(
        Language::Rhai,
        "import \"a\" as a;let b = a::f(1,2);fn g(x,y) {x}\nfor (i,x) in [1,2] {}\n",
        "import \"a\" as a; let b = a::f(1, 2); fn g(x, y) {x}\nfor (i, x) in [1, 2] {}\n",
    );
}

#[test]
fn white_space_at_ends_goes_and_line_breaks_stay() {
    becomes(
        Language::Ron,
        "\r\n(  \r\n\r\n \r\n  a: 1, // x \t\r\n)",
        "(\r\n\r\n    a: 1, // x\r\n)\r\n",
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

#[test]
fn wrong_files_are_refused_with_the_place() {
    for (language, text, line) in [
        (Language::Ron, "(\n  a: 1\n  b: 2\n)", 3),
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

/// Returns the meaning of a file to the parsers, without its white space.
fn meaning(language: Language, text: &str) -> String {
    match language {
        Language::Ron => scenario::value_text(text),
        Language::Rhai => script::tokens_text(&without_templates(text)),
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
        assert!(text[span.clone()].trim().is_empty() && new.trim().is_empty());
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
            let column = whole.len() - whole.trim_start_matches(SPACES).len();
            lines.push((line.trim(), column, is_one));
        } else if !whole.trim().is_empty() {
            lines.push(("", 0, false));
        }
    }
    let closes_more = |line: &str| {
        let depths = line.bytes().scan(0, |depth: &mut i32, sign| {
            *depth += i32::from(b"([{".contains(&sign)) - i32::from(is_closing(sign));
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
        let without = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(without(&once), without(&text));
        prop_assert_eq!(badly_indented(*language, &once), None, "{}", once);
    }
}
