//! Assembles a call from its records: those of one channel, and of the channels linked with it.

use std::collections::{BTreeMap, HashSet};

use super::channel::{Parties, Side};
use super::leg::Leg;
use crate::api::{Call, CallStatus, Direction};
use crate::record::CallRecord;

/// Origin of a call that was assembled from call detail records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailsOrigin {
    /// Identifiers under which earlier versions stored its records, each as a call of its own; the most likely first.
    pub earlier_identifiers: Vec<String>,
    /// The `uniqueid`s of its channels, with the call's own first.
    pub uniqueids: Vec<String>,
    /// File names of recordings in the records, without folders.
    pub recordings: Vec<String>,
    /// True if the records of the channel that began the call are missing, for example after a log rotation.
    pub is_partial: bool,
}

impl DetailsOrigin {
    /// Merges the record into a stored call that has data from other records. Returns true if it was merged, and false if the record is
    /// complete and replaces the stored call.
    ///
    /// A stored call stays answered and never becomes shorter, because a record of another part of it is incomplete.
    pub(in crate::record) fn join(&self, record: &CallRecord, stored: &mut Call) -> bool {
        let is_answered = record.status == Some(CallStatus::Answered);
        let (started, ended) = (record.started_at.flatten(), record.ended_at.flatten());
        let begins_earlier = started.is_some_and(|at| stored.started_at.is_none_or(|stored| at < stored));
        let has_all_of_it = (begins_earlier || started == stored.started_at) && ended >= stored.ended_at;
        if !self.is_partial && has_all_of_it && (is_answered || stored.status != CallStatus::Answered) {
            return false;
        }
        if begins_earlier && !self.is_partial {
            stored.caller_number = record.caller_number.clone().flatten();
            stored.callee_number = record.callee_number.clone().flatten();
        }
        stored.original_identifier.clone_from(&record.original_identifier.clone().flatten());
        if is_answered && stored.status != CallStatus::Answered {
            stored.status = CallStatus::Answered;
            stored.agent = record.agent.clone().flatten().or(stored.agent.take());
        } else if stored.agent.is_none() {
            stored.agent = record.agent.clone().flatten();
        }
        if begins_earlier {
            stored.started_at = started;
        }
        stored.ended_at = ended.max(stored.ended_at);
        if let Some(created) = record.created_at {
            stored.created_at = stored.created_at.min(created);
        }
        true
    }
}

/// Assembles a call from its records, at least one. `identifier` is their common key: the `uniqueid` of the channel that began the call.
pub(super) fn assemble(identifier: &str, legs: &mut [Leg], parties: &Parties) -> CallRecord {
    if legs.len() > 1 {
        legs.sort_by(|a, b| (a.started, a.sequence, &a.uniqueid).cmp(&(b.started, b.sequence, &b.uniqueid)));
        agree_on_sides(identifier, legs);
    }
    let legs = &*legs;
    let roots: Vec<&Leg> = legs.iter().filter(|leg| leg.uniqueid == identifier).collect();
    let is_partial = roots.is_empty();
    let roots = if is_partial { legs.iter().collect() } else { roots };
    let group = Group { legs, roots, is_partial, parties };
    let direction = group.direction();
    let agent = group.agent(direction);
    let started = legs.iter().map(|leg| leg.started).min();
    let ended = legs.iter().map(|leg| leg.ended).max();
    let (caller, callee) = group.numbers(direction);
    let given = |text: &str| Some(Some(text.to_owned()).filter(|text| !text.is_empty()));
    let agent = agent.unwrap_or_default();
    CallRecord {
        original_identifier: given(identifier),
        direction: Some(direction),
        agent: given(agent),
        caller_number: given(caller),
        callee_number: given(callee),
        status: Some(group.status()),
        started_at: Some(started),
        ended_at: Some(ended),
        created_at: started,
        details: Some(Box::new(group.origin(identifier, agent))),
        ..CallRecord::default()
    }
}

/// Returns the extension of a voicemail box, as written by FreePBX: `101` for `vmu101`.
fn mailbox(dst: &str) -> Option<&str> {
    let extension = ["vmu", "vmb", "vms", "vmi"].iter().find_map(|prefix| dst.strip_prefix(prefix))?;
    extension.starts_with(|c: char| c.is_ascii_digit()).then_some(extension)
}

/// Assigns the owner of a channel to the same side in all records: the side in the first record, with those of the initial channel first.
fn agree_on_sides(identifier: &str, legs: &mut [Leg]) {
    let mut sides: BTreeMap<String, Side> = BTreeMap::new();
    let is_root = |leg: &&Leg| leg.uniqueid == identifier;
    for leg in legs.iter().filter(is_root).chain(legs.iter().filter(|leg| !is_root(leg))) {
        for end in [&leg.caller, &leg.callee] {
            if matches!(end.side, Side::Inside | Side::Outside) && !sides.contains_key(&end.peer) {
                sides.insert(end.peer.clone(), end.side);
            }
        }
    }
    for end in legs.iter_mut().flat_map(|leg| [&mut leg.caller, &mut leg.callee]) {
        match sides.get(&end.peer) {
            Some(side) if matches!(end.side, Side::Inside | Side::Outside) => end.side = *side,
            _ => {}
        }
    }
}

/// The records of a call, ordered by start.
struct Group<'a> {
    legs: &'a [Leg],
    /// Records of the channel that began the call; all records if these are missing.
    roots: Vec<&'a Leg>,
    is_partial: bool,
    parties: &'a Parties,
}

