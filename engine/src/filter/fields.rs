//! The field table: the single definition of the keys that a filter may contain.
//!
//! The checker, the SQL, the panel's field picker and the documentation are generated from it. Fields of leads are in
//! [`lead_members`]. To add a field of campaign leads, add a line here and its value in [`super::eval`].

use chrono::{DateTime, NaiveDate, Utc};

use crate::api::{CallStatus, ImportId, LeadId, NotCallableCode, named_enum};
use crate::lead_members;
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
    /// Name of the owner's property and of the database column.
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

/// Kind and nullability of a lead's member, by its type.
trait MemberType {
    const KIND: Kind;
    const NULLABLE: bool = false;
}

impl<T: MemberType> MemberType for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
}

macro_rules! member_types {
    ($($type:ty: $kind:ident;)+) => { $(impl MemberType for $type { const KIND: Kind = Kind::$kind; })+ };
}

member_types! {
    LeadId: Integer;
    ImportId: Integer;
    f64: Number;
    String: Text;
    bool: Boolean;
    DateTime<Utc>: DateTime;
    NaiveDate: Date;
}

macro_rules! fields {
    (
        {$($id:ident: $owner:ident . $property:ident as [$($name:literal),+], $kind:ident $(($permitted:expr))?, $null:ident,
            $label:literal | $german:literal, $doc:literal;)+}
        $($(#[$attribute:meta])* $member:ident: $type:ty
            [$($lead_id:ident, $lead_label:literal | $lead_german:literal, $lead_doc:literal)?];)+
    ) => {
        /// Identifies a field of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is described by its line of the table")]
        pub enum FieldId { $($($lead_id,)?)+ $($id),+ }

        /// All fields, in documented order.
        pub static FIELDS: &[Field] = &[$($(Field {
            id: FieldId::$lead_id,
            owner: Owner::Lead,
            property: stringify!($member),
            names: &[stringify!($member)],
            kind: <$type as MemberType>::KIND,
            nullable: <$type as MemberType>::NULLABLE,
            labels: [$lead_label, $lead_german],
            doc: $lead_doc,
            permitted: &[],
        },)?)+ $(Field {
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

lead_members! {
    fields {
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
