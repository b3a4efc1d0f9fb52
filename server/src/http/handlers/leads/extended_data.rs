use leadscribe_engine::api::ExtendedLeadsResponse;

use super::lookup_response;
use crate::http::prelude::*;
use crate::service::leads::lead_lookup;

/// Look up leads with their campaigns and the reasons that block calls now.
///
/// The body is a filter: each key is a field of the lead or of its campaign leads. A scalar means equality, an array any of its values,
/// null no value. Dates and numbers accept `"<value>;<operator>"`, two of them joined by `|`. An object contains operators. `limit` is
/// `"<count>;<offset>"`; keys with a leading underscore control the response. An empty filter is rejected; `{"limit":"200;0"}` lists all
/// leads.
#[utoipa::path(
    put,
    path = "/api/leads/extended-data",
    request_body(
        content = ref("#/components/schemas/LeadFilter"),
        description = "The filter",
        example = json!({
            "campaign_id": 3,
            "status": ["new", "no_answer"],
            "global_updated_at": "2026-05-01 00:00:00;>|2026-06-01 00:00:00;<",
            "limit": "500;0"
        })
    ),
    responses((status = 200, body = ExtendedLeadsResponse))
)]
pub async fn extended_data(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let lookup = lead_lookup::by_text(&app, &text).await?;
    Ok(lookup_response::extended_response(&lookup))
}
