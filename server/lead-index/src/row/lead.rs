//! The lead of a row: packing, unpacking, and access to single values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use leadscribe_engine::api::{CustomValue, ImportId, Lead, LeadId, Timestamp};
use leadscribe_engine::callable::{Callee, Phone};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::json::{write_text, write_value};

use super::{END_OFFSET, ID_OFFSET, MEMBERS_OFFSET, TIMES_OFFSET, bytes, flags, times};
use crate::key as keys;

/// Encoding of a member in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// At a fixed position.
    Id,
    /// JSON with a length prefix.
    Json,
    /// Days since 1970, in four bytes.
    Date,
    /// The flag bit alone.
    FlagBit,
    /// At a fixed position, in the order of the members.
    Time,
}

/// Type of a lead's member, which determines how it is packed.
trait Member {
    const ENCODING: Encoding;

    /// Packs the value of the next member.
    fn pack(&self, packer: &mut Packer<'_>);
    fn unpack(members: &mut Unpacker<'_>) -> Self;
}

macro_rules! members {
    ($($(#[$attribute:meta])* $member:ident: $type:ty [$($about:tt)*];)+) => {
        /// Keys of a lead's members in wire order, each with quotes and a colon, and with the encoding of the value in a row.
        pub(super) const MEMBERS: &[(&str, Encoding)] =
            &[$((concat!("\"", stringify!($member), "\":"), <$type as Member>::ENCODING)),+];

        /// Appends a lead.
        pub(super) fn pack(lead: &Lead, out: &mut Vec<u8>) {
            out.extend_from_slice(&[0; MEMBERS_OFFSET]);
            let mut packer = Packer { out, member: 0, flags: 0 };
            $(lead.$member.pack(&mut packer);)+
            let flags = packer.flags;
            out[..END_OFFSET].copy_from_slice(&flags.to_le_bytes());
        }

        pub(super) fn unpack(row: &[u8]) -> Lead {
            let mut members = Unpacker { row, rest: &row[MEMBERS_OFFSET..], flags: flags(row), member: 0 };
            Lead { $($member: Member::unpack(&mut members)),+ }
        }
    };
}
leadscribe_engine::lead_members!(members);

/// Position of `custom_fields`, the only member that isn't in the table of fields. Earlier members have the numbers of their fields.
pub(super) const CUSTOM_FIELDS_INDEX: usize = FieldId::CreatedAt as usize;

/// Offset in a row of the time at this position in [`MEMBERS`]. Only times follow the custom fields.
pub(super) const fn time_offset(member: usize) -> usize {
    TIMES_OFFSET + 8 * (member - CUSTOM_FIELDS_INDEX - 1)
}

struct Packer<'a> {
    out: &'a mut Vec<u8>,
    member: usize,
    flags: u64,
}

impl Packer<'_> {
    fn flag(&mut self, flag: bool) {
        self.flags |= u64::from(flag) << self.member;
        self.member += 1;
    }

    fn fixed(&mut self, offset: usize, value: i64) {
        self.out[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
        self.member += 1;
    }

    fn json<T>(&mut self, value: Option<T>, write: impl FnOnce(T, &mut Vec<u8>)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            // Most values are short, so a one-byte length usually suffices.
            let start = self.out.len();
            self.out.push(0);
            write(value, self.out);
            let length = self.out.len() - start - 1;
            match u8::try_from(length) {
                Ok(length @ 0..0x80) => self.out[start] = length,
                _ => bytes::replace_byte(length as u64, start, self.out),
            }
        }
    }
}

struct Unpacker<'a> {
    row: &'a [u8],
    rest: &'a [u8],
    flags: u64,
    member: usize,
}

impl<'a> Unpacker<'a> {
    fn flag(&mut self) -> bool {
        let flag = self.flags >> self.member & 1 == 1;
        self.member += 1;
        flag
    }

    fn fixed(&mut self, offset: usize) -> i64 {
        self.member += 1;
        bytes::i64_at(self.row, offset)
    }

