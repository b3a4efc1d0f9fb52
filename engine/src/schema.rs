//! JSON Schemas of request bodies, for the OpenAPI document.
//!
//! Each is generated from the table that its reader uses: [`crate::record`], [`crate::filter::fields`] and the rules of
//! [`crate::submission`]. Responses are described by their types in [`crate::api`]; [`describe_response_types`] adds the descriptions
//! of leads and campaign leads from the field table.

use serde_json::{Map, Value, json};

use crate::filter::fields::{FIELDS, Owner};
use crate::{filter, record, submission};

/// Text without control characters.
pub const NO_CONTROL_PATTERN: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";

/// A date. The lengths of months aren't checked.
pub(crate) const DATE_PATTERN: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// A timestamp in either form.
pub(crate) const TIMESTAMP_PATTERN: &str = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[ Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?";

/// Returns all schemas, by the names that the operations refer to.
pub fn all_schemas() -> Vec<(&'static str, Value)> {
    let mut schemas = record::schemas();
    schemas.extend(filter::schema::schemas());
    schemas.extend(submission::schemas());
    schemas
}

/// Returns a reference to the schema with this name.
pub(crate) fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Returns the schema of a timestamp.
pub fn timestamp() -> Value {
    let space_separated = format!("^{DATE_PATTERN} ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$");
    json!({ "anyOf": [
        { "type": "string", "format": "date-time" },
        { "type": "string", "pattern": space_separated }
    ], "examples": ["2026-05-01T09:30:00Z", "2026-05-01 09:30:00"] })
}

/// Extends a schema to accept null.
pub(crate) fn nullable(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) if members.contains_key("anyOf") => {
            if let Some(Value::Array(alternatives)) = members.get_mut("anyOf") {
                alternatives.push(json!({ "type": "null" }));
            }
        }
        Value::Object(members) => {
            if let Some(Value::Array(values)) = members.get_mut("enum") {
                values.push(Value::Null);
            }
            if let Some(kind) = members.get_mut("type") {
                *kind = json!([kind, "null"]);
            }
        }
        _ => {}
    }
    schema
}

/// Adds a description to a schema.
pub(crate) fn with_description(mut schema: Value, description: &str) -> Value {
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

/// Returns the description of a property in the field table.
pub(crate) fn field_description(owner: Owner, property: &str) -> Option<&'static str> {
    FIELDS.iter().find(|field| field.owner == owner && field.property == property).map(|field| field.doc)
}

