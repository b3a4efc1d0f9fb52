//! Progress of campaigns.

use std::collections::HashMap;

use leadscribe_engine::api::{Campaign, CampaignId, CampaignProgress};

use crate::storage::Result;
use crate::storage::sql::{Bind, Session};

/// Condition: the campaign lead was never called.
pub(super) const NEW_CONDITION: &str = "s.dialable AND c.calls_count = 0";

/// Condition: the campaign lead was called and can be called again.
pub(super) const CALLED_CONDITION: &str = "s.dialable AND c.calls_count > 0";

/// Condition: the campaign lead is done.
pub(super) const DONE_CONDITION: &str = "NOT s.dialable";

/// SQL expression that counts the campaign's leads that meet a condition.
pub(super) fn count_expression(condition: &str) -> String {
    format!(
        "(SELECT count(*) FROM campaign_leads c JOIN lead_statuses s ON s.name = c.status
          WHERE c.campaign_id = campaigns.id AND {condition})"
    )
}

/// Progress of these campaigns, in the given order.
pub(super) fn for_campaigns(session: &dyn Session, campaigns: &[Campaign]) -> Result<Vec<CampaignProgress>> {
    if campaigns.is_empty() {
        return Ok(Vec::new());
    }
    let ids = Bind::ids(campaigns.iter().map(|campaign| campaign.id.0));
    let sql = format!(
        "SELECT c.campaign_id, count(CASE WHEN {NEW_CONDITION} THEN 1 END), count(CASE WHEN {CALLED_CONDITION} THEN 1 END),
                count(CASE WHEN {DONE_CONDITION} THEN 1 END)
         FROM campaign_leads c JOIN lead_statuses s ON s.name = c.status
         WHERE {} GROUP BY c.campaign_id",
        session.dialect().is_any_of("c.campaign_id", "?1")
    );
    let counted = session.query(&sql, &[ids], |row| {
        let campaign_id = CampaignId(row.get(0)?);
        Ok((campaign_id, CampaignProgress { campaign_id, new: row.get(1)?, called: row.get(2)?, done: row.get(3)? }))
    })?;
    let mut counted: HashMap<_, _> = counted.into_iter().collect();
    let progress = campaigns.iter().map(|campaign| {
        let empty = CampaignProgress { campaign_id: campaign.id, new: 0, called: 0, done: 0 };
        counted.remove(&campaign.id).unwrap_or(empty)
    });
    Ok(progress.collect())
}
