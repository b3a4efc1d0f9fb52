//! Assembles a call from its records: those of one channel, and of the channels linked with it.

use std::collections::{BTreeMap, HashSet};

use super::channel::{ChannelClassifier, Side};
use super::leg::Leg;
use crate::api::{CallStatus, Direction};
use crate::record::{CallRecord, DetailsOrigin};

/// Assembles a call from its records, at least one. `identifier` is their common key: the `uniqueid` of the channel that began the call.
pub(super) fn assemble(identifier: &str, legs: &mut [Leg], classifier: &ChannelClassifier) -> CallRecord {
    if legs.len() > 1 {
        legs.sort_by(|a, b| (a.started_at, a.sequence, &a.uniqueid).cmp(&(b.started_at, b.sequence, &b.uniqueid)));
        unify_sides(identifier, legs);
    }
    let legs = &*legs;
    let initial_legs: Vec<&Leg> = legs.iter().filter(|leg| leg.uniqueid == identifier).collect();
    let is_partial = initial_legs.is_empty();
    let initial_legs = if is_partial { legs.iter().collect() } else { initial_legs };
    let call_legs = CallLegs { legs, initial_legs, is_partial, classifier };
    let direction = call_legs.direction();
    let agent = call_legs.agent(direction);
    let started_at = legs.iter().map(|leg| leg.started_at).min();
    let ended_at = legs.iter().map(|leg| leg.ended_at).max();
    let (caller, callee) = call_legs.numbers(direction);
    let non_empty = |text: &str| Some(Some(text.to_owned()).filter(|text| !text.is_empty()));
    let agent = agent.unwrap_or_default();
    CallRecord {
        original_identifier: non_empty(identifier),
        direction: Some(direction),
        agent: non_empty(agent),
        caller_number: non_empty(caller),
        callee_number: non_empty(callee),
        status: Some(call_legs.status()),
        started_at: Some(started_at),
        ended_at: Some(ended_at),
        created_at: started_at,
        details: Some(Box::new(call_legs.origin(identifier, agent))),
        ..CallRecord::default()
    }
}

/// Returns the extension of a voicemail box, as written by FreePBX: `101` for `vmu101`.
fn mailbox_extension(dst: &str) -> Option<&str> {
    let extension = ["vmu", "vmb", "vms", "vmi"].iter().find_map(|prefix| dst.strip_prefix(prefix))?;
    extension.starts_with(|c: char| c.is_ascii_digit()).then_some(extension)
}

/// Assigns the owner of a channel to the same side in all records: the side in its first record. Records of the initial channel come
/// first.
fn unify_sides(identifier: &str, legs: &mut [Leg]) {
    let mut sides: BTreeMap<String, Side> = BTreeMap::new();
    let is_initial = |leg: &&Leg| leg.uniqueid == identifier;
    for leg in legs.iter().filter(is_initial).chain(legs.iter().filter(|leg| !is_initial(leg))) {
        for end in [&leg.caller, &leg.callee] {
            if matches!(end.side, Side::Extension | Side::Trunk) && !sides.contains_key(&end.owner) {
                sides.insert(end.owner.clone(), end.side);
            }
        }
    }
    for end in legs.iter_mut().flat_map(|leg| [&mut leg.caller, &mut leg.callee]) {
        match sides.get(&end.owner) {
            Some(side) if matches!(end.side, Side::Extension | Side::Trunk) => end.side = *side,
            _ => {}
        }
    }
}

/// The records of a call, ordered by start.
struct CallLegs<'a> {
    legs: &'a [Leg],
    /// Records of the channel that began the call; all records if these are missing.
    initial_legs: Vec<&'a Leg>,
    is_partial: bool,
    classifier: &'a ChannelClassifier,
}

impl<'a> CallLegs<'a> {
    /// Returns the direction: inbound if a trunk began the call. Calls between extensions are outbound.
    fn direction(&self) -> Direction {
        let mut legs = self.initial_legs.iter().copied().chain(self.legs);
        match legs.find(|leg| matches!(leg.caller.side, Side::Extension | Side::Trunk)) {
            Some(leg) if leg.caller.side == Side::Trunk => Direction::Inbound,
            Some(_) => Direction::Outbound,
            // With Local channels only, the numbers determine the direction.
            None => {
                let is_outgoing = !self.is_partial && self.legs.iter().any(|leg| leg.callee.side == Side::Trunk);
                let is_incoming = self.initial_legs.iter().any(|leg| !self.classifier.is_extension(&leg.src));
                if is_incoming && !is_outgoing { Direction::Inbound } else { Direction::Outbound }
            }
        }
    }

