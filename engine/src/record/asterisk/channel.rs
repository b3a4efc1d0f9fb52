//! The two ends of a call detail record: distinguishes extensions from outside lines.

use crate::record::channel_pattern::Patterns;

/// Maximum number of digits of an extension. Outside numbers have more.
const MAX_EXTENSION_DIGITS: usize = 6;

/// The side of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// There is no channel.
    None,
    /// One half of a Local channel, which connects to another channel.
    Local,
    /// An extension, used by an agent.
    Extension,
    /// A trunk.
    Trunk,
}

/// One end of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LegEnd {
    pub side: Side,
    /// The owner of the channel: `101` of `PJSIP/101-0000002a` and of `Local/101@agents-00000001;1`.
    pub owner: String,
}

/// The cells of a record that determine its ends.
pub(super) struct ChannelCells<'a> {
    pub src: &'a str,
    pub dst: &'a str,
    pub dcontext: &'a str,
    pub channel: &'a str,
    pub dstchannel: &'a str,
    pub lastapp: &'a str,
    pub lastdata: &'a str,
}

/// Contexts of inbound calls in FreePBX and other distributions, as prefixes.
const INBOUND_CONTEXTS: [&str; 14] = [
    "from-trunk",
    "from-pstn",
    "from-did",
    "from-dahdi",
    "from-zaptel",
    "from-analog",
    "from-digital",
    "from-sip-external",
    "from-external",
    "from-outside",
    "from-provider",
    "ext-did",
    "inbound",
    "incoming",
];

/// Context of calls from extensions in FreePBX, as a prefix.
const INTERNAL_CONTEXT: &str = "from-internal";

/// Distinguishes extensions from trunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ChannelClassifier {
    /// Patterns of extensions. If any are given, every other channel is a trunk.
    pub extensions: Patterns,
    /// Patterns of trunks.
    pub trunks: Patterns,
}

impl ChannelClassifier {
    /// Returns the calling and the called end of a record.
    pub(super) fn leg_ends(&self, cells: &ChannelCells<'_>) -> (LegEnd, LegEnd) {
        let caller = self.classify_caller(cells);
        let callee = self.classify_callee(cells, caller);
        let end = |side, channel: &str| LegEnd { side, owner: channel_owner(channel).to_owned() };
        (end(caller, cells.channel), end(callee, cells.dstchannel))
    }

    /// Returns true if a number is an extension: by the patterns, or else 2 to 6 digits without a leading 0.
    pub(super) fn is_extension(&self, number: &str) -> bool {
        match self.extensions.is_empty() {
            false => self.extensions.matches(number),
            true => {
                (2..=MAX_EXTENSION_DIGITS).contains(&number.len())
                    && !number.starts_with('0')
                    && number.bytes().all(|b| b.is_ascii_digit())
                    && !self.trunks.matches(number)
            }
        }
    }

    /// Returns the side determined by the patterns.
    fn classify_by_pattern(&self, peer: &str) -> Option<Side> {
        if self.trunks.matches(peer) {
            Some(Side::Trunk)
        } else if self.extensions.is_empty() {
            None
        } else if self.extensions.matches(peer) {
            Some(Side::Extension)
        } else {
            Some(Side::Trunk)
        }
    }

    fn classify_caller(&self, cells: &ChannelCells<'_>) -> Side {
        let ChannelCells { src, dst, dcontext, channel, .. } = *cells;
        let name = channel_owner(channel);
        if channel.is_empty() {
            return Side::None;
        }
        if is_local(channel) {
            return Side::Local;
        }
        if let Some(side) = self.classify_by_pattern(name) {
            return side;
        }
        let is_internal = starts_with_ignore_case(dcontext, INTERNAL_CONTEXT);
        // A call from an outside number to an extension or queue is inbound, regardless of the channel's name.
        let is_incoming = name != src && !self.is_extension(src) && (self.is_extension(dst) || self.calls_agent(cells));
        if INBOUND_CONTEXTS.iter().any(|context| starts_with_ignore_case(dcontext, context)) {
            return Side::Trunk;
        }
        let is_extension = if self.is_extension(name) {
            !is_incoming || is_internal
        } else {
            self.is_extension(src) || is_internal && !is_incoming && contains_digit(dst)
        };
        if is_extension { Side::Extension } else { Side::Trunk }
    }

