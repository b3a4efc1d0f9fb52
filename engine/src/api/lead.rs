//! Leads.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{ImportId, LeadId};

/// The value of a custom field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CustomValue {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// A text.
    Text(String),
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for CustomValue {}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for CustomValue {
    /// One type for all numbers: of "an integer or else a number", a whole number would be both.
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{ObjectBuilder, Type, schema::SchemaType};
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::Boolean, Type::Number, Type::String]))
            .description(Some("The value of a custom field."))
            .into()
    }
}

/// A person or company that may be called. Fields without a value are `null`. Card data is never stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the fields are described once, in the field table of the filter language")]
pub struct Lead {
    pub id: LeadId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
    pub phone2: Option<String>,
    pub phone_normalized: Option<String>,
    pub phone_normalized2: Option<String>,
    pub email: Option<String>,
    pub address1: Option<String>,
    pub address2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip: Option<String>,
    pub country: Option<String>,
    pub timezone: Option<String>,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    pub original_identifier: Option<String>,
    pub support_site: Option<String>,
    pub purchase_site: Option<String>,
    pub purchase_date: Option<NaiveDate>,
    pub purchase_amount: Option<f64>,
    pub purchase_product_name: Option<String>,
    pub birthdate: Option<NaiveDate>,
    pub do_not_call: bool,
    pub blacklisted: bool,
    #[serde(default)]
    pub import_id: Option<ImportId>,
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, CustomValue>))]
    pub custom_fields: BTreeMap<String, CustomValue>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// The latest `updated_at` over the lead and all its campaign leads; kept by the store.
    pub global_updated_at: DateTime<Utc>,
}

/// A value that leads have in a field, and how many have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldValue {
    /// The value.
    pub value: String,
    /// How many leads have it; of a field of campaign leads, how many have it in any campaign.
    pub leads: u64,
}

/// The values that leads have in a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldValuesResponse {
    /// The values that most leads have first; those that as many have in the order of their bytes.
    pub values: Vec<FieldValue>,
}

/// The answer of the basic lookup, with every field. With `_fields` the leads carry only those asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadsResponse {
    /// The page, by id or as `_order` says.
    pub leads: Vec<Lead>,
    /// How many leads match in all, counted in the same snapshot as the page.
    pub total_leads: u64,
    /// With `_cursor` asked for: where the next page starts; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
