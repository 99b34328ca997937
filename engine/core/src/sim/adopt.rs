//! Continuing a run in an edited scenario: what the edit changes, and what stays as it is.

use std::sync::Arc;

use super::{AgentError, Event, Simulation, Spawn, SpawnShape};
use crate::world::{
    AfterGoals, AgentId, Group, GroupId, LateListeners, Layer, Minds, ObstacleState, Progress,
    WaitingMessage, World,
};

impl Simulation {
    /// Returns this run at this tick, continued in an edited scenario. `edited` is a run of that scenario at its
    /// beginning. Groups and paths are matched by name.
    ///
    /// - Agents stay where they are, and keep their id, their index in the group, their goals and their progress
    ///   along paths. If the edit raises the count of a group, agents are added; those that an earlier edit
    ///   removed come back with the index they had. If it lowers the count, the last agents are removed.
    /// - Agents keep their `me.state`. Names that only the new `init` sets get the value from there.
    /// - Params and goals take the edited values if the edit changes them. Otherwise they keep the values that
    ///   events and input gave them.
    /// - A group starts again if its spawn, first velocity or heading changes; all groups start again if the
    ///   seed changes. A new group starts. A group that the edit removes disappears with its agents.
    /// - Obstacles are present or absent as now, unless the edit changes whether they are absent at first.
    /// - Obstacles that move or have moved go on from where they are, as far from where the edit puts them as now, unless the edit changes
    ///   how they move at first.
    /// - Layers keep their amounts, unless the edit changes their cells or the amounts at the start.
    /// - Inputs are as now.
    /// - Shared values are kept, unless the edit changes how they are declared.
    /// - Messages that are not heard yet come as they would have, except from and to groups that the edit removes.
    /// - Events with conditions that the edit does not change know what happened before. Others are new.
    /// - Everything else (shapes, the edge, bodies, future events) is as edited.
    ///
    /// # Errors
    ///
    /// If a brain fails to prepare one of the agents.
    pub fn adopt(&self, edited: &Self) -> Result<Self, AgentError> {
        let mut next = edited.clone();
        next.prepared.clear();
        let old_groups: Vec<Option<GroupId>> = (0..edited.spawns.len())
            .map(|group| self.matching_group(edited, GroupId(group as u16)))
            .collect();
        let paths: Vec<Option<usize>> = next
            .world
            .paths
            .iter()
            .map(|path| self.world.path_named(&path.name).map(|id| id.0.into()))
            .collect();

        let world = Arc::make_mut(&mut next.world);
        world.tick = self.world.tick;
        world.news.clone_from(&self.world.news);
        world.cursor = self.world.cursor;
        world.set_inputs_down(&self.world.inputs_down());
        self.carry_over_obstacles(edited, world);
        self.carry_over_motions(edited, world);
        self.carry_over_layers(edited, world);
        world.spent_events = self.spent_events_in(edited, &old_groups);
        world.waiting = self.waiting_in(&old_groups);
        for shared in &mut world.shared {
            let mut known = self.world.shared.iter();
            if let Some(known) = known.find(|known| known.is_declared_like(shared)) {
                shared.value = known.value.clone();
            }
        }
        for (i, old) in old_groups.iter().enumerate() {
            let (group, reached) = (&mut world.groups[i], &mut next.reached[i]);
            match *old {
                Some(old) => {
                    self.carry_over_group(old, group);
                    *reached = self.reached[old.0 as usize];
                }
                None => {
                    group.made = 0;
                    *reached = super::GoalCounts::default();
                }
            }
        }
        world.draw_numbers();
        let rows = self.kept_rows(&next.spawns, &old_groups);
        self.carry_over_agents(&rows, &old_groups, &next.spawns, world);
        let kept = rows.iter().filter(|&&kept| kept).count();
        next.minds = Minds::new(world.paths.len());
        next.grow_minds();
        for (i, old) in old_groups.iter().enumerate() {
            let before = old.map_or(0, |old| self.spawns[old.0 as usize].count);
            next.spawn_missing(GroupId(i as u16), before);
        }
        let agents = &next.world.agents;
        let before: Vec<_> = agents.velocities().zip(agents.headings()).take(kept).collect();
        next.output.messages.clear();
        // New agents see the public state that the others have kept.
        let mut next_minds = next.minds.clone();
        self.carry_over_minds(&rows, &paths, &mut next_minds);
        std::mem::swap(&mut next.minds, &mut next_minds);
        next.complete_minds(0);
        next.publish();
        next.minds = next_minds;
        next.call_begin(0)?;
        let agents = &mut Arc::make_mut(&mut next.world).agents;
        for (row, (vel, heading)) in before.into_iter().enumerate() {
            *agents.vel_mut(row) = vel;
            *agents.heading_mut(row) = heading;
        }
        let first_new = AgentId(self.world.agents.made());
        next.output.messages.retain(|message| message.agent >= first_new);
        self.carry_over_minds(&rows, &paths, &mut next.minds);
        next.complete_minds(0);
        next.publish();
        next.reset_forces();
        Ok(next)
    }

