//! Finds out the commit that the program is built from, for its version.
//!
//! The commit is the variable `FLOCKWORK_COMMIT`, for sources without their history. Otherwise optimized builds ask Git. A
//! later commit does not run this again: the small `main.rs` reads Git's log of commits while it is compiled, so only that is.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLOCKWORK_COMMIT");
    let given = env::var("FLOCKWORK_COMMIT").ok();
    let given = given.as_deref().and_then(|given| given.trim().lines().next());
    let is_optimized = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let code = match given.filter(|given| !given.is_empty()) {
        Some(given) => Some(format!("Commit::Given({given:?})")),
        None if is_optimized => commit_of_checkout(),
        None => None,
    };
    let code = code.unwrap_or_else(|| "Commit::Unknown".to_owned());
    let folder = env::var("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&folder).join("commit.rs"), code)
}

/// Returns an expression for the commit that is checked out. `None` if these files are in no commit.
fn commit_of_checkout() -> Option<String> {
    // The folder may be ignored in the repository of another project.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // This file changes if another branch is checked out, and is missing if the repository is gone.
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "HEAD"])?);
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    let log = Path::new(&log).canonicalize().ok()?;
    let (hash, date) = (git(&["rev-parse", "HEAD"])?, git(&["log", "-1", "--format=%cs"])?);
    Some(format!(
        "Commit::CheckedOut {{ now: last_commit(include_bytes!({log:?})), built: last_commit(b\"- {hash}\"), date: {date:?} }}"
    ))
}

/// Runs Git in the folder of the package and returns what it prints. `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
