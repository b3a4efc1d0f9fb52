//! The lead of a row: packing, unpacking, and access to single values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::NaiveDate;
use leadscribe_engine::api::{CustomValue, ImportId, Lead, LeadId};
use leadscribe_engine::callable::{Callee, Phone};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::json::{write_text, write_value};

use super::{ID_OFFSET, MEMBERS_OFFSET as FIRST, TIMES_OFFSET, bytes, flags, times};
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
    /// One of the times at a fixed position, by its index.
    Time(usize),
}

/// Members of a lead in wire order: with quotes and colon, and their encoding in a row.
pub(super) static MEMBERS: [(&str, Encoding); 31] = [
    ("\"id\":", Encoding::Id),
    ("\"first_name\":", Encoding::Json),
    ("\"last_name\":", Encoding::Json),
    ("\"phone\":", Encoding::Json),
    ("\"phone2\":", Encoding::Json),
    ("\"phone_normalized\":", Encoding::Json),
    ("\"phone_normalized2\":", Encoding::Json),
    ("\"email\":", Encoding::Json),
    ("\"address1\":", Encoding::Json),
    ("\"address2\":", Encoding::Json),
    ("\"city\":", Encoding::Json),
    ("\"state\":", Encoding::Json),
    ("\"zip\":", Encoding::Json),
    ("\"country\":", Encoding::Json),
    ("\"timezone\":", Encoding::Json),
    ("\"lat\":", Encoding::Json),
    ("\"lng\":", Encoding::Json),
    ("\"original_identifier\":", Encoding::Json),
    ("\"support_site\":", Encoding::Json),
    ("\"purchase_site\":", Encoding::Json),
    ("\"purchase_date\":", Encoding::Date),
    ("\"purchase_amount\":", Encoding::Json),
    ("\"purchase_product_name\":", Encoding::Json),
    ("\"birthdate\":", Encoding::Date),
    ("\"do_not_call\":", Encoding::FlagBit),
    ("\"blacklisted\":", Encoding::FlagBit),
    ("\"import_id\":", Encoding::Json),
    ("\"custom_fields\":", Encoding::Json),
    ("\"created_at\":", Encoding::Time(0)),
    ("\"updated_at\":", Encoding::Time(1)),
    ("\"global_updated_at\":", Encoding::Time(2)),
];

/// Position of the member that isn't a field of the table. Earlier members have the numbers of their fields.
pub(super) const CUSTOM_FIELDS_INDEX: usize = 27;

/// Appends a lead.
pub(super) fn pack(lead: &Lead, out: &mut Vec<u8>) {
    out.extend_from_slice(&[0; ID_OFFSET]);
    out.extend_from_slice(&lead.id.0.to_le_bytes());
    for time in [lead.created_at, lead.updated_at, lead.global_updated_at] {
        out.extend_from_slice(&keys::from_time(time).to_le_bytes());
    }
    let mut packing = Packer { out, member_index: 1, flags: 0 };
    packing.texts([&lead.first_name, &lead.last_name, &lead.phone, &lead.phone2]);
    packing.texts([&lead.phone_normalized, &lead.phone_normalized2, &lead.email, &lead.address1, &lead.address2]);
    packing.texts([&lead.city, &lead.state, &lead.zip, &lead.country, &lead.timezone]);
    packing.number(lead.lat);
    packing.number(lead.lng);
    packing.texts([&lead.original_identifier, &lead.support_site, &lead.purchase_site]);
    packing.date(lead.purchase_date);
    packing.number(lead.purchase_amount);
    packing.texts([&lead.purchase_product_name]);
    packing.date(lead.birthdate);
    packing.flag(lead.do_not_call);
    packing.flag(lead.blacklisted);
    packing.integer(lead.import_id.map(|import| import.0));
    packing.custom(&lead.custom_fields);
    let flags = packing.flags;
    out[..4].copy_from_slice(&flags.to_le_bytes());
}

struct Packer<'a> {
    out: &'a mut Vec<u8>,
    member_index: u32,
    flags: u32,
}

