//! The folder that contains scripts.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    OpenFiles, SCRIPT_EXTENSION, SCRIPTS_FOLDER, display_path, folder, folder_of, read, real_path,
    reason,
};
use crate::diag::{Diagnostic, Source};
use crate::script::Library;

/// A folder of scripts. The name of a script is its path in the folder, without the extension and with `/` between
/// folders: `steerbench/goto` is `steerbench/goto.rhai`. Scripts outside the folder are never read, whatever name or link
/// is used.
#[derive(Clone, Debug)]
pub struct ScriptsFolder {
    /// Its path without links; `None` if there is no such folder.
    root: Option<PathBuf>,
    /// The folder in which it, or a link to it, was found.
    holder: Option<PathBuf>,
    /// Where the search for it begins, for messages.
    near: PathBuf,
    /// The scripts that are open in an editor.
    open: Arc<OpenFiles>,
}

impl ScriptsFolder {
    /// Returns the scripts of a scenario: the folder `scripts` in the scenario's folder or in the nearest folder above that
    /// has one. If there is none, there are no scripts.
    pub fn of_scenario(scenario: &Path) -> Self {
        Self::of_open_scenario(scenario, &Arc::default())
    }

    /// Does the same, with files that are open in an editor: their contents take precedence over those on disk.
    pub fn of_open_scenario(scenario: &Path, open: &Arc<OpenFiles>) -> Self {
        let near = folder_of(scenario);
        let holder = real_folder(&near, open).and_then(|folder| {
            let has_scripts = |folder: &&Path| {
                let scripts = folder.join(SCRIPTS_FOLDER);
                scripts.is_dir() || open.have_folder(&scripts)
            };
            folder.ancestors().find(has_scripts).map(Path::to_owned)
        });
        let scripts = holder.as_ref().map(|holder| holder.join(SCRIPTS_FOLDER));
        let root = scripts.and_then(|scripts| real_folder(&scripts, open));
        Self { root, holder, near, open: Arc::clone(open) }
    }

    /// Returns the scripts in a folder.
    pub fn at(folder: &Path) -> Self {
        let open = Arc::<OpenFiles>::default();
        let root = real_folder(folder, &open);
        let holder = root.as_deref().and_then(Path::parent).map(Path::to_owned);
        Self { root, holder, near: folder.to_owned(), open }
    }

    /// Returns the folder of a script, and the name of the script there. It is the nearest folder above that is called
    /// `scripts`, otherwise the folder of the file.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it does not have the extension of a script.
    pub fn of_script(script: &Path) -> Result<(Self, String), Diagnostic> {
        Self::of_open_script(script, &Arc::default())
    }

    /// Does the same, with files that are open in an editor: their contents take precedence over those on disk.
    ///
    /// # Errors
    ///
    /// As [`of_script`](Self::of_script).
    pub fn of_open_script(
        script: &Path,
        open: &Arc<OpenFiles>,
    ) -> Result<(Self, String), Diagnostic> {
        if script.extension() != Some(OsStr::new(SCRIPT_EXTENSION)) {
            return Err(Diagnostic::error(format!(
                "{} is not a script: it does not end in .{SCRIPT_EXTENSION}",
                display_path(script)
            )));
        }
        let near = folder_of(script);
        let Some(folder) = real_folder(&near, open) else {
            return Err(read(script).err().unwrap_or_else(|| unreadable(script)));
        };
        let root = folder
            .ancestors()
            .find(|folder| folder.file_name() == Some(OsStr::new(SCRIPTS_FOLDER)))
            .unwrap_or(&folder)
            .to_owned();
        let file = folder.join(script.file_name().unwrap_or_default());
        let name = name_in(&root, &file).ok_or_else(|| unreadable(script))?;
        let holder = root.parent().map(Path::to_owned);
        Ok((Self { holder, root: Some(root), near, open: Arc::clone(open) }, name))
    }
}

impl ScriptsFolder {
    /// Returns the path of the file that has, or would have, a script with a name; `None` if no file can have it.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let root = self.root.as_ref().filter(|_| forbidden(name).is_none())?;
        Some(root.join(format!("{name}.{SCRIPT_EXTENSION}")))
    }

    /// Returns the folder without links, if there is one.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns the folder in which it, or a link to it, was found.
    pub fn holder(&self) -> Option<&Path> {
        self.holder.as_deref()
    }
}

