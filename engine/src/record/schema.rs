//! JSON Schemas of the values that the readers of [`super::value`] accept: one function per reader, with the same name, used in the rule
//! tables. Also the schemas of bodies, generated from the tables.

use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

use super::body::is_writable;
use super::rule::Record;
use super::value::{
    MAX_EMAIL_CHARS, MAX_ID, MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS, MAX_NEW_ID, MAX_PHONE_CHARS, MAX_STATUS_CHARS,
};
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, MAX_CUSTOM_FIELDS, MAX_LEADS, WriteMode};
use crate::api::{Call, CallStatus, Campaign, CampaignId, LeadId, LeadValues, RecordingState, Weekday};
use crate::filter::fields::{MAX_CUSTOM_NAME_CHARS, Owner};
use crate::schema::{NO_CONTROL_PATTERN, field_description, nullable, reference, with_description};

pub(super) use crate::schema::timestamp;

/// Text that may contain tabs and line breaks.
const MULTILINE_PATTERN: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

/// Returns the schemas of all bodies, for creation and for changes.
pub fn schemas() -> Vec<(&'static str, Value)> {
    let lead = |name: &str| field_description(Owner::Lead, name).unwrap_or_default().to_owned();
    let campaign_lead = |name: &str| field_description(Owner::CampaignLead, name).unwrap_or_default().to_owned();
    let (campaign, call) = (member_docs::<Campaign>(), member_docs::<Call>());
    vec![
        ("NewLead", body_schema::<LeadRecord>(WriteMode::Create, lead)),
        ("LeadChange", body_schema::<LeadRecord>(WriteMode::Update, lead)),
        ("NewCampaign", body_schema::<CampaignRecord>(WriteMode::Create, &campaign)),
        ("CampaignChange", body_schema::<CampaignRecord>(WriteMode::Update, &campaign)),
        ("NewCampaignLead", body_schema::<CampaignLeadRecord>(WriteMode::Create, campaign_lead)),
        ("CampaignLeadChange", body_schema::<CampaignLeadRecord>(WriteMode::Update, campaign_lead)),
        ("NewCall", body_schema::<CallRecord>(WriteMode::Create, &call)),
        ("CallChange", body_schema::<CallRecord>(WriteMode::Update, &call)),
        ("LeadAction", lead_action_schema()),
    ]
}

/// Returns the schema of a bulk action's body.
fn lead_action_schema() -> Value {
    let doc = |name: &str| match name {
        "campaign_id" => "Campaign to add the leads to, unless they are already in it.",
        _ => field_description(Owner::CampaignLead, name).or(field_description(Owner::Lead, name)).unwrap_or_default(),
    };
    let set = body_schema::<LeadValues>(WriteMode::Update, |name| doc(name).to_owned());
    let lead_ids = json!({ "type": "array", "minItems": 1, "maxItems": MAX_LEADS, "items": id(|id| id) });
    json!({
        "type": "object",
        "description": "The leads, by id or by filter, and their new values.",
        "required": ["set"],
        "oneOf": [{ "required": ["lead_ids"] }, { "required": ["filter"] }],
        "not": { "required": ["campaign_id", "set"], "properties": { "set": { "required": ["campaign_id"] } } },
        "additionalProperties": false,
        "properties": {
            "lead_ids": with_description(lead_ids, "Ids of the leads. Duplicates are ignored."),
            "filter": {
                "$ref": reference("LeadFilter"),
                "description": format!("All matching leads, at most {MAX_LEADS}, with the campaign leads that a look-up with this filter returns. \
                    `limit`, `_order` and `_cursor` are ignored."),
            },
            "campaign_id": with_description(
                id(CampaignId),
                "Changes only the campaign leads in this campaign; by default, those in all campaigns. Can't be combined \
                    with `set.campaign_id`."
            ),
            "after": with_description(id(LeadId), "Only leads with larger ids: `next` of the previous part."),
            "at_most": with_description(
                json!({ "type": "integer", "minimum": 1, "maximum": MAX_LEADS }),
                "Maximum number of leads to change, smallest ids first. To continue, send `next` of the response as `after`."
            ),
            "set": with_description(
                set,
                "New values: `do_not_call` of the leads, the others of their campaign leads. With `campaign_id`, the leads are added \
                    to that campaign with these values (status `new` by default); existing campaign leads stay unchanged. Null \
                    removes a value."
            )
        }
    })
}

fn body_schema<R: Record>(form: WriteMode, doc: impl Fn(&str) -> String) -> Value {
    let writable_rules = R::RULES.iter().filter(|rule| is_writable(rule, form));
    let properties: Map<_, _> = writable_rules
        .map(|rule| {
            let schema = (rule.schema)();
            let schema = if rule.nullable { nullable(schema) } else { schema };
            let property = match schema.get("description") {
                Some(_) => schema,
                None => with_description(schema, &doc(rule.name)),
            };
            (rule.name.to_owned(), property)
        })
        .collect();
    let (description, required) = match form {
        WriteMode::Create => (format!("Values of {}; omitted members take their defaults.", (R::NOUN)()), R::REQUIRED),
        WriteMode::Update => (format!("Changes of {}; null removes a value.", (R::NOUN)()), &[][..]),
    };
    let mut body = json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": false,
        "minProperties": 1
    });
    if !required.is_empty() {
        body["required"] = json!(required);
    }
    body
}

