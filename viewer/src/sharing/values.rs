//! The values that the selected agent computes in its next turn.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::live::Session;
use flockwork_engine::world::AgentId;
use flockwork_lsp::{SharedFile, SharedValue, SharedValues};

/// Maximum number of values.
const MAX_VALUES: usize = 4000;

/// Returns the values of an agent in its next turn; `None` if there are none.
pub(crate) fn values(session: &Session, agent: AgentId) -> Option<SharedValues> {
    let simulation = session.simulation();
    let world = simulation.world();
    let group = world.agent(world.agents.row(agent)?).group().name.to_string();
    let mut files: Vec<SharedFile> = Vec::new();
    let values = simulation.values(agent).ok()?.into_iter();
    for value in values.take(MAX_VALUES) {
        let source = &value.place.source;
        let Ok(path) = Path::new(&source.name).canonicalize() else { continue };
        let source = Arc::clone(source);
        let shared = SharedValue::from(value);
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.values.push(shared),
            None => {
                let text = source.text.clone();
                files.push(SharedFile { path, text, values: vec![shared] });
            }
        }
    }
    Some(SharedValues { tick: session.tick(), agent, group, columns: None, files })
}
