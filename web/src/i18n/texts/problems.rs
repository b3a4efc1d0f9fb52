//! Texts for requests without a response, and translations of the server's errors for languages other than English.
//! [`title`] and [`advice`] return `None` for English and for unknown codes.

use leadscribe_engine::api::SkipReason;

use crate::i18n::{Language, language};

super::texts! {
    offline: "Can't reach the server" | "Der Server ist nicht erreichbar";
    offline_hint: "Check your connection and try again." | "Prüfen Sie die Verbindung und versuchen Sie es erneut.";
    session_ended: "Your session has expired" | "Ihre Sitzung ist abgelaufen";
    session_ended_hint: "Log in again to continue." | "Melden Sie sich erneut an, um fortzufahren.";
    unexpected: "Unexpected response from the server" | "Unerwartete Antwort des Servers";
    unexpected_hint(status): "Reload the page. The panel may be out of date. (Status {status})"
        | "Laden Sie die Seite neu. Vielleicht ist die Oberfläche veraltet. (Status {status})";
    too_many_hint(seconds): "Try again in {seconds} second." / "Try again in {seconds} seconds."
        | "Versuchen Sie es in {seconds} Sekunde erneut." / "Versuchen Sie es in {seconds} Sekunden erneut.";
    request(id): "Request {id}" | "Anfrage {id}";
}

/// Short title of an error.
pub fn title(code: &str) -> Option<&'static str> {
    only_in_german()?;
    Some(match code {
        "malformed_request" => "Fehlerhafte Anfrage",
        "unsupported_http_version" => "HTTP-Version nicht unterstützt",
        "invalid_request" => "Ungültige Eingabe",
        "invalid_filter" => "Ungültiger Filter",
        "invalid_parameter" | "unknown_parameter" => "Ungültiger Parameter",
        "unauthenticated" => "Anmeldung erforderlich",
        "invalid_login" => "E-Mail oder Passwort ist falsch",
        "invalid_api_key" => "Ungültiger API-Schlüssel",
        "expired_api_key" => "Abgelaufener API-Schlüssel",
        "revoked_api_key" => "Widerrufener API-Schlüssel",
        "invalid_token" => "Ungültiges Sprach-Token",
        "forbidden" => "Nicht erlaubt",
        "csrf_failed" => "CSRF-Prüfung fehlgeschlagen",
        "not_found" => "Nicht gefunden",
        "method_not_allowed" => "Methode nicht erlaubt",
        "not_acceptable" => "Format nicht verfügbar",
        "request_timeout" => "Zeitüberschreitung",
        "conflict" => "Konflikt mit gespeicherten Daten",
        "precondition_failed" => "Inzwischen geändert",
        "idempotency_in_flight" => "Dieselbe Anfrage läuft noch",
        "transcription_failed" => "Transkription fehlgeschlagen",
        "transcription_cancelled" => "Transkription abgebrochen",
        "transcript_purged" => "Transkript gelöscht",
        "cursor_expired" => "Cursor abgelaufen",
        "rejected_rows_purged" => "Nicht importierte Zeilen gelöscht",
        "body_too_large" => "Inhalt zu groß",
        "uri_too_long" => "Adresse zu lang",
        "head_too_large" => "Header der Anfrage zu groß",
        "unsupported_media_type" => "Medientyp nicht unterstützt",
        "range_not_satisfiable" => "Bereich nicht vorhanden",
        "unprocessable" => "Nicht ausführbar",
        "unusable_recording" => "Unbrauchbare Aufnahme",
        "idempotency_key_reused" => "Idempotenzschlüssel schon verwendet",
        "too_many_requests" => "Zu viele Versuche",
        "too_many_pending_deliveries" => "Zu viele offene Zustellungen",
        "internal" => "Interner Fehler",
        "unavailable" => "Vorübergehend nicht verfügbar",
        "overloaded" => "Überlastet",
        _ => return None,
    })
}

