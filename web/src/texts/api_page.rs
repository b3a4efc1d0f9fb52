//! Texts of the API page, other than those from the OpenAPI document, which is in English.

super::texts! {
    reference: "Reference" | "Referenz";
    /// Empty in English, where it is obvious.
    in_english: "" | "Die Texte der Referenz sind auf Englisch, wie die Namen der API selbst.";
    document: "OpenAPI document" | "OpenAPI-Dokument";

    welcome: "Leadscribe over HTTP" | "Leadscribe über HTTP";
    version(version): "Version {version}" | "Version {version}";
    operations(count): "{count} operation" / "{count} operations" | "{count} Operation" / "{count} Operationen";
    no_operation_title: "There is no such operation" | "Diese Operation gibt es nicht";
    no_operation_text(name):
        "The server has nothing called “{name}”. Choose one from the list."
        | "Der Server hat nichts namens „{name}“. Wählen Sie aus der Liste.";
    /// Before the header of a key.
    proof_key: "Programs send an API key: " | "Programme senden einen API-Schlüssel: ";
    /// Between that and the header of a token.
    proof_token:
        ". What belongs to a speech recognition token asks for it in the header "
        | ". Was zu einem Token der Spracherkennung gehört, verlangt ihn im Header ";
    proof_here:
        ". Here, what you try is sent with your session, unless you choose a key."
        | ". Was Sie hier ausprobieren, wird mit Ihrer Sitzung gesendet, sofern Sie keinen Schlüssel wählen.";

    list: "Operations" | "Operationen";
    search: "Search operations" | "Operationen suchen";
    none_found: "No operation has these words." | "Keine Operation enthält diese Wörter.";
    operation: "Operation" | "Operation";
    choose: "Choose an operation…" | "Operation wählen…";

    try_it: "Try it" | "Ausprobieren";
    body: "Body" | "Body";
    body_as_json: "Body as JSON" | "Body als JSON";
    send: "Send" | "Senden";
    stop: "Stop" | "Anhalten";
    copy_path: "Copy path" | "Pfad kopieren";
    no_key_can: "No API key can call this: it needs a session of staff."
        | "Kein API-Schlüssel kann dies aufrufen: Es braucht eine Sitzung eines Benutzers.";
    role_may_not: "Your role may not call this." | "Ihre Rolle darf dies nicht aufrufen.";
    role_may_not_key_can:
        "Your role may not call this; an API key can." | "Ihre Rolle darf dies nicht aufrufen; ein API-Schlüssel kann es.";
    deletes: "This is no rehearsal: it deletes what this server really has."
        | "Dies ist keine Probe: Es löscht, was dieser Server wirklich hat.";
    changes: "This is no rehearsal: it changes what this server really has."
        | "Dies ist keine Probe: Es ändert, was dieser Server wirklich hat.";
    in_path: "in the path" | "im Pfad";
    in_header: "in the header" | "im Header";
    required: "required" | "erforderlich";
    may_be_missing: "may be missing" | "kann fehlen";
    one_a_line: "One value a line" | "Ein Wert je Zeile";
    all_parameters(count): "Show the parameter" / "Show all {count} parameters" | "Den Parameter zeigen" / "Alle {count} Parameter zeigen";
    values(count): "{count} value" / "{count} values" | "{count} Wert" / "{count} Werte";
    example: "Example" | "Beispiel";
    example_before: "Example:" | "Beispiel:";
    one_of: "One of these:" | "Eines von diesen:";
    forms: "Forms" | "Formen";
    members_of(name): "Members of {name}" | "Inhalt von {name}";

    sender: "Who sends it" | "Wer es sendet";
    by_session: "With my session" | "Mit meiner Sitzung";
    by_key: "With an API key" | "Mit einem API-Schlüssel";
    key: "API key" | "API-Schlüssel";
    token: "Speech recognition token" | "Token der Spracherkennung";
    secret_hint: "Kept in memory until you leave the page; never in the code below."
        | "Bleibt im Arbeitsspeicher, bis Sie die Seite verlassen; nie im Code darunter.";
    any_scope: "of any scope" | "mit beliebigem Umfang";
    either(one, other): "{one} or {other}" | "{one} oder {other}";
    header: "Header" | "Header";
    staff: "Staff" | "Benutzer";
    open: "No proof needed" | "Ohne Anmeldung";

    answers: "Answers" | "Antworten";
    answer: "Answer" | "Antwort";
    codes: "Codes of problems with this status:" | "Codes von Problemen mit diesem Status:";
    without_body: "Without a body." | "Ohne Body.";
    answered(status, text): "Answered: {status} {text}" | "Beantwortet: {status} {text}";
    stopped_before: "Stopped before an answer came." | "Angehalten, bevor eine Antwort kam.";
    stopped_within: "Stopped; this is what had come." | "Angehalten; so viel war gekommen.";
    no_body: "No body." | "Kein Body.";
    no_text:
        "This is no text. Save it to open it with a program of yours."
        | "Dies ist kein Text. Speichern Sie es, um es mit einem Ihrer Programme zu öffnen.";
    only_beginning(size):
        "Only the beginning of {size} is shown. Save it to see all."
        | "Nur der Anfang von {size} wird gezeigt. Speichern Sie es, um alles zu sehen.";
    bytes(count): "{count} byte" / "{count} bytes" | "{count} Byte" / "{count} Byte";

    as_code: "As code" | "Als Code";
    same_over_api: "The same over the API" | "Dasselbe über die API";
    request_for_it: "The request for it" | "Die Anfrage dazu";
    code_language: "Language" | "Sprache";
    code: "Code" | "Code";

    none_in_answer: "No lead is in this answer." | "In dieser Antwort ist kein Lead.";
    leads_found: "Leads found" | "Gefundene Leads";
    first_leads: "First leads" | "Erste Leads";
}
