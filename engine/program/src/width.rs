//! How many lanes a machine has, and how many of them it computes at once.
//!
//! The code of an operation is the same for every width, so the bits of a lane are too.

use std::array;
use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use pulp::{Scalar, WithSimd};

use crate::simd;

/// The shape of the columns of a machine: chunks of lanes.
pub trait Width: Copy + Debug + 'static {
    /// The values of a column in one chunk.
    type Chunk<T: Copy + Debug>: Index<usize, Output = T> + IndexMut<usize> + Copy + Debug;
    /// All chunks of a column.
    type Chunks<T: Copy + Debug>: Index<usize, Output = Self::Chunk<T>>
        + IndexMut<usize>
        + Copy
        + Debug;

    /// The number of lanes in a chunk, which are computed at once.
    const CHUNK: usize;
    /// The number of chunks.
    const CHUNKS: usize;
    /// The number of lanes.
    const LANES: usize = Self::CHUNK * Self::CHUNKS;

    /// Returns a chunk from a function of the lane in it.
    fn each<T: Copy + Debug>(of: impl FnMut(usize) -> T) -> Self::Chunk<T>;

    /// Returns chunks that are all the same.
    fn chunks<T: Copy + Debug>(chunk: Self::Chunk<T>) -> Self::Chunks<T>;

    /// Runs code that is compiled for the vectors that these chunks need.
    fn run(code: impl WithSimd<Output = ()>);
}

/// For one agent.
#[derive(Clone, Copy, Debug)]
pub struct One;

/// For a few agents: one chunk, so that all columns together stay small.
#[derive(Clone, Copy, Debug)]
pub struct Few;

/// For a full block of agents.
#[derive(Clone, Copy, Debug)]
pub struct Many;

impl Width for One {
    type Chunk<T: Copy + Debug> = [T; 1];
    type Chunks<T: Copy + Debug> = [[T; 1]; 1];

    const CHUNK: usize = 1;
    const CHUNKS: usize = 1;

    #[inline(always)]
    fn each<T: Copy + Debug>(of: impl FnMut(usize) -> T) -> [T; 1] {
        array::from_fn(of)
    }

    #[inline(always)]
    fn chunks<T: Copy + Debug>(chunk: [T; 1]) -> [[T; 1]; 1] {
        [chunk]
    }

    fn run(code: impl WithSimd<Output = ()>) {
        code.with_simd(Scalar);
    }
}

/// As many lanes as the widest vectors have.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Vector<T>([T; 16]);

impl<T> Index<usize> for Vector<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, lane: usize) -> &T {
        &self.0[lane]
    }
}

impl<T> IndexMut<usize> for Vector<T> {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut T {
        &mut self.0[lane]
    }
}

macro_rules! widths_of_vectors {
    ($($width:ident: $chunks:literal;)*) => {
        $(impl Width for $width {
            type Chunk<T: Copy + Debug> = Vector<T>;
            type Chunks<T: Copy + Debug> = [Vector<T>; $chunks];

            const CHUNK: usize = 16;
            const CHUNKS: usize = $chunks;

            #[inline(always)]
            fn each<T: Copy + Debug>(of: impl FnMut(usize) -> T) -> Vector<T> {
                Vector(array::from_fn(of))
            }

            #[inline(always)]
            fn chunks<T: Copy + Debug>(chunk: Vector<T>) -> [Vector<T>; $chunks] {
                [chunk; $chunks]
            }

            fn run(code: impl WithSimd<Output = ()>) {
                simd::dispatch(code);
            }
        })*
    };
}

widths_of_vectors! {
    Few: 1;
    Many: 8;
}
