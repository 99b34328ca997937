//! State that only one thread at a time can use.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::PyResult;

use crate::errors;

/// What an object holds. Nobody waits for it: a second thread, or a function that a tick has called, gets an error.
pub(crate) struct Cell<T>(Mutex<T>);

impl<T> Cell<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Returns access to it.
    ///
    /// # Errors
    ///
    /// If it is in use.
    pub(crate) fn get(&self) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Ok(guard),
            // A panic has become an error of Python already.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(errors::busy()),
        }
    }
}
