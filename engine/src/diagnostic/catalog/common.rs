//! Texts shared by several modules.

super::messages! {
    pub;
    did_you_mean(name): "did you mean `{name}`?" | "meinten Sie `{name}`?";
    required(name): "`{name}` is required" | "`{name}` fehlt";
    write(value): "write {value}" | "verwenden Sie {value}";
    write_number(fraction, whole):
        "write {fraction}, or {whole} if the comma separates thousands" |
        "verwenden Sie {fraction}, oder {whole}, wenn das Komma Tausender trennt";
    write_without_quotes(value): "write {value} without quotes" | "verwenden Sie {value} ohne Anführungszeichen";
    add_time(date): "add a time: `{date} 00:00:00`" | "ergänzen Sie eine Uhrzeit: `{date} 00:00:00`";
    nul_character:
        "a string can't contain U+0000" |
        "ein Text darf kein U+0000 enthalten";
    remove_nul: "remove it; databases can't store it" | "lassen Sie es weg; Datenbanken können es nicht speichern";
    repeated(name): "`{name}` is repeated" | "`{name}` kommt mehrfach vor";
    keep_one: "keep only one of them" | "behalten Sie nur eine Angabe";

    // Inputs of the panel
    incomplete: "incomplete; finish or clear it" | "unvollständig; bitte ergänzen oder leeren";
    two_numbers(text, whole, fraction):
        "{text} is ambiguous: write {whole} or {fraction}" |
        "{text} ist nicht eindeutig: Verwenden Sie {whole} oder {fraction}";

    // Found values
    none: "none" | "nichts";
    more: "more" | "mehr";
    empty_body: "an empty body" | "ein leerer Inhalt";
    empty_text: "an empty string" | "ein leerer Text";

    // Kinds of values
    boolean: "a boolean" | "ein Wahrheitswert";
    number: "a number" | "eine Zahl";
    string: "a string" | "ein Text";
    array: "an array" | "eine Liste";
    object: "an object" | "ein Objekt";
    no_json: "no JSON value" | "kein JSON-Wert";
    integer: "an integer" | "eine ganze Zahl";
    integer_from_one: "a whole number of 1 or more" | "eine ganze Zahl ab 1";
    integer_from_zero: "an integer of 0 or more" | "eine ganze Zahl ab 0";
    fraction: "a number with a fraction" | "eine Zahl mit Nachkommastellen";
    out_of_range: "a number out of range" | "eine Zahl außerhalb des Bereichs";
    not_a_number(found): "{found} is not a number" | "{found} ist keine Zahl";
    not_an_integer(found): "{found} is not a whole number" | "{found} ist keine ganze Zahl";
    true_or_false: "`true` or `false`" | "`true` oder `false`";
    date_time: "a date-time in a string" | "ein Zeitpunkt als Text";
    rfc_3339: "a date-time such as `2026-05-01T09:30:00Z`" | "ein Zeitpunkt wie `2026-05-01T09:30:00Z`";
    date: "a date in a string" | "ein Datum als Text";
    integers: "an array of integers" | "eine Liste ganzer Zahlen";
    strings: "an array of strings" | "eine Liste von Texten";
    json_object: "a JSON object" | "ein JSON-Objekt";
    json_object_or_array: "a JSON object or array" | "ein JSON-Objekt oder eine JSON-Liste";
    object_or_array: "an object or an array" | "ein Objekt oder eine Liste";
    string_or_number: "a string or a number" | "ein Text oder eine Zahl";

    // Bounds
    integer_within(low, high): "a whole number from {low} to {high}" | "eine ganze Zahl von {low} bis {high}";
    number_from_zero: "a number of 0 or more" | "eine Zahl ab 0";
    number_within(low, high): "a number from {low} to {high}" | "eine Zahl von {low} bis {high}";
    number_of_64_bits:
        "a number that a 64-bit floating-point number can hold" |
        "eine Zahl, die in eine Gleitkommazahl mit 64 Bit passt";
    time_zone: "an IANA time zone such as `Europe/Berlin`" | "eine IANA-Zeitzone wie `Europe/Berlin`";
    custom_name(max): "1 to {max} characters after `custom.`" | "1 bis {max} Zeichen nach `custom.`";
    at_most_bytes(max): "at most {max} bytes" | "höchstens {max} Bytes";
    at_most_characters(max): "at most {max} characters" | "höchstens {max} Zeichen";

    // Common forms
    with_suggestion(message, suggestion): "{message} ({suggestion})" | "{message} ({suggestion})";
    labeled(name, message): "{name}: {message}" | "{name}: {message}";
    both(first, second): "{first}; {second}" | "{first}; {second}";
    or(first, last): "{first} or {last}" | "{first} oder {last}";
    expected(wanted, found): "expected {wanted}, found {found}" | "erwartet: {wanted}, gefunden: {found}";
}
