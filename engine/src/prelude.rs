//! The names that most programs need: `use flockwork_engine::prelude::*;`.
//!
//! ```
//! use flockwork_engine::prelude::*;
//!
//! # fn main() -> Result<(), Diagnostics> {
//! let scenario = r#"(
//!     world: (size: (100, 100)),
//!     groups: { "birds": (behavior: "fly", count: 20, spawn: Disc(center: (50, 50), radius: 20)) },
//! )"#;
//! let scripts = Scripts::new().with("fly", "fn steer(me) { me.wander() }");
//! let run = Run::new(&Source::new("birds.ron", scenario), &scripts, &Options::default())?;
//! let birds = run.world().group_named("birds")?;
//! let first = run.world().members(birds).next().expect("there are 20");
//! assert_eq!(run.world().find(first.id()).map(|bird| bird.pos()), Some(first.pos()));
//!
//! let error = run.world().group_named("bords").unwrap_err().to_string();
//! assert!(error.contains("there is no group `bords`") && error.contains("did you mean `birds`?"));
//! # Ok(())
//! # }
//! ```

pub use flockwork_core::prelude::*;

pub use crate::diag::Source;
pub use crate::load;
pub use crate::runner::{Batch, Options, Run};
pub use crate::script::Scripts;