impl Library for ScriptsFolder {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        if let Some(why) = forbidden(name) {
            return Err(Diagnostic::error(format!("the script name `{name}` {why}")).help(
                "scripts are named by their path in the scripts folder, such as `birds/flock`",
            ));
        }
        let Some(root) = &self.root else {
            return Ok(None);
        };
        let path = root.join(format!("{name}.{SCRIPT_EXTENSION}"));
        match path.canonicalize() {
            Ok(real) if !real.starts_with(root) => Err(Diagnostic::error(format!(
                "the script `{name}` is a link that leads out of the scripts folder"
            ))
            .help(format!("{} leads to {}", display_path(&path), display_path(&real)))),
            Ok(_) => self.open.read(&path).map(Some),
            Err(_) if self.open.get(&path).is_some() => self.open.read(&path).map(Some),
            // Where there is no disk, nothing else is there.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::Unsupported
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(Diagnostic::error(format!(
                "cannot read {}: {}",
                display_path(&path),
                reason(&error)
            ))),
        }
    }

    fn names(&self) -> Vec<String> {
        let Some(root) = &self.root else {
            return Vec::new();
        };
        let on_disk = folder::files(root, SCRIPT_EXTENSION);
        let is_script = |path: &&Path| path.extension() == Some(OsStr::new(SCRIPT_EXTENSION));
        let all = on_disk.iter().map(PathBuf::as_path).chain(self.open.paths().filter(is_script));
        let mut names: Vec<String> = all.filter_map(|path| name_in(root, path)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn location(&self) -> Option<String> {
        Some(match &self.root {
            Some(root) => format!("scripts are looked for in the folder `{}`", display_path(root)),
            None => format!(
                "there is no folder `{SCRIPTS_FOLDER}` in {} or any folder above",
                display_path(&self.near)
            ),
        })
    }
}

/// Returns a folder without links, if it is on disk; otherwise as it is, if open files are in it.
fn real_folder(folder: &Path, open: &OpenFiles) -> Option<PathBuf> {
    let on_disk = folder.canonicalize().ok();
    on_disk.or_else(|| Some(real_path(folder)).filter(|folder| open.have_folder(folder)))
}

/// Returns why a name cannot be the name of a script; `None` if it can.
fn forbidden(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if name.contains('\\') {
        Some("has a backslash: folders are separated by `/`")
    } else if name.starts_with('/') {
        Some("is absolute: scripts come from the scripts folder only")
    } else if name.contains(':') {
        Some("has a colon, which no name of a script can have")
    } else if name.split('/').any(|part| part == "..") {
        Some("has `..`: scripts come from the scripts folder only")
    } else if name.contains('\0') || name.split('/').any(|part| part.is_empty() || part == ".") {
        Some("has an empty part")
    } else {
        None
    }
}

fn name_in(root: &Path, file: &Path) -> Option<String> {
    let inside = file.strip_prefix(root).ok()?.with_extension("");
    let parts: Option<Vec<&str>> = inside.iter().map(OsStr::to_str).collect();
    Some(parts?.join("/"))
}

fn unreadable(script: &Path) -> Diagnostic {
    Diagnostic::error(format!("{} has no name that a script can have", display_path(script)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for (path, text) in [
            ("scenarios/deep/er/a.ron", "()"),
            ("scripts/flock.rhai", "flock"),
            ("scripts/birds/goose.v2.rhai", "goose"),
            ("scripts/notes.txt", ""),
            ("scripts/.hidden.rhai", ""),
            ("secret.rhai", "secret"),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn scripts_come_from_the_nearest_scripts_folder() {
        let dir = project();
        let scripts = ScriptsFolder::of_scenario(&dir.path().join("scenarios/deep/er/a.ron"));
        assert_eq!(scripts.names(), ["birds/goose.v2", "flock"]);
        let text = |name| scripts.read(name).unwrap().map(|source| source.text.clone());
        assert_eq!(text("flock").as_deref(), Some("flock"));
        assert_eq!(text("birds/goose.v2").as_deref(), Some("goose"));
        assert_eq!(text("birds"), None);
        assert_eq!(text("flock.rhai"), None);
        assert_eq!(text("flock/x"), None);
    }

    /// With relative paths, open scripts in a folder that is not on disk were not found.
    #[test]
    fn open_scripts_need_no_folder_on_disk() {
        let mut files = OpenFiles::default();
        files.open(Path::new("no_such/scripts/fly.rhai"), "fn steer(me) { () }");
        let scenario = Path::new("no_such/deep/a.ron");
        files.open(scenario, "()");
        let scripts = ScriptsFolder::of_open_scenario(scenario, &Arc::new(files));
        let here = Path::new(".").canonicalize().unwrap();
        assert_eq!(scripts.root(), Some(&*here.join("no_such/scripts")));
        assert!(scripts.read("fly").unwrap().is_some());
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let dir = project();
        let scripts = ScriptsFolder::of_scenario(&dir.path().join("a.ron"));
        let absolute = dir.path().join("secret").display().to_string();
        for (name, why) in [
            ("../secret", "`..`"),
            ("birds/../../secret", "`..`"),
            ("birds\\goose", "backslash"),
            (absolute.as_str(), "absolute"),
            ("C:/secret", "colon"),
            ("", "empty"),
            ("birds//goose.v2", "empty part"),
            ("./flock", "empty part"),
        ] {
            let message = scripts.read(name).unwrap_err().message;
            assert!(message.contains(why), "{name}: {message}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_folder() {
        let dir = project();
        let link = |from: &str, to: &str| {
            std::os::unix::fs::symlink(to, dir.path().join(from)).unwrap();
        };
        link("scripts/out.rhai", "../secret.rhai");
        link("scripts/up", "..");
        link("scripts/same.rhai", "flock.rhai");
        let scripts = ScriptsFolder::of_scenario(&dir.path().join("a.ron"));
        for name in ["out", "up/secret"] {
            let error = scripts.read(name).unwrap_err();
            assert!(error.message.contains("leads out"), "{error}");
        }
        assert_eq!(scripts.read("same").unwrap().unwrap().text, "flock");
    }

    #[test]
    fn a_script_is_named_by_its_path() {
        let dir = project();
        let (scripts, name) =
            ScriptsFolder::of_script(&dir.path().join("scripts/birds/goose.v2.rhai")).unwrap();
        assert_eq!(name, "birds/goose.v2");
        assert_eq!(scripts.names(), ["birds/goose.v2", "flock"]);
        let (alone, name) = ScriptsFolder::of_script(&dir.path().join("secret.rhai")).unwrap();
        assert_eq!(name, "secret");
        assert!(alone.read("secret").unwrap().is_some());
    }

    #[test]
    fn a_script_that_is_only_open_exists() {
        let dir = project();
        let scripts = dir.path().join("scripts");
        let mut open = OpenFiles::default();
        open.open(&scripts.join("new.rhai"), "new");
        open.open(&scripts.join("flock.rhai"), "changed");
        let scripts = ScriptsFolder::of_open_scenario(&dir.path().join("a.ron"), &Arc::new(open));
        assert_eq!(scripts.names(), ["birds/goose.v2", "flock", "new"]);
        for (name, text) in [("new", "new"), ("flock", "changed"), ("birds/goose.v2", "goose")] {
            assert_eq!(scripts.read(name).unwrap().unwrap().text, text);
        }
    }

    #[test]
    fn a_folder_of_scripts_may_be_open_files_only() {
        let mut open = OpenFiles::default();
        open.open(Path::new("no/where/scripts/birds/flock.rhai"), "flock");
        open.open(Path::new("no/where/scenarios/a.ron"), "()");
        let open = Arc::new(open);
        let scenario = Path::new("no/where/scenarios/a.ron");
        let scripts = ScriptsFolder::of_open_scenario(scenario, &open);
        assert_eq!(scripts.names(), ["birds/flock"]);
        assert_eq!(scripts.read("birds/flock").unwrap().unwrap().text, "flock");
        assert_eq!(scripts.read("birds/goose"), Ok(None));
        assert!(scripts.read("../scenarios/a").is_err());
        let script = Path::new("no/where/scripts/birds/flock.rhai");
        let (scripts, name) = ScriptsFolder::of_open_script(script, &open).unwrap();
        assert_eq!(name, "birds/flock");
        assert_eq!(scripts.names(), ["birds/flock"]);
        assert!(ScriptsFolder::of_script(script).is_err());
    }

    #[test]
    fn without_a_scripts_folder_there_are_no_scripts() {
        let dir = tempfile::tempdir().unwrap();
        let scripts = ScriptsFolder::of_scenario(&dir.path().join("a.ron"));
        assert_eq!(scripts.names(), [""; 0]);
        assert_eq!(scripts.read("flock"), Ok(None));
        let place = scripts.location().unwrap();
        assert!(place.contains("there is no folder `scripts`"), "{place}");
    }
}
