//! Requests that the editor no longer needs the answers of.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lsp_server::{Notification, RequestId};
use lsp_types::notification::{Cancel, Notification as _};
use lsp_types::{CancelParams, NumberOrString};

/// Number of canceled requests that are kept. An editor may cancel requests that have been answered.
const MAX_KEPT: usize = 100;

/// The requests that have been canceled. Clones share them, so another thread can cancel a request while it is being answered.
#[derive(Clone, Default)]
pub struct CanceledRequests(Arc<Mutex<Vec<RequestId>>>);

impl CanceledRequests {
    /// Notes that a request is canceled, if a notification says so. Returns whether it does.
    pub fn take(&self, notification: &Notification) -> bool {
        if notification.method != Cancel::METHOD {
            return false;
        }
        if let Ok(CancelParams { id }) = serde_json::from_value(notification.params.clone()) {
            let mut all = self.all();
            all.push(match id {
                NumberOrString::Number(number) => number.into(),
                NumberOrString::String(text) => text.into(),
            });
            let old = all.len().saturating_sub(MAX_KEPT);
            all.drain(..old);
        }
        true
    }

    /// Returns whether a request is canceled.
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.all().contains(id)
    }

    /// Forgets a request that has been answered.
    pub(super) fn forget(&self, id: &RequestId) {
        self.all().retain(|known| known != id);
    }

    fn all(&self) -> MutexGuard<'_, Vec<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
