//! The table of operations: what each one reads and writes, and its other properties.
//!
//! To add an operation, add its row here, implement it in [`super::machine`], and emit it where scripts are lowered. All
//! other code loops over the table. Explanations treat single kinds only if these have a special meaning, like
//! a sum, a choice or another agent.

use super::columns::Bank::{self, B, F, I, V};
use super::{TextStyle, Type};
use crate::math::{Binary, Compare, Unary};
use crate::world::{GroupId, NeighborQuestion, PublicType, Question};

/// A property of an operation, besides what it reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpProperty {
    /// Its results depend only on what it reads: it is emitted once, for all agents if possible.
    Pure,
    /// Its results do not change during an agent's turn: it is emitted once.
    Own,
    /// It computes sums over a neighborhood: it is emitted once if all agents need it.
    Perceived,
    /// It runs only in the lanes of a mask, since it is expensive or has effects.
    Masked,
    /// It may mark lanes of its mask as faulted.
    Faults,
    /// It changes a column in place, or something that is not a column.
    Changes,
    /// It uses the progress on paths.
    Progress,
}

/// The row of an operation in the table.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    pub reads: &'static [Bank],
    pub writes: &'static [Bank],
    traits: &'static [OpProperty],
}

impl Signature {
    pub fn has(&self, what: OpProperty) -> bool {
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
        /// The kind of an operation, with all its data that is not in columns. Its tag is one byte, so that the
        /// machine dispatches with one jump.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum OpKind {
            $($(#[$doc])* $name $(($($of),+))?,)*
        }

        impl OpKind {
            #[expect(unused_variables, reason = "few signatures depend on what a kind is about")]
            pub fn signature(self) -> Signature {
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
    /// The result is the first operand where the mask is set, and remains unchanged elsewhere.
    BlendF:                         [F, B]    => [F],       Changes;
    BlendI:                         [I, B]    => [I],       Changes;
    BlendB:                         [B, B]    => [B],       Changes;
    /// Reads a mask, the value where it is set, and the value where it is not.
    SelectF:                        [B, F, F] => [F],       Pure;
    SelectI:                        [B, I, I] => [I],       Pure;
    SelectB:                        [B, B, B] => [B],       Pure;

    // Arithmetic.
    Unary(function: Unary):         [F]       => [F],       Pure;
    Binary(function: Binary):       [F, F]    => [F],       Pure;
    /// Checked for overflow.
    I2(function: I2):               [I, I]    => [I],       Masked, Faults;
    /// Negation, checked for overflow.
    NegI:                           [I]       => [I],       Masked, Faults;
    /// The absolute value, checked for overflow.
    AbsI:                           [I]       => [I],       Masked, Faults;
    ToF:                            [I]       => [F],       Pure;
    /// Truncation to an integer; a fault if the number is not finite.
    ToI:                            [F]       => [I],       Masked, Faults;
    CompareF(how: Compare):         [F, F]    => [B],       Pure;
    CompareI(how: Compare):         [I, I]    => [B],       Pure;
    Not:                            [B]       => [B],       Pure;
    And:                            [B, B]    => [B],       Pure;
    /// The first and not the second.
    AndNot:                         [B, B]    => [B],       Pure;
    Or:                             [B, B]    => [B],       Pure;
    /// Whether two booleans are equal.
    Same:                           [B, B]    => [B],       Pure;

    // The same for both coordinates.
    BinaryV(function: Binary):      [V, V]    => [V],       Pure;
    SelectV:                        [B, V, V] => [V],       Pure;
    BlendV:                         [V, B]    => [V],       Changes;
    /// Whether a comparison holds for both coordinates.
    BothF(how: Compare):            [V, V]    => [B],       Pure;

    // Vectors.
    /// `math::unit`.
    Unit:                           [V]       => [V],       Pure;
    /// `math::length`.
    Length:                         [V]       => [F],       Pure;
    /// `math::limit`; a negative length or NaN counts as 0.
    Limit:                          [V, F]    => [V],       Pure;
    /// The shortest offset from the agent to a point.
    Offset:                         [V]       => [V];

    // Faults: the interpreter runs the turns of these lanes again, and reports what is wrong.
    /// A fault if the vector is not finite.
    Finite:                         [V]       => [],        Masked, Faults;
    Fault:                          []        => [],        Masked, Faults;
    /// Removes faulted lanes from a mask, which may be the one that is written.
    Unfaulted:                      [B]       => [B],       Changes;

    // Control flow: targets are indices of operations in the program.
    /// Jumps to the target if no lane of the mask takes part.
    SkipIfNone(to: usize):          [B]       => [];
    Jump(to: usize):                []        => [];

    // Values that are the same for all agents of the group.
    Common(what: SharedNumber):           []        => [F],       Pure;
    CommonI(what: SharedInteger):         []        => [I],       Pure;
    /// Whether there is a cursor.
    HasCursor:                      []        => [B],       Pure;
    /// Whether an input is true, by its index.
    Input(index: u16):              []        => [B],       Pure;
    /// A shared value of the world, by its index. It differs between agents in sequential order. For an agent, its row and whether there is
    /// one, where the row of one that was removed
    /// is -1. A string that the program does not have is [`UNKNOWN_STRING`].
    SharedValue(index: u16, ty: PublicType): [] => *public_banks(ty), Own;
    /// A param, by the index of its name; a fault if its present type is another one. It fails for all agents or for
    /// none, so it may be emitted once.
    Param(name: u16, ty: Type):     []        => *ty.banks(), Pure, Masked, Faults;
    /// A param that each agent has a number of its own for, by the index of its name; a fault if it is none at present.
    OwnParam(name: u16):            []        => [F],       Own, Masked, Faults;

    // Knowledge of the agent about itself.
    Own(what: AgentNumber):                  []        => [F],       Own;
    OwnI(what: AgentInteger):                []        => [I],       Own;
    /// The goal: its position, its radius, and whether there is one.
    Goal:                           []        => [V, F, B], Own;
    /// Its smooth noise at a moment on its noise curve.
    Noise:                          [F]       => [F];
    /// The next random number from 0 to 1.
    Draw:                           []        => [F],       Masked, Changes;

    // Other agents, by their rows. Inactive lanes may hold any row.
    /// A number of another agent.
    Other(what: AgentNumber):                [I]       => [F];
    OtherI(what: AgentInteger):              [I]       => [I];
    /// A value of its public state, by the index of the name in the world: for an agent, its row and whether there is one. A
    /// fault if its group does not declare the name, or if the agent in it was removed. A string that the program does not have is
    /// [`UNKNOWN_STRING`].
    OtherState(name: u16, ty: PublicType): [I] => *public_banks(ty), Masked, Faults;
    /// A query about another agent, with the agent's own velocity: the result, and whether there is one.
    Encounter(ask: AskOther):       [I, V]    => [F, B],    Masked, Faults;
    /// How far the agent's disc can move with a velocity, for a number of seconds.
    Free:                           [V, F]    => [F],       Masked;
    /// Whether another agent that is not faster is within a radius of the point at a distance ahead. Reads distance,
    /// radius and the agent's own velocity.
    Blocked:                        [F, F, V] => [B],       Masked;

    // Neighborhoods, by their index in the program. A radius that is negative or NaN is a fault.
    /// The number of neighbors, the sum of the offsets to them, and the sum of their velocities.
    Means(near: u16):               []        => [I, V, V], Masked, Faults, Perceived;
    Push(near: u16):                []        => [V],       Masked, Faults, Perceived;
    /// The row of the nearest neighbor, and whether there is one.
    Nearest(near: u16):             []        => [I, B],    Masked, Faults, Perceived;
    /// A question about the neighbors, with the agent's own velocity and four vectors.
    AskNeighbors(question: NeighborQuestion, near: u16): [V, V, V, V, V] => [V], Masked, Faults;
    /// The row of the neighbor with the lowest row, and whether there is one.
    First(near: u16):               []        => [I, B],    Masked, Faults;
    /// Stores the neighbors of each lane in a list, in the order of their rows; the number of them.
    List(near: u16, list: u16):     []        => [I],       Masked, Faults, Changes;
    /// An element of such a list; 0 if the index is out of range.
    Listed(list: u16):              [I]       => [I];

    // Arrays whose length and elements differ between agents, by their index in the program.
    /// Sets the element at an index.
    StoreF(array: u16):             [I, F]    => [],        Masked, Changes;
    StoreI(array: u16):             [I, I]    => [],        Masked, Changes;
    /// The element at an index; 0 if no element has been stored there.
    LoadF(array: u16):              [I]       => [F];
    LoadI(array: u16):              [I]       => [I];

    // Obstacles and paths, by their index. Inactive lanes may hold any index.
    /// The first point of an obstacle on the line between two points, and whether there is one.
    Ray:                            [V, V]    => [V, B],    Masked;
    /// The first obstacle that a disc moving from the agent's position touches. Reads direction, length and radius;
    /// writes the distance, the normal there, and whether there is an obstacle. Inactive lanes find none.
    FirstHit:                       [V, F, F] => [F, V, B], Masked;
    /// A question about the world, with the agent's own velocity and three vectors. In inactive lanes, the answer is
    /// zero.
    Ask(question: Question):        [V, V, V, V] => [V, F], Masked;
    /// The index among all obstacles of the one with an index among those that are there now.
    PresentObstacle:                [I]       => [I];
    Obstacle(ask: AskObstacle):     [I, V]    => [V],       Masked, Faults;
    Path(ask: AskPath):             [I, V]    => [V],       Masked, Faults;
    /// The point of a path nearest to a point, and the distance between them.
    NearestOnPath:                  [I, V]    => [V, F],    Masked;
    /// The agent's current waypoint on a path, and whether it is the last one.
    Waypoint:                       [I]       => [V, B],    Progress;
    /// Advances the agent to the next waypoint of a path.
    Advance:                        [I]       => [],        Masked, Changes, Progress;
    /// The number of points of a path.
    PathCount:                      [I]       => [I],       Pure;

    // Constant tables: the element at an index, where -1 means the last one; a fault if the index is out of range.
    TableF(table: u16):             [I]       => [F],       Masked, Faults;
    TableI(table: u16):             [I]       => [I],       Masked, Faults;

    // Messages of `debug`.
    /// Adds a value to the message that is being written.
    Show(ty: Type, style: TextStyle): *ty.banks() => [],    Masked, Faults, Changes;
    /// Ends a message, with the index of its place in the script.
    EndMessage(place: u16):         []        => [],        Masked, Changes;

    // Changes of the world.
    /// Adds a value to the change that is being described.
    Give(ty: Type):                 *ty.banks() => [],      Masked, Faults, Changes;
    /// Ends a change, with the index of its place in the script.
    EndChange(call: u16):           []        => [],        Masked, Faults, Changes;

    /// Deposits at a point or takes from there an amount, with the index of its place in the script. A fault if the amount is not a
    /// finite number of at least 0.
    ChangeLayer(call: u16):         [V, F]    => [],        Masked, Faults, Changes;

    // Marks for explanations; they do nothing.
    /// A primitive starts here.
    CallStart(call: u16):               []        => [],        Masked;
    /// A primitive ends here, with this force.
    CallEnd(call: u16):                [V]       => [],        Masked;
    /// A value is noted, by its index among the notes.
    Note(note: u16):                   []        => [],        Masked;
}

/// Stands for a string that is not among those of the program. It may only be compared with strings that are.
pub const UNKNOWN_STRING: i64 = -1;

/// Returns the operands that hold a public value of a type.
fn public_banks(ty: PublicType) -> &'static [Bank] {
    match ty {
        PublicType::Bool => &[B],
        PublicType::Number => &[F],
        PublicType::Vector => &[V],
        PublicType::String => &[I],
        PublicType::Agent => &[I, B],
    }
}

impl OpKind {
    pub fn has(self, what: OpProperty) -> bool {
        self.signature().has(what)
    }

    /// Returns the kind for a constant number.
    pub fn number(value: f32) -> Self {
        Self::ConstF(value.to_bits())
    }

    /// Returns the index of its neighborhood, if it has one.
    pub fn near(self) -> Option<u16> {
        match self {
            Self::Means(near)
            | Self::Push(near)
            | Self::Nearest(near)
            | Self::First(near)
            | Self::AskNeighbors(_, near)
            | Self::List(near, _) => Some(near),
            _ => None,
        }
    }

    /// Returns its jump target, mutable, if it has one.
    pub fn target_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::SkipIfNone(to) | Self::Jump(to) => Some(to),
            _ => None,
        }
    }
}

/// A function of two integers. If there is no result, the lane is faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum I2 {
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
pub enum SharedNumber {
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
pub enum SharedInteger {
    Tick,
    /// The number of agents, of one group or of all groups.
    Count(Option<GroupId>),
    /// The number of obstacles that are there now.
    Obstacles,
    /// The number of steps that one round of a loop counts for.
    Round {
        /// The steps without queries of the world.
        steps: u32,
        /// The maximum number of queries of the world.
        queries: u32,
        /// The maximum number of ways.
        ways: u32,
    },
    /// The number of ways that an agent can surely ask for in one tick.
    Ways,
    /// The row of the only agent of a group; -1 if there is no agent, or more than one.
    Only(GroupId),
    /// The index of the group's own name among the strings.
    Group,
}

/// A number of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentNumber {
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
pub enum AgentInteger {
    Id,
    Index,
    Row,
    /// The row of the agent before it in its group, or -1.
    Previous,
    /// The index of its group's name among the strings, which is the id of the group.
    Group,
    /// The index of its path, or -1.
    Path,
}

/// A query of an obstacle about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskObstacle {
    /// Whether the point is inside: 1 or 0, in x.
    Contains,
    /// The distance to its surface, in x.
    Distance,
    /// The nearest point of its surface.
    Closest,
    /// The unit vector out of the obstacle there.
    Normal,
    /// The center of its bounds.
    Center,
    /// Its radius, in x.
    Radius,
    /// Its velocity.
    Vel,
    /// Whether it is there now: 1 or 0, in x.
    Present,
}

/// A query about another agent, assuming that both keep their velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskOther {
    /// The seconds until the discs touch, if they ever do.
    TimeToCollision,
    /// The seconds until the centers are nearest.
    TimeToNearest,
    /// The distance between the centers at that time.
    DistanceAtNearest,
}

/// A query of a path about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskPath {
    /// The nearest point on it.
    Closest,
    /// The distance to that point, in x.
    Distance,
    /// How far along the path that point is, in x.
    Along,
    /// The point at the length x along the path.
    At,
    /// The point with the index x.
    Point,
    /// Its radius, in x.
    Radius,
    /// Its length, in x.
    Length,
}
