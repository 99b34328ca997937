//! The operations, each in one row: what it reads, what it writes, and what else must be known of it.
//!
//! To add one, add its row here, say what it does in [`super::machine`], and emit it where a script is
//! lowered. All else loops over the table: explanations ask for single kinds only where these mean
//! something special, as a sum, a choice or another agent does.

use super::Type;
use super::columns::Bank::{self, B, F, I, V};
use crate::math::{Binary, Compare, Unary};
use crate::world::GroupId;

/// What must be known of an operation beside what it reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpProperty {
    /// What it writes depends only on what it reads: made once, for all agents where it can be.
    Pure,
    /// What it writes is the same all through an agent's tick: made once for each.
    Own,
    /// It sums up a neighborhood: made once for each agent where all agents need it.
    Perceived,
    /// It is done in the lanes of a mask only, since it is costly or can be noticed.
    Masked,
    /// It may put lanes of its mask at fault.
    Faults,
    /// It changes something in place, or something that is no column.
    Changes,
    /// It uses the progress on paths.
    Progress,
}

/// What the table says of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub(crate) reads: &'static [Bank],
    pub(crate) writes: &'static [Bank],
    traits: &'static [OpProperty],
}

impl Signature {
    pub(crate) fn has(&self, what: OpProperty) -> bool {
        self.traits.contains(&what)
    }
}

/// Makes the kinds and their signatures from the table.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $(($($part:ident: $of:ty),+))? : $reads:expr => $writes:expr
        $(, $trait:ident)*;
    )*) => {
        /// What an operation does, with all about it that is in no column. Its tag is a byte of its own, so
        /// that the machine finds the way for it with one jump.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum OpKind {
            $($(#[$doc])* $name $(($($of),+))?,)*
        }

        impl OpKind {
            #[expect(unused_variables, reason = "few signatures depend on what a kind is about")]
            pub(crate) fn signature(self) -> Signature {
                match self {
                    $(Self::$name $(($($part),+))? => Signature {
                        reads: &$reads,
                        writes: &$writes,
                        traits: &[$(OpProperty::$trait),*],
                    },)*
                }
            }
        }
    };
}

