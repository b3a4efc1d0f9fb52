//! The field table: the single definition of the keys that a filter may contain.
//!
//! The checker, the SQL, the panel's field picker and the documentation are generated from it. To add a filterable field, add a line here
//! and its value in [`super::eval`].

use crate::api::{CallStatus, NotCallableCode, named_enum};
use crate::wording::{Language, in_sentence};

named_enum! {
    /// Owner of a field. All conditions on [`Owner::CampaignLead`] and [`Owner::Campaign`] fields must match the same campaign lead.
    Owner {
        /// The lead itself.
        Lead = "lead",
        /// One of the lead's campaign leads.
        CampaignLead = "campaign_lead",
        /// The campaign of one of the lead's campaign leads.
        Campaign = "campaign",
        /// The verdict on one of the lead's campaign leads at the time of the response. It isn't stored; [`crate::callable::condition`]
        /// expresses it in stored fields.
        Verdict = "verdict",
    }
}

named_enum! {
    /// Kind of a field's values. It determines the permitted operators.
    Kind {
        /// A 64-bit integer.
        Integer = "integer",
        /// A number, a double.
        Number = "number",
        /// A text.
        Text = "text",
        /// True or false.
        Boolean = "boolean",
        /// A timestamp in UTC, to the microsecond.
        DateTime = "date-time",
        /// A calendar date; compared as its midnight in UTC.
        Date = "date",
        /// A custom field: a text, a number or a boolean, as stored.
        Custom = "custom",
    }
}

/// A field that a filter may name.
#[derive(Debug)]
pub struct Field {
    /// Identifier.
    pub id: FieldId,
    /// Owner.
    pub owner: Owner,
    /// Name as a property of its owner, which is also its column.
    pub property: &'static str,
    /// Keys in a filter. The first one is canonical.
    pub names: &'static [&'static str],
    /// Kind of its values.
    pub kind: Kind,
    /// True if the value may be missing.
    pub nullable: bool,
    /// Display names by language, see [`Field::label`].
    labels: [&'static str; Language::ALL.len()],
    /// Description, for the documentation.
    pub doc: &'static str,
    /// The permitted values, if they are a closed list.
    pub permitted: &'static [&'static str],
}

impl Field {
    /// Returns the canonical key.
    pub const fn name(&self) -> &'static str {
        self.names[0]
    }

    /// Returns the display name.
    pub const fn label(&self, language: Language) -> &'static str {
        self.labels[language as usize]
    }

    /// Returns the display name for the middle of a sentence.
    pub fn label_in_sentence(&self, language: Language) -> String {
        in_sentence(self.label(language), language)
    }

    /// Returns true if `_order` accepts the field. Only fields of the lead itself are permitted, so that each lead has exactly one
    /// position.
    pub fn is_orderable(&self) -> bool {
        self.owner == Owner::Lead
    }
}

/// Names of [`CallStatus`], as required by the table.
const CALL_STATUSES: &[&str] = &[
    CallStatus::Answered.as_str(),
    CallStatus::NoAnswer.as_str(),
    CallStatus::Busy.as_str(),
    CallStatus::Failed.as_str(),
];

/// Names of [`NotCallableCode`].
const REASON_NAMES: [&str; NotCallableCode::ALL.len()] = {
    let mut names = [""; NotCallableCode::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = NotCallableCode::ALL[index].as_str();
        index += 1;
    }
    names
};

macro_rules! fields {
    ($($id:ident: $owner:ident . $property:ident as [$($name:literal),+], $kind:ident $(($permitted:expr))?, $null:ident, $label:literal | $german:literal, $doc:literal;)+) => {
        /// Identifies a field of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is described by its line of the table")]
        pub enum FieldId { $($id),+ }

        /// All fields, in documented order.
        pub static FIELDS: &[Field] = &[$(Field {
            id: FieldId::$id,
            owner: Owner::$owner,
            property: stringify!($property),
            names: &[$($name),+],
            kind: Kind::$kind,
            nullable: fields!(@ $null),
            labels: [$label, $german],
            doc: $doc,
            permitted: fields!(@permitted $($permitted)?),
        }),+];
    };
    (@ optional) => { true };
    (@ required) => { false };
    (@permitted $permitted:expr) => { $permitted };
    (@permitted) => { &[] };
}

