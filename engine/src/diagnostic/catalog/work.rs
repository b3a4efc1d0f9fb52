//! Errors of server work: imports, deliveries, transcriptions and log-ins.

super::messages! {
    pub;
    // Imports
    import_failed: "the server failed; run the import again" | "der Server hat versagt; starten Sie den Import noch einmal";
    import_lost: "the server stopped while it ran" | "der Server wurde währenddessen beendet";
    header(what): "header: {what}" | "Kopfzeile: {what}";
    at_line(line, what): "line {line}: {what}" | "Zeile {line}: {what}";
    no_header:
        "expected a header with the names of the columns, found an empty file" |
        "erwartet: eine Kopfzeile mit den Namen der Spalten, gefunden: eine leere Datei";
    header_not_text:
        "expected the names of columns, found bytes that are no text; save the file as CSV in UTF-8" |
        "erwartet: die Namen der Spalten, gefunden: Bytes, die kein Text sind; speichern Sie die Datei als CSV in UTF-8";
    utf32: "the file is UTF-32, which isn't read; save it as UTF-8" | "die Datei ist UTF-32 und wird nicht gelesen; speichern Sie sie als UTF-8";
    binary_file:
        "expected a CSV file, found binary data; save a workbook as CSV" |
        "erwartet: eine CSV-Datei, gefunden: Binärdaten; speichern Sie eine Arbeitsmappe als CSV";
    unknown_delimiter(sign):
        "the line `sep=` names the delimiter {sign}, which isn't read; export the file with `,`, `;`, `|` or a tab" |
        "die Zeile `sep=` nennt das Trennzeichen {sign}, das nicht gelesen wird; exportieren Sie die Datei mit `,`, `;`, `|` oder Tabulator";
    header_quotes(why): "the quotes of the header can't be read: {why}" | "die Anführungszeichen der Kopfzeile sind nicht lesbar: {why}";
    header_too_large(columns, bytes, found, found_bytes):
        "expected at most {columns} columns with names of at most {bytes} bytes together, found {found} with {found_bytes}" |
        "erwartet: höchstens {columns} Spalten mit Namen von zusammen höchstens {bytes} Bytes, gefunden: {found} mit {found_bytes}";
    other_separator(wanted, found):
        "expected columns separated by {wanted}, found {found}; leave `delimiter` out of the mapping, or correct it" |
        "erwartet: Spalten, getrennt durch {wanted}, gefunden: {found}; lassen Sie `delimiter` in der Zuordnung weg oder berichtigen Sie es";
    commas: "commas" | "Kommas";
    semicolons: "semicolons" | "Semikolons";
    tabs: "tabs" | "Tabulatoren";
    bars: "bars" | "Pipe-Zeichen";
    not_text(encoding):
        "the cell has bytes that aren't {encoding}" |
        "die Zelle enthält Bytes, die nicht {encoding} sind";
    unclosed_quote: "a quote `\"` opens a cell, and none closes it" | "ein Anführungszeichen `\"` öffnet eine Zelle, und keines schließt sie";
    text_after_quote:
        "there is text after a closing quote `\"`; write a double quote inside a cell twice" |
        "hinter einem schließenden Anführungszeichen `\"` steht noch Text; verdoppeln Sie Anführungszeichen in Zellen";
    backslash_escape:
        "a backslash stands before a quote or delimiter, so that the row can be read in two ways; double quotes, and quote delimiters" |
        "ein Backslash steht vor einem Anführungs- oder Trennzeichen, sodass die Zeile zweideutig ist; verdoppeln Sie Anführungszeichen und setzen Sie Zellen mit Trennzeichen in Anführungszeichen";
    stray_quotes:
        "quotes `\"` within cells may hold a delimiter, so that the row can be read in two ways; quote these cells" |
        "Anführungszeichen `\"` in Zellen könnten ein Trennzeichen umschließen, sodass die Zeile zweideutig ist; setzen Sie diese Zellen in Anführungszeichen";
    swallowed_rows:
        "a quote `\"` opens a cell of several lines that could be rows; add the missing closing quote, or put the cell on one line" |
        "ein Anführungszeichen `\"` öffnet eine mehrzeilige Zelle, deren Zeilen Datensätze sein könnten; ergänzen Sie das fehlende schließende, oder schreiben Sie die Zelle in eine Zeile";
    part_of_row_before(line):
        "it may continue the damaged row on line {line}; fix that row first" |
        "sie könnte die beschädigte Zeile {line} fortsetzen; berichtigen Sie zuerst diese";
    lone_carriage_return:
        "a carriage return (CR) breaks the row into two lines, but lines of this file end with a line feed (LF); remove the carriage return" |
        "ein Wagenrücklauf (CR) teilt den Datensatz in zwei Zeilen, obwohl die Zeilen der Datei mit Zeilenvorschub (LF) enden; entfernen Sie den Wagenrücklauf";
    unrepaired_row:
        "the damaged row stands behind the columns; write its cells into the columns and clear the cell behind them" |
        "der beschädigte Datensatz steht hinter den Spalten; tragen Sie seine Zellen in die Spalten ein und leeren Sie die Zelle dahinter";
    not_refused_rows: "a file that corrects refused rows begins with the columns `line` and `reason`, with the line of each refused row"
        | "eine Datei mit korrigierten Zeilen beginnt mit den Spalten `line` und `reason` und der Zeilennummer jeder abgelehnten Zeile";
    not_refused_row(line):
        "line {line} isn't a refused row, or it was corrected already" |
        "Zeile {line} ist keine abgelehnte Zeile, oder sie wurde schon korrigiert";
    repeated_header: "the row names the columns again" | "die Zeile nennt noch einmal die Spalten";
    same_identifier(line): "line {line} has the same identifier" | "Zeile {line} hat dieselbe Kennung";
    shares_identifier(line):
        "line {line} has the same identifier, and none of such rows goes in" |
        "Zeile {line} hat dieselbe Kennung, und keine dieser Zeilen wird übernommen";
    row_too_long(bytes):
        "it has more than {bytes} bytes; is this a CSV file?" |
        "sie hat mehr als {bytes} Bytes; ist das eine CSV-Datei?";

    // Deliveries and transcriptions
    attempts_broke_off(most):
        "{most} attempts were begun, and the last broke off with its worker" |
        "{most} Versuche wurden begonnen, der letzte brach mit seinem Prozess ab";

    // Deliveries
    answered(status): "answered {status}" | "Antwort {status}";
    redirected(status): "answered {status}; redirects aren't followed" | "Antwort {status}; Weiterleitungen wird nicht gefolgt";
    no_connection(seconds): "no connection within {seconds} s" | "keine Verbindung binnen {seconds} s";
    no_answer(seconds): "no answer within {seconds} s" | "keine Antwort binnen {seconds} s";
    unknown_server: "the name of the server can't be resolved" | "der Name des Servers ist nicht auflösbar";
    not_called(why): "the endpoint may not be called: {why}" | "die Callback-Adresse darf nicht aufgerufen werden: {why}";
    not_public(purpose, number):
        "its address is not public ({purpose}, RFC {number})" |
        "ihre Adresse ist nicht öffentlich ({purpose}, RFC {number})";
    private_address(address, purpose, number):
        "expected a public address, found {address} ({purpose}, RFC {number})" |
        "die Adresse {address} ist nicht öffentlich ({purpose}, RFC {number})";
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
    relays: "6to4 relays" | "6to4-Vermittler";
    reserved: "reserved" | "reserviert";
    local_translation: "local translation" | "örtliche Übersetzung";
    drones: "drone identifiers" | "Kennungen von Drohnen";
    segment_routing: "segment routing" | "Segment-Routing";
    unique_local: "unique local" | "nur in eigenen Netzen";
    not_secure:
        "http is taken only for networks that the operator has allowed" |
        "http ist nur für Netze erlaubt, die der Betreiber freigegeben hat";
    delivery_unprepared: "the server could not prepare the delivery" | "der Server konnte die Zustellung nicht vorbereiten";
    delivery_broke:
        "the program made a mistake while it made the delivery" |
        "dem Programm unterlief bei der Zustellung ein Fehler";
    token_revoked: "the token was revoked" | "das Token wurde widerrufen";
    transcript_purged: "the transcript was purged" | "das Transkript wurde gelöscht";
    template_broken: "the template breaks rules" | "die Vorlage bricht Regeln";
    body_too_large(bytes): "the body would have more than {bytes} bytes" | "der Body hätte mehr als {bytes} Bytes";

    // Connection errors of the operating system
    refused: "connection refused" | "Verbindung abgelehnt";
    reset: "connection reset" | "Verbindung zurückgesetzt";
    aborted: "connection aborted" | "Verbindung abgebrochen";
    host_unreachable: "host unreachable" | "Rechner nicht erreichbar";
    network_unreachable: "network unreachable" | "Netz nicht erreichbar";

    // Transcriptions
    no_recogniser: "there is no recogniser" | "es gibt keine Spracherkennung";
    recording_unreadable: "the recording can't be read" | "die Aufnahme ist nicht lesbar";
    recording_too_short(seconds):
        "the recording that is there by now is shorter than {seconds} s" |
        "die inzwischen vorhandene Aufnahme ist kürzer als {seconds} s";
    recording_has_no_sides:
        "the recording that is there by now has one channel, so one side can't be transcribed alone" |
        "die inzwischen vorhandene Aufnahme hat nur einen Kanal, eine Seite allein ist nicht transkribierbar";
    recording_undecodable: "the recording can't be decoded" | "die Aufnahme lässt sich nicht dekodieren";
    model_missing(name): "the model {name} is missing" | "das Modell {name} fehlt";
    model_damaged(name): "the model {name} is damaged" | "das Modell {name} ist beschädigt";
    get_it_with: "get it with" | "laden Sie es mit";
    no_model_file(path):
        "the model is missing: expected a ggml file at {path}, found none" |
        "das Modell fehlt: erwartet wird eine ggml-Datei unter {path}";
    no_speech_url:
        "expected the URL of a server in LEADSCRIBE_SPEECH_URL, found none" |
        "in LEADSCRIBE_SPEECH_URL fehlt die Adresse eines Servers";
    recogniser_not_loaded: "the recogniser could not be loaded" | "die Spracherkennung konnte nicht geladen werden";
    transcribes_not: "this process doesn't transcribe" | "dieser Prozess transkribiert nicht";

    // Log-ins
    too_many_attempts(seconds):
        "too many log-in attempts; the next is taken after {seconds} seconds" |
        "zu viele Anmeldeversuche; der nächste ist in {seconds} Sekunden möglich";
}
