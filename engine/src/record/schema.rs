//! JSON Schemas of the values that the readers of [`super::value`] accept: one function per reader, with the same name, used in the rule
//! tables. Also the schemas of bodies, generated from the tables.

use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

use super::body::is_open;
use super::rule::Record;
use super::value::{EMAIL, LONG, MAX_ID, MAX_OWN_ID, NAME, PHONE, STATUS};
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, Form, LeadRecord, MAX_CUSTOM_FIELDS, MAX_LEADS};
use crate::api::{Call, CallStatus, Campaign, CampaignId, LeadId, LeadValues, RecordingState, Weekday};
use crate::filter::fields::{MAX_CUSTOM_NAME, Owner};
use crate::schema::{NO_CONTROL, described, field_doc, or_null, reference};

pub(super) use crate::schema::moment;

/// Text that may contain tabs and line breaks.
const LINES: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

/// Returns the schemas of all bodies, for creation and for changes.
pub fn schemas() -> Vec<(&'static str, Value)> {
    let lead = |name: &str| field_doc(Owner::Lead, name).unwrap_or_default().to_owned();
    let campaign_lead = |name: &str| field_doc(Owner::CampaignLead, name).unwrap_or_default().to_owned();
    let (campaign, call) = (docs_of::<Campaign>(), docs_of::<Call>());
    vec![
        ("NewLead", body::<LeadRecord>(Form::Create, lead)),
        ("LeadChange", body::<LeadRecord>(Form::Change, lead)),
        ("NewCampaign", body::<CampaignRecord>(Form::Create, &campaign)),
        ("CampaignChange", body::<CampaignRecord>(Form::Change, &campaign)),
        ("NewCampaignLead", body::<CampaignLeadRecord>(Form::Create, campaign_lead)),
        ("CampaignLeadChange", body::<CampaignLeadRecord>(Form::Change, campaign_lead)),
        ("NewCall", body::<CallRecord>(Form::Create, &call)),
        ("CallChange", body::<CallRecord>(Form::Change, &call)),
        ("LeadAction", lead_action()),
    ]
}

/// Returns the schema of a bulk action's body.
fn lead_action() -> Value {
    let doc = |name: &str| match name {
        "campaign_id" => "The campaign that the leads are put into where they aren't in it yet.",
        _ => field_doc(Owner::CampaignLead, name).or(field_doc(Owner::Lead, name)).unwrap_or_default(),
    };
    let set = body::<LeadValues>(Form::Change, |name| doc(name).to_owned());
    let lead_ids = json!({ "type": "array", "minItems": 1, "maxItems": MAX_LEADS, "items": id(|id| id) });
    json!({
        "type": "object",
        "description": "Which leads, by their ids or by a filter, and what they are to become.",
        "required": ["set"],
        "oneOf": [{ "required": ["lead_ids"] }, { "required": ["filter"] }],
        "not": { "required": ["campaign_id", "set"], "properties": { "set": { "required": ["campaign_id"] } } },
        "additionalProperties": false,
        "properties": {
            "lead_ids": described(lead_ids, "These leads; one that stands twice counts once."),
            "filter": {
                "$ref": reference("LeadFilter"),
                "description": format!("All leads that match, {MAX_LEADS} at most; of their campaign leads those that a look-up by it shows. \
                    `limit`, `_order` and `_cursor` say nothing here."),
            },
            "campaign_id": described(
                id(CampaignId),
                "Only what the leads are in this campaign; without it, in all that they are in. Not for leads that \
                    are put into one."
            ),
            "after": described(id(LeadId), "Only leads with larger ids: `next` of the part before."),
            "at_most": described(
                json!({ "type": "integer", "minimum": 1, "maximum": MAX_LEADS }),
                "A part: only so many leads, those with the smallest ids, however many match. `next` of the answer leads on to the rest."
            ),
            "set": described(
                set,
                "What is written: `do_not_call` into the leads, the others into their campaign leads. With `campaign_id` the leads \
                    are put into that campaign, and the others are what they begin with there (without a `status`: `new`); what is in \
                    the campaign already stays as it is. Null takes a value away."
            )
        }
    })
}