fields! {
    // The lead
    Id: Lead.id as ["id"], Integer, required, "Lead ID" | "Lead-ID", "The lead's id.";
    FirstName: Lead.first_name as ["first_name"], Text, optional, "First name" | "Vorname", "First name.";
    LastName: Lead.last_name as ["last_name"], Text, optional, "Last name" | "Nachname", "Last name.";
    Phone: Lead.phone as ["phone"], Text, optional, "Phone" | "Telefon", "Phone number as entered.";
    Phone2: Lead.phone2 as ["phone2"], Text, optional, "Second phone" | "Zweites Telefon", "Second phone number as entered.";
    PhoneNormalized: Lead.phone_normalized as ["phone_normalized"], Text, optional, "Phone (E.164)" | "Telefon (E.164)", "Phone number in E.164; null if the number isn't valid.";
    PhoneNormalized2: Lead.phone_normalized2 as ["phone_normalized2"], Text, optional, "Second phone (E.164)" | "Zweites Telefon (E.164)", "Second phone number in E.164; null if the number isn't valid.";
    Email: Lead.email as ["email"], Text, optional, "E-mail" | "E-Mail", "E-mail address.";
    Address1: Lead.address1 as ["address1"], Text, optional, "Address" | "Adresse", "First line of the address.";
    Address2: Lead.address2 as ["address2"], Text, optional, "Address, line 2" | "Adresse, Zeile 2", "Second line of the address.";
    City: Lead.city as ["city"], Text, optional, "City" | "Stadt", "City.";
    State: Lead.state as ["state"], Text, optional, "State" | "Bundesland", "State or region.";
    Zip: Lead.zip as ["zip"], Text, optional, "ZIP code" | "Postleitzahl", "Postal code, as text.";
    Country: Lead.country as ["country"], Text, optional, "Country" | "Land", "Country, as ISO 3166-1 alpha-2 code if known. Input may be a name in any language.";
    Timezone: Lead.timezone as ["timezone"], Text, optional, "Time zone" | "Zeitzone", "IANA time zone by its current name, such as `Europe/Berlin`. Input may use former names.";
    Lat: Lead.lat as ["lat"], Number, optional, "Latitude" | "Breitengrad", "Latitude in degrees, -90 to 90.";
    Lng: Lead.lng as ["lng"], Number, optional, "Longitude" | "Längengrad", "Longitude in degrees, -180 to 180.";
    OriginalIdentifier: Lead.original_identifier as ["original_identifier"], Text, optional, "Original identifier" | "Ursprüngliche Kennung", "The lead's id in the system it came from.";
    SupportSite: Lead.support_site as ["support_site"], Text, optional, "Support site" | "Betreuende Website", "Site that supports the lead.";
    PurchaseSite: Lead.purchase_site as ["purchase_site"], Text, optional, "Purchase site" | "Website des Kaufs", "Site where the lead made the purchase.";
    PurchaseDate: Lead.purchase_date as ["purchase_date"], Date, optional, "Purchase date" | "Kaufdatum", "When the lead made the purchase.";
    PurchaseAmount: Lead.purchase_amount as ["purchase_amount"], Number, optional, "Purchase amount" | "Kaufbetrag", "Price of the purchase, in the site's currency.";
    PurchaseProductName: Lead.purchase_product_name as ["purchase_product_name"], Text, optional, "Product" | "Produkt", "Name of the purchased product.";
    Birthdate: Lead.birthdate as ["birthdate"], Date, optional, "Date of birth" | "Geburtsdatum", "Date of birth.";
    DoNotCall: Lead.do_not_call as ["do_not_call"], Boolean, required, "Do not call" | "Nicht anrufen", "The lead asked not to be called.";
    Blacklisted: Lead.blacklisted as ["blacklisted"], Boolean, required, "Blacklisted" | "Auf der Sperrliste", "The lead is blacklisted.";
    ImportId: Lead.import_id as ["import_id"], Integer, optional, "Import ID" | "Import-ID", "The id of the import that created the lead; null for other leads.";
    CreatedAt: Lead.created_at as ["created_at"], DateTime, required, "Created" | "Angelegt", "When the lead was created.";
    UpdatedAt: Lead.updated_at as ["updated_at"], DateTime, required, "Updated" | "Geändert", "When the lead itself was last changed.";
    GlobalUpdatedAt: Lead.global_updated_at as ["global_updated_at"], DateTime, required, "Updated (including campaigns)" | "Geändert (auch in Kampagnen)", "The latest `updated_at` of the lead and all its campaign leads.";

    // The campaign lead
    CampaignLeadId: CampaignLead.id as ["campaign_lead_id"], Integer, required, "Campaign lead ID" | "Kampagnen-Lead-ID", "The campaign lead's own id.";
    CampaignLeadLeadId: CampaignLead.lead_id as ["lead_id"], Integer, required, "Campaign lead's lead" | "Lead des Kampagnen-Leads", "The id of the lead, for leads that are in a campaign.";
    CampaignId: CampaignLead.campaign_id as ["campaign_id"], Integer, required, "Campaign ID" | "Kampagnen-ID", "The id of a campaign the lead is in.";
    CampaignName: Campaign.name as ["campaign_name"], Text, required, "Campaign" | "Kampagne", "The name of a campaign the lead is in.";
    Status: CampaignLead.status as ["status", "campaign_status"], Text, required, "Status" | "Status", "The campaign lead's status.";
    Weight: CampaignLead.weight as ["weight", "campaign_weight"], Integer, required, "Weight" | "Gewicht", "Priority within the campaign; larger comes first.";
    CallsCount: CampaignLead.calls_count as ["calls_count", "campaign_calls_count"], Integer, required, "Calls" | "Anrufe", "How often the lead was called for the campaign.";
    CallsToday: CampaignLead.calls_today as ["calls_today", "campaign_calls_today"], Integer, required, "Calls today" | "Anrufe heute", "How often the lead was called for the campaign on the current UTC day.";
    LastCallAt: CampaignLead.last_call_at as ["last_call_at", "campaign_last_call_at"], DateTime, optional, "Last call" | "Letzter Anruf", "When the lead was last called for the campaign.";
    LastCallStatus: CampaignLead.last_call_status as ["last_call_status", "campaign_last_call_status"], Text(CALL_STATUSES), optional, "Last call status" | "Status des letzten Anrufs", "Outcome of the last call for the campaign.";
    FreezeUntil: CampaignLead.freeze_until as ["freeze_until", "campaign_freeze_until"], DateTime, optional, "Frozen until" | "Pausiert bis", "End of the lead's freeze in the campaign.";
    CallbackAt: CampaignLead.callback_at as ["callback_at", "campaign_callback_at"], DateTime, optional, "Callback" | "Rückruf", "When the lead asked to be called back.";
    AssignedUserId: CampaignLead.assigned_user_id as ["assigned_user_id", "campaign_assigned_user_id"], Integer, optional, "Assigned to" | "Zugewiesen an", "The id of the user the campaign lead is assigned to.";
    CampaignCreatedAt: CampaignLead.created_at as ["campaign_created_at"], DateTime, required, "Added to campaign" | "Zu Kampagne hinzugefügt", "When the lead was added to the campaign.";
    CampaignUpdatedAt: CampaignLead.updated_at as ["campaign_updated_at"], DateTime, required, "Updated in campaign" | "In Kampagne geändert", "When the campaign lead was last changed.";

    // The verdict
    Callable: Verdict.callable as ["callable"], Boolean, required, "Callable now" | "Jetzt anrufbar", "Whether the lead is callable in a campaign at the time of the response.";
    NotCallableReason: Verdict.not_callable_reason as ["not_callable_reason"], Text(&REASON_NAMES), optional, "Why not callable" | "Warum nicht anrufbar", "Reasons why the lead isn't callable at the time of the response; null if it is callable. A condition matches if any reason matches; `not` matches if none does.";
}

/// Prefix of the key of a custom field.
pub const CUSTOM_PREFIX: &str = "custom.";

/// Maximum length of a custom field's name, in characters.
pub const MAX_CUSTOM_NAME_CHARS: usize = 100;

impl FieldId {
    /// Returns the definition of the field.
    pub fn field(self) -> &'static Field {
        &FIELDS[self as usize]
    }
}

/// Returns the field with this key, excluding custom fields.
pub fn find(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.names.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_match_table_order_and_names_are_unique() {
        let mut names = std::collections::BTreeSet::new();
        for (index, field) in FIELDS.iter().enumerate() {
            assert_eq!(field.id as usize, index);
            for name in field.names {
                assert!(names.insert(*name), "{name} appears twice");
            }
        }
    }
}
