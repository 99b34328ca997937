//! Answers the requests of an editor.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use flockwork_engine::load::{self, Watch};
use serde_json::{Value, json};

use super::behind_lines::{BehindLine, behind_lines};
use super::breakpoints::{Told, Wanted};
use super::edited_line::LineChange;
use super::parts::{about_agent, has_parts, parts, shown_text};
use super::progress::Progress;
use super::protocol::{Editor, Request, read};
use super::recorded_turn::{Frame, NamedValue, StepSize};
use super::suggest::{completions, with_meant};
use super::target::Launch;
use super::travel::{FilesFrom, Reloaded, Stop, Travel};

/// Says how a run is started, in the words of configurations of editors.
const NOT_STARTED: &str = "no scenario is being debugged: start one with the request `launch` and \
                           `\"scenario\": \"scenarios/hello.ron\"`, the path of a file";

/// The only thread that an editor sees: the turn of the present agent.
const THREAD: u64 = 1;

/// The numbers of the lists of variables. Those of the functions that run follow each other, the innermost first.
const LINE: u64 = 1;
const AGENT: u64 = 2;
const VARIABLES: u64 = 3;
/// Above the functions of any turn.
const PARTS: u64 = 1 << 20;

/// Debugs for an editor over the standard input and output, until it leaves.
///
/// # Errors
///
/// If the editor sends what is no message, or cannot be written to.
pub(crate) fn serve() -> io::Result<()> {
    let (send, inputs) = channel();
    let from_editor = send.clone();
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let read = read(&mut input).transpose();
            let is_end = !matches!(read, Some(Ok(_)));
            let read = read.map_or(Input::End, Input::Request);
            if from_editor.send(read).is_err() || is_end {
                return;
            }
        }
    });
    let requests = Requests { from: inputs, waiting: RefCell::default() };
    let mut server = Server {
        editor: Editor::new(io::stdout()),
        travel: None,
        launch: None,
        motion: None,
        progress: Progress::default(),
        saves: send,
        watch: None,
    };
    server.serve(&requests)
}

/// What the debugger reacts to.
enum Input {
    Request(io::Result<Request>),
    /// Files of the project may have changed.
    Saved,
    /// The editor has left.
    End,
}

/// An editor writes a file in several steps. It is read when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(50);

/// The requests of the editor and the changes of files, as they come.
struct Requests {
    from: Receiver<Input>,
    waiting: RefCell<VecDeque<Input>>,
}

impl Requests {
    /// Returns whether there is something.
    fn is_any(&self) -> bool {
        match self.from.try_recv() {
            Ok(input) => self.waiting.borrow_mut().push_back(input),
            Err(TryRecvError::Disconnected) => return true,
            Err(TryRecvError::Empty) => {}
        }
        !self.waiting.borrow().is_empty()
    }

    /// Returns the next one. Changes that follow each other at once are one.
    fn next(&self) -> Input {
        let waiting = self.waiting.borrow_mut().pop_front();
        let next = waiting.or_else(|| self.from.recv().ok()).unwrap_or(Input::End);
        if let Input::Saved = next {
            let mut waiting = self.waiting.borrow_mut();
            waiting.retain(|other| !matches!(other, Input::Saved));
            while let Ok(other) = self.from.recv_timeout(QUIET) {
                if !matches!(other, Input::Saved) {
                    waiting.push_back(other);
                    break;
                }
            }
        }
        next
    }
}

/// Where a run goes while it is not stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    On,
    Back,
}

/// What follows a request.
enum After {
    Serve,
    Leave,
}

struct Server<W: Write> {
    editor: Editor<W>,
    travel: Option<Travel>,
    launch: Option<Launch>,
    /// Where it runs to now.
    motion: Option<Motion>,
    progress: Progress,
    /// Takes the news that files have changed.
    saves: Sender<Input>,
    /// Watches the files of the run.
    watch: Option<Watch>,
}

