use leadscribe_engine::api::LeadActionOutcome;

use crate::http::prelude::*;
use crate::service::leads::lead_actions;

/// Change many leads in one transaction.
///
/// A list of ids or a filter selects the leads, 10,000 at most. Either all changes are made or none. The previous values are stored for 7
/// days, so that the action can be undone.
///
/// `set.campaign_id` adds the leads to that campaign as new. Leads already in the campaign count as unchanged.
///
/// Split larger actions, or actions that a user may cancel, into batches: `max_leads` limits the number of leads, and `after_id`
/// continues from `next_after_id` of the previous response. Each batch is a separate action.
#[utoipa::path(
    post,
    path = "/api/leads/actions",
    params((
        "dry_run" = Option<bool>,
        Query,
        description = "Return how many leads would change and the effect on callability, without changing anything",
        example = true
    )),
    request_body(
        content = ref("#/components/schemas/LeadAction"),
        description = "The leads and the changes to them",
        example = json!({
            "filter": { "campaign_id": 3, "status": ["new", "no_answer"] },
            "set": { "status": "callback", "freeze_until": null }
        })
    ),
    responses(
        (status = 200, body = LeadActionOutcome),
        (status = 409, description = "More leads match the filter than one action may change")
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let dry_run = query.flag("dry_run");
    query.finish()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&lead_actions::run(&app, &text, dry_run, &request.audit_context(&app)).await?))
}