impl Packer<'_> {
    fn flag(&mut self, flag: bool) {
        self.flags |= u32::from(flag) << self.member_index;
        self.member_index += 1;
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

    fn number(&mut self, number: Option<f64>) {
        self.json(number, |number, out| write_value(&number, out));
    }

    fn integer(&mut self, integer: Option<i64>) {
        self.json(integer, |integer, out| write_value(&integer, out));
    }

    fn texts<const N: usize>(&mut self, texts: [&Option<String>; N]) {
        texts.into_iter().for_each(|text| self.json(text.as_deref(), write_text));
    }

    fn custom(&mut self, fields: &BTreeMap<String, CustomValue>) {
        self.json((!fields.is_empty()).then_some(fields), |fields, out| {
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

    fn date(&mut self, date: Option<NaiveDate>) {
        self.flag(date.is_some());
        if let Some(date) = date {
            self.out.extend_from_slice(&times::to_days(date).to_le_bytes());
        }
    }
}

/// Unpacks the lead of a row.
pub(super) fn unpack(row: &[u8]) -> Lead {
    let mut members = Unpacker { rest: &row[FIRST..], flags: flags(row), member_index: 1 };
    Lead {
        id: LeadId(bytes::i64_at(row, ID_OFFSET)),
        first_name: members.text(),
        last_name: members.text(),
        phone: members.text(),
        phone2: members.text(),
        phone_normalized: members.text(),
        phone_normalized2: members.text(),
        email: members.text(),
        address1: members.text(),
        address2: members.text(),
        city: members.text(),
        state: members.text(),
        zip: members.text(),
        country: members.text(),
        timezone: members.text(),
        lat: members.number(),
        lng: members.number(),
        original_identifier: members.text(),
        support_site: members.text(),
        purchase_site: members.text(),
        purchase_date: members.date(),
        purchase_amount: members.number(),
        purchase_product_name: members.text(),
        birthdate: members.date(),
        do_not_call: members.flag(),
        blacklisted: members.flag(),
        import_id: members.integer().map(ImportId),
        custom_fields: members.custom(),
        created_at: times::from_micros(bytes::i64_at(row, TIMES_OFFSET)),
        updated_at: times::from_micros(bytes::i64_at(row, TIMES_OFFSET + 8)),
        global_updated_at: times::from_micros(bytes::i64_at(row, TIMES_OFFSET + 16)),
    }
}

struct Unpacker<'a> {
    rest: &'a [u8],
    flags: u32,
    member_index: u32,
}

impl<'a> Unpacker<'a> {
    fn flag(&mut self) -> bool {
        let flag = self.flags >> self.member_index & 1 == 1;
        self.member_index += 1;
        flag
    }

    fn json(&mut self) -> Option<&'a [u8]> {
        self.flag().then(|| take_json(&mut self.rest))
    }

    fn text(&mut self) -> Option<String> {
        self.json().map(|json| parse_text(json).into_owned())
    }

    fn number(&mut self) -> Option<f64> {
        self.json().map(parse_number)
    }

    fn integer(&mut self) -> Option<i64> {
        self.json().map(parse_integer)
    }

    fn date(&mut self) -> Option<NaiveDate> {
        self.flag().then(|| times::from_days(take_date(&mut self.rest)))
    }

    fn custom(&mut self) -> BTreeMap<String, CustomValue> {
        let json = self.json();
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
    let mut rest = &row[FIRST..];
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
    let member = field as usize;
    let flags = flags(row);
    let has_value = |member: usize| flags >> member & 1 == 1;
    match field {
        FieldId::Id => return Some(Key::Number(bytes::i64_at(row, ID_OFFSET))),
        FieldId::CreatedAt => return Some(Key::Number(bytes::i64_at(row, TIMES_OFFSET))),
        FieldId::UpdatedAt => return Some(Key::Number(bytes::i64_at(row, TIMES_OFFSET + 8))),
        FieldId::GlobalUpdatedAt => return Some(Key::Number(bytes::i64_at(row, TIMES_OFFSET + 16))),
        FieldId::DoNotCall | FieldId::Blacklisted => return Some(Key::Number(has_value(member).into())),
        _ if !has_value(member) => return None,
        _ => {}
    }
    let mut rest = &row[FIRST..];
    for index in (1..member).filter(|index| has_value(*index)) {
        match MEMBERS[index].1 {
            Encoding::Json => _ = take_json(&mut rest),
            Encoding::Date => _ = take_date(&mut rest),
            Encoding::Id | Encoding::FlagBit | Encoding::Time(_) => {}
        }
    }
    Some(match field {
        FieldId::PurchaseDate | FieldId::Birthdate => {
            Key::Number(keys::from_date(times::from_days(take_date(&mut rest))))
        }
        FieldId::Lat | FieldId::Lng | FieldId::PurchaseAmount => {
            Key::Number(keys::from_number(parse_number(take_json(&mut rest))))
        }
        FieldId::ImportId => Key::Number(parse_integer(take_json(&mut rest))),
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
    use leadscribe_engine::filter::fields::{FIELDS, Owner};

    use super::*;

    #[test]
    fn members_match_the_field_table() {
        let mut names: Vec<&str> =
            FIELDS.iter().filter(|field| field.owner == Owner::Lead).map(|field| field.property).collect();
        names.insert(CUSTOM_FIELDS_INDEX, "custom_fields");
        assert_eq!(MEMBERS.map(|(name, _)| name.trim_matches(['"', ':'])).to_vec(), names);
    }
}
