//! The columns of lead lists: those selectable in the panel, and those of the exported files.

use std::borrow::Cow;

use super::cell::{campaign_cell, custom_cell, lead_cell, time_cell};
use crate::api::{CampaignDetails, ExtendedLead, Lead, NotCallableReason};
use crate::filter::fields::{CUSTOM_PREFIX, FIELDS, FieldId, MAX_CUSTOM_NAME_CHARS, Owner, find};

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadColumn {
    /// The phone number to call.
    Number,
    /// City and country.
    Place,
    /// The campaigns, each with the reasons not to call the lead.
    Campaigns,
    /// The next time at which each campaign can call the lead.
    NextCall,
    /// The reasons why each campaign can't call the lead now.
    Reasons,
    /// A field of the lead, or of each of its campaigns.
    Field(FieldId),
    /// The custom field with this name.
    Custom(String),
}

/// Separator between the values of several campaigns in a cell.
const CAMPAIGN_SEPARATOR: &str = " | ";

/// Fields without a column: a campaign lead's own id and lead id, which only programs need, and the verdict, which [`LeadColumn::NextCall`]
/// and [`LeadColumn::Reasons`] show in more detail.
const HIDDEN_FIELDS: [FieldId; 4] =
    [FieldId::CampaignLeadId, FieldId::CampaignLeadLeadId, FieldId::Callable, FieldId::NotCallableReason];

impl LeadColumn {
    /// Columns that combine several fields.
    const COMBINED: [Self; 5] = [Self::Number, Self::Place, Self::Campaigns, Self::NextCall, Self::Reasons];

    /// Returns all columns, excluding custom fields.
    pub fn all() -> impl Iterator<Item = Self> {
        let fields = FIELDS.iter().map(|field| field.id).filter(|id| !HIDDEN_FIELDS.contains(id));
        Self::COMBINED.into_iter().chain(fields.map(Self::Field))
    }

    /// Returns the name in URLs and files: `city`, `next_call`, `custom.tier`.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Number => "number".into(),
            Self::Place => "place".into(),
            Self::Campaigns => "campaigns".into(),
            Self::NextCall => "next_call".into(),
            Self::Reasons => "not_callable_reasons".into(),
            Self::Field(id) => id.field().name().into(),
            Self::Custom(name) => format!("{CUSTOM_PREFIX}{name}").into(),
        }
    }

    /// Returns the column with this name. For a field, accepts any key that a filter accepts.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(custom) = name.strip_prefix(CUSTOM_PREFIX) {
            let is_name = (1..=MAX_CUSTOM_NAME_CHARS).contains(&custom.chars().count());
            return is_name.then(|| Self::Custom(custom.to_owned()));
        }
        match find(name) {
            Some(field) => Some(Self::Field(field.id)).filter(|_| !HIDDEN_FIELDS.contains(&field.id)),
            None => Self::COMBINED.into_iter().find(|column| column.name() == name),
        }
    }

    /// Returns the field that sorts the list by this column.
    pub fn sort_field(&self) -> Option<FieldId> {
        match self {
            Self::Place => Some(FieldId::City),
            Self::Field(id) => Some(*id).filter(|id| id.field().is_orderable()),
            Self::Number | Self::Campaigns | Self::NextCall | Self::Reasons | Self::Custom(_) => None,
        }
    }

    /// Returns true for a column with one value per campaign of the lead.
    pub fn is_per_campaign(&self) -> bool {
        match self {
            Self::Campaigns | Self::NextCall | Self::Reasons => true,
            Self::Field(id) => id.field().owner != Owner::Lead,
            Self::Number | Self::Place | Self::Custom(_) => false,
        }
    }

    /// Returns a lead's value as a cell of a file; `None` without a value. Values of several campaigns are joined in the order of the
    /// campaigns.
    pub fn cell<'a>(&self, lead: &'a ExtendedLead) -> Option<Cow<'a, str>> {
        let ExtendedLead { lead, campaigns, not_callable_reasons: reasons } = lead;
        match self {
            Self::Campaigns => join_campaign_cells(campaigns, |campaign| {
                let explanation = if campaign.callable {
                    "callable".to_owned()
                } else {
                    describe_reasons(&campaign.not_callable_reasons)
                };
                Some(format!("{} ({}): {explanation}", campaign.campaign_name, campaign.status).into())
            }),
            Self::NextCall => join_campaign_cells(campaigns, |campaign| match campaign.next_callable_at {
                _ if campaign.callable => Some("now".into()),
                next => next.and_then(time_cell),
            }),
            Self::Reasons if campaigns.is_empty() => (!reasons.is_empty()).then(|| describe_reasons(reasons).into()),
            Self::Reasons => {
                join_campaign_cells(campaigns, |campaign| Some(describe_reasons(&campaign.not_callable_reasons).into()))
            }
            Self::Field(id) if id.field().owner != Owner::Lead => {
                join_campaign_cells(campaigns, |campaign| campaign_cell(campaign, *id))
            }
            _ => self.own_cell(lead),
        }
    }

    /// Like [`Self::cell`], for the lead's own fields; `None` for columns of campaigns.
    pub fn own_cell<'a>(&self, lead: &'a Lead) -> Option<Cow<'a, str>> {
        match self {
            Self::Number => lead.phone_normalized.as_deref().or(lead.phone.as_deref()).map(Cow::from),
            Self::Place => {
                let names: Vec<_> = [lead.city.as_deref(), lead.country.as_deref()].into_iter().flatten().collect();
                (!names.is_empty()).then(|| names.join(", ").into())
            }
            Self::Field(id) => lead_cell(lead, *id),
            Self::Custom(name) => lead.custom_fields.get(name).map(custom_cell),
            Self::Campaigns | Self::NextCall | Self::Reasons => None,
        }
    }
}

