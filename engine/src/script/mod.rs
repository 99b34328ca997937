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

/// A compiled script.
#[derive(Debug)]
pub struct Script {
    source: Arc<Source>,
}

impl Script {
    /// Reads and compiles a script and everything it imports.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Vec<Diagnostic>> {
        let source = library.read(name).map_err(|error| vec![error])?;
        let source = source.ok_or_else(|| vec![Diagnostic::error("there is no such script")])?;
        Ok(Self { source })
    }

    /// Whether it defines a function.
    pub fn defines(&self, function: &str) -> bool {
        self.source.text.contains(&format!("fn {function}("))
    }
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
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Vec<Diagnostic>> {
        Self::new(Script::compile(name, library)?).map_err(|error| vec![error])
    }

    /// Makes a script a behavior.
    ///
    /// # Errors
    ///
    /// If it has no `steer`.
    pub fn new(script: Script) -> Result<Self, Diagnostic> {
        if script.defines("steer") {
            Ok(Self {})
        } else {
            Err(Diagnostic::error("the script has no function `steer`").at(&script.source, 0..0))
        }
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
