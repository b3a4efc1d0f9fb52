//! Texts of the API page, other than those from the OpenAPI document, which is in English.

super::texts! {
    reference: "Reference" | "Referenz";
    /// Empty in English, where it is obvious.
    in_english: "" | "Die Referenz ist auf Englisch.";
    document: "OpenAPI document" | "OpenAPI-Dokument";

    welcome: "Leadscribe HTTP API" | "HTTP-API von Leadscribe";
    version(version): "Version {version}" | "Version {version}";
    operations(count): "{count} operation" / "{count} operations" | "{count} Operation" / "{count} Operationen";
    no_operation_title: "Operation not found" | "Operation nicht gefunden";
    no_operation_text(name):
        "There is no operation named “{name}”. Choose one from the list." |
        "Es gibt keine Operation namens „{name}“. Wählen Sie eine aus der Liste.";
    /// Before the header of a key.
    key_auth_intro: "Authenticate with an API key: " | "Authentifizierung mit einem API-Schlüssel: ";
    /// Between that and the header of a token.
    token_auth_intro:
        ". Resources of a speech token require it in the header " |
        ". Ressourcen eines Sprach-Tokens erfordern es im Header ";
    try_it_auth_note:
        ". Requests you try here use your session unless you choose a key." |
        ". Anfragen auf dieser Seite nutzen Ihre Sitzung, sofern Sie keinen Schlüssel wählen.";

    list: "Operations" | "Operationen";
    search: "Search operations" | "Operationen suchen";
    none_found: "No operations found." | "Keine Operationen gefunden.";
    operation: "Operation" | "Operation";
    choose: "Choose an operation…" | "Operation wählen …";

    try_it: "Try it" | "Ausprobieren";
    body: "Body" | "Body";
    body_as_json: "Body as JSON" | "Body als JSON";
    send: "Send" | "Senden";
    stop: "Stop" | "Anhalten";
    copy_path: "Copy path" | "Pfad kopieren";
    requires_session:
        "API keys can't call this. It requires a staff session." |
        "Nicht mit API-Schlüssel aufrufbar. Dafür müssen Sie als Benutzer angemeldet sein.";
    role_not_permitted: "Your role can't call this." | "Ihre Rolle darf dies nicht aufrufen.";
    role_not_permitted_key_permitted:
        "Your role can't call this, but an API key can." |
        "Ihre Rolle darf dies nicht aufrufen, ein API-Schlüssel schon.";
    deletes: "This deletes real data on this server." | "Dies löscht echte Daten auf diesem Server.";
    changes: "This changes real data on this server." | "Dies ändert echte Daten auf diesem Server.";
    in_path: "in the path" | "im Pfad";
    in_header: "in the header" | "im Header";
    required: "required" | "erforderlich";
    optional: "optional" | "optional";
    one_value_per_line: "One value per line" | "Ein Wert pro Zeile";
    all_parameters(count):
        "Show {count} parameter" / "Show all {count} parameters" |
        "{count} Parameter anzeigen" / "Alle {count} Parameter anzeigen";
    values(count): "{count} value" / "{count} values" | "{count} Wert" / "{count} Werte";
    example: "Example" | "Beispiel";
    example_before: "Example:" | "Beispiel:";
    one_of: "One of:" | "Eines von:";
    forms: "Variants" | "Varianten";
    members_of(name): "Fields of {name}" | "Felder von {name}";

    sender: "Authentication" | "Authentifizierung";
    by_session: "My session" | "Meine Sitzung";
    by_key: "API key" | "API-Schlüssel";
    key: "API key" | "API-Schlüssel";
    token: "Speech token" | "Sprach-Token";
    secret_hint:
        "Kept in memory until you leave the page. Not included in the code below." |
        "Bleibt im Arbeitsspeicher, bis Sie die Seite verlassen. Im Code unten nicht enthalten.";
    any_scope: "with any permission" | "mit beliebiger Berechtigung";
    one_or_other(one, other): "{one} or {other}" | "{one} oder {other}";
    header: "Header" | "Header";
    staff: "Staff" | "Benutzer";
    open: "No authentication" | "Ohne Anmeldung";

    answers: "Responses" | "Antworten";
    answer: "Response" | "Antwort";
    codes: "Error codes for this status:" | "Fehlercodes bei diesem Status:";
    without_body: "No body." | "Kein Body.";
    response_status(status, text): "Response: {status} {text}" | "Antwort: {status} {text}";
    stopped_before_response: "Stopped before a response arrived." | "Angehalten, bevor eine Antwort eintraf.";
    stopped_during_response: "Stopped. The response is incomplete." | "Angehalten. Die Antwort ist unvollständig.";
    no_body: "No body." | "Kein Body.";
    no_text:
        "This response isn't text. Save it to open it in another program." |
        "Diese Antwort ist kein Text. Speichern Sie sie, um sie in einem anderen Programm zu öffnen.";
    truncated_response(size):
        "Showing only the beginning of {size}. Save the response to see all of it." |
        "Nur der Anfang von {size} wird angezeigt. Speichern Sie die Antwort, um alles zu sehen.";
    bytes(count): "{count} byte" / "{count} bytes" | "{count} Byte" / "{count} Byte";

    as_code: "As code" | "Als Code";
    api_request: "API request" | "API-Anfrage";
    request_for_it: "API request" | "API-Anfrage";
    code_language: "Language" | "Sprache";
    code: "Code" | "Code";

    response_has_no_leads: "This response contains no leads." | "Diese Antwort enthält keine Leads.";
    leads_found: "Leads found" | "Gefundene Leads";
    first_leads: "First leads" | "Erste Leads";
}
