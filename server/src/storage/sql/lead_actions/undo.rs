//! Undoing an action: what nobody changed since gets back what it had, and what the action made is gone again.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::kept::{self, SET_COLUMNS, SET_WIDTH, names, values};
use super::put_in::begun;
use super::*;
use crate::storage::sql::statuses;

/// An action that was carried out.
struct Done {
    set: LeadValues,
    at: Timestamp,
    is_undone: bool,
}

/// What a lead or a campaign lead was before an action.
struct Former {
    lead: LeadId,
    /// None when it is about the lead itself.
    campaign_lead: Option<CampaignLeadId>,
    values: LeadValues,
    /// Whether the action made the campaign lead, so that there was none.
    made: bool,
}

/// Undoes an action. None when there is no such action.
pub(in crate::storage::sql) fn undo(
    session: &dyn Session,
    id: LeadActionId,
    by: &Origin,
) -> Result<Option<LeadActionUndo>, WriteError> {
    let Some(Done { set, at, is_undone }) = find(session, id)? else { return Ok(None) };
    if is_undone {
        return Err(WriteError::Refused(Fault::new(Place::default(), "undone", stored::action_undone(id.0))));
    }
    let former = former(session, id, &set)?;
    let mut undoing = Undoing { leads: Vec::new(), campaign_leads: Vec::new(), unmade: Vec::new(), left: Vec::new() };
    let of_leads = former.iter().filter(|one| one.campaign_lead.is_none()).map(|one| one.lead.0);
    let leads = by_id::<Lead>(session, of_leads)?;
    let inside = former.iter().filter_map(|one| Some(one.campaign_lead?.0));
    let campaign_leads = by_id::<CampaignLead>(session, inside)?;
    let statuses: HashSet<_> = statuses::all(session)?.into_iter().map(|status| status.name).collect();
    let made = former.iter().filter(|one| one.made).filter_map(|one| Some((one.campaign_lead?.0, one.lead.0)));
    let used = used(session, &set, &made.collect::<Vec<_>>())?;
    for one in &former {
        match one.campaign_lead {
            Some(inside) if one.made => {
                let stored = campaign_leads.get(&inside.0).filter(|_| !used.contains(&inside.0));
                match is_as_made(stored, begun(&set, one.lead, at)?) {
                    true => undoing.unmade.push((one.lead, inside)),
                    false => undoing.left.push((one.lead, Some(inside))),
                }
            }
            None => {
                let restored = restored(leads.get(&one.lead.0), set.of_lead(), one.values.of_lead(), by.at);
                undoing.keep(one, restored, |undoing| &mut undoing.leads);
            }
            Some(inside) => {
                // A status that staff took away meanwhile can't come back with the lead.
                let is_known = one.values.status.as_ref().is_none_or(|status| statuses.contains(status));
                let stored = campaign_leads.get(&inside.0).filter(|_| is_known);
                let restored = restored(stored, set.of_campaign_lead(), one.values.of_campaign_lead(), by.at);
                undoing.keep(one, restored, |undoing| &mut undoing.campaign_leads);
            }
        }
    }

    session.execute("UPDATE lead_actions SET undone_at = ?2 WHERE id = ?1", &binds![id.0, by.at])?;
    audit::record(session, &format!("{NAME}.undo"), &format!("{NAME}:{}", id.0), by)?;
    write(session, &undoing.leads, by)?;
    write(session, &undoing.campaign_leads, by)?;
    let unmade: Vec<_> = undoing.unmade.iter().map(|(_, inside)| inside.0).collect();
    record::delete_all::<CampaignLead>(session, &unmade)?;
    record::log_all::<CampaignLead>(session, "delete", &unmade, by)?;
    Ok(Some(undoing.outcome(id)))
}

/// Whether a campaign lead is as it was made, whenever it was changed and changed back.
fn is_as_made(stored: Option<&CampaignLead>, made: Option<CampaignLead>) -> bool {
    stored
        .zip(made)
        .is_some_and(|(stored, made)| *stored == CampaignLead { id: stored.id, updated_at: stored.updated_at, ..made })
}

