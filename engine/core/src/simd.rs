//! The instruction set for vectors: the widest one of the processor, unless the environment asks for another one.
//!
//! Results do not depend on it, which the tests prove by running with each set. The variable `FLOCKWORK_SIMD` selects one
//! for a whole process: `scalar`, `avx2` or `avx512` on x86-64, `scalar` or `neon` on ARM. A set that the processor does
//! not have is ignored. In WebAssembly the compiler has chosen, `simd128` or `scalar`, and only that one is in the program.

use std::sync::OnceLock;

use pulp::{Arch, WithSimd};

/// The instruction set of this process.
struct InstructionSet {
    arch: Arch,
    name: &'static str,
}

/// Returns the sets that the processor has, the widest first.
fn available() -> Vec<InstructionSet> {
    let mut sets = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::x86::{V3, V4};
        sets.extend(
            V4::try_new().map(|simd| InstructionSet { arch: Arch::V4(simd), name: "avx512" }),
        );
        sets.extend(
            V3::try_new().map(|simd| InstructionSet { arch: Arch::V3(simd), name: "avx2" }),
        );
    }
    #[cfg(target_arch = "aarch64")]
    {
        use pulp::aarch64::Neon;
        sets.extend(
            Neon::try_new().map(|simd| InstructionSet { arch: Arch::Neon(simd), name: "neon" }),
        );
    }
    #[cfg(all(target_family = "wasm", target_feature = "simd128"))]
    sets.push(InstructionSet { arch: Arch::new(), name: "simd128" });
    sets.push(InstructionSet { arch: Arch::Scalar, name: "scalar" });
    sets
}

fn selected() -> &'static InstructionSet {
    static SELECTED: OnceLock<InstructionSet> = OnceLock::new();
    SELECTED.get_or_init(|| {
        let wanted = std::env::var("FLOCKWORK_SIMD").unwrap_or_default();
        let mut sets = available();
        let place = sets.iter().position(|set| set.name == wanted).unwrap_or(0);
        sets.swap_remove(place)
    })
}

/// Returns the name of the instruction set that this process uses: `avx512`, `avx2`, `neon`, `simd128` or `scalar`.
pub fn instruction_set() -> &'static str {
    selected().name
}

/// Runs work that is compiled for each instruction set.
#[inline]
pub fn dispatch<W: WithSimd>(work: W) -> W::Output {
    run(selected().arch, work)
}

#[cfg(not(target_family = "wasm"))]
#[inline]
fn run<W: WithSimd>(arch: Arch, work: W) -> W::Output {
    arch.dispatch(work)
}

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
#[inline]
fn run<W: WithSimd>(_: Arch, work: W) -> W::Output {
    let simd = pulp::wasm::Simd128::try_new().expect("this is compiled for these vectors");
    pulp::Simd::vectorize(simd, work)
}

#[cfg(all(target_family = "wasm", not(target_feature = "simd128")))]
#[inline]
fn run<W: WithSimd>(_: Arch, work: W) -> W::Output {
    pulp::Simd::vectorize(pulp::Scalar, work)
}

/// Does the same for work on few numbers at once, which would leave most of the widest vectors empty: on x86-64 with
/// vectors of eight numbers at most.
#[inline]
pub(crate) fn dispatch_short<W: WithSimd>(work: W) -> W::Output {
    static SHORT: OnceLock<Arch> = OnceLock::new();
    let short = SHORT.get_or_init(|| {
        let selected = selected();
        let shorter = available().into_iter().find(|set| set.name == "avx2");
        match shorter {
            Some(shorter) if selected.name == "avx512" => shorter.arch,
            _ => selected.arch,
        }
    });
    run(*short, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without this, tests that are run with another set on purpose could silently use the usual one.
    #[test]
    fn the_environment_selects_the_set() {
        let sets: Vec<&str> = available().iter().map(|set| set.name).collect();
        match std::env::var("FLOCKWORK_SIMD") {
            Ok(wanted) if sets.contains(&wanted.as_str()) => assert_eq!(instruction_set(), wanted),
            _ => assert_eq!(instruction_set(), sets[0]),
        }
    }
}