operations! {
    // Constants and choices.
    /// A number, by its bits.
    ConstF(bits: u32):              []        => [F],       Pure;
    ConstI(value: i64):             []        => [I],       Pure;
    ConstB(value: bool):            []        => [B],       Pure;
    /// What is written becomes what is read where the mask is set, and stays where it is not.
    BlendF:                         [F, B]    => [F],       Changes;
    BlendI:                         [I, B]    => [I],       Changes;
    BlendB:                         [B, B]    => [B],       Changes;
    /// A mask, what is taken where it is set, what is taken where it is not.
    SelectF:                        [B, F, F] => [F],       Pure;
    SelectI:                        [B, I, I] => [I],       Pure;
    SelectB:                        [B, B, B] => [B],       Pure;

    // Arithmetic.
    Unary(function: Unary):         [F]       => [F],       Pure;
    Binary(function: Binary):       [F, F]    => [F],       Pure;
    /// Checked.
    I2(function: I2):               [I, I]    => [I],       Masked, Faults;
    /// Negated, checked.
    NegI:                           [I]       => [I],       Masked, Faults;
    /// The absolute value, checked.
    AbsI:                           [I]       => [I],       Masked, Faults;
    ToF:                            [I]       => [F],       Pure;
    /// Cut to an integer; at fault where not finite.
    ToI:                            [F]       => [I],       Masked, Faults;
    CompareF(how: Compare):         [F, F]    => [B],       Pure;
    CompareI(how: Compare):         [I, I]    => [B],       Pure;
    Not:                            [B]       => [B],       Pure;
    And:                            [B, B]    => [B],       Pure;
    /// The first without the second.
    AndNot:                         [B, B]    => [B],       Pure;
    Or:                             [B, B]    => [B],       Pure;
    /// Equal booleans.
    Same:                           [B, B]    => [B],       Pure;

    // Vectors.
    /// `math::unit`.
    Unit:                           [V]       => [V],       Pure;
    /// `math::length`.
    Length:                         [V]       => [F],       Pure;
    /// `math::limit`, a negative or undefined length taken for 0.
    Limit:                          [V, F]    => [V],       Pure;
    /// The way from the agent to a point.
    Offset:                         [V]       => [V];

    // Faults: these lanes are done again by the interpreter, which knows what is wrong.
    /// At fault where the vector is not finite.
    Finite:                         [V]       => [],        Masked, Faults;
    Fault:                          []        => [],        Masked, Faults;
    /// Takes the lanes at fault out of a mask, which may be the one that is written.
    Unfaulted:                      [B]       => [B],       Changes;

    // Control: operations by their place in the program.
    /// Goes on there if no lane of the mask takes part.
    SkipIfNone(to: usize):          [B]       => [];
    Jump(to: usize):                []        => [];

    // What is the same for all agents of the group.
    Common(what: SharedNumber):           []        => [F],       Pure;
    CommonI(what: SharedInteger):         []        => [I],       Pure;
    /// Whether there is a cursor.
    HasCursor:                      []        => [B],       Pure;
    /// A param, by the place of its name; at fault where it is not of this type now. It is wrong for
    /// all or for nobody, so that it may be made once.
    Param(name: u16, is: Type):     []        => *is.banks(), Pure, Masked, Faults;

    // What the agent knows of itself.
    Own(what: AgentNumber):                  []        => [F],       Own;
    OwnI(what: AgentInteger):                []        => [I],       Own;
    /// The goal: its place, its radius, and whether there is one.
    Goal:                           []        => [V, F, B], Own;
    /// Its smooth noise at a moment of it.
    Noise:                          [F]       => [F];
    /// The next random number from 0 to 1.
    Draw:                           []        => [F],       Masked, Changes;

    // Others, by their rows. Lanes that are not active may hold any row.
    /// A number of another agent.
    Other(what: AgentNumber):                [I]       => [F];
    OtherI(what: AgentInteger):              [I]       => [I];
    /// What is asked about another agent and the agent's own velocity, and whether there is an answer.
    Encounter(ask: AskOther):       [I, V]    => [F, B],    Masked, Faults;
    /// How far the agent's disc could go with a velocity, for so many seconds.
    Free:                           [V, F]    => [F],       Masked;
    /// Whether another agent that is not faster stands so far ahead, within a radius. The third is the
    /// agent's own velocity.
    Blocked:                        [F, F, V] => [B],       Masked;

    // Neighborhoods, by their place. All are at fault where the radius is none.
    /// How many, the sum of the ways to them, the sum of their velocities.
    Means(near: u16):               []        => [I, V, V], Masked, Faults, Perceived;
    Push(near: u16):                []        => [V],       Masked, Faults, Perceived;
    /// The row of the nearest, and whether there is one.
    Nearest(near: u16):             []        => [I, B],    Masked, Faults, Perceived;
    /// The lowest row, and whether there is one.
    First(near: u16):               []        => [I, B],    Masked, Faults;
    /// Takes down the neighbors of each lane in the order of their rows; how many.
    List(near: u16, list: u16):     []        => [I],       Masked, Faults, Changes;
    /// One of those taken down; 0 where there are not so many.
    Listed(list: u16):              [I]       => [I];

    // Obstacles and paths, by their place. Lanes that are not active may hold any place.
    /// The first place of an obstacle on the way between two points, and whether there is one.
    Ray:                            [V, V]    => [V, B],    Masked;
    /// The first obstacle that a disc at the agent's place touches: in which direction, how far and how
    /// large; how far it gets, the normal there, and whether there is one. Lanes that are not active find none.
    FirstHit:                       [V, F, F] => [F, V, B], Masked;
    Obstacle(ask: AskObstacle):     [I, V]    => [V],       Masked, Faults;
    Path(ask: AskPath):             [I, V]    => [V],       Masked, Faults;
    /// The point of a path nearest to a point, and how far that is.
    NearestOnPath:                  [I, V]    => [V, F],    Masked;
    /// The waypoint on a path, by the agent's progress so far, and whether nothing follows it.
    Waypoint:                       [I]       => [V, B],    Progress;
    /// Moves the agent on to the next waypoint of a path.
    Advance:                        [I]       => [],        Masked, Changes, Progress;
    /// How many points a path has.
    PathCount:                      [I]       => [I],       Pure;

    // Constant tables: the element of a place, at fault where there is none.
    TableF(table: u16):             [I]       => [F],       Masked, Faults;
    TableI(table: u16):             [I]       => [I],       Masked, Faults;

    // For explanations; they do nothing.
    /// Notes that a primitive is about to be read.
    Asked(call: u16):               []        => [],        Masked;
    /// Notes what it gave.
    Gave(call: u16):                [V]       => [],        Masked;
}

