//! Inputs: booleans that come from outside, from keys of the window or from events.

use std::sync::Arc;

use super::World;

/// An input: a boolean that scripts read as `world.inputs.name`. [`Action::Input`](crate::sim::Action::Input) sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// The name of the key that sets it in the window, one of [`Input::KEYS`].
    pub key: Arc<str>,
    /// Whether it is true now: whether its key is down.
    pub is_down: bool,
}

impl Input {
    /// The names of the keys that an input can have.
    pub const KEYS: [&'static str; 52] = [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "i",
        "j",
        "k",
        "l",
        "m",
        "n",
        "o",
        "p",
        "q",
        "r",
        "s",
        "t",
        "u",
        "v",
        "w",
        "x",
        "y",
        "z",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "space",
        "enter",
        "tab",
        "backspace",
        "shift",
        "left",
        "right",
        "up",
        "down",
        "home",
        "end",
        "page up",
        "page down",
        "delete",
        ".",
        ",",
    ];

    /// Returns an input that is false.
    pub fn new(name: &str, key: &str) -> Self {
        Self { name: name.into(), key: key.into(), is_down: false }
    }
}

/// The inputs of a world.
impl World {
    /// Returns the index of the input with a name.
    pub fn input_named(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| *input.name == *name)
    }

    /// Returns the names of the inputs that are true now, in the order of the scenario.
    pub fn inputs_down(&self) -> Vec<Arc<str>> {
        let down = self.inputs.iter().filter(|input| input.is_down);
        down.map(|input| Arc::clone(&input.name)).collect()
    }

    /// Makes the inputs with these names true, and all others false.
    #[doc(hidden)]
    pub fn set_inputs_down(&mut self, names: &[Arc<str>]) {
        for input in &mut self.inputs {
            input.is_down = names.contains(&input.name);
        }
    }
}
