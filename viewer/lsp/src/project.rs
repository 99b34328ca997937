//! The files that an editor works on: open ones with their contents, those on disk beside them, and what `check` finds in them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::load::{
    self, OpenFiles, SCENARIOS_FOLDER, SCRIPT_EXTENSION, SCRIPTS_FOLDER, ScriptsFolder, find_all,
    is_plan, read, real_path,
};
use flockwork_engine::runner::{Checked, check_open};
use flockwork_engine::suite::each;
use flockwork_engine::{Diagnostic, Severity, with_threads};
use lsp_types::{
    Location, Position, PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri,
};

use super::known_types::KnownTypes;
use super::{diagnostics, plan_file, position, uri};

/// All files of the projects that the open files belong to.
pub(super) struct Project {
    /// The folder that names of sources are relative to.
    here: PathBuf,
    files: Arc<OpenFiles>,
    /// The open files by their paths without links.
    documents: BTreeMap<PathBuf, Document>,
    /// The folders that contain the folders `scenarios` and `scripts` of open files.
    roots: BTreeSet<PathBuf>,
    /// Each file that has been checked, and what was found.
    checked: BTreeMap<PathBuf, Checked>,
    /// Files to check, in this order, after those that the user looks at.
    waiting: Vec<PathBuf>,
    /// Files whose scripts have not been read from their text since they changed.
    unread: BTreeSet<PathBuf>,
    /// The open files by the time of their last change, the latest first.
    recent: Vec<PathBuf>,
    /// Number of edits so far.
    edits: usize,
    /// The findings that the editor has of each file, and the version of an open one that they are about.
    published: BTreeMap<PathBuf, (Option<i32>, Vec<lsp_types::Diagnostic>)>,
    /// Whether something has been checked since.
    has_news: bool,
    /// The errors that the last test of a scenario has found, until the scenario or a script of it changes.
    tested: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// Says whether the request that is being answered has been canceled.
    canceled: Option<Box<dyn Fn() -> bool>>,
    pub(super) known_types: RefCell<KnownTypes>,
    /// Whether the editor knows snippets, which say where the cursor goes.
    pub(super) has_snippets: bool,
    /// Whether the editor opens a file that the server names.
    pub(super) opens_files: bool,
    /// The file with the reference, if there is one.
    pub(super) reference: Option<PathBuf>,
}

/// An open file.
struct Document {
    /// Its name in messages of the protocol.
    uri: Uri,
    version: i32,
    /// The text of the editor, with a byte order mark if it has one.
    text: String,
    /// The number of the last edit, from 1; 0 if there was none since it was opened.
    last_edit: usize,
}

impl Default for Project {
    fn default() -> Self {
        // Where there is no disk, all paths are below the root.
        let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Self {
            here: here.canonicalize().unwrap_or(here),
            files: Arc::default(),
            documents: BTreeMap::new(),
            roots: BTreeSet::new(),
            checked: BTreeMap::new(),
            waiting: Vec::new(),
            unread: BTreeSet::new(),
            recent: Vec::new(),
            edits: 0,
            published: BTreeMap::new(),
            has_news: false,
            tested: BTreeMap::new(),
            canceled: None,
            known_types: RefCell::default(),
            has_snippets: false,
            opens_files: false,
            reference: None,
        }
    }
}

/// The files that events and requests are about.
impl Project {
    /// Opens a file, and the project that it belongs to.
    pub(super) fn open(&mut self, uri: &Uri, version: i32, text: String) {
        let Some(path) = file(uri) else { return };
        if !self.checked.contains_key(&path) && !path.exists() {
            self.check_again();
        }
        Arc::make_mut(&mut self.files).open(&path, &text);
        self.documents
            .insert(path.clone(), Document { uri: uri.clone(), version, text, last_edit: 0 });
        if let Some(root) = self.root(&path)
            && self.roots.insert(root.clone())
        {
            self.find_files(&root);
        }
        self.changed(&path);
    }

