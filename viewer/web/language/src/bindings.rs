//! What JavaScript calls.

use std::cell::RefCell;
use std::panic;

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::language::Language;

thread_local! {
    /// What the code said when it broke.
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A language server. If a call traps, the server is lost, and [`failure`] says why.
#[wasm_bindgen(js_name = Language)]
pub struct JsLanguage(Language);

#[wasm_bindgen(js_class = Language)]
impl JsLanguage {
    /// Returns a server without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript has no defaults")]
    pub fn new() -> Self {
        panic::set_hook(Box::new(|panic| FAILURE.set(panic.to_string())));
        Self(Language::default())
    }

    /// Takes a message, and returns the answers as a JSON array.
    pub fn message(&mut self, json: &str) -> Result<String, JsError> {
        Ok(self.0.message(json)?)
    }

    /// Checks the next file that waits, and returns the messages about it as a JSON array; `null` if none waits.
    pub fn idle(&mut self) -> Result<Option<String>, JsError> {
        if !self.0.is_waiting() {
            return Ok(None);
        }
        Ok(Some(self.0.check_some()?))
    }
}

/// Returns why the last call trapped, as far as the code could say it.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "the macro exports it")]
pub fn failure() -> String {
    FAILURE.with_borrow(String::clone)
}
