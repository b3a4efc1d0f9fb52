//! A row's lead as JSON, with all members or a selection.

use std::collections::BTreeSet;

use leadscribe_engine::json::{write_days, write_micros, write_value};

use super::lead::{CUSTOM_FIELDS, Form, MEMBERS, take_date, take_json};
use super::{ID, MEMBERS as FIRST, TIMES, bytes, flags};

/// Selection of a lead's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members(u32);

impl Members {
    /// Every member.
    pub const ALL: Self = Self((1 << MEMBERS.len()) - 1);

    /// Members with these names. Names that aren't the lead's own members, such as `campaigns`, are ignored.
    pub fn named(names: &BTreeSet<String>) -> Self {
        let is_named = |key: &str| names.contains(key.trim_matches(['"', ':']));
        let bits = MEMBERS.iter().enumerate().map(|(member, (key, _))| u32::from(is_named(key)) << member);
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// Members that the filter selects.
    pub fn of(fields: Option<&BTreeSet<String>>) -> Self {
        fields.map_or(Self::ALL, Self::named)
    }
}

/// Appends the lead without its closing brace.
pub(super) fn write(row: &[u8], members: Members, out: &mut Vec<u8>) {
    let flags = flags(row);
    let mut rest = &row[FIRST..];
    let mut before = b'{';
    for (member, (key, form)) in MEMBERS.iter().enumerate() {
        let has = flags >> member & 1 == 1;
        if members.0 >> member & 1 == 0 {
            match form {
                Form::Json if has => _ = take_json(&mut rest),
                Form::Date if has => _ = take_date(&mut rest),
                _ => {}
            }
            continue;
        }
        out.push(before);
        before = b',';
        out.extend_from_slice(key.as_bytes());
        match form {
            Form::Json if has => out.extend_from_slice(take_json(&mut rest)),
            Form::Date if has => write_days(take_date(&mut rest), out),
            Form::Json if member == CUSTOM_FIELDS => out.extend_from_slice(b"{}"),
            Form::Json | Form::Date => out.extend_from_slice(b"null"),
            Form::Flag => out.extend_from_slice(if has { b"true" } else { b"false" }),
            Form::Time(number) => write_micros(bytes::fixed(row, TIMES + 8 * number), out),
            Form::Id => write_value(&bytes::fixed(row, ID), out),
        }
    }
    if before == b'{' {
        out.push(before);
    }
}