    /// Takes over the initial groups of another run: one whose files were saved from the values of this run.
    #[doc(hidden)]
    pub fn set_initial_groups(&mut self, of: &Self) {
        self.initial_groups = Arc::clone(&of.initial_groups);
    }

    /// Returns the group of this world that continues as a group of the edited one.
    fn matching_group(&self, edited: &Self, group: GroupId) -> Option<GroupId> {
        let old = self
            .world
            .names()
            .group(&edited.world.group(group).name)
            .filter(|_| self.world.seed == edited.world.seed)?;
        let (before, after) = (&self.spawns[old.0 as usize], &edited.spawns[group.0 as usize]);
        before.is_compatible_with(after).then_some(old)
    }

    /// Gives an edited group the values that the old one has at this tick, where the edit does not change them.
    fn carry_over_group(&self, old: GroupId, group: &mut Group) {
        let (then, now) = (&self.initial_groups[usize::from(old.0)], self.world.group(old));
        group.made = now.made;
        let mut params = group.params.clone();
        for (name, value) in group.params.iter() {
            if let Some(current) = now.params.get(name)
                && then.params.get(name) == Some(value)
            {
                params.set(name, current.clone());
            }
        }
        group.params = params;
        if then.goals == group.goals {
            group.goals.clone_from(&now.goals);
        }
    }

    /// Lets obstacles be present or absent as in this world, where the edit does not change it.
    fn carry_over_obstacles(&self, edited: &Self, world: &mut World) {
        for name in world.all_obstacles().map(|one| Arc::clone(&one.name)).collect::<Vec<_>>() {
            let was_absent = self.initial_absent.contains(&name);
            if let Some(old) = self.world.obstacle_named(&name)
                && was_absent == edited.initial_absent.contains(&name)
                && let Some(new) = world.obstacle_named(&name)
            {
                world.set_present(new, self.world.is_present(old));
            }
        }
    }

    /// Lets obstacles go on as in this world, where the edit does not change how they move at first.
    fn carry_over_motions(&self, edited: &Self, world: &mut World) {
        let motion = |of: &Self, name: &str| {
            of.initial_moving.iter().find(|(known, _)| **known == *name).map(|(_, it)| it.clone())
        };
        let is_kept =
            |state: &ObstacleState| motion(self, &state.name) == motion(edited, &state.name);
        let new = world
            .moving_obstacles()
            .into_iter()
            .filter(|state| !is_kept(state) || self.world.obstacle_named(&state.name).is_none());
        let kept = self.world.moving_obstacles().into_iter().filter(is_kept);
        let states: Vec<ObstacleState> = new.chain(kept).collect();
        world.set_moving_obstacles(&states);
    }

    /// Gives layers the amounts that they have in this world, where the edit changes neither their cells nor their first amounts.
    fn carry_over_layers(&self, edited: &Self, world: &mut World) {
        let has_same_cells = |a: &Layer, b: &Layer| {
            (a.min, a.cell, a.columns, a.rows()) == (b.min, b.cell, b.columns, b.rows())
        };
        for layer in &mut world.layers {
            let first =
                |of: &Self| of.initial_layers.iter().find(|one| one.name == layer.name).cloned();
            if let (Some(before), Some(after)) = (first(self), first(edited))
                && has_same_cells(&before, &after)
                && before.amounts == after.amounts
                && let Some(now) = self.world.layers.iter().find(|one| one.name == layer.name)
            {
                layer.amounts = Arc::clone(&now.amounts);
            }
        }
    }

    /// Returns the numbers in an edited run of the events that are spent in this one and have not been edited.
    fn spent_events_in(&self, edited: &Self, old_groups: &[Option<GroupId>]) -> Vec<u32> {
        let to_new = |old| new_group(old_groups, old);
        let is_spent = |number: &u32| self.world.spent_events.binary_search(number).is_ok();
        let mut spent: Vec<Event> = (0..)
            .zip(self.events.conditional())
            .filter(|(number, _)| is_spent(number))
            .filter_map(|(_, event)| event.with_mapped_groups(&to_new))
            .collect();
        let mut numbers = Vec::new();
        for (number, event) in (0..).zip(edited.events.conditional()) {
            if let Some(index) = spent.iter().position(|one| one == event) {
                spent.swap_remove(index);
                numbers.push(number);
            }
        }
        numbers
    }

    /// Returns the messages that are not heard yet as an edited run has them.
    fn waiting_in(&self, old_groups: &[Option<GroupId>]) -> Vec<WaitingMessage> {
        let waiting = self.world.waiting.iter().filter_map(|one| {
            let mut one = one.clone();
            one.message.group = new_group(old_groups, one.message.group)?;
            if let LateListeners::Group(group) = &mut one.to {
                *group = new_group(old_groups, *group)?;
            }
            Some(one)
        });
        waiting.collect()
    }