impl<W: Write> Server<W> {
    fn serve(&mut self, requests: &Requests) -> io::Result<()> {
        loop {
            if let (Some(motion), Some(travel), false) =
                (self.motion, &mut self.travel, requests.is_any())
            {
                let ticks = travel.ticks();
                let mut told = Ok(());
                let mut ask = |tick| {
                    told = self.progress.reach(&mut self.editor, tick, ticks);
                    told.is_err() || requests.is_any()
                };
                let stop = match motion {
                    Motion::On => travel.run_on(&mut ask),
                    Motion::Back => travel.run_back(&mut ask),
                };
                told?;
                self.tell_messages()?;
                if stop != Stop::Asked {
                    self.tell_stop(&stop)?;
                }
            }
            if self.motion.is_some() && !requests.is_any() {
                continue;
            }
            match requests.next() {
                Input::Request(request) => {
                    if let After::Leave = self.handle(&request?)? {
                        return Ok(());
                    }
                }
                Input::Saved => self.reload()?,
                Input::End => return Ok(()),
            }
        }
    }

    fn handle(&mut self, request: &Request) -> io::Result<After> {
        match &*request.command {
            "initialize" => {
                self.progress.initialize(&request.arguments);
                self.editor.answer(request, capabilities())?;
                self.editor.tell("initialized", json!({}))?;
            }
            "launch" => match Launch::read(&request.arguments) {
                Ok(launch) => return self.open(request, launch),
                Err(why) => self.editor.refuse(request, &why)?,
            },
            "restart" => match self.launch.clone() {
                Some(launch) => return self.open(request, launch),
                None => self.editor.refuse(request, NOT_STARTED)?,
            },
            "disconnect" | "terminate" => {
                self.editor.answer(request, Value::Null)?;
                self.editor.tell("terminated", json!({}))?;
                return Ok(After::Leave);
            }
            "threads" => {
                let name = self.travel.as_ref().and_then(Travel::agent);
                let name = name.map_or_else(
                    || "agents".to_owned(),
                    |(id, group)| format!("agent {id} ({group})"),
                );
                let threads = json!({ "threads": [{ "id": THREAD, "name": name }] });
                self.editor.answer(request, threads)?;
            }
            "setExceptionBreakpoints" => self.editor.answer(request, Value::Null)?,
            "cancel" => {
                self.editor.answer(request, Value::Null)?;
                if let (true, Some(travel)) =
                    (self.progress.is_named_by(&request.arguments), &mut self.travel)
                {
                    let stop = travel.pause();
                    self.tell_messages()?;
                    self.tell_stop(&stop)?;
                }
            }
            _ => match &mut self.travel {
                Some(travel) => {
                    let answered = answer(request, travel);
                    match answered {
                        Ok(body) => self.editor.answer(request, body)?,
                        Err(why) => self.editor.refuse(request, &why)?,
                    }
                    self.go(request)?;
                }
                None => self.editor.refuse(request, NOT_STARTED)?,
            },
        }
        Ok(After::Serve)
    }

    /// Opens a scenario. The breakpoints stay.
    fn open(&mut self, request: &Request, launch: Launch) -> io::Result<After> {
        let mut travel = match Travel::open(&launch) {
            Ok(travel) => travel,
            Err(why) => {
                self.editor.refuse(request, &why)?;
                return Ok(After::Serve);
            }
        };
        let is_restart = self.travel.is_some();
        if let Some(before) = self.travel.take() {
            travel.breakpoints = before.breakpoints;
        }
        let saves = self.saves.clone();
        let watch = Watch::of_scenario(&launch.scenario, move || {
            let _ = saves.send(Input::Saved);
        });
        if let Err(why) = &watch {
            let output = format!("to see an edit, restart: {}\n", why.message);
            self.editor.tell("output", json!({ "category": "stderr", "output": output }))?;
        }
        self.watch = watch.ok();
        self.travel = Some(travel);
        self.launch = Some(launch);
        self.editor.answer(request, Value::Null)?;
        self.tell_versions()?;
        if is_restart {
            self.begin()?;
        }
        Ok(After::Serve)
    }

