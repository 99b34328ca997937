//! The commands of code lenses: they run, view, test or explain scenarios as they are on disk, each on a thread of its own, and tell
//! the editor how that ended.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::Sender;
use flockwork_engine::diag::Source;
use flockwork_engine::suite::{Case, TestOutcome};
use flockwork_engine::world::AgentId;
use flockwork_engine::{Diagnostic, Options, OutputFile, Run, with_threads};
use flockwork_lsp::{LensCommand, OPEN_COMMAND, Work, name_of, uri};
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    MessageType, NumberOrString, ProgressParams, ProgressParamsValue, Range, ShowDocumentParams,
    ShowMessageParams, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, notification, request,
};
use serde_json::Value;

/// A message of a command to the server.
pub(super) enum News {
    /// A message for the editor.
    Message(Message),
    /// The errors that a test has found in a scenario.
    Tested { scenario: PathBuf, errors: Vec<Diagnostic> },
}

/// The way to the editor, for any thread. It leads through the server, which need not wait for commands when the editor leaves.
#[derive(Clone)]
pub(super) struct Editor {
    pub(super) news: Sender<News>,
    /// Whether it shows how far something is.
    pub(super) shows_progress: bool,
    /// Whether it can open a file.
    pub(super) opens_files: bool,
    /// Number of commands so far.
    pub(super) commands: i32,
    /// The files that show what commands wrote.
    pub(super) shown: Arc<Mutex<BTreeMap<PathBuf, Arc<Source>>>>,
}

/// The tick that is explained: late enough for agents to be on their way.
const EXPLAINED_TICK: u64 = 60;

/// Starts a command that a lens asks for.
pub(super) fn start(editor: &mut Editor, command: LensCommand) {
    let LensCommand { work, scenarios, groups, agent, unsaved } = command;
    let Some(first) = scenarios.first().cloned() else { return };
    editor.commands += 1;
    let editor = editor.clone();
    if !unsaved.is_empty() {
        let text = format!("not saved, so the files on disk count: {}", unsaved.join(", "));
        editor.show(MessageType::WARNING, text);
    }
    thread::spawn(move || {
        let title = format!("flockwork {} {}", work.name(), name_of(&first));
        editor.progress(WorkDoneProgress::Begin(WorkDoneProgressBegin {
            title,
            cancellable: Some(false),
            ..WorkDoneProgressBegin::default()
        }));
        match work {
            Work::Run => editor.show_text(work, child(work, &[&first.to_string_lossy()])),
            Work::Test => editor.test(&scenarios),
            Work::Explain => editor.explain(&first, &groups, agent),
            Work::View => {
                // The window stays; only its start is shown.
                editor.progress(WorkDoneProgress::End(WorkDoneProgressEnd::default()));
                let first = first.to_string_lossy();
                // The editor shows what the window shares.
                let options = if cfg!(unix) { ["--editor"].as_slice() } else { &[] };
                if let Err(error) = child(work, &[&[&*first], options].concat()) {
                    editor.show(MessageType::ERROR, error);
                }
                return;
            }
        }
        editor.progress(WorkDoneProgress::End(WorkDoneProgressEnd::default()));
    });
}

/// Opens the file that the arguments of a command name, with what is to be selected in it. `Err` says why there is none.
pub(super) fn open(editor: &mut Editor, arguments: &[Value]) -> Result<(), String> {
    let uri = arguments.first().and_then(|argument| Uri::from_str(argument.as_str()?).ok());
    editor.commands += 1;
    let selection = arguments.get(1).and_then(|range| serde_json::from_value(range.clone()).ok());
    editor.open(uri.ok_or_else(|| format!("{OPEN_COMMAND} needs the URI of a file"))?, selection);
    Ok(())
}

impl Editor {
    fn send(&self, message: impl Into<Message>) {
        // If the editor has left, nobody wants to know.
        let _ = self.news.send(News::Message(message.into()));
    }

    fn show(&self, typ: MessageType, message: String) {
        let params = ShowMessageParams { typ, message };
        self.send(Notification::new(notification::ShowMessage::METHOD.to_owned(), params));
    }

    fn progress(&self, step: WorkDoneProgress) {
        if !self.shows_progress {
            return;
        }
        let name = format!("flockwork {}", self.commands);
        let token = NumberOrString::String(name.clone());
        if matches!(step, WorkDoneProgress::Begin(_)) {
            let params = WorkDoneProgressCreateParams { token: token.clone() };
            let method = request::WorkDoneProgressCreate::METHOD.to_owned();
            self.send(Request::new(RequestId::from(name), method, params));
        }
        let params = ProgressParams { token, value: ProgressParamsValue::WorkDone(step) };
        self.send(Notification::new(notification::Progress::METHOD.to_owned(), params));
    }

