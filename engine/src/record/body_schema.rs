//! JSON Schemas of bodies, generated from the rule tables.

use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

use super::rule::Record;
use super::schema::id;
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, MAX_LEADS, MAX_NEW_LEADS, WriteMode};
use crate::api::{Call, Campaign, CampaignId, LeadId, LeadValues};
use crate::filter::fields::Owner;
use crate::schema::{field_description, nullable, reference, with_description};

/// Returns the schemas of all bodies, for creation and for changes.
pub fn schemas() -> Vec<(&'static str, Value)> {
    let lead = |name: &str| field_description(Owner::Lead, name).unwrap_or_default().to_owned();
    let campaign_lead = |name: &str| field_description(Owner::CampaignLead, name).unwrap_or_default().to_owned();
    let (campaign, call) = (member_docs::<Campaign>(), member_docs::<Call>());
    vec![
        ("NewLead", body_schema::<LeadRecord>(WriteMode::Create, lead)),
        (
            "NewLeads",
            json!({
                "description": "One lead, or an array of leads that are created all or not at all.",
                "oneOf": [
                    { "$ref": reference("NewLead") },
                    { "type": "array", "minItems": 1, "maxItems": MAX_NEW_LEADS, "items": { "$ref": reference("NewLead") } }
                ]
            }),
        ),
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
        "not": {
            "required": ["campaign_id", "set"],
            "properties": {
                "campaign_id": {},
                "set": { "required": ["campaign_id"], "properties": { "campaign_id": {} } }
            }
        },
        "additionalProperties": false,
        "properties": {
            "lead_ids": with_description(lead_ids, "IDs of the leads. Duplicates are ignored."),
            "filter": {
                "$ref": reference("LeadFilter"),
                "description": format!("All matching leads, at most {MAX_LEADS}, with the campaign leads that a lookup with this filter returns. \
                    `limit`, `_order` and `_cursor` are ignored."),
            },
            "campaign_id": with_description(
                id(CampaignId),
                "Changes only the campaign leads in this campaign; by default, those in all campaigns. Can't be combined \
                    with `set.campaign_id`."
            ),
            "after_id": with_description(id(LeadId), "Only leads with larger ids: `next_after_id` of the previous batch."),
            "max_leads": with_description(
                json!({ "type": "integer", "minimum": 1, "maximum": MAX_LEADS }),
                "Maximum number of leads to change, smallest ids first. To continue, send `next_after_id` of the response as `after_id`."
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

fn body_schema<R: Record>(mode: WriteMode, doc: impl Fn(&str) -> String) -> Value {
    let writable_rules = R::RULES.iter().filter(|rule| rule.is_writable(mode));
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
    let (description, required) = match mode {
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
