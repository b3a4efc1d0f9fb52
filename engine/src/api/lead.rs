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

/// Calls the macro `callback` with the given arguments, followed by the members of a lead in wire order.
///
/// Each line has the member's name and type, its identifier in filters, its label in English and German, and its description. Custom fields
/// have no identifier of their own.
///
/// The type determines the kind of the field. The wire type, filters, exports, database columns and the lead index follow from this table.
#[macro_export]
macro_rules! lead_members {
    ($callback:ident $($argument:tt)*) => { $callback! { $($argument)*
        id: LeadId [Id, "Lead ID" | "Lead-ID", "The lead's id."];
        first_name: Option<String> [FirstName, "First name" | "Vorname", "First name."];
        last_name: Option<String> [LastName, "Last name" | "Nachname", "Last name."];
        phone: Option<String> [Phone, "Phone" | "Telefon", "Phone number as entered."];
        phone2: Option<String> [Phone2, "Second phone" | "Zweites Telefon", "Second phone number as entered."];
        phone_normalized: Option<String> [PhoneNormalized, "Phone (E.164)" | "Telefon (E.164)", "Phone number in E.164; null if the number isn't valid."];
        phone_normalized2: Option<String> [PhoneNormalized2, "Second phone (E.164)" | "Zweites Telefon (E.164)", "Second phone number in E.164; null if the number isn't valid."];
        email: Option<String> [Email, "Email" | "E-Mail", "Email address."];
        address1: Option<String> [Address1, "Address" | "Adresse", "First line of the address."];
        address2: Option<String> [Address2, "Address, line 2" | "Adresse, Zeile 2", "Second line of the address."];
        city: Option<String> [City, "City" | "Stadt", "City."];
        state: Option<String> [State, "State" | "Bundesland", "State or region."];
        zip: Option<String> [Zip, "ZIP code" | "Postleitzahl", "Postal code, as text."];
        country: Option<String> [Country, "Country" | "Land", "Country, as ISO 3166-1 alpha-2 code if known. Input may be a name in any language."];
        timezone: Option<String> [Timezone, "Time zone" | "Zeitzone", "IANA time zone by its current name, such as `Europe/Berlin`. Input may use former names."];
        lat: Option<f64> [Lat, "Latitude" | "Breitengrad", "Latitude in degrees, -90 to 90."];
        lng: Option<f64> [Lng, "Longitude" | "Längengrad", "Longitude in degrees, -180 to 180."];
        original_identifier: Option<String> [OriginalIdentifier, "Original identifier" | "Ursprüngliche Kennung", "The lead's id in the system it came from."];
        support_site: Option<String> [SupportSite, "Support site" | "Support-Website", "Site that supports the lead."];
        purchase_site: Option<String> [PurchaseSite, "Purchase site" | "Website des Kaufs", "Site where the lead made the purchase."];
        purchase_date: Option<NaiveDate> [PurchaseDate, "Purchase date" | "Kaufdatum", "When the lead made the purchase."];
        purchase_amount: Option<f64> [PurchaseAmount, "Purchase amount" | "Kaufbetrag", "Price of the purchase, in the site's currency."];
        purchase_product_name: Option<String> [PurchaseProductName, "Product" | "Produkt", "Name of the purchased product."];
        birthdate: Option<NaiveDate> [Birthdate, "Date of birth" | "Geburtsdatum", "Date of birth."];
        do_not_call: bool [DoNotCall, "Do not call" | "Nicht anrufen", "The lead asked not to be called."];
        blacklisted: bool [Blacklisted, "Blacklisted" | "Auf der Sperrliste", "The lead is blacklisted."];
        #[serde(default)]
        import_id: Option<ImportId> [ImportId, "Import ID" | "Import-ID", "The id of the import that created the lead; null for other leads."];
        #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, CustomValue>))]
        custom_fields: BTreeMap<String, CustomValue> [];
        created_at: DateTime<Utc> [CreatedAt, "Created" | "Angelegt", "When the lead was created."];
        updated_at: DateTime<Utc> [UpdatedAt, "Updated" | "Geändert", "When the lead itself was last changed."];
        /// When the lead or one of its campaign leads last changed, or when it last left a campaign. It never decreases.
        global_updated_at: DateTime<Utc> [GlobalUpdatedAt, "Updated (including campaigns)" | "Geändert (auch in Kampagnen)", "When the lead or one of its campaign leads last changed, or when it last left a campaign. It never decreases."];
    } };
}

macro_rules! lead {
    ($($(#[$attribute:meta])* $member:ident: $type:ty [$($about:tt)*];)+) => {
        /// A person or company that may be called. Fields without a value are `null`. Card data is never stored.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[expect(missing_docs, reason = "the fields are described once, in the table of members")]
        pub struct Lead { $($(#[$attribute])* pub $member: $type),+ }
    };
}
lead_members!(lead);

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