    /// Runs saved files from the present tick on, and says so.
    fn reload(&mut self) -> io::Result<()> {
        let Some(travel) = &mut self.travel else { return Ok(()) };
        // Folders that were made again are other ones.
        if let Some(watch) = &mut self.watch {
            let _ = watch.renew();
        }
        match travel.reload() {
            Reloaded::Unchanged => Ok(()),
            Reloaded::Failed(errors) => {
                let errors = errors.join("\n");
                let output =
                    format!("{errors}\nthe saved files do not run: the version before goes on\n");
                self.editor.tell("output", json!({ "category": "stderr", "output": output }))
            }
            Reloaded::Adopted(change) => {
                let (tick, stands) = (travel.tick(), travel.place().is_some());
                let whose = travel.agent().zip(travel.frames().into_iter().next());
                let up_to = whose.map_or_else(String::new, |((agent, _), Frame { line, .. })| {
                    let place = match change {
                        LineChange::Same => format!("the same line, which is line {line}"),
                        LineChange::Edited => {
                            format!("the same line, which is line {line} and was edited")
                        }
                        LineChange::Gone => {
                            format!("line {line}: the line where it stood is not run any more")
                        }
                    };
                    format!("; agent {agent} has taken its turn again, up to {place}")
                });
                let output = format!("the saved files run from tick {tick} on{up_to}\n");
                self.editor.tell("output", json!({ "category": "console", "output": output }))?;
                self.tell_versions()?;
                match self.motion {
                    // What the editor shows is of the version before.
                    None if stands => self.tell_stop(&Stop::Changed),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Tells which files run from which tick on, for editors that show the world beside the code.
    fn tell_versions(&mut self) -> io::Result<()> {
        let versions = self.travel.as_ref().map(Travel::versions).unwrap_or_default();
        let version = |one: &FilesFrom| json!({ "tick": one.tick, "project": one.project });
        let versions: Vec<Value> = versions.iter().map(version).collect();
        self.editor.tell("flockworkVersions", json!({ "versions": versions }))
    }

    /// Begins to run, or stops at the first line, also if nothing else would stop it.
    fn begin(&mut self) -> io::Result<()> {
        let stops = self.launch.as_ref().is_some_and(|launch| launch.stop_on_entry)
            || self.travel.as_mut().is_some_and(|travel| !travel.can_stop());
        self.motion = (!stops).then_some(Motion::On);
        match &mut self.travel {
            Some(travel) if stops => {
                let stop = travel.enter();
                self.tell_messages()?;
                self.tell_stop(&stop)
            }
            _ => Ok(()),
        }
    }

    /// Moves as a request asks for, after it was answered.
    fn go(&mut self, request: &Request) -> io::Result<()> {
        let Some(travel) = &mut self.travel else { return Ok(()) };
        let stop = match &*request.command {
            "configurationDone" => return self.begin(),
            "continue" => {
                self.motion = Some(Motion::On);
                return Ok(());
            }
            "reverseContinue" => {
                self.motion = Some(Motion::Back);
                return Ok(());
            }
            "next" => travel.step(StepSize::Over),
            "stepIn" => travel.step(StepSize::Into),
            "stepOut" => travel.step(StepSize::Out),
            "stepBack" => travel.step_back(),
            "pause" => travel.pause(),
            _ => return Ok(()),
        };
        self.tell_messages()?;
        self.tell_stop(&stop)
    }

    /// Tells what scripts have printed.
    fn tell_messages(&mut self) -> io::Result<()> {
        let Some(travel) = &mut self.travel else { return Ok(()) };
        for message in travel.new_messages() {
            let output = format!("{message}\n");
            self.editor.tell("output", json!({ "category": "stdout", "output": output }))?;
        }
        for told in std::mem::take(&mut travel.logged) {
            let words = match told {
                Told::Words(words) => words,
                Told::Failure { condition, why } => {
                    let why = with_meant(travel, &condition, why);
                    format!("the condition `{condition}` cannot be computed: {why}")
                }
            };
            let output = format!("{words}\n");
            self.editor.tell("output", json!({ "category": "console", "output": output }))?;
        }
        Ok(())
    }

    /// Tells that it stands, and why.
    fn tell_stop(&mut self, stop: &Stop) -> io::Result<()> {
        self.motion = None;
        self.progress.end(&mut self.editor)?;
        let (reason, description) = match stop {
            Stop::Breakpoint => ("breakpoint", String::new()),
            Stop::Step => ("step", String::new()),
            Stop::Entry => ("entry", String::new()),
            Stop::Pause | Stop::Asked => ("pause", String::new()),
            Stop::Changed => ("pause", "the program has changed".to_owned()),
            Stop::End(why) => {
                self.editor.tell(
                    "output",
                    json!({ "category": "console", "output": format!("{why}\n") }),
                )?;
                ("pause", (*why).to_owned())
            }
            Stop::Failure(why) => {
                self.editor.tell(
                    "output",
                    json!({ "category": "stderr", "output": format!("{why}\n") }),
                )?;
                ("exception", why.clone())
            }
        };
        let mut body = json!({ "reason": reason, "threadId": THREAD, "allThreadsStopped": true });
        if !description.is_empty() {
            body["description"] = description.clone().into();
            body["text"] = description.into();
        }
        self.editor.tell("stopped", body)?;
        // For editors that show the world beside the code.
        let at = self.travel.as_ref().and_then(|travel| Some((travel.agent()?.0, travel.tick())));
        match at {
            Some((agent, tick)) => {
                self.editor.tell("flockworkTurn", json!({ "agent": agent, "tick": tick }))
            }
            None => Ok(()),
        }
    }
}

/// What the debugger can do.
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": ["."],
        "supportsStepBack": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsCancelRequest": true,
    })
}

/// Answers a request about a run. What moves it follows.
fn answer(request: &Request, travel: &mut Travel) -> Result<Value, String> {
    let arguments = &request.arguments;
    Ok(match &*request.command {
        "configurationDone" | "next" | "stepIn" | "stepOut" | "stepBack" | "pause" => Value::Null,
        "continue" | "reverseContinue" => json!({ "allThreadsContinued": true }),
        "setBreakpoints" => set_breakpoints(arguments, travel)?,
        "stackTrace" => frames(travel),
        "scopes" => {
            let frame = arguments["frameId"].as_u64().unwrap_or_default();
            if frame == 0 {
                travel.unfolded.clear();
            }
            let scope = |name: &str, reference: u64| json!({ "name": name, "variablesReference": reference, "expensive": false });
            // At the first line of a turn, there is none yet: what this line computes is seen at once.
            let has_variables = travel
                .place()
                .is_some_and(|(turn, line)| !turn.variables(line, frame as usize).is_empty());
            let variables = has_variables.then(|| scope("Variables", VARIABLES + frame));
            // Only the innermost function is at a line that computes something.
            let line = (frame == 0).then(|| scope("This line", LINE));
            let all: Vec<Value> =
                [variables, line, Some(scope("Agent", AGENT))].into_iter().flatten().collect();
            json!({ "scopes": all })
        }
        "variables" => {
            let list = arguments["variablesReference"].as_u64();
            let values = match list {
                Some(part @ PARTS..) => travel
                    .unfolded
                    .get((part - PARTS) as usize)
                    .map(|(of, text)| parts(travel, of, text)),
                Some(list @ VARIABLES..) => {
                    let frame = (list - VARIABLES) as usize;
                    travel.place().map(|(turn, line)| turn.variables(line, frame))
                }
                Some(LINE) => travel.place().map(|(turn, line)| turn.on_line(line)),
                Some(AGENT) => Some(about_agent(travel)),
                _ => None,
            };
            // Expressions are computed where the innermost function stands.
            let is_innermost = list.is_some_and(|list| list <= VARIABLES || list >= PARTS);
            let variable = |one: &NamedValue| {
                let reference = if is_innermost { unfolded(travel, one) } else { 0 };
                let value = shown_text(travel, &one.text);
                let name = one
                    .name
                    .rsplit('.')
                    .next()
                    .filter(|_| list >= Some(PARTS))
                    .unwrap_or(&one.name);
                json!({ "name": name, "value": value, "variablesReference": reference, "evaluateName": one.name })
            };
            let all: Vec<Value> = values.unwrap_or_default().iter().map(variable).collect();
            json!({ "variables": all })
        }
        "evaluate" => {
            let text = arguments["expression"].as_str().unwrap_or_default();
            let value = travel.value(text).map_err(|why| with_meant(travel, text, why))?;
            let value = NamedValue { name: text.trim().to_owned(), text: value };
            let reference = unfolded(travel, &value);
            json!({ "result": shown_text(travel, &value.text), "variablesReference": reference })
        }
        // For editors that ask for what stands behind lines.
        "flockworkLineValues" => {
            let script = Path::new(arguments["path"].as_str().unwrap_or_default());
            let frame = arguments["frameId"].as_u64().unwrap_or_default();
            let columns = arguments["columns"].as_u64().map(|columns| columns as usize);
            let all = behind_lines(travel, script, frame as usize, columns).into_iter();
            let line =
                |one: BehindLine| json!({ "line": one.line, "code": one.code, "text": one.text });
            json!({ "lines": all.map(line).collect::<Vec<_>>() })
        }
        "completions" => {
            let text = arguments["text"].as_str().unwrap_or_default();
            let column = arguments["column"].as_u64().unwrap_or(1).saturating_sub(1);
            let before: String = text.chars().take(column as usize).collect();
            let item = |name: String| json!({ "label": name });
            let all: Vec<Value> = completions(travel, &before).into_iter().map(item).collect();
            json!({ "targets": all })
        }
        other => return Err(format!("this debugger does not know the request `{other}`")),
    })
}

/// Returns the number under which the parts of a value can be asked for; 0 if it has none.
fn unfolded(travel: &mut Travel, value: &NamedValue) -> u64 {
    if !has_parts(value) {
        return 0;
    }
    travel.unfolded.push((value.name.clone(), value.text.clone()));
    PARTS + travel.unfolded.len() as u64 - 1
}

fn set_breakpoints(arguments: &Value, travel: &mut Travel) -> Result<Value, String> {
    let path = arguments["source"]["path"].as_str().ok_or("breakpoints need a file")?;
    let wanted = |one: &Value| Wanted {
        line: one["line"].as_u64().unwrap_or_default() as usize,
        condition: one["condition"].as_str().map(str::to_owned),
        log: one["logMessage"].as_str().map(str::to_owned),
    };
    let wanted: Vec<Wanted> = arguments["breakpoints"]
        .as_array()
        .map_or_else(Vec::new, |all| all.iter().map(wanted).collect());
    let all = travel.breakpoints.set(&travel.scenario, Path::new(path), &wanted);
    for (one, set) in wanted.iter().zip(&all) {
        if let Err(why) = set {
            let words = format!("the breakpoint in line {} does nothing: {why}", one.line);
            travel.logged.push(Told::Words(words));
        }
    }
    let one = |(number, set): (usize, Result<usize, String>)| match set {
        Ok(line) => json!({ "id": number, "verified": true, "line": line }),
        Err(why) => json!({ "id": number, "verified": false, "message": why }),
    };
    Ok(json!({ "breakpoints": all.into_iter().enumerate().map(one).collect::<Vec<_>>() }))
}

/// Returns the functions that run, the innermost first.
fn frames(travel: &Travel) -> Value {
    let Some((id, group)) = travel.agent() else {
        return json!({ "stackFrames": [], "totalFrames": 0 });
    };
    let tick = travel.tick();
    let frame = |(number, frame): (usize, Frame)| {
        let path = load::real_path(Path::new(&frame.script.name));
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let of = if number == 0 {
            format!(", agent {id} ({group}), tick {tick}")
        } else {
            String::new()
        };
        json!({
            "id": number, "name": format!("{}{of}", frame.function), "line": frame.line, "column": 1,
            "source": { "name": name, "path": path },
        })
    };
    let all: Vec<Value> = travel.frames().into_iter().enumerate().map(frame).collect();
    json!({ "totalFrames": all.len(), "stackFrames": all })
}
