//! Route table of the API: one row per operation.
//!
//! A row names a handler and the access that it requires. Method, path and description come from the handler's own `#[utoipa::path]`, so
//! the OpenAPI document ([`super::openapi`]) always matches this table.
//!
//! To add an operation: write its handler in `handlers/<resource>/<verb>.rs` and add a row here.

use std::sync::Arc;

use futures::future::BoxFuture;
use http::Method;
use leadscribe_engine::api::Scope;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Required, Schema, SchemaFormat, Type};

use super::auth::Access;
use super::problem::Problem;
use super::reply::Response;
use super::request::Request;
use super::{export, handlers, idempotency};
use crate::service::app::App;

/// Handler of an operation.
pub type Handler = fn(Arc<App>, Request) -> BoxFuture<'static, Result<Response, Problem>>;

/// An operation.
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path with parameters: `/api/leads/{lead_id}`; `{*rest}` matches the rest of the path.
    pub path: String,
    /// Required access.
    pub access: Access,
    /// True if requests need a slot. The server's own paths don't, so that monitoring works under load.
    pub needs_slot: bool,
    /// True if requests may wait for the store's writer.
    pub may_write: bool,
    /// True if responses contain a secret. They are never compressed.
    pub returns_secret: bool,
    /// True if requests create something and accept an idempotency key.
    pub is_creating: bool,
    /// Function that handles a request.
    pub handler: Handler,
    /// Names of the permitted query parameters; `None` if the handler checks them itself.
    pub query_names: Option<Vec<String>>,
    /// OpenAPI description, without the parts that all operations share.
    pub operation: Operation,
    /// Schemas that the description refers to.
    pub schemas: Vec<(String, RefOr<Schema>)>,
}

impl Route {
    /// utoipa exposes schemas only through the `__dev` trait that its macros use.
    fn new<P: utoipa::Path + utoipa::__dev::SchemaReferences>(
        resource: &str,
        access: Access,
        handler: Handler,
    ) -> Self {
        let mut operation = P::operation();
        operation.tags = Some(vec![tag(resource)]);
        let path = P::path();
        let parameters = id_parameters(&path).chain(operation.parameters.take().into_iter().flatten());
        operation.parameters = Some(parameters.collect::<Vec<_>>()).filter(|parameters| !parameters.is_empty());
        let parameters = operation.parameters.iter().flatten();
        let names = parameters.filter_map(|parameter| match parameter {
            RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter.name.clone()),
            _ => None,
        });
        let query_names = Some(names.collect());
        let mut schemas = Vec::new();
        P::schemas(&mut schemas);
        let method = P::methods().into_iter().next().map_or(Method::GET, to_http_method);
        let may_write = may_operation_write(&method, access);
        Self {
            method,
            path,
            access,
            needs_slot: true,
            may_write,
            returns_secret: false,
            is_creating: false,
            handler,
            query_names,
            operation,
            schemas,
        }
    }

    /// Returns the export of this list. It accepts the list's parameters except `limit`, and needs the same access.
    fn export(&self, summary: &str, handler: Handler) -> Self {
        let is_limit = |entry: &RefOr<Parameter>| matches!(entry, RefOr::T(parameter) if parameter.name == "limit");
        let mut parameters = self.operation.parameters.clone().unwrap_or_default();
        parameters.retain(|entry| !is_limit(entry));
        parameters.extend(export::parameters());
        let names = parameters.iter().filter_map(|entry| match entry {
            RefOr::T(parameter) => Some(parameter.name.clone()),
            RefOr::Ref(_) => None,
        });
        Self {
            method: Method::GET,
            path: format!("{}/export", self.path),
            access: self.access,
            needs_slot: true,
            may_write: true,
            returns_secret: false,
            is_creating: false,
            handler,
            query_names: Some(names.collect()),
            operation: export::describe(summary, self.operation.tags.clone(), parameters),
            schemas: self.schemas.clone(),
        }
    }

    /// Marks the route as one whose requests write to the audit log.
    fn audited(self) -> Self {
        Self { may_write: true, ..self }
    }

    /// Marks the route as one whose responses contain a secret.
    fn returning_secret(self) -> Self {
        Self { returns_secret: true, ..self }
    }

    /// Marks the route as one that creates something and accepts an idempotency key.
    fn creating(mut self) -> Self {
        idempotency::describe(&mut self.operation);
        Self { is_creating: true, ..self }
    }

    /// Exempts the route from the limit of concurrent requests.
    fn without_slot(self) -> Self {
        Self { needs_slot: false, ..self }
    }

    /// Leaves the names of query parameters to the handler.
    fn with_unchecked_query(mut self) -> Self {
        self.query_names = None;
        self
    }
}