    fn classify_callee(&self, cells: &ChannelCells<'_>, caller: Side) -> Side {
        let ChannelCells { dst, dstchannel, .. } = *cells;
        if dstchannel.is_empty() {
            return Side::None;
        }
        if is_local(dstchannel) {
            return Side::Local;
        }
        if let Some(side) = self.classify_by_pattern(channel_owner(dstchannel)) {
            return side;
        }
        let is_extension = !self.is_dialed_trunk(cells)
            && (self.is_extension(channel_owner(dstchannel)) || caller == Side::Trunk || self.is_extension(dst));
        if is_extension { Side::Extension } else { Side::Trunk }
    }

    /// Returns true if the destination channel is named after an extension and was called by a queue, or by `Dial` with
    /// only the channel's name.
    fn calls_agent(&self, cells: &ChannelCells<'_>) -> bool {
        let name = channel_owner(cells.dstchannel);
        let is_target = || {
            let mut targets = dial_targets(cells.lastdata).filter_map(|target| target.split_once('/'));
            cells.lastapp.eq_ignore_ascii_case("Queue") || targets.any(|(_, rest)| rest == name)
        };
        !is_local(cells.dstchannel) && self.is_extension(name) && is_target()
    }

    /// Returns true if `Dial` passed a number to the called channel: `PJSIP/030901820@line` or `SIP/line/030901820`.
    fn is_dialed_trunk(&self, cells: &ChannelCells<'_>) -> bool {
        let name = channel_owner(cells.dstchannel);
        let is_number = |text: &str| {
            let digits = text.trim_start_matches('+');
            digits.len() > 2 && digits.bytes().all(|b| b.is_ascii_digit()) && !self.is_extension(text)
        };
        dial_targets(cells.lastdata).filter_map(|target| target.split_once('/')).any(|(_, rest)| {
            match (rest.split_once('@'), rest.split_once('/')) {
                (Some((number, trunk)), _) => trunk == name && is_number(number),
                (None, Some((trunk, number))) => trunk == name && is_number(number),
                (None, None) => false,
            }
        })
    }
}

/// Returns the channels in the arguments of `Dial`: `SIP/101` and `SIP/102` for `SIP/101&SIP/102,30,tr`.
fn dial_targets(lastdata: &str) -> impl Iterator<Item = &str> {
    lastdata.split(',').next().unwrap_or_default().split('&')
}