/// Explanation and next step.
pub fn advice(code: &str) -> Option<&'static str> {
    only_in_german()?;
    Some(match code {
        "invalid_request" | "invalid_parameter" | "unknown_parameter" => "Prüfen Sie die Eingaben.",
        "invalid_filter" => "Prüfen Sie den Filter.",
        "unauthenticated" => "Melden Sie sich an und versuchen Sie es erneut.",
        "invalid_login" => "Prüfen Sie E-Mail und Passwort, auch Groß- und Kleinschreibung.",
        "invalid_token" => "Das Token ist unbekannt oder widerrufen.",
        "forbidden" => "Ihre Rolle ist dazu nicht berechtigt.",
        "csrf_failed" => "Laden Sie die Seite neu und versuchen Sie es erneut.",
        "not_found" => "Der Eintrag existiert nicht oder wurde gelöscht.",
        "request_timeout" => "Die Daten kamen zu langsam an. Versuchen Sie es erneut.",
        "invalid_api_key" | "expired_api_key" | "revoked_api_key" => "Legen Sie einen neuen API-Schlüssel an.",
        "conflict" | "precondition_failed" => "Das passt nicht zu den gespeicherten Daten. Laden Sie die Seite neu.",
        "idempotency_key_reused" => "Der Schlüssel wurde schon mit anderen Daten gesendet.",
        "malformed_request"
        | "unsupported_http_version"
        | "method_not_allowed"
        | "not_acceptable"
        | "uri_too_long"
        | "head_too_large"
        | "range_not_satisfiable" => "Der Server kann diese Anfrage nicht verarbeiten.",
        "idempotency_in_flight" => "Warten Sie einen Moment.",
        "transcription_failed" | "transcription_cancelled" => "Sie können den Anruf erneut senden.",
        "rejected_rows_purged" => "Nicht importierte Zeilen werden 30 Tage aufbewahrt.",
        "transcript_purged" => "Transkripte werden nach einer festgelegten Zeit gelöscht.",
        "cursor_expired" => "Laden Sie alle Daten neu, dann die Änderungen danach.",
        "body_too_large" => "Die Daten sind größer als erlaubt.",
        "unsupported_media_type" => "Dieser Dateityp wird nicht unterstützt.",
        "unprocessable" => "Die Anfrage verweist auf etwas, das es nicht gibt.",
        "unusable_recording" => "Die Datei lässt sich nicht als Aufnahme verwenden.",
        "too_many_pending_deliveries" => {
            "Warten Sie, bis einige abgeschlossen sind, oder stellen Sie weniger auf einmal zu."
        }
        "too_many_requests" => "Versuchen Sie es in einer Minute erneut.",
        "internal" => {
            "Der Server konnte die Anfrage nicht ausführen. Die Ursache steht unter der Nummer der Anfrage im Serverprotokoll."
        }
        "unavailable" => "Die Datenbank ist gerade nicht erreichbar. Versuchen Sie es gleich erneut.",
        "overloaded" => "Der Server ist gerade ausgelastet. Versuchen Sie es gleich erneut.",
        _ => return None,
    })
}

/// Reason why a call was skipped.
pub fn skip_reason_text(reason: SkipReason) -> &'static str {
    match (language(), reason) {
        (Language::English, reason) => reason.message(),
        (Language::German, SkipReason::NotFound) => "Anruf nicht gefunden.",
        (Language::German, SkipReason::OutOfRange) => "Der Anruf liegt außerhalb des Zeitraums.",
        (Language::German, SkipReason::RecordingMissing) => "Der Anruf hat keine Aufnahme.",
        (Language::German, SkipReason::RecordingPending) => "Die Aufnahme wird noch vorbereitet.",
        (Language::German, SkipReason::RecordingFailed) => "Die Aufnahme konnte nicht vorbereitet werden.",
        (Language::German, SkipReason::TooShort) => "Die Aufnahme ist kürzer als die Mindestdauer.",
        (Language::German, SkipReason::SideUnavailable) => {
            "Die Aufnahme hat nur einen Kanal; eine einzelne Seite lässt sich nicht transkribieren."
        }
        (Language::German, SkipReason::AlreadySent) => "Der Anruf wurde schon gesendet.",
    }
}

fn only_in_german() -> Option<()> {
    (language() == Language::German).then_some(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::i18n::locale::set_language;
    use crate::i18n::texts::problems::*;

    #[test]
    fn every_problem_code_has_title_and_advice() {
        let document: Value = serde_json::from_str(include_str!("../../../../docs/openapi.json")).unwrap();
        let by_status = document["components"]["schemas"]["Problem"]["x-codes"].as_object().unwrap();
        let codes: Vec<_> = by_status.values().flat_map(|codes| codes.as_array().unwrap()).collect();
        assert!(codes.len() > 30);
        set_language(Language::German);
        let has_texts = |code: &str| title(code).is_some() && advice(code).is_some();
        let missing: Vec<_> = codes.iter().filter(|code| !has_texts(code.as_str().unwrap())).collect();
        assert_eq!(missing, Vec::<&&Value>::new());
        set_language(Language::English);
        assert_eq!(title("internal").or(advice("internal")), None);
    }
}
