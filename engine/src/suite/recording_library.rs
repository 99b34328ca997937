//! Records which scripts a run reads.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::{Diagnostic, Source};
use crate::golden::Fingerprint;
use crate::script::Library;

/// A library that remembers which scripts were read from it.
pub struct RecordingLibrary<'l> {
    library: &'l dyn Library,
    read: Mutex<BTreeMap<String, Arc<Source>>>,
}

impl<'l> RecordingLibrary<'l> {
    /// Returns a library that reads from another one.
    pub fn new(library: &'l dyn Library) -> Self {
        Self { library, read: Mutex::default() }
    }

    /// Returns the scripts read so far, by name.
    pub fn scripts(&self) -> BTreeMap<String, Arc<Source>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the fingerprints of the scripts read so far, ordered by name.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        let scripts = self.scripts();
        let print = |(name, source): (&String, &Arc<Source>)| Fingerprint::of(name, &source.text);
        scripts.iter().map(print).collect()
    }
}

impl Library for RecordingLibrary<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let found = self.library.read(name)?;
        if let Some(source) = &found {
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            read.insert(name.to_owned(), Arc::clone(source));
        }
        Ok(found)
    }

    fn names(&self) -> Vec<String> {
        self.library.names()
    }

    fn location(&self) -> Option<String> {
        self.library.location()
    }
}
