//! Requests for the Today page.

use leadscribe_engine::api::{ActivityOverview, CallableOverview};

use super::{Api, ApiResult};
use crate::browser::query::query_string;

impl Api {
    /// Returns the activity of the last days in a time zone, and the pending work.
    pub async fn activity(self, days: u32, timezone: String) -> ApiResult<ActivityOverview> {
        let query = query_string(&[("days", &days.to_string()), ("timezone", &timezone)]);
        self.get(&format!("/api/overview/activity{query}")).await
    }

    /// Returns how many leads can be called now, and why others can't.
    pub async fn callable(self) -> ApiResult<CallableOverview> {
        self.get("/api/overview/callable").await
    }
}
