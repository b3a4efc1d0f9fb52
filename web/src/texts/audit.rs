//! Texts of the audit log.

use leadscribe_engine::host;

use crate::language::{Language, said_in};

super::texts! {
    about: "Every change, with who made it: in the panel, over the API or on the command line. It names the fields that changed, not what stood in them: what is deleted stays deleted."
        | "Jede Änderung und wer sie vorgenommen hat: hier, über die API oder auf der Kommandozeile. Genannt werden die geänderten Felder, nicht ihr Inhalt: Was gelöscht ist, bleibt gelöscht.";
    entries(count): "{count} entry" / "{count} entries" | "{count} Eintrag" / "{count} Einträge";
    entries_found: "Entries found" | "Gefundene Einträge";
    no_match: "No entry matches" | "Kein Eintrag passt";
    no_match_about: "Widen the filter to see more." | "Erweitern Sie den Filter, um mehr zu sehen.";
    of_lead_elsewhere: "What was done to it in its campaigns, and by imports, stands with the lead." | "Was in seinen Kampagnen und durch Importe damit geschah, steht beim Lead.";
    changes_of_lead(id): "All changes of lead {id}" | "Alle Änderungen an Lead {id}";
    whole_log: "Show the whole log" | "Ganzes Protokoll zeigen";
    the_log: "The audit log" | "Das Protokoll";
    log: "Audit log" | "Protokoll";

    when: "When" | "Wann";
    who: "Who" | "Wer";
    what: "What" | "Was";
    to_what: "To what" | "Woran";
    who_anybody: "Who: anybody" | "Wer: alle";
    what_anything: "What: anything" | "Was: alles";
    to_what_example: "To what: lead 17, user…" | "Woran: Lead 17 …";
    from: "From" | "Von";
    till: "Till" | "Bis";

    any_user: "Any member of staff" | "Jeder Benutzer";
    any_key: "Any API key" | "Jeder API-Schlüssel";
    any_token: "Any speech token" | "Jedes Sprach-Token";
    command_line: "Command line" | "Kommandozeile";
    retention: "Retention" | "Aufbewahrung";
    sample_data: "Sample data" | "Beispieldaten";
    somebody_unknown: "Somebody unknown" | "Unbekannt";
    key(name): "API key “{name}”" | "API-Schlüssel „{name}“";
    token(name): "Token “{name}”" | "Token „{name}“";

    logged_in: "Logged in" | "Angemeldet";
    logged_out: "Logged out" | "Abgemeldet";
    log_in_refused: "Log-in refused" | "Anmeldung abgewiesen";
    request_of(action, request): "{action}, request {request}" | "{action}, Anfrage {request}";

    /// Action and kind of object.
    deed(kind, verb): "{kind} {verb}" | "{kind}: {verb}";
    any_deed(kind): "{kind}: anything" | "{kind}: alles";

    how_long_kept: "How long things are kept" | "Wie lange etwas aufbewahrt wird";
    transcripts: "Transcripts" | "Transkripte";
    recordings: "Recordings" | "Aufnahmen";
    ended_deliveries: "Deliveries that have ended" | "Beendete Zustellungen";
    undo_of_imports: "What an import changed, to undo it" | "Werte vor einem Import, um ihn zurückzunehmen";
    for_good: "for good" | "unbegrenzt";
    never_deleted: "Nothing of it is deleted by itself." | "Davon wird nichts von selbst gelöscht.";
    days(count): "{count} day" / "{count} days" | "{count} Tag" / "{count} Tage";
    set_by_operator: "Only the operator of the server sets this, by the options named below; it can’t be changed here. What is older is deleted by itself within an hour, and doesn’t come back."
        | "Das stellt allein der Betreiber des Servers ein, mit den unten genannten Optionen; hier lässt es sich nicht ändern. Was älter ist, wird binnen einer Stunde von selbst gelöscht und kommt nicht wieder.";
    log_kept: "Who did what and when. It is never shortened." | "Wer was wann getan hat. Es wird nie gekürzt.";
    transcripts_kept: "Then the text of a call is gone; the call and what was done with it stay." | "Danach ist der Text eines Anrufs weg; der Anruf und was damit geschah bleiben.";
    recordings_kept: "From the day the call was created; then it can’t be heard any more. One that still waits for its transcription stays till then."
        | "Ab dem Tag, an dem der Anruf angelegt wurde; danach ist er nicht mehr zu hören. Was noch auf die Transkription wartet, bleibt so lange.";
    deliveries_kept: "Then they go with their attempts, and can’t be repeated any more." | "Danach verschwinden sie mit ihren Versuchen und lassen sich nicht mehr wiederholen.";
    undo_kept: "Then it can’t be undone any more. This is the same everywhere." | "Danach lässt er sich nicht mehr rückgängig machen. Das ist überall gleich.";
}