/// Returns the descriptions of a response type's members.
pub(super) fn member_docs<T: PartialSchema>() -> impl Fn(&str) -> String {
    let schema = serde_json::to_value(T::schema()).expect("schemas are JSON");
    move |name| {
        let member = &schema["properties"][name];
        // The description of a nullable reference is next to the reference.
        let doc = member.get("description").or_else(|| member["oneOf"].get(0)?.get("description"));
        doc.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

pub fn text(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": NO_CONTROL_PATTERN })
}

pub fn phone() -> Value {
    text(MAX_PHONE_CHARS)
}

pub fn lines(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": MULTILINE_PATTERN })
}

pub fn name() -> Value {
    let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
    json!({ "type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS, "pattern": pattern })
}

pub fn email() -> Value {
    let pattern = r"^[^@\s\u0000-\u001f\u007f-\u009f]+@[^@\s\u0000-\u001f\u007f-\u009f]+$";
    json!({ "type": "string", "maxLength": MAX_EMAIL_CHARS, "pattern": pattern, "examples": ["ada@example.com"] })
}

pub fn e164() -> Value {
    json!({ "type": "string", "pattern": r"^\+[1-9][0-9]{1,14}$", "examples": ["+442079460018"] })
}

pub fn country() -> Value {
    json!({ "type": "string", "maxLength": MAX_NAME_CHARS, "pattern": NO_CONTROL_PATTERN, "examples": ["DE", "Germany"] })
}

pub fn time_zone() -> Value {
    json!({ "type": "string", "examples": ["Europe/Berlin", "America/New_York"] })
}

pub fn status() -> Value {
    json!({ "type": "string", "pattern": format!("^[a-z0-9_]{{1,{MAX_STATUS_CHARS}}}$"), "examples": ["new", "callback"] })
}

pub fn file_name() -> Value {
    text(MAX_NAME_CHARS)
}

pub fn named<T: Copy + 'static>(values: &'static [T], name: fn(T) -> &'static str) -> Value {
    json!({ "type": "string", "enum": values.iter().map(|variant| name(*variant)).collect::<Vec<_>>() })
}

pub fn call_outcome() -> Value {
    named(CallStatus::ALL, CallStatus::as_str)
}

pub fn call_status() -> Value {
    call_outcome()
}

/// In JSON, `ready` is reserved for uploads.
pub fn recording_state() -> Value {
    let states = RecordingState::names().filter(|state| *state != RecordingState::Ready.as_str());
    with_description(
        json!({ "type": "string", "enum": states.collect::<Vec<_>>() }),
        "State of the recording before it is uploaded; `pending` announces an upload. An upload sets `ready`, which can't be changed back.",
    )
}

pub fn own_id<T>(_wrap: fn(i64) -> T) -> Value {
    whole(1, MAX_NEW_ID)
}

pub fn id<T>(_wrap: fn(i64) -> T) -> Value {
    whole(1, MAX_ID)
}

pub fn whole(low: i64, high: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": low, "maximum": high })
}

pub fn count(low: u32, high: u32) -> Value {
    json!({ "type": "integer", "format": "int32", "minimum": low, "maximum": high })
}

pub fn number(low: f64, high: f64) -> Value {
    json!({ "type": "number", "format": "double", "minimum": low, "maximum": high })
}

pub fn degrees(low: f64, high: f64) -> Value {
    number(low, high)
}

pub fn boolean() -> Value {
    json!({ "type": "boolean" })
}

pub fn date() -> Value {
    json!({ "type": "string", "format": "date", "examples": ["2026-05-01"] })
}

pub fn custom_fields() -> Value {
    json!({
        "type": "object",
        "description": format!("Custom fields by name: text, number (integers up to 64 bits) or boolean. Null removes a field; omitted fields \
            stay unchanged. A lead has at most {MAX_CUSTOM_FIELDS}. Names of card data are rejected."),
        "maxProperties": MAX_CUSTOM_FIELDS,
        "propertyNames": { "minLength": 1, "maxLength": MAX_CUSTOM_NAME_CHARS, "pattern": NO_CONTROL_PATTERN },
        "additionalProperties": { "type": ["string", "number", "boolean", "null"], "maxLength": MAX_LONG_TEXT_CHARS, "pattern": MULTILINE_PATTERN },
        "examples": [{ "segment": "gold", "score": 5 }]
    })
}

pub fn calling_hours() -> Value {
    let time = |example: &str, description: &str| json!({ "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": [example], "description": description });
    let days: Vec<_> = Weekday::names().collect();
    json!({
        "type": "object",
        "required": ["start", "end", "days"],
        "additionalProperties": false,
        "properties": {
            "start": time("09:00", "Start of calling, inclusive."),
            "end": time("20:00", "End of calling, exclusive. At or before `start`, it is on the next day."),
            "days": {
                "type": "array",
                "description": "Days on which calling starts. Duplicates are ignored.",
                "minItems": 1,
                "items": { "type": "string", "enum": days }
            }
        },
        "examples": [{ "start": "09:00", "end": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"] }]
    })
}
