//! Checks of the speech recognizer.

use std::time::Duration;

use tokio::net::TcpStream;
use url::Url;

use super::{CheckContext, CheckResult};
use crate::config::{RecognizerKind, Role};
use crate::speech::model::{self, Languages};

const CHECK: &str = "recognizer";

/// Timeout for a connection to a remote recognizer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn check(context: &CheckContext) -> Vec<CheckResult> {
    let speech = &context.config.speech;
    if context.config.worker.role == Role::Api {
        return vec![CheckResult::ok(CHECK, "runs in worker processes")];
    }
    let name = match &context.recognizer {
        Ok(name) => name,
        Err(error) => {
            return vec![CheckResult::error(
                CHECK,
                error.clone(),
                "until this is fixed, submitted calls wait; none are lost",
            )];
        }
    };
    match speech.recognizer {
        RecognizerKind::Off => {
            let remedy = "submitted calls wait; remove --recognizer off from processes that should transcribe";
            vec![CheckResult::warning(CHECK, "none in this process", remedy)]
        }
        RecognizerKind::Embedded => {
            vec![
                CheckResult::ok(CHECK, format!("the model `{name}` is installed and its checksum is correct")),
                check_languages(context),
            ]
        }
        RecognizerKind::Http => vec![check_connection(&speech.url).await],
    }
}

/// Checks that the model supports the languages in which calls may be submitted.
fn check_languages(context: &CheckContext) -> CheckResult {
    let codes = model::languages(&context.config);
    let is_english =
        model::find_by_name(&context.config.speech.model).is_ok_and(|model| model.languages == Languages::English);
    let other = codes.iter().find(|code| code.as_str() != "en" && !code.starts_with("en-"));
    match other {
        Some(other) if is_english => CheckResult::warning(
            "languages",
            format!(
                "calls in {other} are accepted, but the model `{}` supports only English",
                context.config.speech.model
            ),
            "choose a multilingual model with --model, or remove --languages to use the model's languages",
        ),
        _ => CheckResult::ok("languages", format!("{}: {}", codes.len(), abbreviate(codes))),
    }
}

/// Lists the first few codes.
fn abbreviate(codes: &[String]) -> String {
    const MAX_LISTED_LANGUAGES: usize = 6;
    let more = if codes.len() > MAX_LISTED_LANGUAGES { ", …" } else { "" };
    format!("{}{more}", codes.iter().take(MAX_LISTED_LANGUAGES).map(String::as_str).collect::<Vec<_>>().join(", "))
}

async fn check_connection(url: &str) -> CheckResult {
    let remedy = "check that server and --speech-url; until then, submitted calls wait";
    let target = Url::parse(url).ok().and_then(|url| {
        let port = url.port_or_known_default()?;
        url.host_str().map(|host| (host.trim_matches(['[', ']']).to_owned(), port))
    });
    let Some((host, port)) = target else {
        return CheckResult::error(CHECK, "the server's URL has no host", remedy);
    };
    match tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(_)) => CheckResult::ok(CHECK, format!("{host}:{port} accepts connections")),
        Ok(Err(error)) => CheckResult::error(CHECK, format!("can't connect to {host}:{port}: {error}"), remedy),
        Err(_) => CheckResult::error(
            CHECK,
            format!("{host}:{port} didn't respond within {} s", CONNECT_TIMEOUT.as_secs()),
            remedy,
        ),
    }
}