fn starts_with_ignore_case(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

/// Returns true if a destination was dialed. Menus and other positions in the dial plan have names, such as `s`.
fn contains_digit(dst: &str) -> bool {
    dst.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns true if a channel is one half of a Local channel.
pub(super) fn is_local(channel: &str) -> bool {
    starts_with_ignore_case(channel, "Local/")
}

/// Returns the common name of both halves of a Local channel, and the number of this half. Half 1 is the one that was called; half 2
/// continues through the dial plan.
pub(super) fn local_half(channel: &str) -> Option<(&str, u8)> {
    let (name, half) = channel.rsplit_once(';').filter(|_| is_local(channel))?;
    match half {
        "1" => Some((name, 1)),
        "2" => Some((name, 2)),
        _ => None,
    }
}

/// Returns the owner of a channel. In channel names, Asterisk adds the technology before it and a number after it.
pub(super) fn channel_owner(channel: &str) -> &str {
    let channel = ["AsyncGoto/", "Transfered/", "Parked/", "Bridge/"]
        .iter()
        .find_map(|prefix| channel.strip_prefix(prefix))
        .unwrap_or(channel);
    let name = channel.split_once('/').map_or("", |(_, name)| name);
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    // Ring groups and follow-me of FreePBX start with the group: `RG-600-101`.
    if is_local(channel) { name.rsplit('-').next().unwrap_or(name) } else { name }
}

#[cfg(test)]
mod tests {
    use super::Side::{Extension, Local, None, Trunk};
    use super::*;

    /// Returns the sides of a record: `src dst dcontext channel dstchannel lastapp lastdata`, with `-` for an empty cell.
    fn sides(classifier: &ChannelClassifier, record: &str) -> (Side, Side) {
        let cells: Vec<_> = record.split(' ').map(|cell| if cell == "-" { "" } else { cell }).collect();
        let &[src, dst, dcontext, channel, dstchannel, lastapp, lastdata] = cells.as_slice() else {
            panic!("{record}")
        };
        let (caller, callee) =
            classifier.leg_ends(&ChannelCells { src, dst, dcontext, channel, dstchannel, lastapp, lastdata });
        (caller.side, callee.side)
    }

    #[test]
    fn returns_the_owner_of_a_channel() {
        for (channel, owner) in [
            ("PJSIP/101-0000002a", "101"),
            ("PJSIP/my-trunk-0000002a", "my-trunk"),
            ("Local/101@from-queue-00000001;1", "101"),
            ("Local/RG-600-101@from-internal-00000001;2", "101"),
            ("AsyncGoto/SIP/101-00000001", "101"),
            ("", ""),
        ] {
            assert_eq!(channel_owner(channel), owner, "{channel}");
        }
        assert_eq!(local_half("Local/101@x-01;2"), Some(("Local/101@x-01", 2)));
        assert_eq!(local_half("PJSIP/101-0000002a"), Option::None);
    }

    #[test]
    fn determines_sides_without_patterns() {
        let default = ChannelClassifier::default();
        for (record, expected) in [
            ("101 0309018 from-internal PJSIP/101-1 PJSIP/line-2 Dial PJSIP/0309018@line,60", (Extension, Trunk)),
            ("+4930901 101 plan PJSIP/line-1 PJSIP/101-2 Dial PJSIP/101,30", (Trunk, Extension)),
            ("+4930901 700 ext-queues PJSIP/line-1 - Queue 700", (Trunk, None)),
            ("101 0309018 plan PJSIP/alice-1 PJSIP/line-2 Dial x", (Extension, Trunk)),
            ("+4930901 101 plan PJSIP/line-1 PJSIP/alice-2 Dial PJSIP/alice", (Trunk, Extension)),
            ("+4930901 101 x Local/101@from-queue-1;2 PJSIP/101-2 Dial PJSIP/101", (Local, Extension)),
            ("+4930901 0171234 x Local/0171234@from-queue-1;2 PJSIP/line-2 Dial PJSIP/0171234@line", (Local, Trunk)),
            ("101 102 from-internal SIP/101-1 SIP/102-2 Dial SIP/102", (Extension, Extension)),
            ("+4930901 s from-internal PJSIP/line-1 - BackGround welcome", (Trunk, None)),
            // The company's caller ID, shown on outbound calls.
            ("+4930901 0309018 from-internal SIP/101-1 SIP/line-2 Dial SIP/line/0309018", (Extension, Trunk)),
        ] {
            assert_eq!(sides(&default, record), expected, "{record}");
        }
    }

    #[test]
    fn accepts_trunks_named_by_digits() {
        let default = ChannelClassifier::default();
        for (record, expected) in [
            ("+4930901 101 from-trunk SIP/12345-1 SIP/101-2 Dial SIP/101", (Trunk, Extension)),
            ("+4930901 101 plan SIP/12345-1 SIP/101-2 Dial SIP/101", (Trunk, Extension)),
            ("+4930901 700 plan SIP/12345-1 - Queue 700", (Trunk, None)),
            ("+4930901 +49307 plan SIP/12345-1 SIP/101-2 Dial SIP/101,30", (Trunk, Extension)),
            ("101 0309018 plan SIP/101-1 SIP/12345-2 Dial SIP/12345/0309018,60", (Extension, Trunk)),
            ("+4930901 0309018 plan SIP/101-1 SIP/12345-2 Dial SIP/12345/0309018", (Extension, Trunk)),
        ] {
            assert_eq!(sides(&default, record), expected, "{record}");
        }
        let trunks = ChannelClassifier {
            trunks: Patterns::parse(&["12345"]).expect("valid patterns"),
            ..ChannelClassifier::default()
        };
        assert_eq!(sides(&trunks, "12345 x plan SIP/12345-1 SIP/101-2 Dial x"), (Trunk, Extension));
        assert_eq!(sides(&trunks, "101 0309018 plan SIP/101-1 SIP/12345-2 Dial x"), (Extension, Trunk));
    }

    #[test]
    fn channels_without_extension_pattern_are_trunks() {
        let extensions = Patterns::parse(&["1XX", "alice", "20000-20999"]).expect("valid patterns");
        let classifier = ChannelClassifier { extensions, ..ChannelClassifier::default() };
        for (record, expected) in [
            ("200 101 from-internal SIP/200-1 SIP/101-2 Dial x", (Trunk, Extension)),
            ("+4930901 0309018 plan PJSIP/alice-1 PJSIP/200-2 Dial x", (Extension, Trunk)),
            ("+4930901 x from-trunk PJSIP/20001-1 PJSIP/200-2 Dial x", (Extension, Trunk)),
        ] {
            assert_eq!(sides(&classifier, record), expected, "{record}");
        }
    }
}
