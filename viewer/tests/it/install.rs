//! The script that installs the program from an archive: `.ci/packages/install.sh`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::{Project, skipped};

/// The script, unless this is a packed crate.
fn script() -> Option<PathBuf> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join(".ci/packages/install.sh");
    if script.is_file() {
        return Some(script);
    }
    skipped("this is no checkout of the repository");
    None
}

/// Returns a folder with an archive whose program is a shell script.
fn release() -> Project {
    let project = Project::empty()
        .with("flockwork-x/flockwork", "#!/bin/sh\necho flockwork 1.2.3\n")
        .with("flockwork-x/man/flockwork.1", "a page")
        .with("flockwork-x/completions/flockwork.bash", "a completion")
        .with("flockwork-x/completions/_flockwork", "a completion")
        .with("flockwork-x/completions/flockwork.fish", "a completion");
    let pack = "chmod +x flockwork-x/flockwork && tar -czf x.tar.gz flockwork-x && sha256sum x.tar.gz > SHA256SUMS";
    let done =
        Command::new("sh").args(["-c", pack]).current_dir(project.path("")).status().unwrap();
    assert!(done.success());
    project
}

/// Runs the script in the folder, and returns its exit code with all that it prints.
fn install(script: &Path, project: &Project, args: &str) -> (i32, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("sh \"{}\" {args} 2>&1", script.display())])
        .current_dir(project.path(""))
        .env("HOME", project.path("home"))
        .env("FLOCKWORK_ADDRESS", format!("file://{}", project.path("").display()))
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn an_archive_is_installed_without_a_connection() {
    let Some(script) = script() else { return };
    let project = release();
    let (code, printed) = install(&script, &project, "--archive x.tar.gz");
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("checked the SHA-256 of x.tar.gz"), "{printed}");
    assert!(printed.contains("installed flockwork 1.2.3 as"), "{printed}");
    assert!(printed.contains("is not in your PATH"), "{printed}");
    assert!(project.path("home/.local/bin/flockwork").is_file());
    assert!(project.path("home/.local/share/man/man1/flockwork.1").is_file());
    // Another folder, and nothing else; the program that is there is replaced.
    for _ in 0..2 {
        let args = "--archive x.tar.gz --to 'a folder' --only-program";
        let (code, printed) = install(&script, &project, args);
        assert_eq!(code, 0, "{printed}");
    }
    assert_eq!(fs::read_dir(project.path("a folder")).unwrap().count(), 1);
}

/// Caught: another folder got the program, and the folder of the user got manual pages.
#[test]
fn another_folder_gets_the_program_and_nothing_else_is_written() {
    let Some(script) = script() else { return };
    let project = release();
    let (code, printed) = install(&script, &project, "--archive x.tar.gz --to bin");
    assert_eq!(code, 0, "{printed}");
    assert!(project.path("bin/flockwork").is_file());
    assert!(!project.path("home").exists(), "{printed}");
    let line = format!("export PATH=\"{}:$PATH\"", project.path("bin").display());
    assert!(printed.contains(&line), "{printed}");
    let (code, printed) = install(&script, &project, "--uninstall --to bin");
    assert_eq!((code, project.path("bin/flockwork").exists()), (0, false), "{printed}");
    let (code, printed) = install(&script, &project, "--uninstall --to bin");
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("help: name the folder that it is in"), "{printed}");
}

#[test]
fn what_was_installed_can_be_removed() {
    let Some(script) = script() else { return };
    let project = release();
    install(&script, &project, "--archive x.tar.gz");
    let files = || {
        let all = project.all_names().into_iter();
        all.filter(|path| path.starts_with(project.path("home")) && path.is_file()).count()
    };
    assert_eq!(files(), 5);
    let (code, printed) = install(&script, &project, "--uninstall");
    assert_eq!((code, files()), (0, 0), "{printed}");
}

/// Caught: without a folder for manual pages, the script ended with 1 after it had installed the program.
#[test]
fn the_program_is_installed_without_a_folder_for_manual_pages() {
    let Some(script) = script() else { return };
    let project = release().with("home/.local/share", "a file");
    let (code, printed) = install(&script, &project, "--archive x.tar.gz");
    assert_eq!(code, 0, "{printed}");
    assert!(
        printed.contains("note: manual pages or completions could not be written"),
        "{printed}"
    );
    assert!(project.path("home/.local/bin/flockwork").is_file());
}

/// A shell executes what it has read of a script when the download is cut off.
#[test]
fn a_script_that_is_cut_off_does_nothing() {
    let Some(script) = script() else { return };
    let project = release();
    let text = fs::read_to_string(script).unwrap();
    for (end, _) in text.match_indices('\n').rev().skip(1) {
        let project = &project;
        fs::write(project.path("cut.sh"), &text[..=end]).unwrap();
        install(&project.path("cut.sh"), project, "--archive x.tar.gz");
        assert!(!project.path("home").exists(), "cut off at:\n{}", &text[..end]);
    }
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_installed() {
    let Some(script) = script() else { return };
    for (break_it, args, message) in [
        ("echo more >> x.tar.gz", "--archive x.tar.gz", "error: x.tar.gz is damaged: its SHA-256"),
        ("rm SHA256SUMS", "--archive x.tar.gz", "error: there is no file ./SHA256SUMS"),
        ("echo > SHA256SUMS", "--archive x.tar.gz", "has no line for x.tar.gz"),
        ("true", "--archive y.tar.gz", "error: there is no file y.tar.gz"),
        ("true", "--archive", "error: `--archive` needs a value"),
        ("true", "--archive x.tar.gz --to x.tar.gz/bin", "error: cannot write to the folder /"),
        ("true", "--folder x", "error: there is no option `--folder`"),
        ("true", "--version 9.9.9", "error: could not download file://"),
        (
            "printf '#!/bin/sh\\nexit 1\\n' > flockwork-x/flockwork && tar -czf x.tar.gz flockwork-x && sha256sum x.tar.gz > SHA256SUMS",
            "--archive x.tar.gz",
            "error: the program in x.tar.gz does not run on this system",
        ),
    ] {
        let project = release();
        let done = Command::new("sh").args(["-c", break_it]).current_dir(project.path("")).status();
        assert!(done.unwrap().success());
        let (code, printed) = install(&script, &project, args);
        assert_eq!(code, 1, "{args}: {printed}");
        assert!(printed.contains(message), "{break_it}: {printed}");
        assert!(!project.path("home").exists(), "{break_it}: {printed}");
    }
}

/// The address stands in Cargo.toml. Other files have to name it, too.
#[test]
fn releases_have_one_address() {
    let Some(script) = script() else { return };
    let top = script.ancestors().nth(3).unwrap();
    let address = env!("CARGO_PKG_REPOSITORY");
    let files = [".ci/packages/install.sh", "README.md", "docs/src/introduction.md"];
    let files = files.into_iter().chain(["docs/src/install.md", "docs/src/ci.md"]);
    for file in files {
        let text = fs::read_to_string(top.join(file)).unwrap();
        assert!(text.contains(address), "{file} does not name {address}");
        for (number, line) in text.lines().enumerate() {
            let other = line.contains("/releases/") && line.contains("https://");
            assert!(!other || line.contains(address), "{file}:{}: another address", number + 1);
        }
    }
}