    /// Returns the outcome for the channel that began the call. The call also counts as answered if an agent spoke.
    fn status(&self) -> CallStatus {
        let mut statuses = self.initial_legs.iter().map(|leg| leg.status).collect::<Vec<_>>();
        statuses.extend(self.agent_talk_times().map(|_| CallStatus::Answered));
        let order = [CallStatus::Answered, CallStatus::Busy, CallStatus::NoAnswer, CallStatus::Failed];
        order.into_iter().find(|status| statuses.contains(status)).unwrap_or(CallStatus::Failed)
    }

    /// Returns the agents in conversation with the other end of the call, with the seconds of each record.
    fn agent_talk_times(&self) -> impl Iterator<Item = (&'a str, i64)> {
        self.legs.iter().filter(|leg| leg.status == CallStatus::Answered).filter_map(|leg| {
            let agent = match (leg.caller.side, leg.callee.side) {
                (Side::Extension, Side::Trunk | Side::Local) => &leg.caller.owner,
                (Side::Trunk | Side::Local, Side::Extension) => &leg.callee.owner,
                _ => return None,
            };
            Some((agent.as_str(), leg.answered_seconds))
        })
    }

    /// Returns the agent with the longest talk time; the first one in a tie. Without talk time: the caller, or the only agent called.
    fn agent(&self, direction: Direction) -> Option<&'a str> {
        let mut talk_by_agent: BTreeMap<&str, (i64, usize)> = BTreeMap::new();
        for (index, (agent, talk_seconds)) in self.agent_talk_times().enumerate() {
            talk_by_agent.entry(agent).or_insert((0, index)).0 += talk_seconds;
        }
        let longest_talk = talk_by_agent
            .into_iter()
            .max_by_key(|(_, (talk_seconds, index))| (*talk_seconds, std::cmp::Reverse(*index)));
        if let Some((agent, _)) = longest_talk {
            return Some(agent);
        }
        if direction == Direction::Outbound {
            return self
                .legs
                .iter()
                .find(|leg| leg.caller.side == Side::Extension)
                .map(|leg| leg.caller.owner.as_str());
        }
        // The name of a Local channel contains its agent, which helps if the record of its other half is missing.
        let is_answered = self.status() == CallStatus::Answered;
        let called_ends = self.legs.iter().filter(|leg| !is_answered || leg.status == CallStatus::Answered);
        let mut called_ends = called_ends.map(|leg| &leg.callee).filter(|callee| match callee.side {
            Side::Extension => true,
            Side::Local => self.classifier.is_extension(&callee.owner),
            Side::None | Side::Trunk => false,
        });
        let first = called_ends.next()?;
        called_ends.all(|other| other.owner == first.owner).then_some(first.owner.as_str())
    }

    /// Returns the numbers of caller and callee.
    fn numbers(&self, direction: Direction) -> (&'a str, &'a str) {
        let legs = || self.initial_legs.iter().copied().chain(self.legs);
        let caller = legs().map(|leg| leg.src.as_str()).find(|src| !src.is_empty()).unwrap_or_default();
        let is_number = |dst: &&str| dst.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '*' | '#'));
        let dialed_legs = legs().filter(|leg| direction == Direction::Outbound && leg.callee.side == Side::Trunk);
        let callees = dialed_legs.chain(legs()).map(|leg| mailbox_extension(&leg.dst).unwrap_or(&leg.dst));
        // A single letter is a position in the dial plan, such as `s` for its start.
        let callee = callees.clone().find(is_number).or_else(|| callees.clone().find(|dst| dst.len() > 1));
        (caller, callee.unwrap_or_default())
    }

    fn origin(&self, identifier: &str, agent: &str) -> DetailsOrigin {
        let has_agent = |leg: &&Leg| {
            leg.status == CallStatus::Answered && [&leg.caller, &leg.callee].iter().any(|end| end.owner == agent)
        };
        let is_answered = |leg: &&Leg| leg.status == CallStatus::Answered;
        let legs = || self.legs.iter();
        let by_likelihood = || legs().filter(has_agent).chain(legs().filter(is_answered)).chain(legs());
        let earlier_identifiers = by_likelihood().map(|leg| match leg.dstchannel.as_str() {
            "" => leg.uniqueid.clone(),
            called_channel => format!("{} {called_channel}", leg.uniqueid),
        });
        let recordings = self.initial_legs.iter().copied().chain(by_likelihood()).map(|leg| leg.recording.clone());
        let uniqueids = by_likelihood().map(|leg| leg.uniqueid.clone());
        DetailsOrigin {
            earlier_identifiers: distinct(
                earlier_identifiers.filter(|earlier_identifier| earlier_identifier != identifier),
            ),
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
