//! The library as a whole, from outside.
#![expect(
    clippy::disallowed_methods,
    reason = "tests, which may compare against the platform"
)]

mod tidy;
