//! What hovers tell.

use super::client::{Client, position};
use super::knowledge::{SCENARIO, SCRIPT, TOOLS, all_open, at, project};
use crate::project::Project;

/// Returns the text that is shown at the first place that reads like a text.
pub(super) fn hover(client: &mut Client, path: &str, text: &str) -> String {
    let start = client.text(path).find(text).unwrap_or_else(|| panic!("{text}"));
    let params = at(client, path, &position(client.text(path), start));
    let shown = client.request("textDocument/hover", params);
    shown["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hovering_tells_documentation_types_and_values() {
    let mut client = all_open();
    for (path, at, parts) in [
        (SCRIPT, "flee(", &["me.flee(", "Returns a force", "speed", "Type: vector"][..]),
        (SCRIPT, "neighbors(", &["neighborhood"]),
        (SCRIPT, "near.count", &["Type: neighborhood\n\nMembers: `center`, `of(…)`, "]),
        (SCRIPT, "wolf = ", &["Type: agent or ()\n\nMembers: `pos`, "]),
        (SCRIPT, "far)", &["`far` is a param", "`12.0` in herd.ron, group `sheep`"]),
        (SCRIPT, "speed); }", &["`20.0` in herd.ron"]),
        (SCRIPT, "wolf\")", &["`wolf` is a group"]),
        (SCRIPT, "calm", &["fn calm(me, count)\n```\nGoes on slowly.\nAs often as wanted."]),
        (SCRIPT, "steer", &["fn steer(me)", "Decides for an agent"]),
        (
            SCRIPT,
            "me.neighbors",
            &[
                "`me` is the agent that this script steers. Groups with this script: `sheep` in herd.ron.",
                "`me.pos`",
            ],
        ),
        (SCENARIO, "edge", &["What happens to an agent at the edge", "Open | Wrap"]),
        (SCENARIO, "Wrap", &["comes back on the other side"]),
        // Caught: its default was "none".
        (
            SCENARIO,
            "max_speed",
            &["The maximum speed, in world units per second. Default: no limit."],
        ),
        (SCENARIO, "max_force", &["maximum length of the force"]),
        (SCENARIO, "spawn", &["It is required."]),
        (SCENARIO, "sheep\"]", &["`sheep` is a group of 3 agents with the behavior `herd/walk`. "]),
        (SCENARIO, "sheep\":", &["`sheep` is a group of 3 agents", "1 other place names it."]),
        (SCENARIO, "wolf\":", &["`wolf` is a group of 1 agent. 1 other place names it."]),
    ] {
        let shown = hover(&mut client, path, at);
        for part in parts {
            assert!(shown.contains(part), "{at}: `{part}` is missing in\n{shown}");
        }
    }
    assert_eq!(hover(&mut client, SCENARIO, "20, 20"), "");
}

/// Caught: the types of fields in brackets were dots.
#[test]
fn a_variant_and_a_field_tell_the_types_in_their_brackets() {
    let text =
        "(world: (size: (9, 9)), groups: { \"a\": (spawn: Disc(center: (1, 2), radius: 3)) })\n";
    let project = Project::empty().with(SCENARIO, text);
    let mut client = Client::start(&project);
    client.open(SCENARIO, text);
    let shown = hover(&mut client, SCENARIO, "Disc");
    let disc = "Disc(\n    center: two numbers (x, y),\n    radius: a number of at least 0,\n)\n";
    assert!(shown.contains(disc), "{shown}");
    let shown = hover(&mut client, SCENARIO, "world");
    assert!(shown.contains("world: (\n    min?: two numbers (x, y),\n    size: two "), "{shown}");
}

/// Caught: behind a value that is written as it is, nothing was told but the type.
#[test]
fn hovering_over_a_member_of_an_array_or_a_string_tells_what_it_is() {
    let project = Project::two();
    let path = "scripts/walk.rhai";
    let mut client = Client::start(&project);
    for value in ["[1, 2]", "\"ab\"", "list"] {
        for called in ["len", "len()"] {
            let text =
                format!("fn steer(me) {{\n    let list = [1];\n    vec({value}.{called}, 0)\n}}\n");
            client.open(path, &text);
            let shown = hover(&mut client, path, "len");
            assert!(shown.contains("Returns the number of elements"), "{value}.{called}: {shown}");
            client.close(path);
        }
    }
}

/// Caught: it said only that `me` is `me`.
#[test]
fn hovering_over_a_parameter_tells_what_it_is() {
    let project = project();
    let text = "fn measure(now) { now.members.len() }\nfn flow(point) { point }\n";
    let project = project.with("scripts/size.rhai", text);
    let mut client = Client::start(&project);
    client.open("scripts/size.rhai", text);
    let mut told = |at: &str| hover(&mut client, "scripts/size.rhai", at);
    assert!(told("now.mem").starts_with(
        "`now`: the measures of one moment. Flockwork calls `fn measure(now)` with it."
    ));
    assert!(
        told("point }")
            .starts_with("`point`: a point, as a vector. Flockwork calls `fn flow(point)`")
    );
}

#[test]
fn hovering_over_a_param_tells_the_comment_beside_it() {
    let project = project();
    let mut client = Client::start(&project);
    let params = "{\n// how far it flees\n\"far\": 12.0\n}";
    let commented = project.read(SCENARIO).replace("{ \"far\": 12.0 }", params);
    client.open(SCENARIO, &commented);
    client.open(SCRIPT, &project.read(SCRIPT));
    let shown = hover(&mut client, SCRIPT, "far)");
    assert!(shown.contains("in herd.ron, group `sheep`: how far it flees"), "{shown}");
}

#[test]
fn hovering_over_a_param_tells_where_scripts_read_it() {
    let mut client = all_open();
    let read = |client: &mut Client, path: &str, at: &str| {
        let shown = hover(client, path, at);
        shown.lines().last().unwrap().to_owned()
    };
    let line = 1 + client.text(SCRIPT).lines().position(|line| line.contains("far)")).unwrap();
    let far = format!("Read in walk.rhai:{line}.");
    assert_eq!(read(&mut client, SCRIPT, "far)"), far);
    assert_eq!(read(&mut client, SCENARIO, "far\""), far);
    assert_eq!(read(&mut client, SCENARIO, "speed\""), "Read in walk.rhai:10 and tools.rhai:6.");
    // Of many places, three have their lines.
    let many = "\n    me.params.speed;".repeat(4);
    client.edit(TOOLS, "{\n", &format!("{{{many}\n"));
    let all = read(&mut client, SCENARIO, "speed\"");
    assert_eq!(all, "Read in walk.rhai:10, tools.rhai:6, 7 and 3 more places.");
    client.edit(SCENARIO, "\"far\": 12.0", "\"far\": 12.0, \"near\": 2.0");
    assert_eq!(read(&mut client, SCENARIO, "near\""), "No script reads it.");
}
