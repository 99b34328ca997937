//! The side of the window: it listens, and sends each language server the newest values.
//!
//! Nothing here waits for an editor: the player and the window only replace what is to be sent. Each connection has two threads, one
//! that notices its end and one that sends. A slow reader gets the newest values only.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::world::AgentId;

use super::messages::{FromWindow, Hello, VERSION};
use super::socket::{self, Lines};
use super::values::values;

/// Minimum time between two sets of values for an editor: values that change faster cannot be read.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a language server may take to say hello, or to take a message.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of language servers at a time.
const MAX_READERS: usize = 8;

/// The state that is sent to language servers.
#[derive(Default)]
struct State {
    values: Option<Arc<FromWindow>>,
    /// Counts the sets of values.
    number: u64,
    readers: BTreeMap<u64, Reader>,
    /// Counts the connections.
    connected: u64,
    has_ended: bool,
}

/// A language server.
#[derive(Default)]
struct Reader {
    can_show: bool,
    /// The number of the values that it was sent last.
    sent: u64,
    /// Lines to show.
    lines: VecDeque<FromWindow>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Something is to be sent, or a connection ends.
    changed: Condvar,
    on_reader: Mutex<Option<Box<dyn Fn() + Send + Sync>>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shares what a window shows until it is dropped.
pub(crate) struct Host {
    path: PathBuf,
    shared: Arc<Shared>,
}

impl Host {
    /// Begins to share, for the project of a scenario.
    ///
    /// # Errors
    ///
    /// If another window of the project shares already, or if other users could read what is shared. The error is a message for
    /// people.
    pub(crate) fn open(scenario: &Path) -> Result<Self, String> {
        let project = ScriptsFolder::of_scenario(scenario);
        let project = project
            .holder()
            .ok_or("nothing is shared with editors: there is no folder `scripts`")?;
        let (listener, path) = socket::listen(project)?;
        let shared = Arc::new(Shared::default());
        let sharing = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if sharing.state().has_ended {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let sharing = Arc::clone(&sharing);
                thread::spawn(move || read(&stream, &sharing));
            }
        });
        Ok(Self { path, shared })
    }

    /// Sets the function to call when a language server connects: it needs the current values.
    pub(crate) fn on_reader(&self, action: impl Fn() + Send + Sync + 'static) {
        *self.shared.on_reader.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Box::new(action));
    }

    /// Returns whether a language server would read values now. While time passes, values are only wanted when the last ones were
    /// sent.
    pub(crate) fn wants_values(&self, is_resting: bool) -> bool {
        let state = self.shared.state();
        let mut readers = state.readers.values();
        readers.any(|reader| is_resting || reader.sent == state.number)
    }

    /// Shares the values of an agent at the tick of a session.
    pub(crate) fn share(&self, session: &Session, agent: Option<AgentId>) {
        let values = agent.and_then(|agent| values(session, agent));
        let values = FromWindow::Values(values);
        let mut state = self.shared.state();
        if state.values.as_deref() != Some(&values) {
            state.values = Some(Arc::new(values));
            state.number += 1;
            self.shared.changed.notify_all();
        }
    }

    /// Asks the editor that has connected last to show a line. Returns false if none can.
    pub(crate) fn show(&self, file: &str, line: usize) -> bool {
        let (Ok(file), Ok(line)) = (Path::new(file).canonicalize(), u32::try_from(line)) else {
            return false;
        };
        let mut state = self.shared.state();
        let Some(reader) = state.readers.values_mut().rev().find(|reader| reader.can_show) else {
            return false;
        };
        // Of lines that it has not taken yet, only the last one counts.
        reader.lines = VecDeque::from([FromWindow::Show { file, line }]);
        self.shared.changed.notify_all();
        true
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.shared.state().has_ended = true;
        self.shared.changed.notify_all();
        // The thread that listens must notice it.
        let _ = UnixStream::connect(&self.path);
        let _ = fs::remove_file(&self.path);
    }
}

/// Serves a language server until it leaves. Its messages after the first one do not matter.
fn read(stream: &UnixStream, shared: &Arc<Shared>) {
    let timeouts = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
    let hello = timeouts.and_then(|()| Lines::new(stream).receive::<Hello>());
    let (Ok(hello), Ok(to)) = (hello, stream.try_clone()) else { return };
    if hello.version != VERSION || stream.set_read_timeout(None).is_err() {
        return;
    }
    let id = {
        let mut state = shared.state();
        if state.readers.len() >= MAX_READERS || state.has_ended {
            return;
        }
        state.connected += 1;
        let id = state.connected;
        let reader = Reader { can_show: hello.can_show, ..Reader::default() };
        state.readers.insert(id, reader);
        id
    };
    let sending = Arc::clone(shared);
    thread::spawn(move || send(to, &sending, id));
    if let Some(action) = &*shared.on_reader.lock().unwrap_or_else(PoisonError::into_inner) {
        action();
    }
    let mut stream = stream;
    let mut ignored = [0; 512];
    while std::io::Read::read(&mut stream, &mut ignored).is_ok_and(|count| count > 0) {}
    shared.state().readers.remove(&id);
    shared.changed.notify_all();
}

/// Sends new messages to a language server, until its connection or the window ends.
fn send(mut to: UnixStream, shared: &Shared, id: u64) {
    let mut sent_at: Option<Instant> = None;
    let mut is_well = socket::send(&mut to, &FromWindow::Version(VERSION)).is_ok();
    let mut state = shared.state();
    while is_well && !state.has_ended {
        let (number, values) = (state.number, state.values.clone());
        let Some(reader) = state.readers.get_mut(&id) else { break };
        let early = sent_at.map_or(Duration::ZERO, |at| PAUSE.saturating_sub(at.elapsed()));
        let message = if let Some(line) = reader.lines.pop_front() {
            Some(Arc::new(line))
        } else if reader.sent != number && early.is_zero() {
            sent_at = Some(Instant::now());
            reader.sent = number;
            values
        } else {
            None
        };
        if let Some(message) = message {
            drop(state);
            is_well = socket::send(&mut to, &*message).is_ok();
            state = shared.state();
        } else if reader.sent != number {
            state = match shared.changed.wait_timeout(state, early) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        } else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
    drop(state);
    // The thread that reads from it ends, too.
    let _ = to.shutdown(std::net::Shutdown::Both);
}
