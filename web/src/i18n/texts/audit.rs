//! Texts of the audit log.

use leadscribe_engine::api::AUDITED_ACTIONS;
use leadscribe_engine::host;

use crate::i18n::Language;
use crate::i18n::locale::with_language;

super::texts! {
    hint: "All changes made in the panel, through the API or on the command line. Only field names are kept, not values."
        | "Alle Änderungen in der Oberfläche, per API und auf der Kommandozeile. Gespeichert werden nur Feldnamen, keine Werte.";
    entries(count): "{count} entry" / "{count} entries" | "{count} Eintrag" / "{count} Einträge";
    entries_found: "Entries found" | "Gefundene Einträge";
    no_match: "No matching entries" | "Keine passenden Einträge";
    related_entries_label: "Including campaigns and imports:" | "Einschließlich Kampagnen und Importen:";
    changes_of_lead(id): "All changes to lead {id}" | "Alle Änderungen an Lead {id}";
    show_all_entries: "Show all entries" | "Alle Einträge anzeigen";

    actor: "User" | "Benutzer";
    action: "Action" | "Aktion";
    object: "Object" | "Objekt";
    any_actor: "User: all" | "Benutzer: alle";
    any_action: "Action: all" | "Aktion: alle";
    object_example: "Object: lead 17, user…" | "Objekt: Lead 17 …";

    any_user: "All users" | "Alle Benutzer";
    any_key: "All API keys" | "Alle API-Schlüssel";
    any_token: "All speech tokens" | "Alle Sprach-Token";
    command_line: "Command line" | "Kommandozeile";
    retention: "Retention" | "Aufbewahrung";
    sample_data: "Sample data" | "Beispieldaten";
    unknown_actor: "Unknown" | "Unbekannt";
    key(name): "API key “{name}”" | "API-Schlüssel „{name}“";
    token(name): "Token “{name}”" | "Token „{name}“";

    logged_out: "Logged out" | "Abgemeldet";
    login_failed: "Login failed" | "Anmeldung fehlgeschlagen";
    calls_sent: "Calls sent to speech recognition" | "Anrufe an die Spracherkennung gesendet";
    request_of(action, request): "{action}, request {request}" | "{action}, Anfrage {request}";

    /// Action and kind of object.
    kind_and_verb(kind, verb): "{kind} {verb}" | "{kind}: {verb}";
    all_actions_of_kind(kind): "{kind}: all" | "{kind}: alle";

    data_retention: "Data retention" | "Aufbewahrung von Daten";
    finished_deliveries: "Finished deliveries" | "Abgeschlossene Zustellungen";
    undo_of_imports: "Import undo data" | "Daten zum Rückgängigmachen von Importen";
    kept_forever: "Forever" | "Unbegrenzt";
    never_deleted: "Never deleted automatically." | "Wird nie automatisch gelöscht.";
    set_by_operator: "The server operator sets these periods with the options below. Older data is deleted permanently within an hour."
        | "Der Betreiber des Servers legt diese Fristen mit den unten genannten Optionen fest. Ältere Daten werden innerhalb einer Stunde endgültig gelöscht.";
    log_retention_note: "All changes, with user and time." | "Alle Änderungen mit Benutzer und Zeitpunkt.";
    transcript_retention_note: "After that, the transcript is deleted. The call is kept."
        | "Danach wird das Transkript gelöscht. Der Anruf bleibt erhalten.";
    recording_retention_note: "Counted from the creation of the call. Recordings waiting for transcription are kept until it is done."
        | "Ab dem Anlegen des Anrufs. Aufnahmen, die auf die Transkription warten, bleiben bis zu deren Abschluss erhalten.";
    delivery_retention_note: "After that, the delivery and its attempts are deleted, and it can't be resent."
        | "Danach wird die Zustellung mit ihren Versuchen gelöscht und lässt sich nicht mehr erneut senden.";
    change_log: "Log of changes" | "Änderungsverlauf";
    change_retention_note: "Which records changed, without values, for other systems that follow the changes. A system that is further behind loads all records again."
        | "Welche Datensätze sich geändert haben, ohne Werte, für andere Systeme, die den Änderungen folgen. Ein System, das weiter zurückliegt, lädt alle Datensätze neu.";
    undo_retention_note: "After that, an import can't be undone. This period is fixed."
        | "Danach lässt sich ein Import nicht mehr rückgängig machen. Diese Frist ist fest.";

    /// Label of a kind of object by its name in the log; `None` if unknown.
    kind(str) {
        api_key: "API key" | "API-Schlüssel";
        audit_log: "Audit log" | "Protokoll";
        call: "Call" | "Anruf";
        calls: "Calls" | "Anrufe";
        campaign: "Campaign" | "Kampagne";
        campaigns: "Campaigns" | "Kampagnen";
        campaign_lead: "Campaign lead" | "Kampagnen-Lead";
        deliveries: "Deliveries" | "Zustellungen";
        delivery: "Delivery" | "Zustellung";
        import: "Import" | "Import";
        imports: "Imports" | "Importe";
        lead: "Lead" | "Lead";
        leads: "Leads" | "Leads";
        lead_action: "Bulk action" | "Sammelaktion";
        recording: "Recording" | "Aufnahme";
        session: "Session" | "Sitzung";
        speech: "Speech recognition" | "Spracherkennung";
        speech_request: "Delivery request" | "Zustellungsanfrage";
        speech_token: "Speech token" | "Sprach-Token";
        status: "Status" | "Status";
        statuses: "Statuses" | "Status";
        transcript: "Transcript" | "Transkript";
        transcription: "Transcription" | "Transkription";
        transcripts: "Transcripts" | "Transkripte";
        user: "User" | "Benutzer";
        view: "Saved view" | "Gespeicherte Ansicht";
        webhook: "Webhook" | "Webhook";
        webhook_secret: "Signing secret" | "Signaturschlüssel";
    }

    /// Label of an action by its name in the log; `None` if unknown.
    verb(str) {
        activate: "activated" | "aktiviert";
        cancel: "cancelled" | "abgebrochen";
        cancel_undo: "undo cancelled" | "Rückgängigmachen abgebrochen";
        change_password: "password changed" | "Passwort geändert";
        create: "created" | "angelegt";
        deactivate: "deactivated" | "deaktiviert";
        delete: "deleted" | "gelöscht";
        end: "ended" | "beendet";
        export: "exported" | "exportiert";
        purge: "deleted automatically" | "automatisch gelöscht";
        read: "read" | "gelesen";
        reject: "rejected" | "abgewiesen";
        reorder: "reordered" | "neu sortiert";
        replay: "resent" | "erneut gesendet";
        revoke: "revoked" | "widerrufen";
        rotate: "rotated" | "erneuert";
        save: "saved" | "gespeichert";
        search: "searched" | "durchsucht";
        submit: "sent" | "gesendet";
        test: "tested" | "getestet";
        undo: "undone" | "rückgängig gemacht";
        update: "updated" | "geändert";
        upload: "added" | "hinzugefügt";
    }
}

/// Name in the log for a lower-case label in any language, or for the name itself. A link doesn't say which language it
/// uses.
pub fn parse_kind(label: &str) -> Option<&'static str> {
    let name = label.replace(' ', "_");
    let is_label = |kind_name: &str, language: &Language| {
        with_language(*language, || kind(kind_name)).is_some_and(|text| host::to_lower(text) == label)
    };
    let mut names = AUDITED_ACTIONS.iter().map(|(kind, _)| *kind).chain([
        "calls",
        "campaigns",
        "deliveries",
        "imports",
        "leads",
        "transcripts",
    ]);
    names.find(|kind| *kind == name || Language::ALL.iter().any(|language| is_label(kind, language)))
}
