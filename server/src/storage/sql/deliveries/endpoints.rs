//! Counts of deliveries by URL.

use leadscribe_engine::api::{CallbackEndpoint, DeliveryId, Page};

use super::super::rows::slice_binds;
use super::super::{Row, Session};
use super::pending_states;
use crate::storage::{Result, Slice};

pub(super) fn list(session: &dyn Session, slice: Slice) -> Result<Page<CallbackEndpoint>> {
    let total = session.query_value("SELECT count(DISTINCT endpoint_id) FROM deliveries", &[])?;
    let items = session.query(
        concat!(
            "SELECT (SELECT e.url FROM callback_endpoints e WHERE e.id = deliveries.endpoint_id), max(id),
             count(*) FILTER (WHERE state IN ",
            pending_states!(),
            "),
             count(*) FILTER (WHERE state = 'delivered'),
             count(*) FILTER (WHERE state IN ('failed', 'stopped')),
             max(finished_at) FILTER (WHERE state = 'delivered'),
             max(finished_at) FILTER (WHERE state IN ('failed', 'stopped'))
         FROM deliveries GROUP BY endpoint_id ORDER BY max(id) DESC LIMIT ?1 OFFSET ?2",
        ),
        &slice_binds(slice),
        read_endpoint,
    )?;
    Ok(Page { items, total })
}

fn read_endpoint(row: &dyn Row) -> Result<CallbackEndpoint> {
    Ok(CallbackEndpoint {
        callback_url: row.get(0)?,
        latest_delivery_id: DeliveryId(row.get(1)?),
        pending: row.get(2)?,
        delivered: row.get(3)?,
        failed: row.get(4)?,
        last_delivered_at: row.get(5)?,
        last_failed_at: row.get(6)?,
    })
}
