//! Tells an editor how far a search for a breakpoint has come. Editors show only "running" otherwise.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::protocol::Editor;

/// Time after which a search is told, so that nothing flickers.
const FIRST: Duration = Duration::from_millis(300);
/// Time between two reports.
const NEXT: Duration = Duration::from_millis(200);

/// The search that runs now, as the editor sees it.
#[derive(Default)]
pub(super) struct Progress {
    /// Whether the editor can show it.
    is_supported: bool,
    /// Number of searches that were told, which names them.
    count: u64,
    /// When it is told next; `None` without a search.
    due: Option<Instant>,
    /// Whether the editor knows of it.
    is_told: bool,
}

impl Progress {
    /// Takes what an editor says about itself.
    pub(super) fn initialize(&mut self, arguments: &Value) {
        self.is_supported = arguments["supportsProgressReporting"] == true;
    }

    /// Tells the tick that a search has reached, if it is time for that. `ticks` is the number of ticks of the scenario.
    pub(super) fn reach<W: Write>(
        &mut self,
        editor: &mut Editor<W>,
        tick: u64,
        ticks: u64,
    ) -> io::Result<()> {
        let now = Instant::now();
        let due = *self.due.get_or_insert_with(|| now + FIRST);
        if !self.is_supported || now < due {
            return Ok(());
        }
        self.due = Some(now + NEXT);
        let message = format!("tick {tick} of {ticks}");
        if self.is_told {
            let body = json!({ "progressId": self.id(), "message": message });
            return editor.tell("progressUpdate", body);
        }
        self.is_told = true;
        self.count += 1;
        let body = json!({
            "progressId": self.id(), "title": "Searching for a breakpoint", "message": message, "cancellable": true,
        });
        editor.tell("progressStart", body)
    }

    /// Tells that the search has ended.
    pub(super) fn end<W: Write>(&mut self, editor: &mut Editor<W>) -> io::Result<()> {
        self.due = None;
        if !std::mem::take(&mut self.is_told) {
            return Ok(());
        }
        editor.tell("progressEnd", json!({ "progressId": self.id() }))
    }

    /// Returns whether a request is about the search that runs now.
    pub(super) fn is_named_by(&self, arguments: &Value) -> bool {
        self.is_told && arguments["progressId"] == *self.id()
    }

    fn id(&self) -> String {
        format!("search-{}", self.count)
    }
}