/// Adds descriptions from the field table to the response schemas of leads and campaign leads.
pub fn describe_response_types(schemas: &mut Map<String, Value>) {
    for (name, owners) in [
        ("Lead", &[Owner::Lead][..]),
        ("CampaignLead", &[Owner::CampaignLead]),
        ("CampaignDetails", &[Owner::CampaignLead, Owner::Campaign]),
    ] {
        let Some(Value::Object(properties)) = schemas.get_mut(name).and_then(|schema| schema.get_mut("properties"))
        else {
            continue;
        };
        for (property, schema) in properties.iter_mut().filter(|(_, schema)| schema.get("description").is_none()) {
            // Fields of the campaign and the campaign lead's own id have longer names there.
            let unprefixed = property.strip_prefix("campaign_lead_").or(property.strip_prefix("campaign_"));
            let doc_text = owners.iter().find_map(|owner| {
                field_description(*owner, property)
                    .or_else(|| field_description(*owner, unprefixed.filter(|_| owners.len() > 1)?))
            });
            let doc_text = doc_text.or((property == "custom_fields").then_some("Custom fields by name."));
            if let Some(doc) = doc_text {
                *schema = with_description(schema.take(), doc);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};
    use utoipa::PartialSchema;

    use super::{all_schemas, describe_response_types};
    use crate::api::{CampaignDetails, CampaignLead, Lead};
    use crate::filter::{Limits, parse_and_check};
    use crate::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, WriteMode};

    #[test]
    fn every_member_has_a_description() {
        let mut schemas = Map::from_iter(all_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema)));
        for (name, schema) in [
            ("Lead", Lead::schema()),
            ("CampaignLead", CampaignLead::schema()),
            ("CampaignDetails", CampaignDetails::schema()),
        ] {
            schemas.insert(name.to_owned(), serde_json::to_value(schema).unwrap());
        }
        describe_response_types(&mut schemas);
        for (name, schema) in &schemas {
            for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
                assert!(schema.to_string().contains("\"description\""), "{name}.{member}");
            }
        }
    }

    /// Returns a valid value for a schema: its example, or the smallest value of its type.
    fn sample(schema: &Value) -> Value {
        if let Some(first) = schema["examples"].get(0).or(schema["enum"].get(0)) {
            return first.clone();
        }
        let kind = schema["type"].as_str().or(schema["type"][0].as_str());
        match kind {
            Some("integer" | "number") => schema["minimum"].clone(),
            Some("boolean") => json!(true),
            Some("string") if schema["format"] == "date" => json!("2026-05-01"),
            Some("string") => "x".repeat(schema["maxLength"].as_u64().unwrap_or(1) as usize).into(),
            _ => panic!("no sample for {schema}"),
        }
    }

    #[test]
    fn readers_accept_values_of_their_schema() {
        for (name, schema) in all_schemas() {
            let read = |text: &str| match name {
                "NewLead" => LeadRecord::from_json(text, WriteMode::Create).err(),
                "LeadChange" => LeadRecord::from_json(text, WriteMode::Update).err(),
                "NewCampaign" => CampaignRecord::from_json(text, WriteMode::Create).err(),
                "CampaignChange" => CampaignRecord::from_json(text, WriteMode::Update).err(),
                "NewCampaignLead" => CampaignLeadRecord::from_json(text, WriteMode::Create).err(),
                "CampaignLeadChange" => CampaignLeadRecord::from_json(text, WriteMode::Update).err(),
                "NewCall" => CallRecord::from_json(text, WriteMode::Create).err(),
                "CallChange" => CallRecord::from_json(text, WriteMode::Update).err(),
                _ => None,
            };
            let members = schema["properties"].as_object().into_iter().flatten();
            // `NewLeads` is one `NewLead` or several.
            if name == "NewLeads" || !name.starts_with("New") && !name.ends_with("Change") {
                continue;
            }
            let mut body = Map::new();
            for (member, schema) in members {
                body.insert(member.clone(), sample(schema));
                let kinds = [&schema["type"], &schema["anyOf"]].map(|kinds| kinds.as_array());
                let null = [json!("null"), json!({ "type": "null" })];
                if kinds.into_iter().flatten().flatten().any(|kind| null.contains(kind)) {
                    let mut with_null = body.clone();
                    with_null.insert(member.clone(), Value::Null);
                    // Required members come later in alphabetical order, so their absence isn't related to null.
                    let diagnostics = read(&json!(with_null).to_string()).unwrap_or_default();
                    assert!(
                        diagnostics.iter().all(|diagnostic| diagnostic.code == "required"),
                        "{name}.{member}: {diagnostics:?}"
                    );
                }
            }
            assert_eq!(read(&json!(body).to_string()), None, "{name}");
            body.insert("unknown".to_owned(), json!(1));
            assert_eq!(read(&json!(body).to_string()).map(|diagnostics| diagnostics.len()), Some(1), "{name}");
        }
    }

    #[test]
    fn schema_bounds_match_the_readers() {
        let schemas: Map<_, _> = all_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        let mut bounds = 0;
        for (member, schema) in schemas["LeadChange"]["properties"].as_object().unwrap() {
            let too_large = match (schema["maxLength"].as_u64(), schema["maximum"].as_f64()) {
                (Some(length), _) => json!("x".repeat(length as usize + 1)),
                (_, Some(maximum)) => json!(maximum * 1.01),
                _ => continue,
            };
            bounds += 1;
            assert!(
                LeadRecord::from_json(&json!({ member: too_large }).to_string(), WriteMode::Update).is_err(),
                "{member}"
            );
        }
        assert!(bounds >= 18, "{bounds}");
    }

    #[test]
    fn filter_schema_keys_are_valid_filter_keys() {
        let schemas: Map<_, _> = all_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        for name in ["LeadFilter", "LeadConditions"] {
            for key in schemas[name]["properties"].as_object().unwrap().keys().filter(|key| !key.starts_with('_')) {
                let filter = if key == "limit" { json!({ key: "1;0" }) } else { json!({ key: null }) };
                assert!(parse_and_check(&filter.to_string(), &Limits::default()).is_ok(), "{key}");
            }
        }
    }
}