/// Returns the parameters of a path that are ids: those whose names end with `_id`.
fn id_parameters(path: &str) -> impl Iterator<Item = RefOr<Parameter>> {
    let names = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    names.filter(|name| name.ends_with("_id")).map(|name| {
        let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
        let schema = ObjectBuilder::new().schema_type(Type::Integer).format(Some(format)).minimum(Some(1));
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True);
        RefOr::T(parameter.schema(Some(schema)).build())
    })
}

/// Returns the tag of the operations in `handlers/<resource>`.
fn tag(resource: &str) -> String {
    match resource {
        "audit" => "audit-log".to_owned(),
        "events" | "health" | "openapi" => "server".to_owned(),
        "lead_actions" => "leads".to_owned(),
        "sessions" => "session".to_owned(),
        "speech" => "speech-recognition".to_owned(),
        _ => resource.replace('_', "-"),
    }
}

/// Defines a row: `route!(leads::extended_data::extended_data, Access::Scope(Scope::LeadsRead))` for the function `extended_data` in
/// `handlers/leads/extended_data.rs`.
macro_rules! route {
    ($resource:ident::$verb:ident::$name:ident, $access:expr) => {
        pastey::paste! {
            Route::new::<handlers::$resource::$verb::[<__path_ $name>]>(stringify!($resource), $access, |app, request| {
                Box::pin(handlers::$resource::$verb::$name(app, request))
            })
        }
    };
}

/// Defines the row of a list's export: the row of the list, what is exported, and the function that parses the list's query.
macro_rules! export {
    ($list:expr, $summary:literal, $parse:expr) => {
        $list.export($summary, |app, request| Box::pin(async move { export::list(&app, &request, $parse).await }))
    };
}

