//! All the scripts that a script reaches by its imports.

use std::collections::BTreeSet;

use super::compile::Script;

/// A script and all that it imports, also on the way over others, each once.
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
