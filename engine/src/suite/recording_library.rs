//! The texts that a run is made of.

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
    /// One that reads from another.
    pub fn new(library: &'l dyn Library) -> Self {
        Self { library, read: Mutex::default() }
    }

    /// The scripts read so far, by their names.
    pub fn scripts(&self) -> BTreeMap<String, Arc<Source>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The fingerprints of the scripts read so far, in the order of their names.
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
