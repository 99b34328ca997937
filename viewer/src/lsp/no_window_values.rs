//! Live values on systems without sockets of Unix: there are none.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crossbeam_channel::Sender;
use flockwork_lsp::LiveValues;
use lsp_server::Message;
use lsp_types::ClientCapabilities;

/// No windows.
pub(super) struct Windows;

impl Windows {
    pub(super) fn new(_: LiveValues, _: Sender<Message>, _: &ClientCapabilities) -> Self {
        Self
    }

    pub(super) fn follow(&mut self, _: &BTreeSet<PathBuf>) {}
}
