//! Takes the page for browsers into the program, if the variable `FLOCKWORK_PAGE` has its absolute path: see `viewer/web/build`.

use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    println!("cargo::rerun-if-env-changed=FLOCKWORK_PAGE");
    if let Ok(page) = env::var("FLOCKWORK_PAGE") {
        println!("cargo::rerun-if-changed={page}");
        println!("cargo::rustc-env=FLOCKWORK_PAGE_FILE={page}");
        println!("cargo::rustc-cfg=has_page");
    }
}
