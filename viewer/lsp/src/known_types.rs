//! The types that are kept between two requests.

use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::script::InferredType;

/// The types in the script that was asked for last.
#[derive(Default)]
pub(super) struct KnownTypes {
    /// The script, the scenarios and everything that they use, with what is in those that can be read. The script comes first.
    pub(super) based_on: Vec<(Option<Arc<Source>>, PathBuf)>,
    pub(super) types: Vec<InferredType>,
}
