use std::ops::RangeInclusive;

use leadscribe_engine::api::ActivityOverview;
use leadscribe_engine::day;
use leadscribe_engine::diagnostic::{common, format_text};

use crate::http::prelude::*;
use crate::service::operations::overview;

/// Default of `days`.
const DEFAULT_DAYS: u32 = 30;

const PERMITTED_DAYS: RangeInclusive<u32> = 1..=90;

/// Summarize the activity of each day and the queued work.
///
/// A call counts on the day it was created, a transcription on the day it ended. If counting takes long, the response is cached for up to a
/// minute; `counted_at` is the time of the counts.
#[utoipa::path(
    get,
    path = "/api/overview/activity",
    params(
        (
            "days" = Option<u32>, Query, minimum = 1, maximum = 90,
            description = "Number of days, including today; 30 by default", example = 14
        ),
        (
            "timezone" = Option<String>, Query,
            description = "Time zone of the days, from the IANA database; UTC by default", example = "Europe/Berlin"
        )
    ),
    responses((status = 200, body = ActivityOverview))
)]
pub async fn activity(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let days = query.integer("days", PERMITTED_DAYS, DEFAULT_DAYS);
    let timezone = query.value("timezone").unwrap_or("UTC");
    if !day::is_time_zone(timezone) {
        let message = common::expected(common::time_zone(), format_text(timezone));
        query.add_error("timezone", "unknown_time_zone", message);
    }
    query.finish()?;
    Ok(reply::json(&*overview::activity(&app, days, timezone).await?))
}