/// Returns all operations.
pub fn all() -> Vec<Route> {
    use Access::{AnyScope, Authenticated, AuthenticatedOrToken, DelegatedOrToken, Metrics, Optional, Public, Staff};
    use handlers::imports;
    let scope = Access::Scope;

    vec![
        // Session
        route!(session::log_in::log_in, Public).returning_secret(),
        route!(session::read::read, Optional).returning_secret(),
        route!(session::log_out::log_out, Staff),
        route!(session::password::password, Staff),
        route!(sessions::list::list, Staff),
        route!(sessions::end_others::end_others, Staff),
        route!(sessions::end::end, Staff),
        // Leads
        route!(leads::extended_data::extended_data, scope(Scope::LeadsRead)),
        route!(leads::list::list, scope(Scope::LeadsRead)).with_unchecked_query(),
        route!(leads::export::export, scope(Scope::LeadsRead)).audited(),
        route!(leads::values::values, scope(Scope::LeadsRead)),
        route!(leads::by_path::by_path, scope(Scope::LeadsRead)),
        route!(leads::create::create, scope(Scope::LeadsWrite)).creating(),
        route!(leads::upsert::upsert, scope(Scope::LeadsWrite)),
        route!(leads::read::read, scope(Scope::LeadsRead)),
        route!(leads::update::update, scope(Scope::LeadsWrite)),
        route!(leads::delete::delete, scope(Scope::LeadsWrite)),
        route!(lead_actions::list::list, scope(Scope::LeadsRead)),
        route!(lead_actions::create::create, scope(Scope::LeadsWrite)).creating(),
        route!(lead_actions::undo::undo, scope(Scope::LeadsWrite)),
        // Saved views of leads
        route!(views::list::list, Staff),
        route!(views::create::create, Staff).creating(),
        route!(views::read::read, Staff),
        route!(views::update::update, Staff),
        route!(views::delete::delete, Staff),
        // Campaigns and their leads
        route!(campaigns::list::list, scope(Scope::LeadsRead)),
        export!(
            route!(campaigns::list::list, scope(Scope::LeadsRead)),
            "Export the campaigns that match a query, with their progress.",
            |_, reader| Ok(handlers::campaigns::list::parse_campaign_query(reader))
        ),
        route!(campaigns::create::create, scope(Scope::LeadsWrite)).creating(),
        route!(campaigns::progress::progress, scope(Scope::LeadsRead)),
        route!(campaigns::read::read, scope(Scope::LeadsRead)),
        route!(campaigns::update::update, scope(Scope::LeadsWrite)),
        route!(campaigns::delete::delete, scope(Scope::LeadsWrite)),
        route!(campaigns::preview::preview, scope(Scope::LeadsRead)),
        route!(campaign_leads::create::create, scope(Scope::LeadsWrite)).creating(),
        route!(campaign_leads::read::read, scope(Scope::LeadsRead)),
        route!(campaign_leads::update::update, scope(Scope::LeadsWrite)),
        route!(campaign_leads::delete::delete, scope(Scope::LeadsWrite)),
        route!(statuses::list::list, scope(Scope::LeadsRead)),
        route!(statuses::order::order, scope(Scope::LeadsWrite)),
        route!(statuses::put::put, scope(Scope::LeadsWrite)),
        route!(statuses::delete::delete, scope(Scope::LeadsWrite)),
        // Calls and their recordings
        route!(calls::list::list, scope(Scope::CallsRead)),
        export!(
            route!(calls::list::list, scope(Scope::CallsRead)),
            "Export the calls that match a query.",
            |_, reader| Ok(handlers::calls::list::parse_call_query(reader))
        ),
        route!(calls::create::create, scope(Scope::CallsWrite)).creating(),
        route!(calls::read::read, scope(Scope::CallsRead)),
        route!(calls::update::update, scope(Scope::CallsWrite)),
        route!(recordings::play::play, scope(Scope::CallsRead)),
        route!(recordings::upload::upload, scope(Scope::CallsWrite)),
        route!(recordings::peaks::peaks, scope(Scope::CallsRead)),
        // Speech recognition
        route!(speech::submit::submit, Access::TokenInBody(Scope::SpeechSubmit)).creating(),
        route!(speech::submit_for_token::submit_for_token, Access::Delegated(Scope::SpeechSubmit)).creating(),
        route!(speech::languages::languages, AuthenticatedOrToken),
        route!(speech::recognizer::recognizer, Authenticated),
        route!(speech::search::search, Access::TokenInHeader(Scope::SpeechRead)),
        route!(speech::deliver::deliver, Access::TokenInHeader(Scope::SpeechRead)).creating(),
        route!(speech::transcript::transcript, Access::TokenInHeader(Scope::SpeechRead)),
        route!(speech::request_status::request_status, Access::TokenInHeader(Scope::SpeechRead)),
        route!(speech::webhook_secret::webhook_secret, Access::TokenInHeader(Scope::SpeechRead)).returning_secret(),
        // Transcripts
        route!(transcripts::search::search, Access::Delegated(Scope::SpeechRead)),
        export!(
            route!(transcripts::search::search, Access::Delegated(Scope::SpeechRead)),
            "Export the transcripts that match a search.",
            |_, reader| Ok(handlers::transcripts::search::parse_transcript_query(reader))
        ),
        route!(transcripts::read::read, Access::Delegated(Scope::SpeechRead)),
        route!(transcripts::list::list, scope(Scope::CallsRead)),
        route!(transcripts::cancel::cancel, Access::Delegated(Scope::SpeechSubmit)),
        // Deliveries of transcripts to callbacks
        route!(deliveries::list::list, Access::Delegated(Scope::SpeechRead)),
        export!(
            route!(deliveries::list::list, Access::Delegated(Scope::SpeechRead)),
            "Export the deliveries that match a query.",
            |_, reader| Ok(handlers::deliveries::list::parse_delivery_query(reader))
        ),
        route!(deliveries::read::read, Access::Delegated(Scope::SpeechRead)),
        route!(deliveries::replay::replay, Access::Delegated(Scope::SpeechSubmit)),
        route!(deliveries::test::test, Access::Delegated(Scope::SpeechSubmit)).creating(),
        route!(deliveries::endpoints::endpoints, Access::Delegated(Scope::SpeechRead)),
        route!(deliveries::deliver_for_token::deliver_for_token, Access::Delegated(Scope::SpeechSubmit)).creating(),
        // Webhooks
        route!(webhooks::list::list, DelegatedOrToken(Scope::SpeechRead)),
        route!(webhooks::create::create, DelegatedOrToken(Scope::SpeechSubmit)).returning_secret().creating(),
        route!(webhooks::read::read, DelegatedOrToken(Scope::SpeechRead)),
        route!(webhooks::update::update, DelegatedOrToken(Scope::SpeechSubmit)),
        route!(webhooks::delete::delete, DelegatedOrToken(Scope::SpeechSubmit)),
        route!(webhooks::test::test, DelegatedOrToken(Scope::SpeechSubmit)).creating(),
        route!(webhooks::rotate_secret::rotate_secret, DelegatedOrToken(Scope::SpeechSubmit)).returning_secret(),
        route!(webhooks::deliveries::deliveries, DelegatedOrToken(Scope::SpeechRead)),
        // Imports
        route!(imports::create::campaigns, scope(Scope::LeadsWrite)).creating(),
        route!(imports::create::leads, scope(Scope::LeadsWrite)).creating(),
        route!(imports::create::campaign_leads, scope(Scope::LeadsWrite)).creating(),
        route!(imports::create::calls, scope(Scope::CallsWrite)).creating(),
        route!(imports::list::list, AnyScope(imports::READ_SCOPES)),
        export!(
            route!(imports::list::list, AnyScope(imports::READ_SCOPES)),
            "Export the imports that match a query, without dry runs.",
            imports::list::parse_import_query
        ),
        route!(imports::read::read, AnyScope(imports::PROGRESS_SCOPES)),
        route!(imports::rejected::rejected, AnyScope(imports::READ_SCOPES)),
        route!(imports::rejected_csv::rejected_csv, AnyScope(imports::READ_SCOPES)),
        route!(imports::cancel::cancel, scope(Scope::LeadsWrite)),
        route!(imports::undo::undo, scope(Scope::LeadsWrite)),
        route!(imports::cancel_undo::cancel_undo, scope(Scope::LeadsWrite)),
        route!(imports::skipped_by_undo::skipped_by_undo, AnyScope(imports::READ_SCOPES)),
        // Speech tokens
        route!(speech_tokens::list::list, scope(Scope::SpeechRead)),
        route!(speech_tokens::create::create, scope(Scope::Admin)).returning_secret().creating(),
        route!(speech_tokens::rotate::rotate, scope(Scope::Admin)).returning_secret(),
        route!(speech_tokens::revoke::revoke, scope(Scope::Admin)),
        route!(speech_tokens::webhook_secret::webhook_secret, scope(Scope::Admin)).returning_secret(),
        route!(speech_tokens::rotate_webhook_secret::rotate_webhook_secret, scope(Scope::Admin)).returning_secret(),
        // API keys
        route!(api_keys::list::list, scope(Scope::Admin)),
        route!(api_keys::create::create, scope(Scope::Admin)).returning_secret().creating(),
        route!(api_keys::revoke::revoke, scope(Scope::Admin)),
        // Staff
        route!(users::assignees::assignees, Staff),
        route!(users::list::list, scope(Scope::Admin)),
        route!(users::create::create, scope(Scope::Admin)).creating(),
        route!(users::update::update, scope(Scope::Admin)),
        route!(users::delete::delete, scope(Scope::Admin)),
        route!(users::end_sessions::end_sessions, scope(Scope::Admin)),
        // Overview
        route!(overview::activity::activity, scope(Scope::CallsRead)),
        route!(overview::callable::callable, scope(Scope::LeadsRead)),
        // The server itself
        route!(audit::list::list, scope(Scope::Admin)),
        export!(
            route!(audit::list::list, scope(Scope::Admin)),
            "Export the audit log entries that match a query.",
            |_, reader| Ok(handlers::audit::list::parse_audit_query(reader))
        ),
        route!(audit::lead_history::lead_history, scope(Scope::LeadsRead)),
        route!(audit::retention::retention, scope(Scope::Admin)),
        route!(changes::list::list, AnyScope(handlers::changes::list::SCOPES)),
        route!(events::stream::stream, Staff),
        route!(openapi::read::read, Authenticated),
        route!(health::live::live, Public).without_slot(),
        route!(health::ready::ready, Public).without_slot(),
        route!(health::metrics::metrics, Metrics).without_slot(),
    ]
}

