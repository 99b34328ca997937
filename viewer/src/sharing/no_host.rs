//! Sharing on systems without sockets of Unix: it says that it is not possible.

use std::path::Path;

use flockwork_engine::live::Session;
use flockwork_engine::world::AgentId;

/// There is none.
#[derive(Debug)]
pub(crate) enum Host {}

impl Host {
    /// Says that it is not possible.
    pub(crate) fn open(_: &Path) -> Result<Self, String> {
        Err("nothing is shared with editors: this system has no sockets of Unix".to_owned())
    }

    pub(crate) fn on_reader(&self, _: impl Fn() + Send + Sync + 'static) {
        match *self {}
    }

    pub(crate) fn wants_values(&self, _: bool) -> bool {
        match *self {}
    }

    pub(crate) fn share(&self, _: &Session, _: Option<AgentId>) {
        match *self {}
    }

    pub(crate) fn show(&self, _: &str, _: usize) -> bool {
        match *self {}
    }
}
