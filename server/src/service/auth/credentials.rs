//! API keys and speech tokens: issue, rotate and revoke. Secrets are shown once.

use leadscribe_engine::api::{
    ApiKey, ApiKeyId, NewApiKeyRequest, NewApiKeyResponse, NewSpeechTokenRequest, NewSpeechTokenResponse, Page, Scope,
    SpeechToken, TokenId,
};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, conflict};

use super::secrets::{self, Secret, SecretKind};
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::service::printable_text;
use crate::storage::{AuditContext, Slice, WriteError};

/// Maximum length of the name of a key or token, in characters.
pub const MAX_NAME_LENGTH: usize = 100;

/// Returns a slice of all API keys, newest first.
///
/// # Errors
/// The store failed.
pub async fn api_keys(app: &App, slice: Slice) -> Result<Page<ApiKey>> {
    Ok(app.store.api_keys(slice).await?)
}

/// Returns a slice of all speech tokens, newest first.
///
/// # Errors
/// The store failed.
pub async fn speech_tokens(app: &App, slice: Slice) -> Result<Page<SpeechToken>> {
    Ok(app.store.speech_tokens(slice).await?)
}

/// Issues an API key.
///
/// # Errors
/// The name, scopes or expiry are invalid (all errors are reported); or storage failed.
pub async fn create_api_key(
    app: &App,
    mut request: NewApiKeyRequest,
    audit: &AuditContext,
) -> Result<NewApiKeyResponse> {
    let mut diagnostics: Vec<_> = check_name(&mut request.name).into_iter().collect();
    request.scopes.sort();
    request.scopes.dedup();
    if request.scopes.is_empty() {
        let location = Location::Pointer("/scopes".to_owned());
        let diagnostic = Diagnostic::new(location, "missing_value", account::at_least_one_scope());
        diagnostics.push(diagnostic.permitted(Scope::names()));
    }
    if request.expires_at.is_some_and(|expires_at| expires_at <= audit.at) {
        let location = Location::Pointer("/expires_at".to_owned());
        diagnostics.push(Diagnostic::new(location, "out_of_range", account::in_the_future()));
    }
    ServiceError::ensure_no_diagnostics(diagnostics)?;
    let secret = Secret::new(SecretKind::ApiKey);
    let api_key = app.store.create_api_key(&request, secret.hash(), secret.prefix(), audit).await?;
    check_secret_is_new(audit, &api_key.id.subject())?;
    Ok(NewApiKeyResponse { api_key, secret: secret.reveal() })
}

/// Refuses a repeated request, because the secret that the first one created isn't stored.
pub fn check_secret_is_new(audit: &AuditContext, subject: &str) -> Result<()> {
    if !audit.is_replayed() {
        return Ok(());
    }
    let detail = conflict::secret_not_repeated(subject);
    Err(WriteError::Refused(Diagnostic::new(Location::default(), "secret_not_repeated", detail)).into())
}

/// Revokes an API key. Idempotent.
///
/// # Errors
/// The key doesn't exist; or storage failed.
pub async fn revoke_api_key(app: &App, id: ApiKeyId, audit: &AuditContext) -> Result<ApiKey> {
    app.store.revoke_api_key(id, audit).await?.ok_or(ServiceError::NotFound("API key"))
}

/// Issues a speech token.
///
/// # Errors
/// The name is invalid; or storage failed.
pub async fn create_speech_token(
    app: &App,
    mut request: NewSpeechTokenRequest,
    audit: &AuditContext,
) -> Result<NewSpeechTokenResponse> {
    ServiceError::ensure_no_diagnostics(check_name(&mut request.name).into_iter().collect())?;
    let secret = Secret::new(SecretKind::SpeechToken);
    let token = app.store.create_speech_token(&request.name, secret.hash(), secret.prefix(), audit).await?;
    check_secret_is_new(audit, &token.id.subject())?;
    Ok(NewSpeechTokenResponse { token, secret: secret.reveal() })
}

/// Replaces the secret of a token. The token keeps everything it owns.
///
/// # Errors
/// The token doesn't exist or is revoked; or storage failed.
pub async fn rotate_speech_token(app: &App, id: TokenId, audit: &AuditContext) -> Result<NewSpeechTokenResponse> {
    let secret = Secret::new(SecretKind::SpeechToken);
    let rotated = app.store.rotate_speech_token(id, secret.hash(), secret.prefix(), audit).await?;
    let token = rotated.ok_or(ServiceError::NotFound("speech token"))?;
    Ok(NewSpeechTokenResponse { token, secret: secret.reveal() })
}

/// Revokes a token. Idempotent.
///
/// # Errors
/// The token doesn't exist; or storage failed.
pub async fn revoke_speech_token(app: &App, id: TokenId, audit: &AuditContext) -> Result<SpeechToken> {
    app.store.revoke_speech_token(id, audit).await?.ok_or(ServiceError::NotFound("speech token"))
}

/// Returns the token with this secret.
///
/// # Errors
/// [`ServiceError::InvalidToken`] if the token doesn't exist or is revoked; or storage failed.
pub async fn token_by_secret(app: &App, secret: &str) -> Result<TokenId> {
    let token = app.store.use_speech_token(secrets::hash(secret), app.now()).await?;
    token.filter(|token| token.revoked_at.is_none()).map(|token| token.id).ok_or(ServiceError::InvalidToken)
}

/// Records the use of a token, unless it is revoked.
///
/// # Errors
/// The token doesn't exist or is revoked; or storage failed.
pub async fn use_token(app: &App, id: TokenId) -> Result<()> {
    let mut token = app.store.speech_token(id).await?.ok_or(ServiceError::NotFound("speech token"))?;
    match token.revoked_at {
        None => {
            app.store.record_speech_token_use(&mut token, app.now()).await;
            Ok(())
        }
        Some(_) => {
            let location = Location::Parameter("token_id".to_owned());
            let diagnostic = Diagnostic::new(location, "token_revoked", account::token_is_revoked(id.0));
            Err(WriteError::Refused(diagnostic.suggest(account::issue_new_token())).into())
        }
    }
}

/// Trims a name and returns its remaining error, if any.
fn check_name(name: &mut String) -> Option<Diagnostic> {
    *name = name.trim().to_owned();
    let message = printable_text::check(name, MAX_NAME_LENGTH)?;
    Some(Diagnostic::new(Location::Pointer("/name".to_owned()), "invalid_name", message))
}