    /// Returns for each row of this world whether its agent stays.
    fn kept_rows(&self, spawns: &[Spawn], old_groups: &[Option<GroupId>]) -> Vec<bool> {
        let agents = &self.world.agents;
        let kept = agents.group.iter().zip(&agents.index).map(|(&of, &index)| {
            let Some(new) = old_groups.iter().position(|old| *old == Some(of)) else {
                return false;
            };
            let (before, after) = (self.spawns[of.0 as usize].count, spawns[new].count);
            !(after..before).contains(&index)
        });
        kept.collect()
    }

    /// Adds the agents that a group lacks after an edit that raises its count from `before`. Agents that an
    /// earlier edit removed come back with their index; the others are new.
    fn spawn_missing(&mut self, group: GroupId, before: u32) {
        let count = self.spawns[group.0 as usize].count;
        let agents = &self.world.agents;
        let made = self.world.group(group).made;
        let mut taken = vec![false; made.min(count).saturating_sub(before) as usize];
        for (&of, &index) in agents.group.iter().zip(&agents.index) {
            if of == group
                && index >= before
                && let Some(taken) = taken.get_mut((index - before) as usize)
            {
                *taken = true;
            }
        }
        let free = (before..).zip(&taken).filter(|(_, taken)| !**taken);
        let free: Vec<u32> = free.map(|(index, _)| index).collect();
        let more = count.saturating_sub(before) - free.len() as u32;
        for index in free {
            Arc::make_mut(&mut self.world).groups[group.0 as usize].made = index;
            self.spawn_agents(group, 1);
        }
        Arc::make_mut(&mut self.world).groups[group.0 as usize].made = made;
        self.spawn_agents(group, more);
    }

    /// Moves the agents that stay into the edited world, in place of the agents that it began with.
    fn carry_over_agents(
        &self,
        rows: &[bool],
        old_groups: &[Option<GroupId>],
        spawns: &[Spawn],
        world: &mut World,
    ) {
        world.agents = self.world.agents.clone();
        world.agents.retain(rows);
        for row in 0..world.agents.len() {
            let of = world.agents.group[row];
            let new = old_groups.iter().position(|old| *old == Some(of)).unwrap_or(0);
            world.agents.group[row] = GroupId(new as u16);
            let (pos, vel) = world.space.apply_edge(world.agents.pos(row), world.agents.vel(row));
            *world.agents.pos_mut(row) = pos;
            *world.agents.vel_mut(row) = vel;
            let group = &world.groups[new];
            let plan = &mut world.agents.goal_progress[row];
            if plan.sequence as usize >= group.goals.len() {
                plan.sequence = match &spawns[new].shape {
                    SpawnShape::Agents(all) => {
                        all[world.agents.index[row] as usize % all.len()].sequence
                    }
                    _ => 0,
                };
            }
            // An agent moves again if it has new goals, or if its group does not stop after the last goal.
            world.agents.stopped[row] &= group.after_goals == AfterGoals::Stop
                && world.agents.goal(row, &world.groups).is_none();
        }
    }

    /// Gives the agents that stay their memory: `me.state` and their progress along paths.
    fn carry_over_minds(&self, rows: &[bool], paths: &[Option<usize>], minds: &mut Minds) {
        let staying = (0..rows.len()).filter(|&row| rows[row]);
        for (new, old) in staying.enumerate() {
            let mind = minds.mind(new);
            let mut state = std::mem::take(mind.state);
            let old_state = self.minds.state(old);
            for (name, value) in old_state.iter() {
                state.set(name, value.clone());
            }
            *mind.state = state;
            let progress = self.minds.progress(old);
            for (to, from) in mind.progress.iter_mut().zip(paths) {
                *to = from.map_or(Progress::default(), |path| progress[path]);
            }
        }
    }
}

/// Returns the group of an edited world that continues an old one.
fn new_group(old_groups: &[Option<GroupId>], old: GroupId) -> Option<GroupId> {
    let new = old_groups.iter().position(|known| *known == Some(old))?;
    Some(GroupId(new as u16))
}

impl Spawn {
    /// Returns whether agents of this spawn can continue as agents of another one: everything is the same except the
    /// count. Of two lists, one may be longer.
    #[doc(hidden)]
    pub fn is_compatible_with(&self, other: &Self) -> bool {
        fn have_equal_starts<T: PartialEq>(left: &[T], right: &[T]) -> bool {
            left.iter().zip(right).all(|(left, right)| left == right)
        }
        let alike = match (&self.shape, &other.shape) {
            (SpawnShape::Points(before), SpawnShape::Points(after)) => {
                have_equal_starts(before, after)
            }
            (SpawnShape::Agents(before), SpawnShape::Agents(after)) => {
                have_equal_starts(before, after)
            }
            (before, after) => before == after,
        };
        alike && self.vel == other.vel && self.heading == other.heading
    }
}
