//! What is kept of an action: what it set, what was there before, and what it made.

use super::*;

/// What [`set`] reads of `lead_actions`.
pub const SET_COLUMNS: &str = "do_not_call, status, weight, assigned_user_id, freeze_until, campaign_id, sets";

/// How many these are.
pub const SET_WIDTH: usize = 7;

/// The columns of `lead_action_changes`.
const CHANGE_COLUMNS: [&str; 10] = [
    "id",
    "action_id",
    "lead_id",
    "campaign_lead_id",
    "do_not_call",
    "status",
    "weight",
    "assigned_user_id",
    "freeze_until",
    "made",
];

/// Notes an action, and gives its id.
pub fn note(session: &dyn Session, set: &LeadValues, by: &Origin) -> Result<i64, StoreError> {
    session.value(
        "INSERT INTO lead_actions (at, actor, sets, do_not_call, status, weight, assigned_user_id, freeze_until, campaign_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
        &binds![
            by.at,
            by.actor,
            Bind::json(&names(set)),
            set.do_not_call,
            set.status,
            set.weight,
            set.assigned_user_id.flatten().map(|id| id.0),
            set.freeze_until.flatten(),
            set.campaign_id.map(|id| id.0),
        ],
    )
}

/// Notes what was there before an action.
pub fn note_former(
    session: &dyn Session,
    action: i64,
    leads: &[Change<Lead>],
    campaign_leads: &[Change<CampaignLead>],
) -> Result<(), StoreError> {
    let nothing = Bind::Null;
    let of_lead = leads.iter().map(|Change { old, .. }| {
        binds![nothing, action, old.id.0, nothing, old.do_not_call, nothing, nothing, nothing, nothing, false].to_vec()
    });
    let of_campaign_lead = campaign_leads.iter().map(|Change { old, .. }| {
        let (lead, assigned) = (old.lead_id.0, old.assigned_user_id.map(|id| id.0));
        let CampaignLead { id, status, weight, freeze_until, .. } = old;
        binds![nothing, action, lead, id.0, nothing, *status, *weight, assigned, *freeze_until, false].to_vec()
    });
    let former: Vec<_> = of_lead.chain(of_campaign_lead).collect();
    ids::insert_many(session, "lead_action_changes", &CHANGE_COLUMNS, &former)
}

/// Notes the campaign leads that an action made, each with its lead.
pub fn note_made(
    session: &dyn Session,
    action: i64,
    made: impl Iterator<Item = (LeadId, i64)>,
) -> Result<(), StoreError> {
    let nothing = Bind::Null;
    let made = made.map(|(lead, id)| {
        binds![nothing, action, lead.0, id, nothing, nothing, nothing, nothing, nothing, true].to_vec()
    });
    ids::insert_many(session, "lead_action_changes", &CHANGE_COLUMNS, &made.collect::<Vec<_>>())
}

/// The fields that an action sets.
pub fn names(set: &LeadValues) -> Vec<&'static str> {
    let sets = [
        ("do_not_call", set.do_not_call.is_some()),
        ("campaign_id", set.campaign_id.is_some()),
        ("status", set.status.is_some()),
        ("weight", set.weight.is_some()),
        ("assigned_user_id", set.assigned_user_id.is_some()),
        ("freeze_until", set.freeze_until.is_some()),
    ];
    sets.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect()
}

/// What an action set, of a row that begins with [`SET_COLUMNS`].
pub fn set(row: &dyn Row) -> Result<LeadValues, StoreError> {
    let sets: Vec<String> = row.json(SET_WIDTH - 1)?;
    let campaign_id = row.get::<Option<i64>>(SET_WIDTH - 2)?.map(CampaignId);
    Ok(LeadValues { campaign_id, ..values(row, 0, &sets)? })
}

/// The values of these fields, from the column `first` on; not of the campaign that leads are put into.
pub fn values(row: &dyn Row, first: usize, sets: &[impl AsRef<str>]) -> Result<LeadValues, StoreError> {
    let is_set = |name: &str| sets.iter().any(|one| one.as_ref() == name);
    let assigned = row.get::<Option<i64>>(first + 3)?.map(UserId);
    let freeze = row.get::<Option<Timestamp>>(first + 4)?;
    Ok(LeadValues {
        do_not_call: row.get::<Option<bool>>(first)?.filter(|_| is_set("do_not_call")),
        campaign_id: None,
        status: row.get::<Option<String>>(first + 1)?.filter(|_| is_set("status")),
        weight: row.get::<Option<i64>>(first + 2)?.filter(|_| is_set("weight")),
        assigned_user_id: is_set("assigned_user_id").then_some(assigned),
        freeze_until: is_set("freeze_until").then_some(freeze),
    })
}
