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
    /// An integer.
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
    /// Declares one type for all numbers. With separate integer and number types, an integer would match both.
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
    /// The latest `updated_at` of the lead and all its campaign leads, maintained by the store.
    pub global_updated_at: DateTime<Utc>,
}

/// A value of a field, with the number of leads that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldValue {
    /// The value.
    pub value: String,
    /// Number of leads with this value. For a field of campaign leads: the number of leads that have it in any campaign.
    pub leads: u64,
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldValuesResponse {
    /// The values, most frequent first; equally frequent values in byte order.
    pub values: Vec<FieldValue>,
}

/// Response of the basic lookup with all fields. With `_fields`, leads contain only the selected fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadsResponse {
    /// The leads of this page, ordered by id or by `_order`.
    pub leads: Vec<Lead>,
    /// Total number of matching leads, counted in the same snapshot as the page.
    pub total_leads: u64,
    /// Start of the next page, if `_cursor` was requested; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