    fn json(&mut self) -> Option<&'a [u8]> {
        self.flag().then(|| take_json(&mut self.rest))
    }
}

impl Member for LeadId {
    const ENCODING: Encoding = Encoding::Id;

    fn pack(&self, packer: &mut Packer<'_>) {
        packer.fixed(ID_OFFSET, self.0);
    }

    fn unpack(members: &mut Unpacker<'_>) -> Self {
        Self(members.fixed(ID_OFFSET))
    }
}

impl Member for Timestamp {
    const ENCODING: Encoding = Encoding::Time;

    fn pack(&self, packer: &mut Packer<'_>) {
        packer.fixed(time_offset(packer.member), keys::from_time(*self));
    }

    fn unpack(members: &mut Unpacker<'_>) -> Self {
        times::from_micros(members.fixed(time_offset(members.member)))
    }
}

impl Member for bool {
    const ENCODING: Encoding = Encoding::FlagBit;

    fn pack(&self, packer: &mut Packer<'_>) {
        packer.flag(*self);
    }

    fn unpack(members: &mut Unpacker<'_>) -> Self {
        members.flag()
    }
}

impl Member for Option<NaiveDate> {
    const ENCODING: Encoding = Encoding::Date;

    fn pack(&self, packer: &mut Packer<'_>) {
        packer.flag(self.is_some());
        if let Some(date) = self {
            packer.out.extend_from_slice(&date.to_epoch_days().to_le_bytes());
        }
    }

    fn unpack(members: &mut Unpacker<'_>) -> Self {
        members.flag().then(|| times::from_days(take_date(&mut members.rest)))
    }
}

macro_rules! json_members {
    ($($type:ty: $write:expr, $parse:expr;)+) => {$(
        impl Member for Option<$type> {
            const ENCODING: Encoding = Encoding::Json;

            fn pack(&self, packer: &mut Packer<'_>) {
                packer.json(self.as_ref(), $write);
            }

            fn unpack(members: &mut Unpacker<'_>) -> Self {
                members.json().map($parse)
            }
        }
    )+};
}

json_members! {
    String: |text, out| write_text(text, out), |json| parse_text(json).into_owned();
    f64: write_value, parse_number;
    ImportId: |id, out| write_value(&id.0, out), |json| ImportId(parse_integer(json));
}

impl Member for BTreeMap<String, CustomValue> {
    const ENCODING: Encoding = Encoding::Json;

    fn pack(&self, packer: &mut Packer<'_>) {
        packer.json((!self.is_empty()).then_some(self), |fields, out| {
            for (index, (name, value)) in fields.iter().enumerate() {
                out.push(if index == 0 { b'{' } else { b',' });
                write_text(name, out);
                out.push(b':');
                match value {
                    CustomValue::Text(text) => write_text(text, out),
                    value => write_value(value, out),
                }
            }
            out.push(b'}');
        });
    }

    fn unpack(members: &mut Unpacker<'_>) -> Self {
        let json = members.json();
        json.map(|json| serde_json::from_slice(json).expect("a row contains valid JSON")).unwrap_or_default()
    }
}

/// Phone number fields of a lead: as given, and normalized.
const PHONE_FIELDS: [FieldId; 4] =
    [FieldId::Phone, FieldId::Phone2, FieldId::PhoneNormalized, FieldId::PhoneNormalized2];

/// Data of a row's lead that decides callability.
pub(super) fn callee(row: &[u8]) -> Callee<'_> {
    let flags = flags(row);
    let has_flag = |field: FieldId| flags >> field as usize & 1 == 1;
    let mut rest = &row[MEMBERS_OFFSET..];
    let (mut numbers, mut timezone) = ([const { None }; PHONE_FIELDS.len()], None);
    // All of them are texts, up to the last one needed.
    for (member, _) in MEMBERS.iter().enumerate().take(FieldId::Timezone as usize + 1).skip(1) {
        if flags >> member & 1 == 0 {
            continue;
        }
        let json = take_json(&mut rest);
        if let Some(index) = PHONE_FIELDS.iter().position(|field| *field as usize == member) {
            numbers[index] = Some(parse_text(json));
        } else if member == FieldId::Timezone as usize {
            timezone = Some(parse_text(json));
        }
    }
    let [phone, phone2, normalized, normalized2] = &numbers;
    let phone = Phone::from_numbers([phone, phone2], [normalized, normalized2]);
    Callee { do_not_call: has_flag(FieldId::DoNotCall), blacklisted: has_flag(FieldId::Blacklisted), phone, timezone }
}