/// Returns the values of all campaigns; `None` if no campaign has one.
fn join_campaign_cells<'a>(
    campaigns: &'a [CampaignDetails],
    cell_of: impl Fn(&'a CampaignDetails) -> Option<Cow<'a, str>>,
) -> Option<Cow<'a, str>> {
    match campaigns {
        [] => None,
        [only] => cell_of(only).filter(|cell| !cell.is_empty()),
        campaigns => {
            let cells: Vec<_> = campaigns.iter().map(|campaign| cell_of(campaign).unwrap_or_default()).collect();
            cells.iter().any(|cell| !cell.is_empty()).then(|| cells.join(CAMPAIGN_SEPARATOR).into())
        }
    }
}

/// Joins the reasons' descriptions, in English and without backticks.
fn describe_reasons(reasons: &[NotCallableReason]) -> String {
    reasons.iter().map(|reason| reason.detail.replace('`', "")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LeadId, NotCallableCode};
    use crate::record::{LeadRecord, WriteMode};

    fn lead(campaigns: serde_json::Value) -> ExtendedLead {
        let created_at = "2026-05-01T09:30:00Z".parse().unwrap();
        let fields = r#"{"city":"Bonn","country":"DE","phone":"030 1","custom_fields":{"tier":"gold"}}"#;
        let lead = LeadRecord::from_json(fields, WriteMode::Create).unwrap().create(LeadId(7), created_at);
        let detail = "the lead isn't in a campaign".to_owned();
        let reason = NotCallableReason { code: NotCallableCode::NotInCampaign, until: None, detail };
        ExtendedLead { lead, campaigns: serde_json::from_value(campaigns).unwrap(), not_callable_reasons: vec![reason] }
    }

    fn campaigns() -> serde_json::Value {
        let campaign = |id: i64, callable: bool| {
            let reasons = serde_json::json!([
                { "code": "status_not_dialable", "detail": "leads with status `closed` are not called" },
                { "code": "frozen", "until": "2026-05-02T08:00:00Z", "detail": "frozen until 2 May 2026, 08:00 UTC" }
            ]);
            serde_json::json!({
                "campaign_lead_id": id, "campaign_id": id, "campaign_name": format!("Solar {id}"), "status": "new", "weight": 1,
                "calls_count": id, "calls_today": 0, "last_call_at": null, "last_call_status": null, "freeze_until": null,
                "callback_at": if callable { None } else { Some("2026-05-03T10:00:00Z") },
                "assigned_user_id": null, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
                "callable": callable, "not_callable_reasons": if callable { serde_json::json!([]) } else { reasons },
                "next_callable_at": if callable { None } else { Some("2026-05-02T08:00:00Z") }
            })
        };
        serde_json::json!([campaign(3, true), campaign(5, false)])
    }

    #[test]
    fn columns_round_trip_through_their_names() {
        for column in LeadColumn::all() {
            assert_eq!(LeadColumn::from_name(&column.name()), Some(column.clone()), "{column:?}");
        }
        assert_eq!(LeadColumn::from_name("campaign_status"), Some(LeadColumn::Field(FieldId::Status)));
        assert_eq!(LeadColumn::from_name("custom.a, b"), Some(LeadColumn::Custom("a, b".to_owned())));
        for none in ["", "lead", "lead_id", "campaign_lead_id", "custom.", "City"] {
            assert_eq!(LeadColumn::from_name(none), None, "{none}");
        }
    }

    #[test]
    fn cell_joins_the_values_of_all_campaigns() {
        let (without_campaigns, with_campaigns) = (lead(serde_json::json!([])), lead(campaigns()));
        for (column, without, with) in [
            ("number", "030 1", "030 1"),
            ("place", "Bonn, DE", "Bonn, DE"),
            ("custom.tier", "gold", "gold"),
            ("id", "7", "7"),
            ("do_not_call", "false", "false"),
            ("campaign_name", "", "Solar 3 | Solar 5"),
            ("calls_count", "", "3 | 5"),
            ("callback_at", "", " | 2026-05-03T10:00:00Z"),
            ("last_call_at", "", ""),
            ("next_call", "", "now | 2026-05-02T08:00:00Z"),
            (
                "not_callable_reasons",
                "the lead isn't in a campaign",
                " | leads with status closed are not called, frozen until 2 May 2026, 08:00 UTC",
            ),
            (
                "campaigns",
                "",
                "Solar 3 (new): callable | \
                 Solar 5 (new): leads with status closed are not called, frozen until 2 May 2026, 08:00 UTC",
            ),
        ] {
            let column = LeadColumn::from_name(column).expect(column);
            let cell = |lead| column.cell(lead).unwrap_or_default().into_owned();
            assert_eq!(
                (cell(&without_campaigns), cell(&with_campaigns)),
                (without.to_owned(), with.to_owned()),
                "{column:?}"
            );
        }
    }

    #[test]
    fn every_campaign_field_has_a_cell() {
        let lead_in_campaigns = lead(campaigns());
        let absent = ["last_call_at", "last_call_status", "freeze_until", "assigned_user_id"];
        for column in LeadColumn::all().filter(|column| column.is_per_campaign()) {
            assert_eq!(column.cell(&lead_in_campaigns).is_some(), !absent.contains(&&*column.name()), "{column:?}");
            assert_eq!(column.sort_field(), None);
        }
    }
}