/// Label of a kind of object by its name in the log; `None` if unknown.
pub fn kind(name: &str) -> Option<&'static str> {
    kinds::NAMES.iter().find(|(kind, _)| *kind == name).map(|(_, text)| text())
}

/// Name in the log for a lower-case label in any language, or for the name itself. A link doesn't say which language it uses.
pub fn kind_called(called: &str) -> Option<&'static str> {
    let name = called.replace(' ', "_");
    let reads = |text: fn() -> &'static str| Language::ALL.iter().any(|one| host::lower(said_in(*one, text)) == called);
    kinds::NAMES.iter().find(|(kind, text)| *kind == name || reads(*text)).map(|(kind, _)| *kind)
}

/// Label of an action by its name in the log; `None` if unknown.
pub fn verb(name: &str) -> Option<&'static str> {
    verbs::NAMES.iter().find(|(verb, _)| *verb == name).map(|(_, text)| text())
}

/// Kinds of objects.
mod kinds {
    type Name = (&'static str, fn() -> &'static str);

    super::super::texts! {
        api_key: "API key" | "API-Schlüssel";
        audit_log: "Audit log" | "Protokoll";
        call: "Call" | "Anruf";
        campaign: "Campaign" | "Kampagne";
        campaign_lead: "Lead in a campaign" | "Kampagnen-Lead";
        delivery: "Delivery" | "Zustellung";
        import: "Import" | "Import";
        lead: "Lead" | "Lead";
        lead_action: "Bulk change of leads" | "Sammeländerung von Leads";
        recording: "Recording" | "Aufnahme";
        session: "Session" | "Sitzung";
        speech: "Speech recognition" | "Spracherkennung";
        speech_request: "Search with delivery" | "Suche mit Zustellung";
        speech_token: "Speech token" | "Sprach-Token";
        status: "Status" | "Status";
        transcript: "Transcript" | "Transkript";
        transcription: "Transcription" | "Transkription";
        transcripts: "Transcripts" | "Transkripte";
        user: "User" | "Benutzer";
        view: "Saved view" | "Gespeicherte Ansicht";
        webhook_secret: "Webhook secret" | "Geheimnis für Signaturen";
    }

    pub const NAMES: [Name; 21] = [
        ("api_key", api_key),
        ("audit_log", audit_log),
        ("call", call),
        ("campaign", campaign),
        ("campaign_lead", campaign_lead),
        ("delivery", delivery),
        ("import", import),
        ("lead", lead),
        ("lead_action", lead_action),
        ("recording", recording),
        ("session", session),
        ("speech", speech),
        ("speech_request", speech_request),
        ("speech_token", speech_token),
        ("status", status),
        ("transcript", transcript),
        ("transcription", transcription),
        ("transcripts", transcripts),
        ("user", user),
        ("view", view),
        ("webhook_secret", webhook_secret),
    ];
}

/// Actions.
mod verbs {
    type Name = (&'static str, fn() -> &'static str);

    super::super::texts! {
        activate: "activated" | "aktiviert";
        cancel: "cancelled" | "abgebrochen";
        cancel_undo: "undo cancelled" | "Rückgängigmachen abgebrochen";
        create: "created" | "angelegt";
        deactivate: "deactivated" | "deaktiviert";
        delete: "deleted" | "gelöscht";
        end: "ended" | "beendet";
        export: "exported" | "exportiert";
        order: "put in order" | "geordnet";
        password: "password changed" | "Passwort geändert";
        purge: "deleted after its time" | "nach Ablauf gelöscht";
        put: "saved" | "gespeichert";
        read: "read" | "gelesen";
        refused: "refused" | "abgewiesen";
        replay: "sent again" | "erneut zugestellt";
        revoke: "revoked" | "widerrufen";
        rotate: "renewed" | "erneuert";
        search: "searched" | "durchsucht";
        set: "set" | "gesetzt";
        submit: "given calls" | "gesendet";
        test: "tested" | "getestet";
        undo: "undone" | "rückgängig gemacht";
        update: "changed" | "geändert";
    }

    pub const NAMES: [Name; 23] = [
        ("activate", activate),
        ("cancel", cancel),
        ("cancel_undo", cancel_undo),
        ("create", create),
        ("deactivate", deactivate),
        ("delete", delete),
        ("end", end),
        ("export", export),
        ("order", order),
        ("password", password),
        ("purge", purge),
        ("put", put),
        ("read", read),
        ("refused", refused),
        ("replay", replay),
        ("revoke", revoke),
        ("rotate", rotate),
        ("search", search),
        ("set", set),
        ("submit", submit),
        ("test", test),
        ("undo", undo),
        ("update", update),
    ];
}
