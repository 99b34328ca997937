//! Finds all scripts that a script imports, directly or not.

use std::collections::BTreeSet;

use super::compile::Script;

/// Returns a script and all scripts that it imports, directly or not, each once.
pub(super) fn all(script: &Script) -> Vec<&Script> {
    let mut all = Vec::new();
    let mut known: BTreeSet<*const Script> = BTreeSet::new();
    let mut waiting = vec![script];
    while let Some(script) = waiting.pop() {
        if known.insert(script) {
            all.push(script);
            let imported = script.modules.iter().rev();
            waiting.extend(imported.map(|(_, module)| &**module));
        }
    }
    all
}
