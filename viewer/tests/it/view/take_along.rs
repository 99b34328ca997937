//! The clipboard and the editor of the person.

use super::viewer::{Viewer, has_tools_and, wait};
use super::{SCENARIO, project};

impl Viewer {
    /// Selects an agent by its id.
    pub(super) fn select(&self, id: u32) {
        self.key("slash");
        self.key(&id.to_string());
        self.key("Return");
    }

    fn clipboard(&self) -> String {
        self.display.run("xclip", &["-selection", "clipboard", "-o"])
    }
}

#[test]
fn the_command_that_explains_an_agent_can_be_pasted_and_run() {
    if !has_tools_and(&["xclip"]) {
        return;
    }
    let viewer = Viewer::open(&["--paused", "--seed", "5"]);
    viewer.at(40);
    viewer.select(4);
    let line = wait("the command", || {
        viewer.xdotool(&["key", "ctrl+c"]);
        Some(viewer.clipboard()).filter(|text| !text.is_empty())
    });
    assert_eq!(line, "flockwork explain scenarios/a.ron --seed 5 --agent 4 --tick 40");
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    viewer.project.flockwork(&words).says(0, &[]);
    viewer.xdotool(&["key", "ctrl+shift+c"]);
    wait("the id", || (viewer.clipboard() == "4").then_some(()));
}

#[test]
fn the_agent_of_a_failure_is_selected() {
    if !has_tools_and(&["xclip"]) {
        return;
    }
    let text =
        SCENARIO.replace("groups", "expect: [AllFinite, MaxSpeed(speed: 59, from: 30)], groups");
    let project = project().with("scenarios/a.ron", text);
    let viewer = Viewer::open_in(project, "scenarios/a.ron", &["--failure"]);
    let line = wait("the command", || {
        viewer.xdotool(&["key", "ctrl+c"]);
        Some(viewer.clipboard()).filter(|text| !text.is_empty())
    });
    assert_eq!(line, "flockwork explain scenarios/a.ron --agent 0 --tick 30");
}

#[cfg(unix)]
#[test]
fn the_editor_is_opened_at_the_line() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    if !has_tools_and(&[]) {
        return;
    }
    let project = project().with("code", "#!/bin/sh\necho \"$@\" > opened\nsleep 5\n");
    let editor = project.path("code");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let viewer = Viewer::open_in(project, "scenarios/a.ron", &["--paused"]);
    super::save(&viewer.script(), "fn steer(me) {\n\n    me.sepration(3)\n}\n");
    wait("the error", || viewer.title().text.ends_with("has errors").then_some(()));
    viewer.key("F4");
    let opened = viewer.project.path("opened");
    let text =
        wait("the editor", || fs::read_to_string(&opened).ok().filter(|text| !text.is_empty()));
    assert_eq!(text, "--goto scripts/bird.rhai:3\n");
    // The window does not wait for it.
    viewer.at(5);
}
