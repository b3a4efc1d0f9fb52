//! Errors of server work: imports, deliveries, transcriptions and logins.

super::messages! {
    pub;
    // Imports
    csv_file: "a CSV file" | "eine CSV-Datei";
    file_unreadable(error): "the file can't be read: {error}" | "die Datei ist nicht lesbar: {error}";
    import_failed: "the import failed because of a server error; run it again" | "der Import ist wegen eines Serverfehlers fehlgeschlagen; starten Sie ihn noch einmal";
    import_interrupted: "the server stopped during the import" | "der Server wurde während des Imports beendet";
    header(message): "header: {message}" | "Kopfzeile: {message}";
    at_line(line, message): "line {line}: {message}" | "Zeile {line}: {message}";
    no_header:
        "expected a header with the names of the columns, found an empty file" |
        "erwartet: eine Kopfzeile mit den Namen der Spalten, gefunden: eine leere Datei";
    header_not_text:
        "expected the names of columns, found bytes that aren't text; save the file as CSV in UTF-8" |
        "erwartet: die Namen der Spalten, gefunden: Bytes, die kein Text sind; speichern Sie die Datei als CSV in UTF-8";
    utf32: "UTF-32 isn't supported; save the file as UTF-8" | "UTF-32 wird nicht unterstützt; speichern Sie die Datei als UTF-8";
    binary_file:
        "expected a CSV file, found binary data; save a workbook as CSV" |
        "erwartet: eine CSV-Datei, gefunden: Binärdaten; speichern Sie eine Arbeitsmappe als CSV";
    unknown_delimiter(sign):
        "the line `sep=` names the delimiter {sign}, which isn't supported; export the file with `,`, `;`, `|` or a tab" |
        "die Zeile `sep=` nennt das Trennzeichen {sign}, das nicht unterstützt wird; exportieren Sie die Datei mit `,`, `;`, `|` oder Tabulator";
    header_quotes(reason): "the quotes of the header can't be read: {reason}" | "die Anführungszeichen der Kopfzeile sind nicht lesbar: {reason}";
    header_too_large(columns, bytes, found, found_bytes):
        "expected at most {columns} columns with names of at most {bytes} bytes together, found {found} with {found_bytes}" |
        "erwartet: höchstens {columns} Spalten mit Namen von zusammen höchstens {bytes} Bytes, gefunden: {found} mit {found_bytes}";
    separator_mismatch(wanted, found):
        "expected columns separated by {wanted}, found {found}; leave `delimiter` out of the mapping, or correct it" |
        "erwartet: Spalten, getrennt durch {wanted}, gefunden: {found}; lassen Sie `delimiter` in der Zuordnung weg oder korrigieren Sie es";
    commas: "commas" | "Kommas";
    semicolons: "semicolons" | "Semikolons";
    tabs: "tabs" | "Tabulatoren";
    bars: "vertical bars" | "senkrechte Striche";
    not_text(encoding):
        "the cell has bytes that aren't {encoding}" |
        "die Zelle enthält Bytes, die nicht {encoding} sind";
    unclosed_quote: "a quote `\"` opens a cell but isn't closed" | "ein Anführungszeichen `\"` öffnet eine Zelle, wird aber nicht geschlossen";
    text_after_quote:
        "there is text after a closing quote `\"`; write a double quote inside a cell twice" |
        "hinter einem schließenden Anführungszeichen `\"` steht noch Text; verdoppeln Sie Anführungszeichen in Zellen";
    backslash_escape:
        "a backslash before a quote or delimiter makes the row ambiguous; double the quotes, and put cells with delimiters in quotes" |
        "ein Backslash vor einem Anführungs- oder Trennzeichen macht die Zeile mehrdeutig; verdoppeln Sie Anführungszeichen und setzen Sie Zellen mit Trennzeichen in Anführungszeichen";
    stray_quotes:
        "quotes `\"` within cells may enclose a delimiter, which makes the row ambiguous; put these cells in quotes" |
        "Anführungszeichen `\"` in Zellen könnten ein Trennzeichen umschließen, was die Zeile mehrdeutig macht; setzen Sie diese Zellen in Anführungszeichen";
    swallowed_rows:
        "a quote `\"` opens a cell of several lines that could be rows; add the missing closing quote, or put the cell on one line" |
        "ein Anführungszeichen `\"` öffnet eine mehrzeilige Zelle, deren Zeilen Datensätze sein könnten; ergänzen Sie das fehlende Anführungszeichen oder setzen Sie die Zelle in eine Zeile";
    continues_damaged_row(line):
        "this row may continue the damaged row on line {line}; fix that row first" |
        "diese Zeile könnte die beschädigte Zeile {line} fortsetzen; korrigieren Sie zuerst diese";
    lone_carriage_return:
        "a carriage return (CR) breaks the row into two lines, but lines of this file end with a line feed (LF); remove the carriage return" |
        "ein Wagenrücklauf (CR) teilt den Datensatz in zwei Zeilen, obwohl die Zeilen der Datei mit Zeilenvorschub (LF) enden; entfernen Sie den Wagenrücklauf";
    unrepaired_row:
        "the damaged row is in the cell after the last column; move its values into the columns and clear that cell" |
        "der beschädigte Datensatz steht in der Zelle nach der letzten Spalte; tragen Sie seine Werte in die Spalten ein und leeren Sie diese Zelle";
    not_rejected_rows: "a file that corrects rejected rows must begin with the columns `line` and `reason`, with the line of each rejected row"
        | "eine Datei mit korrigierten Zeilen muss mit den Spalten `line` und `reason` beginnen, mit der Nummer jeder abgelehnten Zeile";
    not_rejected_row(line):
        "line {line} isn't a rejected row, or it was already corrected" |
        "Zeile {line} ist keine abgelehnte Zeile oder wurde schon korrigiert";
    repeated_header: "the row repeats the header" | "die Zeile wiederholt die Kopfzeile";
    same_identifier(line): "line {line} has the same identifier" | "Zeile {line} hat dieselbe Kennung";
    shares_identifier(line):
        "line {line} has the same identifier; rows with the same identifier aren't imported" |
        "Zeile {line} hat dieselbe Kennung; Zeilen mit gleicher Kennung werden nicht importiert";
    row_too_long(bytes):
        "the row has more than {bytes} bytes; is this a CSV file?" |
        "die Zeile hat mehr als {bytes} Bytes; ist das eine CSV-Datei?";

    // Deliveries and transcriptions
    attempts_interrupted(max):
        "gave up after {max} attempts; the worker stopped during the last one" |
        "nach {max} Versuchen aufgegeben; der Prozess wurde während des letzten beendet";

    // Deliveries
    response_status(status): "responded with status {status}" | "Antwort mit Status {status}";
    redirected(status): "responded with status {status}; redirects aren't followed" | "Antwort mit Status {status}; Weiterleitungen sind nicht erlaubt";
    no_connection(seconds): "no connection within {seconds} s" | "keine Verbindung innerhalb von {seconds} s";
    no_answer(seconds): "no response within {seconds} s" | "keine Antwort innerhalb von {seconds} s";
    unknown_server: "the name of the server can't be resolved" | "der Name des Servers ist nicht auflösbar";
    endpoint_refused(reason): "the endpoint may not be called: {reason}" | "die Webhook-Adresse darf nicht aufgerufen werden: {reason}";
    not_public(purpose, number):
        "its address is not public ({purpose}, RFC {number})" |
        "ihre Adresse ist nicht öffentlich ({purpose}, RFC {number})";
    allow_network:
        "the operator can allow it with `--callback-allowed-networks`" |
        "der Betreiber kann sie mit `--callback-allowed-networks` erlauben";
    url_length(max, found): "expected up to {max} characters, found {found}" | "erwartet: bis zu {max} Zeichen, gefunden: {found}";
    percent_encoded_letters:
        "percent-encoded characters count in their encoded form: `é` as `%C3%A9`" |
        "Zeichen, die mit `%` kodiert werden müssen, zählen in dieser Form: `é` als `%C3%A9`";
    url_form(error):
        "expected a URL such as https://example.com/calls: {error}" |
        "erwartet: eine URL wie https://example.com/calls: {error}";
    https_url(found): "expected an https URL, found {found}" | "erwartet: eine https-URL, gefunden: {found}";
    url_without_login:
        "expected a URL without user name and password" |
        "die URL darf weder Benutzernamen noch Passwort enthalten";
    check_signature:
        "check the signature instead: every delivery is signed" |
        "prüfen Sie stattdessen die Signatur; jede Zustellung ist signiert";
    url_without_fragment: "expected a URL without a fragment" | "die URL darf kein Fragment enthalten";
    remove_fragment:
        "remove the # and everything after it; servers never receive it" |
        "entfernen Sie das # und alles danach; Server erhalten es nie";
    port(found): "expected a port of 1 to 65535, found {found}" | "erwartet: ein Port von 1 bis 65535, gefunden: {found}";
    private_address(address, purpose, number):
        "{address} is not a public address ({purpose}, RFC {number})" |
        "{address} ist keine öffentliche Adresse ({purpose}, RFC {number})";
    // Purposes of addresses that aren't public
    unspecified: "unspecified" | "unbestimmt";
    loopback: "loopback" | "Loopback";
    link_local: "link-local" | "Link-Local";
    site_local: "site-local" | "Site-Local";
    documentation: "documentation" | "Dokumentation";
    benchmarks: "benchmarks" | "Leistungstests";
    multicast: "multicast" | "Multicast";
    broadcast: "broadcast" | "Broadcast";
    discarded: "discarded" | "wird verworfen";
    dummy: "dummy" | "Platzhalter";
    ipv4_compatible: "IPv4-compatible" | "IPv4-kompatibel";
    as112: "AS112" | "AS112";
    teredo: "Teredo" | "Teredo";
    orchid: "ORCHID" | "ORCHID";
    orchid_v2: "ORCHIDv2" | "ORCHIDv2";
    six_to_four: "6to4" | "6to4";
    this_network: "this network" | "dieses Netz";
    private: "private" | "privat";
    shared: "shared by a carrier's customers" | "geteilt von den Kunden eines Netzbetreibers";
    protocol_assignments: "protocol assignments" | "für Protokolle vergeben";
    multicast_tunnels: "multicast tunnels" | "Multicast-Tunnel";
    relays: "6to4 relays" | "6to4-Relays";
    reserved: "reserved" | "reserviert";
    local_translation: "local translation" | "lokale Adressübersetzung";
    drones: "drone identifiers" | "Kennungen von Drohnen";
    segment_routing: "segment routing" | "Segment-Routing";
    unique_local: "unique local" | "nur in eigenen Netzen";
    not_secure:
        "http is only accepted for networks that the operator has allowed" |
        "http ist nur für Netze erlaubt, die der Betreiber freigegeben hat";
    delivery_unprepared: "the server could not prepare the delivery" | "der Server konnte die Zustellung nicht vorbereiten";
    delivery_crashed:
        "the delivery failed because of an internal error" |
        "die Zustellung ist wegen eines internen Fehlers fehlgeschlagen";
    token_revoked: "the token was revoked" | "das Token wurde widerrufen";
    webhook_deleted: "the webhook was deleted" | "der Webhook wurde gelöscht";
    transcript_purged: "the transcript was deleted" | "das Transkript wurde gelöscht";
    invalid_template: "the template is invalid" | "die Vorlage ist ungültig";
    body_too_large(bytes): "the body would have more than {bytes} bytes" | "der Inhalt hätte mehr als {bytes} Bytes";

    // Connection errors of the operating system
    refused: "connection refused" | "Verbindung abgelehnt";
    reset: "connection reset" | "Verbindung zurückgesetzt";
    aborted: "connection aborted" | "Verbindung abgebrochen";
    host_unreachable: "host unreachable" | "Rechner nicht erreichbar";
    network_unreachable: "network unreachable" | "Netz nicht erreichbar";

    connection_error(reason): "connection error: {reason}" | "Verbindungsfehler: {reason}";

    // Transcriptions
    transcription_failed(reason):
        "the transcription failed: {reason}; the call can be sent again" |
        "die Transkription ist fehlgeschlagen: {reason}; der Anruf kann erneut gesendet werden";
    transcription_cancelled: "the transcription was cancelled" | "die Transkription wurde abgebrochen";
    unknown_reason: "unknown reason" | "unbekannter Grund";
    no_recognizer: "no recognizer is available" | "keine Spracherkennung verfügbar";
    recording_unreadable: "the recording can't be read" | "die Aufnahme ist nicht lesbar";
    recording_too_short(seconds):
        "the current recording is shorter than {seconds} s" |
        "die aktuelle Aufnahme ist kürzer als {seconds} s";
    recording_has_no_sides:
        "the current recording has one channel, so a single side can't be transcribed" |
        "die aktuelle Aufnahme hat nur einen Kanal; eine einzelne Seite lässt sich nicht transkribieren";
    recording_deleted: "the recording no longer exists" | "die Aufnahme gibt es nicht mehr";
    transcription_crashed:
        "internal error while transcribing the recording" |
        "interner Fehler beim Transkribieren der Aufnahme";
    recognizer_unavailable(reason):
        "the recognizer is unavailable: {reason}" |
        "die Spracherkennung ist nicht erreichbar: {reason}";
    recognizer_rejected(reason):
        "the recognizer rejected the request: {reason}" |
        "die Spracherkennung hat die Anfrage abgelehnt: {reason}";
    invalid_recognition(reason):
        "the recognizer's response is invalid: {reason}" |
        "die Antwort der Spracherkennung ist ungültig: {reason}";
    recording_undecodable: "the recording can't be decoded" | "die Aufnahme lässt sich nicht dekodieren";
    model_missing(name): "the model `{name}` is missing" | "das Modell `{name}` fehlt";
    model_damaged(name): "the model `{name}` is damaged" | "das Modell `{name}` ist beschädigt";
    model_unreadable(name, error):
        "the model `{name}` can't be read: {error}" |
        "das Modell `{name}` ist nicht lesbar: {error}";
    model_unusable(name, path, reason):
        "the model `{name}` can't be used: {path}: {reason}" |
        "das Modell `{name}` ist nicht verwendbar: {path}: {reason}";
    model_name(names):
        "the model {names} or the path of a ggml file" |
        "das Modell {names} oder der Pfad einer ggml-Datei";
    processor_lacks(instructions):
        "the embedded recognizer needs a processor with {instructions}; use the recognizer http instead" |
        "die eingebaute Spracherkennung braucht einen Prozessor mit {instructions}; verwenden Sie stattdessen http";
    recognizer_not_started(error):
        "the embedded recognizer can't be started: {error}" |
        "die eingebaute Spracherkennung lässt sich nicht starten: {error}";
    install_with: "get it with" | "installieren Sie es mit";
    no_model_file(path):
        "the model file {path} is missing" |
        "die Modelldatei {path} fehlt";
    no_speech_url:
        "LEADSCRIBE_SPEECH_URL is not set; set it to the URL of the server" |
        "LEADSCRIBE_SPEECH_URL ist nicht gesetzt; geben Sie dort die URL des Servers an";
    speech_url(reason):
        "LEADSCRIBE_SPEECH_URL must be an http or https URL: {reason}" |
        "LEADSCRIBE_SPEECH_URL muss eine URL mit http oder https sein: {reason}";
    no_certificates(reason):
        "can't load this machine's trusted certificates: {reason}" |
        "die vertrauenswürdigen Zertifikate dieses Rechners lassen sich nicht laden: {reason}";
    recognizer_not_loaded: "the recognizer could not be loaded" | "die Spracherkennung konnte nicht geladen werden";
    transcription_disabled: "this process doesn't transcribe" | "dieser Prozess transkribiert nicht";

    // Logins
    too_many_attempts(seconds):
        "too many login attempts; try again in {seconds} s" |
        "zu viele Anmeldeversuche; versuchen Sie es in {seconds} Sek. noch einmal";
}