fn body<R: Record>(form: Form, doc: impl Fn(&str) -> String) -> Value {
    let open = R::RULES.iter().filter(|rule| is_open(rule, form));
    let properties: Map<_, _> = open
        .map(|rule| {
            let schema = (rule.schema)();
            let schema = if rule.nullable { or_null(schema) } else { schema };
            let described = match schema.get("description") {
                Some(_) => schema,
                None => described(schema, &doc(rule.name)),
            };
            (rule.name.to_owned(), described)
        })
        .collect();
    let (description, required) = match form {
        Form::Create => (format!("What {} is to be; what is left out takes its default.", (R::THING)()), R::REQUIRED),
        Form::Change => (format!("What changes of {}; null takes a value away.", (R::THING)()), &[][..]),
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
pub(super) fn docs_of<T: PartialSchema>() -> impl Fn(&str) -> String {
    let schema = serde_json::to_value(T::schema()).expect("schemas are JSON");
    move |name| {
        let member = &schema["properties"][name];
        // The description of a nullable reference is next to the reference.
        let doc = member.get("description").or_else(|| member["oneOf"].get(0)?.get("description"));
        doc.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

pub fn text(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": NO_CONTROL })
}

pub fn phone() -> Value {
    text(PHONE)
}

pub fn lines(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": LINES })
}

pub fn name() -> Value {
    let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
    json!({ "type": "string", "minLength": 1, "maxLength": NAME, "pattern": pattern })
}

pub fn email() -> Value {
    let pattern = r"^[^@\s\u0000-\u001f\u007f-\u009f]+@[^@\s\u0000-\u001f\u007f-\u009f]+$";
    json!({ "type": "string", "maxLength": EMAIL, "pattern": pattern, "examples": ["ada@example.com"] })
}

pub fn e164() -> Value {
    json!({ "type": "string", "pattern": r"^\+[1-9][0-9]{1,14}$", "examples": ["+442079460018"] })
}

pub fn country() -> Value {
    json!({ "type": "string", "maxLength": NAME, "pattern": NO_CONTROL, "examples": ["DE", "Germany"] })
}

pub fn time_zone() -> Value {
    json!({ "type": "string", "examples": ["Europe/Berlin", "America/New_York"] })
}

pub fn status() -> Value {
    json!({ "type": "string", "pattern": format!("^[a-z0-9_]{{1,{STATUS}}}$"), "examples": ["new", "callback"] })
}

pub fn file_name() -> Value {
    text(NAME)
}

pub fn named<T: Copy + 'static>(all: &'static [T], name: fn(T) -> &'static str) -> Value {
    json!({ "type": "string", "enum": all.iter().map(|one| name(*one)).collect::<Vec<_>>() })
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
    described(
        json!({ "type": "string", "enum": states.collect::<Vec<_>>() }),
        "What is known of its recording until it is uploaded, which makes it `ready`: `pending` says that it comes. A recording that is there stays `ready`.",
    )
}

pub fn own_id<T>(_wrap: fn(i64) -> T) -> Value {
    whole(1, MAX_OWN_ID)
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
        "description": format!("Fields of your own, by name: texts, numbers (whole ones of 64 bits) and true or false; null takes \
            one away, and those not named stay. A lead has at most {MAX_CUSTOM_FIELDS}. Names of card data are refused."),
        "maxProperties": MAX_CUSTOM_FIELDS,
        "propertyNames": { "minLength": 1, "maxLength": MAX_CUSTOM_NAME, "pattern": NO_CONTROL },
        "additionalProperties": { "type": ["string", "number", "boolean", "null"], "maxLength": LONG, "pattern": LINES },
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
            "start": time("09:00", "First minute in which calls may be made."),
            "end": time("20:00", "First minute in which calls may no longer be made; at or before `start` it is that of the next day."),
            "days": {
                "type": "array",
                "description": "The days on which calling starts; one that stands twice counts once.",
                "minItems": 1,
                "items": { "type": "string", "enum": days }
            }
        },
        "examples": [{ "start": "09:00", "end": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"] }]
    })
}