/// A value by which leads are sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    /// Text, compared by bytes.
    Text(Cow<'a, [u8]>),
    /// Any other value, as its key; false sorts before true.
    Number(i64),
}

/// Value of a lead's field.
pub(super) fn key(row: &[u8], field: FieldId) -> Option<Key<'_>> {
    let position = field as usize;
    let member = if position < CUSTOM_FIELDS_INDEX { position } else { position + 1 };
    let flags = flags(row);
    let has_value = |member: usize| flags >> member & 1 == 1;
    match MEMBERS[member].1 {
        Encoding::Id => return Some(Key::Number(bytes::i64_at(row, ID_OFFSET))),
        Encoding::Time => return Some(Key::Number(bytes::i64_at(row, time_offset(member)))),
        Encoding::FlagBit => return Some(Key::Number(has_value(member).into())),
        Encoding::Json | Encoding::Date if !has_value(member) => return None,
        Encoding::Json | Encoding::Date => {}
    }
    let mut rest = &row[MEMBERS_OFFSET..];
    for index in (1..member).filter(|index| has_value(*index)) {
        match MEMBERS[index].1 {
            Encoding::Json => _ = take_json(&mut rest),
            Encoding::Date => _ = take_date(&mut rest),
            Encoding::Id | Encoding::FlagBit | Encoding::Time => {}
        }
    }
    Some(match field.field().kind {
        Kind::Date => Key::Number(keys::from_date(times::from_days(take_date(&mut rest)))),
        Kind::Number => Key::Number(keys::from_number(parse_number(take_json(&mut rest)))),
        Kind::Integer => Key::Number(parse_integer(take_json(&mut rest))),
        _ => Key::Text(parse_text_bytes(take_json(&mut rest))),
    })
}

pub(super) fn take_json<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let length = bytes::take_varint(rest) as usize;
    let (json, remaining) = rest.split_at(length);
    *rest = remaining;
    json
}

pub(super) fn take_date(rest: &mut &[u8]) -> i32 {
    let (days, remaining) = rest.split_at(4);
    *rest = remaining;
    i32::from_le_bytes(days.try_into().expect("four bytes"))
}

fn parse_integer(json: &[u8]) -> i64 {
    serde_json::from_slice(json).expect("a row contains valid ids")
}

fn parse_number(json: &[u8]) -> f64 {
    // Rust parses to the nearest double, which is the number that was written.
    std::str::from_utf8(json).ok().and_then(|json| json.parse().ok()).expect("a row contains valid numbers")
}

fn parse_text(json: &[u8]) -> Cow<'_, str> {
    match parse_text_bytes(json) {
        Cow::Borrowed(bytes) => Cow::Borrowed(std::str::from_utf8(bytes).expect("a row contains valid UTF-8")),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).expect("a row contains valid UTF-8")),
    }
}

fn parse_text_bytes(json: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', json).is_none() {
        return Cow::Borrowed(&json[1..json.len() - 1]);
    }
    let text: String = serde_json::from_slice(json).expect("a row contains valid JSON strings");
    Cow::Owned(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_follow_the_custom_fields() {
        assert_eq!(MEMBERS[CUSTOM_FIELDS_INDEX].0, "\"custom_fields\":");
        let first_time = MEMBERS.iter().position(|(_, encoding)| *encoding == Encoding::Time);
        assert_eq!(first_time, Some(CUSTOM_FIELDS_INDEX + 1));
        assert_eq!(time_offset(MEMBERS.len()), MEMBERS_OFFSET);
    }
}
