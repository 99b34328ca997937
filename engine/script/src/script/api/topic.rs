//! The topics of the reference.

/// Declares the topics, in the order of the reference.
macro_rules! topics {
    ($($topic:ident $slug:literal $title:literal $about:literal;)*) => {
        /// A part of the reference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the titles say it")]
        #[non_exhaustive]
        pub enum Topic {
            $($topic,)*
        }

        impl Topic {
            /// All topics, in the order of the reference.
            pub const ALL: &[Self] = &[$(Self::$topic),*];

            /// Returns a lowercase word for links.
            pub fn slug(self) -> &'static str {
                match self {
                    $(Self::$topic => $slug,)*
                }
            }

            /// Returns the heading.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$topic => $title,)*
                }
            }

            /// Returns one sentence about its entries.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$topic => $about,)*
                }
            }
        }
    };
}

topics! {
    EntryPoints "scripts" "Functions that you write"
        "Flockwork calls these functions of your script.";
    Primitives "primitives" "Primitives"
        "Methods of `me`. Each returns a force.";
    Combinators "combinators" "Combinators"
        "Functions that combine several forces into one.";
    Me "me" "The agent itself: `me`"
        "Only `me` has these properties and functions.";
    Agents "agents" "Agents: `me` and others"
        "Every agent has these properties, also `me`.";
    Neighborhoods "neighborhoods" "Neighborhoods"
        "The agents that `me.neighbors(radius)` returns.";
    World "world" "The world: `world`"
        "Properties and functions of the world, which all agents share.";
    Obstacles "obstacles" "Obstacles"
        "The obstacles of `world.obstacles` and `world.obstacle(name)`.";
    Paths "paths" "Paths"
        "The paths of `me.path` and `world.path(name)`.";
    Fields "fields" "Flow fields"
        "The fields of `world.field(name)`.";
    Vectors "vectors" "Vectors"
        "Points, directions, velocities and forces. A vector is always finite: an operation that would make another one fails.";
    Numbers "numbers" "Numbers"
        "Integers and floats mix everywhere. Results have the same bits on every machine.";
    Arrays "arrays" "Arrays and maps"
        "The functions that scripts use most; Rhai's book, https://rhai.rs/book, lists the others.";
    Values "values" "Values of any kind"
        "Comparing and showing values.";
    Measures "now" "Measures: `now`"
        "Values that an expectation reads. `now.groups.NAME` has the same values for one group, except `tick`, `time` and `groups`.";
}