/// Those of these campaign leads that something refers to by now, be it by their lead and campaign.
fn used(session: &dyn Session, set: &LeadValues, made: &[(i64, i64)]) -> Result<HashSet<i64>, StoreError> {
    let mut used = HashSet::new();
    let Some(campaign) = set.campaign_id.filter(|_| !made.is_empty()) else { return Ok(used) };
    for (table, column, _) in CampaignLead::REFERRERS {
        used.extend(record::referred_to(session, table, column, made.iter().map(|(inside, _)| *inside))?);
    }
    let of_leads = session.dialect().is_any_of("lead_id", "?2");
    let sql = format!("SELECT DISTINCT lead_id FROM calls WHERE campaign_id = ?1 AND {of_leads}");
    let leads = Bind::ids(made.iter().map(|(_, lead)| *lead));
    let called: HashSet<i64> =
        session.query(&sql, &[Bind::Integer(campaign.0), leads], |row| row.get(0))?.into_iter().collect();
    used.extend(made.iter().filter(|(_, lead)| called.contains(lead)).map(|(inside, _)| inside));
    Ok(used)
}

/// What is put back, what is deleted, and what is left alone.
struct Undoing {
    leads: Vec<Change<Lead>>,
    campaign_leads: Vec<Change<CampaignLead>>,
    unmade: Vec<(LeadId, CampaignLeadId)>,
    left: Vec<(LeadId, Option<CampaignLeadId>)>,
}

impl Undoing {
    fn keep<T>(&mut self, of: &Former, restored: Option<Change<T>>, to: fn(&mut Self) -> &mut Vec<Change<T>>) {
        match restored {
            Some(restored) => to(self).push(restored),
            None => self.left.push((of.lead, of.campaign_lead)),
        }
    }

    fn outcome(&self, id: LeadActionId) -> LeadActionUndo {
        let unmade = self.unmade.iter().map(|(lead, _)| *lead);
        let inside = self.campaign_leads.iter().map(|change| change.new.lead_id).chain(unmade);
        let restored: BTreeSet<_> = self.leads.iter().map(|change| change.new.id).chain(inside).collect();
        let left: BTreeSet<_> = self.left.iter().map(|(lead, _)| lead).collect();
        let left_inside = self.left.iter().filter(|(_, campaign_lead)| campaign_lead.is_some()).count();
        LeadActionUndo {
            id,
            leads: UndoCounts { restored: restored.len() as u64, left: left.len() as u64 },
            campaign_leads: UndoCounts {
                restored: (self.campaign_leads.len() + self.unmade.len()) as u64,
                left: left_inside as u64,
            },
        }
    }
}

/// A thing with the values that it had; none when it isn't as the action left it, or isn't there.
fn restored<T: Kept>(
    stored: Option<&T>,
    given: Option<T::Record>,
    former: Option<T::Record>,
    now: Timestamp,
) -> Option<Change<T>> {
    let (stored, given, former) = (stored?, given?, former?);
    match record::changed(stored, &given, now) {
        None => Some(Change { old: stored.clone(), new: record::changed(stored, &former, now)? }),
        Some(_) => None,
    }
}

fn by_id<T: Kept>(session: &dyn Session, ids: impl Iterator<Item = i64>) -> Result<HashMap<i64, T>, StoreError> {
    Ok(record::find_all::<T>(session, ids)?.into_iter().map(|one| (one.id(), one)).collect())
}

fn find(session: &dyn Session, id: LeadActionId) -> Result<Option<Done>, StoreError> {
    let sql = format!("SELECT {SET_COLUMNS}, at, undone_at FROM lead_actions WHERE id = ?1");
    session.find(&sql, &binds![id.0], |row| {
        let is_undone = row.get::<Option<Timestamp>>(SET_WIDTH + 1)?.is_some();
        Ok(Done { set: kept::set(row)?, at: row.get(SET_WIDTH)?, is_undone })
    })
}

/// What was there, of the fields that the action set.
fn former(session: &dyn Session, id: LeadActionId, set: &LeadValues) -> Result<Vec<Former>, StoreError> {
    let sets = names(set);
    let sql = "SELECT lead_id, campaign_lead_id, do_not_call, status, weight, assigned_user_id, freeze_until, made
               FROM lead_action_changes WHERE action_id = ?1 ORDER BY id";
    session.query(sql, &binds![id.0], |row| {
        Ok(Former {
            lead: LeadId(row.get(0)?),
            campaign_lead: row.get::<Option<i64>>(1)?.map(CampaignLeadId),
            values: values(row, 2, &sets)?,
            made: row.get(7)?,
        })
    })
}
