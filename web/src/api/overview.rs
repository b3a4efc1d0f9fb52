//! How things are, for the first page.

use leadscribe_engine::api::{ActivityOverview, CallableOverview};

use super::{Answer, Api};
use crate::query::query_string;

impl Api {
    /// What happened on the last days of a time zone, and what waits.
    pub async fn activity(self, days: u32, timezone: String) -> Answer<ActivityOverview> {
        let query = query_string(&[("days", &days.to_string()), ("timezone", &timezone)]);
        self.get(&format!("/api/overview/activity{query}")).await
    }

    /// Which leads can be called now, and why the others can't.
    pub async fn callable(self) -> Answer<CallableOverview> {
        self.get("/api/overview/callable").await
    }
}