/// Returns the operations about the server itself, for monitoring.
pub fn monitoring_routes() -> Vec<Route> {
    all().into_iter().filter(|route| !route.needs_slot).collect()
}

/// True if requests of an operation may wait for the store's writer. Reads of transcripts count: they are recorded in the audit log.
/// Lookups and previews write nothing, whatever their method.
fn may_operation_write(method: &Method, access: Access) -> bool {
    match access {
        Access::TokenInHeader(_) | Access::AuthenticatedOrToken | Access::Delegated(_) => true,
        Access::Scope(Scope::LeadsRead | Scope::CallsRead | Scope::SpeechRead) => false,
        _ => !method.is_safe(),
    }
}

fn to_http_method(method: HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Options => Method::OPTIONS,
        HttpMethod::Head => Method::HEAD,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Trace => Method::TRACE,
    }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn route_table() {
        let lines: Vec<_> = all()
            .iter()
            .map(|route| format!("{:<6} {:<54} {}", route.method.as_str(), route.path, route.access))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        POST   /api/session                                           public
        GET    /api/session                                           optional
        DELETE /api/session                                           staff
        PUT    /api/session/password                                  staff
        GET    /api/sessions                                          staff
        DELETE /api/sessions                                          staff
        DELETE /api/sessions/{session_id}                             staff
        PUT    /api/leads/extended-data                               leads:read
        GET    /api/leads                                             leads:read
        GET    /api/leads/export                                      leads:read
        GET    /api/leads/values                                      leads:read
        GET    /api/leads/{key}/{*rest}                               leads:read
        POST   /api/leads                                             leads:write
        PUT    /api/leads/by-identifier/{original_identifier}         leads:write
        GET    /api/leads/{lead_id}                                   leads:read
        PATCH  /api/leads/{lead_id}                                   leads:write
        DELETE /api/leads/{lead_id}                                   leads:write
        GET    /api/leads/actions                                     leads:read
        POST   /api/leads/actions                                     leads:write
        POST   /api/leads/actions/{action_id}/undo                    leads:write
        GET    /api/views                                             staff
        POST   /api/views                                             staff
        GET    /api/views/{view_id}                                   staff
        PUT    /api/views/{view_id}                                   staff
        DELETE /api/views/{view_id}                                   staff
        GET    /api/campaigns                                         leads:read
        GET    /api/campaigns/export                                  leads:read
        POST   /api/campaigns                                         leads:write
        GET    /api/campaigns/progress                                leads:read
        GET    /api/campaigns/{campaign_id}                           leads:read
        PATCH  /api/campaigns/{campaign_id}                           leads:write
        DELETE /api/campaigns/{campaign_id}                           leads:write
        POST   /api/campaigns/{campaign_id}/preview                   leads:read
        POST   /api/campaign-leads                                    leads:write
        GET    /api/campaign-leads/{campaign_lead_id}                 leads:read
        PATCH  /api/campaign-leads/{campaign_lead_id}                 leads:write
        DELETE /api/campaign-leads/{campaign_lead_id}                 leads:write
        GET    /api/statuses                                          leads:read
        PUT    /api/statuses                                          leads:write
        PUT    /api/statuses/{name}                                   leads:write
        DELETE /api/statuses/{name}                                   leads:write
        GET    /api/calls                                             calls:read
        GET    /api/calls/export                                      calls:read
        POST   /api/calls                                             calls:write
        GET    /api/calls/{call_id}                                   calls:read
        PATCH  /api/calls/{call_id}                                   calls:write
        GET    /api/calls/{call_id}/recording                         calls:read
        PUT    /api/calls/{call_id}/recording                         calls:write
        GET    /api/calls/{call_id}/recording/peaks                   calls:read
        POST   /api/speech-recognition                                speech token (speech:submit)
        POST   /api/speech-tokens/{token_id}/submissions              staff (speech:submit) or admin
        GET    /api/speech-recognition/languages                      authenticated or speech token in header
        GET    /api/speech-recognition/recognizer                     authenticated
        GET    /api/speech-recognition                                speech token in header (speech:read)
        POST   /api/speech-recognition/searches                       speech token in header (speech:read)
        GET    /api/speech-recognition/{call_id}                      speech token in header (speech:read)
        GET    /api/speech-recognition/requests/{speech_request_id}   speech token in header (speech:read)
        GET    /api/speech-recognition/webhook-secret                 speech token in header (speech:read)
        GET    /api/transcripts                                       staff (speech:read) or admin
        GET    /api/transcripts/export                                staff (speech:read) or admin
        GET    /api/calls/{call_id}/transcript                        staff (speech:read) or admin
        GET    /api/calls/{call_id}/transcriptions                    calls:read
        POST   /api/transcriptions/cancel                             staff (speech:submit) or admin
        GET    /api/deliveries                                        staff (speech:read) or admin
        GET    /api/deliveries/export                                 staff (speech:read) or admin
        GET    /api/deliveries/{delivery_id}                          staff (speech:read) or admin
        POST   /api/deliveries/{delivery_id}/replay                   staff (speech:submit) or admin
        POST   /api/speech-tokens/{token_id}/test-deliveries          staff (speech:submit) or admin
        GET    /api/callback-endpoints                                staff (speech:read) or admin
        POST   /api/speech-tokens/{token_id}/speech-requests          staff (speech:submit) or admin
        GET    /api/webhooks                                          staff (speech:read) or admin or speech token in header
        POST   /api/webhooks                                          staff (speech:submit) or admin or speech token in header
        GET    /api/webhooks/{webhook_id}                             staff (speech:read) or admin or speech token in header
        PATCH  /api/webhooks/{webhook_id}                             staff (speech:submit) or admin or speech token in header
        DELETE /api/webhooks/{webhook_id}                             staff (speech:submit) or admin or speech token in header
        POST   /api/webhooks/{webhook_id}/test                        staff (speech:submit) or admin or speech token in header
        POST   /api/webhooks/{webhook_id}/rotate-secret               staff (speech:submit) or admin or speech token in header
        GET    /api/webhooks/{webhook_id}/deliveries                  staff (speech:read) or admin or speech token in header
        POST   /api/imports/campaigns                                 leads:write
        POST   /api/imports/leads                                     leads:write
        POST   /api/imports/campaign-leads                            leads:write
        POST   /api/imports/calls                                     calls:write
        GET    /api/imports                                           leads:read or calls:read
        GET    /api/imports/export                                    leads:read or calls:read
        GET    /api/imports/{import_id}                               leads:read or leads:write or calls:read or calls:write
        GET    /api/imports/{import_id}/rejected                      leads:read or calls:read
        GET    /api/imports/{import_id}/rejected.csv                  leads:read or calls:read
        POST   /api/imports/{import_id}/cancel                        leads:write
        POST   /api/imports/{import_id}/undo                          leads:write
        POST   /api/imports/{import_id}/undo/cancel                   leads:write
        GET    /api/imports/{import_id}/undo/skipped                  leads:read or calls:read
        GET    /api/speech-tokens                                     speech:read
        POST   /api/speech-tokens                                     admin
        POST   /api/speech-tokens/{token_id}/rotate                   admin
        DELETE /api/speech-tokens/{token_id}                          admin
        GET    /api/speech-tokens/{token_id}/webhook-secret           admin
        POST   /api/speech-tokens/{token_id}/webhook-secret/rotate    admin
        GET    /api/api-keys                                          admin
        POST   /api/api-keys                                          admin
        DELETE /api/api-keys/{api_key_id}                             admin
        GET    /api/assignees                                         staff
        GET    /api/users                                             admin
        POST   /api/users                                             admin
        PATCH  /api/users/{user_id}                                   admin
        DELETE /api/users/{user_id}                                   admin
        DELETE /api/users/{user_id}/sessions                          admin
        GET    /api/overview/activity                                 calls:read
        GET    /api/overview/callable                                 leads:read
        GET    /api/audit-log                                         admin
        GET    /api/audit-log/export                                  admin
        GET    /api/audit-log/leads/{lead_id}                         leads:read
        GET    /api/retention                                         admin
        GET    /api/changes                                           leads:read or calls:read or speech:read
        GET    /api/events                                            staff
        GET    /api/openapi.json                                      authenticated
        GET    /healthz                                               public
        GET    /readyz                                                public
        GET    /metrics                                               metrics (admin)
        ");
    }
}
