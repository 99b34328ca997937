//! What programs read: findings, places in files, explanations and the projects of pages as JSON objects. The command line, a browser and other languages
//! have the same ones.

mod explanation;
mod finding;
mod page_project;
mod span;

pub use explanation::explanation;
pub use finding::{Finding, severity};
pub use page_project::PageProject;
pub use span::Span;
