//! Sample of a campaign's leads for evaluation: all leads of a small campaign, or leads at evenly spread positions of a large one.

use std::borrow::Cow;

use leadscribe_engine::api::CampaignId;
use leadscribe_engine::callable::{Callee, Phone};

use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use crate::storage::sql::{Session, binds, statuses};
use crate::storage::{CampaignSample, SampledLead, StoreError};

/// Maximum number of positions in a campaign from which leads are taken. More would be slower, but fairer to leads that were imported
/// together.
const PLACES: u32 = 40;

pub(super) fn of(session: &dyn Session, id: CampaignId, most: u32) -> Result<Option<CampaignSample>, StoreError> {
    let Some(campaign) = super::find(session, id)? else { return Ok(None) };
    let leads: u64 = session.value("SELECT count(*) FROM campaign_leads WHERE campaign_id = ?1", &binds![id.0])?;
    let mut judged = Vec::new();
    if leads <= u64::from(most) {
        extend(session, id, 0, most, &mut judged)?;
    } else {
        let places = PLACES.min(most);
        let step = leads / u64::from(places);
        let mut after = 0;
        for place in 0..places {
            if place > 0 {
                // Walks only the index of the campaign's leads.
                let next = "SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND lead_id > ?2
                            ORDER BY lead_id LIMIT 1 OFFSET ?3";
                after = session.value(next, &binds![id.0, after, step - 1])?;
            }
            extend(session, id, after, most / places, &mut judged)?;
        }
    }
    Ok(Some(CampaignSample { campaign, statuses: statuses::all(session)?, leads, judged }))
}

/// Adds up to `most` leads with ids after `after`, by id.
fn extend(
    session: &dyn Session,
    campaign: CampaignId,
    after: i64,
    most: u32,
    into: &mut Vec<SampledLead>,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {CAMPAIGN_LEAD_COLUMNS}, l.do_not_call, l.blacklisted, l.timezone, l.phone, l.phone2,
                l.phone_normalized, l.phone_normalized2
         FROM campaign_leads c JOIN leads l ON l.id = c.lead_id
         WHERE c.campaign_id = ?1 AND c.lead_id > ?2 ORDER BY c.lead_id LIMIT ?3"
    );
    session.query_each(&sql, &binds![campaign.0, after, most], &mut |row| {
        let callee = Callee {
            do_not_call: row.get(14)?,
            blacklisted: row.get(15)?,
            timezone: row.get::<Option<String>>(16)?.map(Cow::Owned),
            phone: Phone::of::<String>([&row.get(17)?, &row.get(18)?], [&row.get(19)?, &row.get(20)?]),
        };
        into.push(SampledLead { callee, campaign_lead: rows::campaign_lead(row)? });
        Ok(())
    })
}
