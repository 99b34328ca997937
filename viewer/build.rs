//! Tells the program its version, with the commit that it is built from.
//!
//! The commit is the variable `FLOCKWORK_COMMIT`, for sources without their history. Otherwise optimized builds ask Git; others do not, so that
//! a commit does not build them again.
#![expect(clippy::print_stdout, reason = "Cargo reads the standard output of build scripts")]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLOCKWORK_COMMIT");
    let given = env::var("FLOCKWORK_COMMIT").ok();
    let is_optimized = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = match given.as_deref().map(str::trim) {
        Some("") | None if is_optimized => commit_of_checkout(),
        Some("") | None => None,
        Some(given) => given.lines().next().map(str::to_owned),
    };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=FLOCKWORK_VERSION={version}{commit}");
}

/// Returns the short hash and the date of the commit that is checked out. `None` if these files are in no commit.
fn commit_of_checkout() -> Option<String> {
    // The folder may be ignored in the repository of another project.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["log", "-1", "--format=%h %cs"])
}

/// Runs Git in the folder of the package and returns what it prints. `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