    /// Changes the text of an open file.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let Some((path, document)) =
            file(uri).and_then(|path| Some((path.clone(), self.documents.get_mut(&path)?)))
        else {
            return;
        };
        self.edits += 1;
        (document.version, document.last_edit) = (version, self.edits);
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = position::offset(&document.text, range.start);
                    let end = position::offset(&document.text, range.end).max(start);
                    document.text.replace_range(start..end, &change.text);
                }
                None => document.text = change.text,
            }
        }
        Arc::make_mut(&mut self.files).open(&path, &document.text);
        self.changed(&path);
    }

    /// Closes a file: the text on disk counts again.
    pub(super) fn close(&mut self, uri: &Uri) {
        let Some(path) = file(uri) else { return };
        Arc::make_mut(&mut self.files).close(&path);
        self.documents.remove(&path);
        self.recent.retain(|recent| *recent != path);
        let is_in_project = self.roots.iter().any(|root| path.starts_with(root));
        if !is_in_project || !path.exists() {
            self.checked.remove(&path);
        }
        self.changed(&path);
    }

    /// Notes that all files must be checked again, after those that wait. A file that is not on disk has appeared: names of files occur in
    /// suggestions everywhere, and it may be the first one in a folder of scripts.
    fn check_again(&mut self) {
        let known = self.checked.keys().filter(|path| !self.waiting.contains(path));
        let known: Vec<PathBuf> = known.cloned().collect();
        self.waiting.extend(known);
    }

    /// Notes that files or folders were changed, made or deleted on disk.
    pub(super) fn changed_on_disk<'u>(&mut self, uris: impl IntoIterator<Item = &'u Uri>) {
        let mut is_same_files = true;
        for path in uris.into_iter().filter_map(file) {
            if !self.is_ours(&path) {
                is_same_files &= !self.is_folder_of_ours(&path);
            } else if self.checked.contains_key(&path) == path.exists() {
                self.changed(&path);
            } else {
                is_same_files = false;
            }
        }
        if !is_same_files {
            self.find_all_files();
        }
    }

    /// Returns whether a path is, or was, that of a folder around files of the projects or in their folders.
    fn is_folder_of_ours(&self, path: &Path) -> bool {
        let ours = |root: &PathBuf| {
            let mut folders =
                [SCENARIOS_FOLDER, SCRIPTS_FOLDER].map(|name| root.join(name)).into_iter();
            folders.any(|folder| path.starts_with(&folder) || folder.starts_with(path))
        };
        (path.is_dir() || !path.exists()) && self.roots.iter().any(ours)
    }

    /// Looks for all files of the projects again, and forgets those that are gone.
    pub(super) fn find_all_files(&mut self) {
        let documents = &self.documents;
        let is_there = |path: &PathBuf| documents.contains_key(path) || path.exists();
        self.checked.retain(|path, _| is_there(path));
        self.tested.retain(|path, _| is_there(path));
        for root in self.roots.clone() {
            self.find_files(&root);
        }
        // Names of files occur in suggestions everywhere.
        self.waiting = self.checked.keys().cloned().collect();
        self.unread.extend(self.waiting.iter().cloned());
        self.has_news = true;
    }

    /// Returns whether a file is a scenario.
    pub(super) fn is_scenario(&self, path: &Path) -> bool {
        load::is_scenario(path, || self.read(path).ok().map(|source| source.text.clone()))
    }

    /// Returns whether a file is checked.
    fn is_ours(&self, path: &Path) -> bool {
        is_script(path) || is_plan(path) || self.is_scenario(path)
    }

    /// Returns the folder of the project that a file belongs to, if it has one.
    fn root(&self, path: &Path) -> Option<PathBuf> {
        if is_script(path) {
            let (scripts, _) = ScriptsFolder::of_open_script(path, &self.files).ok()?;
            let is_named = scripts.root()?.file_name() == Some(OsStr::new(SCRIPTS_FOLDER));
            return scripts.holder().filter(|_| is_named).map(Path::to_owned);
        }
        let scripts = ScriptsFolder::of_open_scenario(path, &self.files);
        scripts.holder().filter(|_| self.is_ours(path)).map(Path::to_owned)
    }

    /// Adds the scenarios and scripts of a project.
    fn find_files(&mut self, root: &Path) {
        let folders = [SCENARIOS_FOLDER, SCRIPTS_FOLDER].map(|name| root.join(name));
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            // An error in one file says nothing about the others.
            let (found, _) = find_all(std::slice::from_ref(folder));
            for path in found.scenarios.into_iter().chain(found.scripts).chain(found.plans) {
                let path = real_path(&path);
                if !self.checked.contains_key(&path) {
                    self.checked.insert(path.clone(), Checked::default());
                    self.unread.insert(path.clone());
                    self.waiting.push(path);
                }
            }
        }
    }

    /// Notes that a file and all files that depend on it must be checked: the file first.
    fn changed(&mut self, path: &Path) {
        self.tested.retain(|tested, _| {
            let uses = |checked: &Checked| checked.scripts.contains(path);
            tested != path && !self.checked.get(tested).is_some_and(uses)
        });
        if self.documents.contains_key(path) {
            self.recent.retain(|recent| recent != path);
            self.recent.insert(0, path.to_owned());
        }
        self.unread.insert(path.to_owned());
        let mut users = self.users_of(path);
        users.retain(|user| user != path);
        users.sort_by_key(|user| self.age(user));
        let is_ours = self.is_ours(path);
        if !is_ours {
            self.checked.remove(path);
        }
        let is_there = self.documents.contains_key(path) || path.exists();
        let own = (is_ours && is_there).then(|| path.to_owned());
        let first: Vec<PathBuf> = own.into_iter().chain(users).collect();
        self.waiting.retain(|path| !first.contains(path));
        self.waiting.splice(0..0, first);
        self.has_news = true;
    }

    /// Returns the files that wait and that the user looks at: the one that was changed last, and of the scenarios with it the one that was
    /// changed last.
    fn urgent(&self) -> Vec<PathBuf> {
        let Some(last) = self.recent.first() else { return Vec::new() };
        let scenarios = self.checked.iter().filter(|(path, checked)| {
            checked.scripts.contains(last) && *path != last && self.is_scenario(path)
        });
        let scenario = scenarios.map(|(path, _)| path).min_by_key(|path| self.age(path));
        let both = [Some(last), scenario].into_iter().flatten();
        both.filter(|path| self.waiting.contains(path)).cloned().collect()
    }

    /// Returns how many open files have been changed since a file has; those that are not open come last.
    pub(super) fn age(&self, path: &Path) -> usize {
        self.recent.iter().position(|recent| recent == path).unwrap_or(usize::MAX)
    }

    /// Returns the number of the last edit of a file: the higher it is, the later it was. Files that were not edited have 0.
    pub(super) fn last_edit(&self, path: &Path) -> usize {
        self.documents.get(path).map_or(0, |document| document.last_edit)
    }

    /// Returns whether files wait to be checked.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns whether findings may have changed since the editor was told.
    pub(super) fn has_news(&self) -> bool {
        self.has_news
    }

    /// Returns whether a file that the user looks at waits to be checked.
    pub(super) fn is_urgent(&self) -> bool {
        !self.urgent().is_empty()
    }

    /// Checks the next file that waits. Returns false if none does.
    pub(super) fn check_next(&mut self) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        self.read_uses();
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut paths = self.urgent();
        if paths.is_empty() {
            paths = self.waiting[..processors.min(self.waiting.len())].to_vec();
        }
        self.waiting.retain(|path| !paths.contains(path));
        // The editor may not have reported that a file is gone.
        let (paths, gone): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| self.documents.contains_key(path) || path.exists());
        gone.iter().for_each(|path| drop(self.checked.remove(path)));
        let files = &self.files;
        let check = |path: &PathBuf| match is_plan(path) {
            true => plan_file::check_open(path, files),
            false => check_open(path, files),
        };
        let threads = processors.min(paths.len());
        let all = match threads {
            0 | 1 => paths.iter().map(check).collect(),
            _ => with_threads(threads, || each(&paths, check))
                .unwrap_or_else(|_| paths.iter().map(check).collect()),
        };
        for (path, checked) in paths.into_iter().zip(all) {
            self.note_check(path, checked);
        }
        true
    }

    /// Notes what was found in a file.
    fn note_check(&mut self, path: PathBuf, mut checked: Checked) {
        if checked.findings.iter().any(|one| one.severity == Severity::Error)
            && let Some(before) = self.checked.remove(&path)
        {
            // A file that cannot be read for now still belongs to the scripts that it used.
            checked.scripts.extend(before.scripts);
        }
        self.checked.insert(path, checked);
    }

    /// Notes what a test of a scenario has found.
    pub(super) fn note_test(&mut self, scenario: PathBuf, errors: Vec<Diagnostic>) {
        self.tested.insert(scenario, errors);
        self.has_news = true;
    }

    /// Returns the names of files that scenarios are made of and whose contents are not those on disk.
    pub(super) fn unsaved(&self, scenarios: &[PathBuf]) -> Vec<String> {
        let uses = |path: &PathBuf| {
            scenarios.iter().any(|scenario| {
                scenario == path
                    || self.checked.get(scenario).is_some_and(|of| of.scripts.contains(path))
            })
        };
        let open = self.documents.iter().filter(|(path, _)| uses(path));
        let changed = open.filter(|(path, document)| {
            let text = document.text.trim_start_matches('\u{feff}');
            read(path).map_or(true, |saved| saved.text != text)
        });
        changed.map(|(path, _)| name_of(path)).collect()
    }

    /// Returns the findings of the files in which they have changed since the last call. While files wait to be checked, their old
    /// findings are left out where the text has changed.
    pub(super) fn news(&mut self) -> Vec<PublishDiagnosticsParams> {
        if !self.has_news {
            return Vec::new();
        }
        self.has_news = !self.waiting.is_empty();
        let mut now = self.diagnostics();
        for path in self.published.keys() {
            // Clears the diagnostics of removed files.
            now.entry(path.clone()).or_default();
        }
        let mut news = Vec::new();
        for (path, diagnostics) in now {
            let version = self.documents.get(&path).map(|document| document.version);
            let current = (version, diagnostics);
            // Publishes every version of an open file, so that editors know that it has been checked.
            if self.published.get(&path) == Some(&current) {
                continue;
            }
            let uri = self.uri(&path);
            let (version, diagnostics) = current.clone();
            news.extend(uri.map(|uri| PublishDiagnosticsParams { uri, diagnostics, version }));
            if current == (None, Vec::new()) {
                self.published.remove(&path);
            } else {
                self.published.insert(path, current);
            }
        }
        news
    }

    /// Returns all findings by file. A finding in a script that several scenarios use is listed once.
    fn diagnostics(&self) -> BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> {
        let mut all: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        for path in self.documents.keys().filter(|path| self.is_ours(path)) {
            all.insert(path.clone(), Vec::new());
        }
        for (finding, checked) in self.findings() {
            let path = match &finding.place {
                Some(place) => self.path_of(&place.source),
                None => checked[0].to_owned(),
            };
            let scenarios = self.only_in(&path, &checked);
            let finding = self.with_causes(finding, checked[0]);
            let shown = diagnostics::diagnostic(self, &finding, &scenarios);
            all.entry(path).or_default().push(shown);
        }
        for mirror in self.mirrors() {
            let path = self.path_of(&mirror.places[0].source);
            all.entry(path).or_default().push(mirror.diagnostic(self));
        }
        for diagnostics in all.values_mut() {
            diagnostics.sort_by_key(|one| (one.range.start, one.range.end));
        }
        all
    }

    /// Returns everything that checks have found, with the file that was checked.
    pub(super) fn notes(&self) -> impl Iterator<Item = (&Diagnostic, &Path)> {
        let all = self.checked.iter();
        all.flat_map(|(path, of)| of.findings.iter().map(move |one| (one, &**path)))
    }

    /// Returns the findings of each check, with the file that was checked.
    pub(super) fn findings_of_checks(&self) -> impl Iterator<Item = (&Diagnostic, &Path)> {
        let all = self.notes();
        let tested = self.tested.iter();
        let tested = tested.flat_map(|(path, all)| all.iter().map(move |one| (one, &**path)));
        let all = all.chain(tested);
        // `check` shows the last ones only if it is asked for.
        all.filter(|(finding, path)| {
            !finding.code.is_about_speed()
                && (!self.waiting.iter().any(|waiting| waiting == path)
                    || self.is_about_now(finding))
        })
    }

    /// Returns each finding with the files whose checks have found it.
    fn findings(&self) -> Vec<(&Diagnostic, Vec<&Path>)> {
        let mut all: Vec<(&Diagnostic, Vec<&Path>)> = Vec::new();
        for (finding, path) in self.findings_of_checks() {
            match all.iter_mut().find(|(known, _)| *known == finding) {
                Some((_, paths)) => paths.push(path),
                None => all.push((finding, vec![path])),
            }
        }
        // The finding of a scenario is more precise than that of the check of its script alone.
        let is_same = |a: &Diagnostic, b: &Diagnostic| {
            a != b && (&a.place, a.code, &a.message) == (&b.place, b.code, &b.message)
        };
        let of_scenarios: Vec<&Diagnostic> = all
            .iter()
            .filter(|(_, paths)| paths.iter().any(|path| self.is_scenario(path)))
            .map(|(finding, _)| *finding)
            .collect();
        all.retain(|(finding, paths)| {
            paths.iter().any(|path| self.is_scenario(path))
                || !of_scenarios.iter().any(|known| is_same(known, finding))
        });
        all
    }

    /// Returns the scenarios that have a finding in a script, if others use the script and do not have it.
    fn only_in(&self, script: &Path, checked: &[&Path]) -> Vec<String> {
        let is_alone = checked.contains(&script);
        let uses = |scenario: &&PathBuf| {
            self.is_scenario(scenario) && self.checked[*scenario].scripts.contains(script)
        };
        let users = self.checked.keys().filter(uses).count();
        let is_scenario = |path: &&&Path| self.is_scenario(path);
        let checked: Vec<&Path> = checked.iter().filter(is_scenario).copied().collect();
        if !is_script(script) || is_alone || checked.len() >= users {
            return Vec::new();
        }
        checked.iter().map(|path| name_of(path)).collect()
    }

    /// Returns the path of the file that a source was read from.
    pub(super) fn path_of(&self, source: &Source) -> PathBuf {
        self.here.join(&source.name)
    }

    /// Returns a place as a range of its file.
    pub(super) fn range(&self, place: &Place) -> lsp_types::Range {
        let mut range = position::range(&place.source.text, place.span.clone());
        if self.has_mark(&self.path_of(&place.source)) {
            for end in [&mut range.start, &mut range.end] {
                end.character += u32::from(end.line == 0);
            }
        }
        range
    }

    /// Returns a place with the URI of its file.
    pub(super) fn location(&self, place: &Place) -> Option<Location> {
        let uri = self.uri(&self.path_of(&place.source))?;
        Some(Location { uri, range: self.range(place) })
    }

    /// Returns the text of a file as it is now, and the byte offset of a position in it.
    pub(super) fn offset(&self, path: &Path, mut at: Position) -> Option<(Arc<Source>, usize)> {
        let source = self.files.read(path).ok()?;
        if at.line == 0 && self.has_mark(path) {
            at.character = at.character.saturating_sub(1);
        }
        let offset = position::offset(&source.text, at);
        Some((source, offset))
    }

    /// Returns the text of a file as it is now.
    pub(super) fn read(&self, path: &Path) -> Result<Arc<Source>, Diagnostic> {
        self.files.read(path)
    }

    /// Returns all files of the project.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.checked.keys().map(PathBuf::as_path)
    }

    /// Returns the open files with their contents, to try other contents.
    pub(super) fn open_files(&self) -> &Arc<OpenFiles> {
        &self.files
    }

    /// Returns the folder with the scripts that a file can name.
    pub(super) fn scripts_folder(&self, path: &Path) -> ScriptsFolder {
        match ScriptsFolder::of_open_script(path, &self.files) {
            Ok((folder, _)) => folder,
            Err(_) => ScriptsFolder::of_open_scenario(path, &self.files),
        }
    }

    /// Returns the files whose checks read a script.
    pub(super) fn users_of(&self, script: &Path) -> Vec<PathBuf> {
        let users = self.checked.iter().filter(|(_, checked)| checked.scripts.contains(script));
        users.map(|(path, _)| path.clone()).collect()
    }

    /// Returns whether the editor has a byte order mark at the start of a file. Sources do not have it.
    fn has_mark(&self, path: &Path) -> bool {
        self.documents.get(path).is_some_and(|of| of.text.starts_with('\u{feff}'))
    }

    /// Returns whether a finding is about the text that the editor has, or about a file that is not open.
    fn is_about_now(&self, finding: &Diagnostic) -> bool {
        let open = |place: &Place| {
            let known = self.files.get(&self.path_of(&place.source));
            known.is_none_or(|known| known.text == place.source.text)
        };
        finding.place.as_ref().is_none_or(open)
    }

    /// Returns whether a source is the text of its file as it is now.
    pub(super) fn is_current(&self, source: &Source) -> bool {
        let now = self.files.read(&self.path_of(source));
        now.is_ok_and(|now| now.text == source.text)
    }

    /// Reads the files that wait for a check, to know which scripts they use. An answer that needs no findings waits for nothing else.
    pub(super) fn read_uses(&mut self) {
        for path in std::mem::take(&mut self.unread) {
            if self.waiting.contains(&path) {
                let scripts = self.scripts_of(&path);
                self.checked.entry(path).or_default().scripts.extend(scripts);
            }
        }
    }

    /// Checks the files that the user looks at, so that their findings and what uses what are known.
    pub(super) fn check_first(&mut self) {
        self.read_uses();
        while self.is_urgent() && !self.is_canceled() {
            self.check_next();
        }
    }

    /// Checks all files that wait, unless the request is canceled.
    pub(super) fn check_all(&mut self) {
        while !self.is_canceled() && self.check_next() {}
    }

    /// Sets what says whether the request that is being answered has been canceled.
    pub(super) fn set_canceled(&mut self, canceled: Option<Box<dyn Fn() -> bool>>) {
        self.canceled = canceled;
    }

    /// Returns whether the request that is being answered has been canceled, so that nobody waits for the answer.
    pub(super) fn is_canceled(&self) -> bool {
        self.canceled.as_ref().is_some_and(|is_canceled| is_canceled())
    }

    /// Returns the folders of the projects that open files belong to.
    pub(super) fn roots(&self) -> &BTreeSet<PathBuf> {
        &self.roots
    }

    /// Returns the version of an open file.
    pub(super) fn version(&self, path: &Path) -> Option<i32> {
        self.documents.get(path).map(|document| document.version)
    }

    /// Returns what the editor calls a file.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        match self.documents.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => uri(path),
        }
    }
}

/// Returns the path without links of a file that an editor names.
pub(super) fn file(uri: &Uri) -> Option<PathBuf> {
    uri::path(uri).map(|path| real_path(&path))
}

/// Returns whether a path is that of a script.
pub fn is_script(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(SCRIPT_EXTENSION))
}

/// Returns the name of a file without its folders.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