impl OpKind {
    pub(crate) fn has(self, what: OpProperty) -> bool {
        self.signature().has(what)
    }

    /// A constant number.
    pub(crate) fn number(value: f32) -> Self {
        Self::ConstF(value.to_bits())
    }

    /// The neighborhood that it is about.
    pub(crate) fn near(self) -> Option<u16> {
        match self {
            Self::Means(near)
            | Self::Push(near)
            | Self::Nearest(near)
            | Self::First(near)
            | Self::List(near, _) => Some(near),
            _ => None,
        }
    }

    /// Where it goes on instead of with the next operation.
    pub(crate) fn target_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::SkipIfNone(to) | Self::Jump(to) => Some(to),
            _ => None,
        }
    }
}

/// A function of two integers. Where the result is none, the lane is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum I2 {
    Add,
    Sub,
    Mul,
    Rem,
    Pow,
    Min,
    Max,
}

/// A number that is the same for all agents of a group in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SharedNumber {
    Radius,
    Mass,
    MaxSpeed,
    MaxForce,
    Time,
    Dt,
    SizeX,
    SizeY,
    MinX,
    MinY,
    MaxX,
    MaxY,
    CursorX,
    CursorY,
}

/// An integer that is the same for all agents of a group in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SharedInteger {
    Tick,
    /// How many agents there are, of one group or of all.
    Count(Option<GroupId>),
    /// How many obstacles there are.
    Obstacles,
    /// How many steps a round of a loop counts for.
    Round {
        /// Without its questions about the surroundings.
        steps: u32,
        /// How many of these it may ask.
        questions: u32,
    },
    /// The row of the one agent of a group; -1 if there is none, or more than one.
    Only(GroupId),
    /// The place of the group's own name among the strings.
    Group,
}

/// A number of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AgentNumber {
    PosX,
    PosY,
    VelX,
    VelY,
    HeadingX,
    HeadingY,
    Speed,
    Radius,
    Mass,
    MaxSpeed,
    MaxForce,
}

/// An integer of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AgentInteger {
    Id,
    Index,
    Row,
    /// The place of its group's name among the strings, which is the number of the group.
    Group,
}

/// What is asked of an obstacle about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskObstacle {
    /// Whether the point is inside: 1 or 0, in x.
    Contains,
    /// The distance of its surface, in x.
    Distance,
    /// The nearest point of its surface.
    Closest,
    /// The way out there.
    Normal,
    /// The middle of its bounds.
    Center,
    /// Its radius, in x.
    Radius,
}

/// What is asked about another agent if both keep their velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskOther {
    /// The seconds until the discs touch, if they will.
    TimeToCollision,
    /// The seconds until the centers are nearest.
    TimeToNearest,
    /// How far apart the centers are then.
    DistanceAtNearest,
}

/// What is asked of a path about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskPath {
    /// The nearest point on it.
    Closest,
    /// The distance of that point, in x.
    Distance,
    /// How far along the path that point is, in x.
    Along,
    /// The point so far along as x says.
    At,
    /// The point of a place, which x is.
    Point,
    /// Its radius, in x.
    Radius,
    /// Its length, in x.
    Length,
}
