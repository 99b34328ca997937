//! Behaviors written as Rhai scripts: the only module that knows Rhai.

use std::sync::Arc;

use crate::diag::{Diagnostic, Source};
use crate::sim::{Brain, Fault, Message, Turns};
use crate::world::World;

/// Where scripts come from: names to texts. The names are those of the scripts folder, without ending,
/// folders separated by `/`.
pub trait Library {
    /// The text of a script; `None` if there is no such script.
    ///
    /// # Errors
    ///
    /// If there is one, but it cannot be read.
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic>;

    /// The names of all scripts, for suggestions.
    fn names(&self) -> Vec<String>;
}

/// A compiled behavior.
#[derive(Debug)]
pub struct Behavior {}

impl Behavior {
    /// Reads, compiles and checks a behavior and everything it imports.
    ///
    /// # Errors
    ///
    /// Everything found wrong with them.
    pub fn compile(_name: &str, _library: &dyn Library) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self {})
    }
}

impl Brain for Behavior {
    fn begin(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), Fault> {
        Ok(())
    }

    fn decide(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), Fault> {
        Ok(())
    }
}