impl<'a> Group<'a> {
    /// Returns the direction: inbound if a trunk began the call. Calls between extensions are outbound.
    fn direction(&self) -> Direction {
        let mut legs = self.roots.iter().copied().chain(self.legs);
        match legs.find(|leg| matches!(leg.caller.side, Side::Inside | Side::Outside)) {
            Some(leg) if leg.caller.side == Side::Outside => Direction::Inbound,
            Some(_) => Direction::Outbound,
            // With Local channels only, the numbers determine the direction.
            None => {
                let goes_out = !self.is_partial && self.legs.iter().any(|leg| leg.callee.side == Side::Outside);
                let comes_in = self.roots.iter().any(|leg| !self.parties.is_extension(&leg.src));
                if comes_in && !goes_out { Direction::Inbound } else { Direction::Outbound }
            }
        }
    }

    /// Returns the outcome for the channel that began the call. Also answered if an agent spoke.
    fn status(&self) -> CallStatus {
        let mut statuses = self.roots.iter().map(|leg| leg.status).collect::<Vec<_>>();
        statuses.extend(self.talks().map(|_| CallStatus::Answered));
        let order = [CallStatus::Answered, CallStatus::Busy, CallStatus::NoAnswer, CallStatus::Failed];
        order.into_iter().find(|status| statuses.contains(status)).unwrap_or(CallStatus::Failed)
    }

    /// Returns the agents in conversation with the other end of the call, with the seconds of each record.
    fn talks(&self) -> impl Iterator<Item = (&'a str, i64)> {
        self.legs.iter().filter(|leg| leg.status == CallStatus::Answered).filter_map(|leg| {
            let agent = match (leg.caller.side, leg.callee.side) {
                (Side::Inside, Side::Outside | Side::Local) => &leg.caller.peer,
                (Side::Outside | Side::Local, Side::Inside) => &leg.callee.peer,
                _ => return None,
            };
            Some((agent.as_str(), leg.answered_seconds))
        })
    }

    /// Returns the agent with the longest talk time; the first one in a tie. Without talk time: the caller, or the only agent called.
    fn agent(&self, direction: Direction) -> Option<&'a str> {
        let mut seconds: BTreeMap<&str, (i64, usize)> = BTreeMap::new();
        for (place, (agent, talked)) in self.talks().enumerate() {
            seconds.entry(agent).or_insert((0, place)).0 += talked;
        }
        let longest = seconds.into_iter().max_by_key(|(_, (talked, place))| (*talked, std::cmp::Reverse(*place)));
        if let Some((agent, _)) = longest {
            return Some(agent);
        }
        if direction == Direction::Outbound {
            return self.legs.iter().find(|leg| leg.caller.side == Side::Inside).map(|leg| leg.caller.peer.as_str());
        }
        // The name of a Local channel contains its agent, which helps if the record of its other half is missing.
        let is_answered = self.status() == CallStatus::Answered;
        let called = self.legs.iter().filter(|leg| !is_answered || leg.status == CallStatus::Answered);
        let mut called = called.map(|leg| &leg.callee).filter(|callee| match callee.side {
            Side::Inside => true,
            Side::Local => self.parties.is_extension(&callee.peer),
            Side::None | Side::Outside => false,
        });
        let first = called.next()?;
        called.all(|other| other.peer == first.peer).then_some(first.peer.as_str())
    }

    /// Returns the numbers of caller and callee.
    fn numbers(&self, direction: Direction) -> (&'a str, &'a str) {
        let legs = || self.roots.iter().copied().chain(self.legs);
        let caller = legs().map(|leg| leg.src.as_str()).find(|src| !src.is_empty()).unwrap_or_default();
        let is_number = |dst: &&str| dst.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '*' | '#'));
        let dialled = legs().filter(|leg| direction == Direction::Outbound && leg.callee.side == Side::Outside);
        let callees = dialled.chain(legs()).map(|leg| mailbox(&leg.dst).unwrap_or(&leg.dst));
        // A single letter is a position in the dial plan, such as `s` for its start.
        let callee = callees.clone().find(is_number).or_else(|| callees.clone().find(|dst| dst.len() > 1));
        (caller, callee.unwrap_or_default())
    }

    fn origin(&self, identifier: &str, agent: &str) -> DetailsOrigin {
        let speaks = |leg: &&Leg| {
            leg.status == CallStatus::Answered && [&leg.caller, &leg.callee].iter().any(|end| end.peer == agent)
        };
        let answered = |leg: &&Leg| leg.status == CallStatus::Answered;
        let legs = || self.legs.iter();
        let by_likelihood = || legs().filter(speaks).chain(legs().filter(answered)).chain(legs());
        let earlier = by_likelihood().map(|leg| match leg.dstchannel.as_str() {
            "" => leg.uniqueid.clone(),
            rung => format!("{} {rung}", leg.uniqueid),
        });
        let recordings = self.roots.iter().copied().chain(by_likelihood()).map(|leg| leg.recording.clone());
        let uniqueids = by_likelihood().map(|leg| leg.uniqueid.clone());
        DetailsOrigin {
            earlier_identifiers: distinct(earlier.filter(|earlier| earlier != identifier)),
            uniqueids: distinct(std::iter::once(identifier.to_owned()).chain(uniqueids)),
            recordings: distinct(recordings),
            is_partial: self.is_partial,
        }
    }
}

/// Returns the non-empty texts without duplicates, in order.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| !text.is_empty() && seen.insert(text.clone())).collect()
}