    /// Tests scenarios, and tells how each one ended.
    fn test(&self, scenarios: &[PathBuf]) {
        let test = |scenario: &PathBuf| {
            let case = Case::open(scenario);
            let result = case.test();
            let name = name_of(scenario);
            let word = match result.outcome {
                TestOutcome::Passed => "passed",
                TestOutcome::Untested => "has neither expectations nor a golden",
                _ => "failed",
            };
            let mut lines = vec![format!("{name}: {word}")];
            lines.extend(result.errors.iter().map(|error| error.message.clone()));
            lines.extend(result.golden_error.iter().map(|error| error.message.clone()));
            if result.comparison.as_ref().is_some_and(|of| !of.is_same() && !of.is_within_tolerance)
            {
                lines.push(format!("the run differs from its golden: {}", case.review_command()));
            }
            let mut errors = result.errors.clone();
            case.add_deciding_lines(&result, &mut errors);
            let tested = News::Tested { scenario: scenario.clone(), errors };
            let _ = self.news.send(tested);
            (result.outcome == TestOutcome::Passed, lines.join("\n"))
        };
        // The server keeps the other processor.
        let results = with_threads(1, || scenarios.iter().map(test).collect::<Vec<_>>());
        let Ok(results) = results else { return };
        let passed = results.iter().filter(|(has_passed, _)| *has_passed).count();
        let mut lines = Vec::new();
        if results.len() > 1 {
            lines.push(format!("{passed} of {} scenarios passed", results.len()));
        }
        let is_reported = |has_passed: bool| !has_passed || results.len() == 1;
        let reported = results.iter().filter(|(has_passed, _)| is_reported(*has_passed));
        lines.extend(reported.map(|(_, line)| line.clone()));
        let all = passed == results.len();
        self.show(if all { MessageType::INFO } else { MessageType::ERROR }, lines.join("\n"));
    }

    /// Explains what an agent decides at a tick: the selected one, or the first of some groups; of all groups if none are given.
    fn explain(&self, scenario: &Path, groups: &[String], selected: Option<(AgentId, u64)>) {
        let agent = selected.map_or_else(|| first_agent(scenario, groups), Ok);
        let explained = agent.and_then(|(id, tick)| {
            let (id, tick) = (id.to_string(), tick.to_string());
            let arguments = [&*scenario.to_string_lossy(), "--agent", &id, "--tick", &tick];
            child(Work::Explain, &arguments)
        });
        self.show_text(Work::Explain, explained);
    }

    /// Shows what a command wrote as a file, which has room for it; or why it failed.
    fn show_text(&self, work: Work, output: Result<String, String>) {
        let written = output.as_ref().ok().filter(|_| self.opens_files);
        let Some(uri) = written.and_then(|text| self.write(work, text)) else {
            return match output {
                Ok(text) => self.show(MessageType::INFO, text),
                Err(error) => self.show(MessageType::ERROR, error),
            };
        };
        self.open(uri, None);
    }

    /// Writes a text into a temporary file that editors open: that of the same command before, so that not each time opens another one.
    fn write(&self, work: Work, text: &str) -> Option<Uri> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        (0..100).find_map(|number| {
            let name = format!("flockwork {} {}-{number}.txt", work.name(), std::process::id());
            let path = env::temp_dir().join(name);
            // Never in place of another file that is there.
            let file = match shown.get(&path) {
                Some(last) => OutputFile::rewrite(&path, Arc::clone(last)),
                None => OutputFile::create_new(&path),
            };
            file.ok()?.write_whole(text).ok()?;
            shown.insert(path.clone(), Source::new(path.to_string_lossy(), text));
            uri(&path)
        })
    }

    fn open(&self, uri: Uri, selection: Option<Range>) {
        let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection };
        let method = request::ShowDocument::METHOD.to_owned();
        let id = RequestId::from(format!("show {}", self.commands));
        self.send(Request::new(id, method, params));
    }
}

/// Returns the first agent of some groups, or of all, and the tick to explain.
fn first_agent(scenario: &Path, groups: &[String]) -> Result<(AgentId, u64), String> {
    let run = with_threads(1, || Run::open(scenario, &Options::default()));
    let run = run.map_err(|error| error.to_string())?.map_err(|errors| errors.to_string())?;
    let world = run.simulation().world();
    let is_asked = |row: &usize| {
        let group = &world.groups[usize::from(world.agents.group[*row].0)];
        groups.is_empty() || groups.iter().any(|name| **name == *group.name)
    };
    let row = (0..world.agents.len()).find(is_asked);
    let row = row.ok_or("no agent uses the script at the start")?;
    Ok((world.agents.id[row], EXPLAINED_TICK.min(run.ticks()).max(run.tick())))
}

/// Runs a command of this program and returns what it wrote. `Err` has what it wrote about its failure.
fn child(work: Work, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env::current_exe().map_err(|error| error.to_string())?);
    command.arg(work.name()).args(arguments).stdin(Stdio::null());
    if work == Work::View {
        command.stdout(Stdio::null());
        // It outlives the editor.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let command = command.stderr(Stdio::piped()).env("NO_COLOR", "1");
    let Output { status, stdout, stderr } = match work {
        Work::View => command.spawn().and_then(std::process::Child::wait_with_output),
        _ => command.output(),
    }
    .map_err(|error| format!("cannot start flockwork {}: {error}", work.name()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if status.success() {
        Ok(text(&stdout))
    } else {
        Err(format!("flockwork {} failed\n{}", work.name(), text(&stderr)))
    }
}
