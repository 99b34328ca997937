//! Live values of the worlds that an editor shows itself: the editor tells them with the notification `flockwork/values`.

use std::path::PathBuf;

use flockwork_engine::load::real_path;
use flockwork_engine::world::AgentId;
use serde::Deserialize;

use super::live::LiveValues;
use super::shared_values::{SharedFile, SharedValue, SharedValues};

/// The name of the notification.
pub(super) const METHOD: &str = "flockwork/values";

/// What the selected agents of worlds compute.
#[derive(Deserialize)]
pub(super) struct WorldValues {
    /// The folder of the project.
    project: PathBuf,
    /// Of each world in which an agent is selected; the one that the user looked at last comes first.
    values: Vec<TurnValues>,
}

#[derive(Deserialize)]
struct TurnValues {
    tick: u64,
    agent: AgentId,
    group: String,
    #[serde(default)]
    columns: Option<usize>,
    files: Vec<FileValues>,
}

/// The values in a file, whose name is that of its path in the project, and the text that the world runs.
#[derive(Deserialize)]
struct FileValues {
    name: String,
    text: String,
    values: Vec<SharedValue>,
}

impl WorldValues {
    /// Sets the values of the project. Returns whether they have changed.
    pub(super) fn set(self, live: &LiveValues) -> bool {
        let file = |FileValues { name, text, values }| SharedFile {
            path: real_path(&self.project.join(name)),
            text,
            values,
        };
        let world = |TurnValues { tick, agent, group, columns, files }: TurnValues| {
            let files = files.into_iter().map(file).collect();
            SharedValues { tick, agent, group, columns, files }
        };
        live.set(&real_path(&self.project), self.values.into_iter().map(world).collect())
    }
}
