//! How far campaigns are.

use std::collections::HashMap;

use leadscribe_engine::api::{Campaign, CampaignId, CampaignProgress, Page};

use crate::storage::StoreError;
use crate::storage::sql::{Bind, Session};

/// The progress of these campaigns, in their order.
pub(super) fn of(session: &dyn Session, campaigns: Page<Campaign>) -> Result<Page<CampaignProgress>, StoreError> {
    if campaigns.items.is_empty() {
        return Ok(Page { items: Vec::new(), total: campaigns.total });
    }
    let ids = Bind::ids(campaigns.items.iter().map(|campaign| campaign.id.0));
    let sql = format!(
        "SELECT c.campaign_id,
                count(CASE WHEN s.dialable AND c.calls_count = 0 THEN 1 END),
                count(CASE WHEN s.dialable AND c.calls_count > 0 THEN 1 END),
                count(CASE WHEN NOT s.dialable THEN 1 END)
         FROM campaign_leads c JOIN lead_statuses s ON s.name = c.status
         WHERE {} GROUP BY c.campaign_id",
        session.dialect().is_any_of("c.campaign_id", "?1")
    );
    let found = session.query(&sql, &[ids], |row| {
        let campaign_id = CampaignId(row.get(0)?);
        Ok((campaign_id, CampaignProgress { campaign_id, new: row.get(1)?, called: row.get(2)?, done: row.get(3)? }))
    })?;
    let mut found: HashMap<_, _> = found.into_iter().collect();
    let items = campaigns.items.iter().map(|campaign| {
        let none = CampaignProgress { campaign_id: campaign.id, new: 0, called: 0, done: 0 };
        found.remove(&campaign.id).unwrap_or(none)
    });
    Ok(Page { items: items.collect(), total: campaigns.total })
}
