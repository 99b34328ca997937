//! `flockwork lsp`, driven by a client over pipes.

mod actions;
pub(crate) mod client;
#[cfg(unix)]
mod editor;
mod edits;
#[cfg(unix)]
mod emacs;
mod first_offers;
mod follow;
mod formatting;
mod fresh;
mod hovers;
mod knowledge;
mod knows;
mod large;
mod lenses;
mod list_order;
mod member_order;
mod missing_commas;
mod mistakes;
mod moved_scripts;
#[cfg(unix)]
mod neovim;
mod outline;
mod parameters;
mod plans;
mod positions;
mod rename;
mod snippets;
mod valid;
mod variant_order;

use serde_json::json;

use crate::project::Project;
use client::Client;

#[test]
fn a_session_ends_as_the_protocol_says() {
    let project = Project::two();
    let mut client = Client::start(&project);
    client.open("scenarios/two.ron", &project.read("scenarios/two.ron"));
    client.wait("scenarios/two.ron");
    assert_eq!(client.messages("scenarios/two.ron"), [""; 0]);
    assert_eq!(client.end(), Some(0));

    let client = Client::start(&project);
    assert_eq!(client.leave(), Some(1));
}

#[test]
fn an_editor_that_breaks_the_protocol_gets_a_message() {
    let project = Project::two();
    // Caught: a length that no memory has room for ended the program in an abort.
    for (input, why) in [
        ("Content-Length: 2\r\n\r\n{}", "this message cannot be read"),
        ("Content-Length: 2\r\n\r\n{", "the input ends after 1 of 2 bytes"),
        ("Content-Length: 9223372036854775807\r\n\r\n{}", "a message of at most 256 MiB"),
        ("Content-Length: 99999999999999999999999\r\n\r\n{}", "a message of at most 256 MiB"),
        ("Content-Length: -1\r\n\r\n{}", "a message of at most 256 MiB"),
        ("Content-Type: x\r\n\r\n{}", "a header has no `Content-Length`"),
        ("GET / HTTP/1.1\r\n\r\n", "found \"GET / HTTP/1.1\""),
        ("Content-Length: 2", "does not end"),
        (&"x".repeat(100_000), "does not end"),
        (
            "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"textDocument\"}",
            "the editor broke the protocol",
        ),
    ] {
        let command = project.command(&["lsp"]).stdin(input.to_owned());
        let output = command.output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("the editor broke the protocol"), "{message}");
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn findings_follow_what_is_typed_in_either_file() {
    let project = Project::two();
    let (scenario, script) = ("scenarios/two.ron", "scripts/walk.rhai");
    let mut client = Client::start(&project);
    client.open(scenario, &project.read(scenario));
    client.open(script, &project.read(script));
    client.wait(script);
    assert!(client.messages(script).is_empty() && client.messages(scenario).is_empty());

    // The script reads another param than the scenario has.
    let text = project.read(script);
    client.edit(script, "push", "pull");
    client.wait(script);
    let found = client.messages(script);
    assert!(found[0].starts_with("group `walkers` has no param `pull`"), "{found:?}");

    // The scenario gets it, too; nothing is saved.
    client.edit(scenario, "push", "pull");
    client.wait(scenario);
    assert_eq!(client.messages(script), [""; 0]);

    // Half of a statement.
    client.edit(script, "vec(me", "let v = vec((me");
    client.wait(script);
    assert_eq!(client.codes(script), ["syntax"]);
    client.close(script);
    client.edit(scenario, "pull", "push");
    client.wait(scenario);
    assert_eq!(client.messages(script), [""; 0], "the file on disk counts again: {text}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn findings_in_a_shared_script_name_the_scenarios_that_have_them() {
    let project = Project::two();
    let other = project.read("scenarios/two.ron").replace("\"push\": 0.0", "\"other\": 0.0");
    let project = project.with("scenarios/other.ron", &other);
    let mut client = Client::start(&project);
    client.open("scripts/walk.rhai", &project.read("scripts/walk.rhai"));
    client.wait("scripts/walk.rhai");
    let found = client.messages("scripts/walk.rhai");
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("\nin other.ron"), "{found:?}");
    let declaring = |client: &mut Client| {
        let found = actions::actions(client, "scripts/walk.rhai", "push");
        found.iter().filter(|one| one["title"].as_str().unwrap().starts_with("Declare")).count()
    };
    assert_eq!(declaring(&mut client), 1);
    // Both have it: there is nothing to tell apart.
    client.open("scenarios/two.ron", &other);
    client.wait("scenarios/two.ron");
    let found = client.messages("scripts/walk.rhai");
    assert!(found.len() == 1 && !found[0].contains("in other.ron"), "{found:?}");
    assert_eq!(declaring(&mut client), 2, "each scenario can declare it");
}

#[test]
fn columns_are_those_of_utf_16_also_with_a_mark_and_carriage_returns() {
    let project = Project::two();
    let script = "scripts/walk.rhai";
    let mut client = Client::start(&project);
    client
        .open(script, "fn steer(me) {\r\n    /* 🐦ü */ let unused = 1;\r\n    vec(0, 0)\r\n}\r\n");
    client.wait(script);
    let found = client.found(script);
    let place = json!({"start": {"line": 1, "character": 18}, "end": {"line": 1, "character": 24}});
    assert_eq!(found[0]["range"], place, "{found:?}");
    client.change(script, "\u{feff}/* 🐦 */ fn steer(me) { let unused = 1; vec(0, 0) }");
    client.wait(script);
    assert_eq!(client.found(script)[0]["range"]["start"], json!({"line": 0, "character": 29}));
}

/// Caught: the findings of files in a folder that was renamed stayed for ever, since editors report the folder only.
#[test]
fn findings_leave_with_the_folder_of_their_files() {
    for (method, made) in
        [("workspace/didChangeWatchedFiles", "changes"), ("workspace/didRenameFiles", "files")]
    {
        let project = Project::two();
        let wrong = project.read("scenarios/two.ron").replace("\"walk\"", "\"run\"");
        let project = project.with("scenarios/old/wrong.ron", wrong);
        let script = "scripts/walk.rhai";
        let mut client = Client::start(&project);
        client.open(script, &project.read(script));
        client.wait(script);
        assert_eq!(client.files(), ["scenarios/old/wrong.ron"]);
        let paths = ["scenarios/old", "scenarios/new"];
        std::fs::rename(project.path(paths[0]), project.path(paths[1])).unwrap();
        let [old, new] = paths.map(|path| client.uri(path));
        let params = match made {
            "changes" => json!({"changes": [{"uri": old, "type": 3}, {"uri": new, "type": 1}]}),
            _ => json!({"files": [{"oldUri": old, "newUri": new}]}),
        };
        client.notify(method, params);
        client.change(script, &project.read(script));
        client.wait(script);
        assert_eq!(client.files(), ["scenarios/new/wrong.ron"], "{method}");
        std::fs::remove_dir_all(project.path("scenarios")).unwrap();
        client.changed_on_disk("scenarios", 3);
        client.change(script, &project.read(script));
        client.wait(script);
        assert_eq!(client.files(), [""; 0], "{method}");
    }
}

#[test]
fn changes_on_disk_are_checked_when_the_editor_reports_them() {
    let project = Project::two();
    let scenario = "scenarios/two.ron";
    let text = project.read(scenario).replace("\"walk\"", "\"run\"");
    let mut client = Client::start(&project);
    client.open(scenario, &text);
    client.wait(scenario);
    assert_eq!(client.codes(scenario), ["unknown-name"]);
    let script = project.read("scripts/walk.rhai");
    let project = project.with("scripts/run.rhai", script);
    client.changed_on_disk("scripts/run.rhai", 1);
    client.change(scenario, &text);
    client.wait(scenario);
    assert_eq!(client.codes(scenario), [""; 0]);
    std::fs::remove_file(project.path("scripts/run.rhai")).unwrap();
    client.changed_on_disk("scripts/run.rhai", 3);
    client.change(scenario, &text);
    client.wait(scenario);
    assert_eq!(client.codes(scenario), ["unknown-name"]);
}

/// Caught: one file whose name cannot be shown hid all others of its folder, and every file in RON was taken for a scenario.
#[cfg(unix)]
#[test]
fn a_file_says_nothing_about_the_others_of_its_project() {
    let scenario = "scenarios/two.ron";
    let project = Project::two().with("scenarios/a\u{7}.ron", "").with("sprites.ron", "(");
    let project = project.with("scenarios/wrong.ron", "(world: (size: (1, 1)), groups: 3)");
    let mut client = Client::start(&project);
    client.open(scenario, &project.read(scenario));
    client.wait_for_finding("scenarios/wrong.ron");
    // It is a scenario as soon as it looks like one, and as long as it does.
    client.open("sprites.ron", "(atlas: 1)");
    client.wait(scenario);
    assert_eq!(client.messages("sprites.ron"), [""; 0]);
    client.change("sprites.ron", "(world: 1)");
    client.wait("sprites.ron");
    assert_eq!(client.messages("sprites.ron").len(), 1);
    client.change("sprites.ron", "(atlas: 1)");
    client.open("scripts/walk.rhai", &project.read("scripts/walk.rhai"));
    client.wait("scripts/walk.rhai");
    assert_eq!(client.messages("sprites.ron"), [""; 0]);
}
