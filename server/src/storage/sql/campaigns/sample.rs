//! Sample of a campaign's leads for evaluation: all leads of a small campaign, or leads at evenly spread positions of a large one.

use std::borrow::Cow;

use leadscribe_engine::api::CampaignId;
use leadscribe_engine::callable::{Callee, Phone};

use crate::storage::sql::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use crate::storage::sql::{Session, binds, statuses};
use crate::storage::{CampaignSample, Result, SampledLead};

/// Maximum number of positions in a campaign from which leads are taken. More positions make the sample more
/// representative, because leads that were imported together are adjacent, but slower to read.
const MAX_SAMPLE_POSITIONS: u32 = 40;

pub(super) fn read_sample(session: &dyn Session, id: CampaignId, max_leads: u32) -> Result<Option<CampaignSample>> {
    let Some(campaign) = super::find(session, id)? else { return Ok(None) };
    let lead_count: u64 =
        session.query_value("SELECT count(*) FROM campaign_leads WHERE campaign_id = ?1", &binds![id.0])?;
    let mut sampled_leads = Vec::new();
    if lead_count <= u64::from(max_leads) {
        append_leads(session, id, 0, max_leads, &mut sampled_leads)?;
    } else {
        let position_count = MAX_SAMPLE_POSITIONS.min(max_leads);
        let step = lead_count / u64::from(position_count);
        let mut after = 0;
        for position in 0..position_count {
            if position > 0 {
                // Walks only the index of the campaign's leads.
                let sql = "SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND lead_id > ?2
                            ORDER BY lead_id LIMIT 1 OFFSET ?3";
                after = session.query_value(sql, &binds![id.0, after, step - 1])?;
            }
            append_leads(session, id, after, max_leads / position_count, &mut sampled_leads)?;
        }
    }
    Ok(Some(CampaignSample { campaign, statuses: statuses::list(session)?, lead_count, sampled_leads }))
}

/// Adds up to `limit` leads with ids after `after`, by id.
fn append_leads(
    session: &dyn Session,
    campaign: CampaignId,
    after: i64,
    limit: u32,
    sampled_leads: &mut Vec<SampledLead>,
) -> Result<()> {
    let sql = format!(
        "SELECT {CAMPAIGN_LEAD_COLUMNS}, l.do_not_call, l.blacklisted, l.timezone, l.phone, l.phone2,
                l.phone_normalized, l.phone_normalized2
         FROM campaign_leads c JOIN leads l ON l.id = c.lead_id
         WHERE c.campaign_id = ?1 AND c.lead_id > ?2 ORDER BY c.lead_id LIMIT ?3"
    );
    session.query_each(&sql, &binds![campaign.0, after, limit], &mut |row| {
        let callee = Callee {
            do_not_call: row.get(14)?,
            blacklisted: row.get(15)?,
            timezone: row.get::<Option<String>>(16)?.map(Cow::Owned),
            phone: Phone::from_numbers::<String>([&row.get(17)?, &row.get(18)?], [&row.get(19)?, &row.get(20)?]),
        };
        sampled_leads.push(SampledLead { callee, campaign_lead: rows::read_campaign_lead(row)? });
        Ok(())
    })
}
