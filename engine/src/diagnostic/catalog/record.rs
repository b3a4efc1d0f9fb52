//! Errors in leads, campaigns, campaign leads and calls, written individually or from a file.

super::messages! {
    // Kinds of records
    lead: "a lead" | "ein Lead";
    campaign: "a campaign" | "eine Kampagne";
    campaign_lead: "a campaign lead" | "ein Kampagnen-Lead";
    call: "a call" | "ein Anruf";
    lead_action: "an action on leads" | "eine Aktion für Leads";
    unknown_field(thing, field): "{thing} has no field {field}" | "{thing} hat kein Feld {field}";
    read_only_field(field): "{field} is managed by the server" | "{field} wird vom Server verwaltet";
    only_in_csv(field): "{field} can only be set by a CSV import" | "{field} lässt sich nur per CSV-Import setzen";
    immutable_field(field): "{field} can't be changed after creation" | "{field} lässt sich nach dem Anlegen nicht mehr ändern";
    use_custom_fields: "put custom fields into `custom_fields`" | "eigene Felder gehören in `custom_fields`";
    record_count(max): "an array of 1 to {max} objects" | "eine Liste von 1 bis {max} Objekten";
    duplicate_value(index, field): "lead {index} of the array has the same {field}" | "Lead {index} der Liste hat denselben Wert in {field}";
    custom_column_form: "use `custom.<name>` for a custom field" | "verwenden Sie `custom.<name>` für ein eigenes Feld";
    no_field: "expected at least one field, found none" | "es fehlt mindestens ein Feld";
    required_for_new(field):
        "no existing record matches, and a new one requires `{field}`" |
        "kein vorhandener Eintrag passt, und für einen neuen fehlt `{field}`";

    // Values
    empty_cell: "an empty cell" | "eine leere Zelle";
    name_length(max): "a name of 1 to {max} characters" | "ein Name mit 1 bis {max} Zeichen";
    nothing: "nothing" | "nichts";
    only_spaces: "only spaces" | "nur Leerzeichen";
    forbidden_character(code): "the control character {code} is not allowed" | "das Steuerzeichen {code} ist nicht erlaubt";
    email: "an email address such as `name@example.com`" | "eine E-Mail-Adresse wie `name@example.com`";
    e164: "a phone number in E.164 such as `+4930123456`" | "eine Telefonnummer nach E.164 wie `+4930123456`";
    status(max):
        "a status of 1 to {max} of the characters `a` to `z`, `0` to `9` and `_`" |
        "ein Status aus 1 bis {max} der Zeichen `a` bis `z`, `0` bis `9` und `_`";
    custom_fields: "an object of custom fields" | "ein Objekt mit eigenen Feldern";
    at_most_custom_fields(max): "at most {max} custom fields" | "höchstens {max} eigene Felder";
    integer_of_64_bits: "a 64-bit integer" | "eine ganze Zahl mit 64 Bit";
    send_as_string: "send it as a string, to keep its digits" | "senden Sie sie als Text, damit keine Ziffern verloren gehen";
    finite_number: "a finite number" | "eine endliche Zahl";
    custom_value: "a string, a number, true, false or null" | "ein Text, eine Zahl, true, false oder null";
    card_data(name): "{name} looks like card data, which is never stored" | "{name} klingt nach Kartendaten; diese werden nie gespeichert";
    file_name:
        "the path of a file inside the recordings folder, with `/` between folders" |
        "der Pfad einer Datei im Ordner mit den Aufnahmen, mit `/` zwischen Ordnern";

    // Calling hours
    hours: "an object with `start`, `end` and `days`, or null" | "ein Objekt mit `start`, `end` und `days`, oder null";
    unknown_hours(field): "calling hours have no field {field}" | "Anrufzeiten haben kein Feld {field}";
    hour_in_string: "a string as `hh:mm`" | "ein Text wie `hh:mm`";
    clock_time: "a time as `hh:mm`, `00:00` to `23:59`" | "eine Uhrzeit wie `hh:mm`, `00:00` bis `23:59`";
    end_of_day: "write `00:00` for the end of the day" | "verwenden Sie `00:00` für das Ende des Tags";
    days: "an array of days" | "eine Liste von Tagen";
    day_name: "the name of a day" | "der Name eines Tags";
    no_days: "expected at least one day, found none" | "es fehlt mindestens ein Tag";
    incomplete_hours:
        "calling hours need a start, an end and days, but this cell is empty" |
        "Anrufzeiten brauchen Beginn, Ende und Tage, aber diese Zelle ist leer";

    // Keys of a row
    lead_identifier_required:
        "the row needs an `id` or an `original_identifier` that identifies the lead" |
        "es fehlt `id` oder `original_identifier`, um den Lead der Zeile zu erkennen";
    campaign_identifier_required:
        "the row needs an `id` or a `name` that identifies the campaign" |
        "es fehlt `id` oder `name`, um die Kampagne der Zeile zu erkennen";
    campaign_lead_identifier_required:
        "the row needs an `id`, or a `lead_id` and a `campaign_id`, to identify the campaign lead" |
        "es fehlt `id` oder `lead_id` mit `campaign_id`, um den Kampagnen-Lead der Zeile zu erkennen";
    call_identifier_required:
        "the row needs an `id` or an `original_identifier` that identifies the call" |
        "es fehlt `id` oder `original_identifier`, um den Anruf der Zeile zu erkennen";

    // Calls
    ended_before_started: "`ended_at` must not be before `started_at`" | "`ended_at` darf nicht vor `started_at` liegen";
    ready_without_file: "a recording is `ready` only once its file is there" | "eine Aufnahme ist erst `ready`, wenn ihre Datei da ist";
    name_file: "name the file in the column `recording`" | "nennen Sie die Datei in der Spalte `recording`";
    upload_file: "upload it to `/api/calls/{call_id}/recording`" | "laden Sie sie nach `/api/calls/{call_id}/recording` hoch";
    state_with_file(state):
        "`recording_state` must be `ready` or empty if `recording` names a file, not `{state}`" |
        "`recording_state` muss `ready` oder leer sein, wenn `recording` eine Datei nennt, nicht `{state}`";

    // Files and their columns
    value_without_name(number, value): "column {number} has no name but contains {value}" | "Spalte {number} hat keinen Namen, enthält aber {value}";
    shortened_number(value):
        "{value} is a number that a spreadsheet has shortened; format the column as text or as a whole number, and export it again" |
        "{value} ist eine Zahl, die eine Tabellenkalkulation gekürzt hat; formatieren Sie die Spalte als Text oder ganze Zahl und exportieren Sie sie noch einmal";
    no_column(name): "the file has no column {name}" | "die Datei hat keine Spalte {name}";
    repeated_column(name): "the column {name} appears twice" | "die Spalte {name} kommt zweimal vor";
    at_most_custom_columns(max): "at most {max} `custom.<name>` columns" | "höchstens {max} Spalten `custom.<name>`";
    cells_of_header(found, count):
        "expected as many cells as in the header, {count}, found {found}" |
        "erwartet: so viele Zellen wie in der Kopfzeile, {count}, gefunden: {found}";
    cells_of_first_row(found, count):
        "expected as many cells as in the first row, {count}, found {found}" |
        "erwartet: so viele Zellen wie in der ersten Zeile, {count}, gefunden: {found}";
    calls_expected(thing):
        "call detail records can only be imported as calls, but each row of this import is {thing}" |
        "Anrufdatensätze lassen sich nur als Anrufe importieren, aber jede Zeile dieses Imports ist etwas anderes ({thing})";
    unknown_member(name): "a mapping has no member {name}" | "eine Zuordnung hat kein Feld {name}";
    mapped_columns: "an object of the file's columns, each with its field" | "ein Objekt mit den Spalten der Datei, jede mit ihrem Feld";
    at_most_columns(max): "at most {max} columns" | "höchstens {max} Spalten";
    field_name_too_long(max):
        "the name of a field can have at most {max} characters" |
        "der Name eines Felds darf höchstens {max} Zeichen haben";
    field_name: "the name of a field, or null to leave the column out" | "der Name eines Felds, oder null, um die Spalte wegzulassen";
    country: "a country: its name or its ISO 3166-1 code such as `DE`" | "ein Land: sein Name oder ISO-3166-1-Code wie `DE`";
    did_you_mean_country(code, name): "did you mean `{code}` ({name})?" | "meinten Sie `{code}` ({name})?";
    write_date: "write `2026-12-24` or `24.12.2026`" | "verwenden Sie `2026-12-24` oder `24.12.2026`";
    write_date_time:
        "write `2026-12-24 13:45:00` or `24.12.2026 13:45`" | "verwenden Sie `2026-12-24 13:45:00` oder `24.12.2026 13:45`";
    empty_identifier(name): "{name} can't be empty, because it identifies the row" | "{name} darf nicht leer sein, weil daran die Zeile erkannt wird";
    number_with_comma: "a number with a decimal comma" | "eine Zahl mit Dezimalkomma";
    unambiguous_number:
        "an unambiguous number; set `decimal` in the mapping to `,` or `.`" |
        "eine eindeutige Zahl; setzen Sie `decimal` in der Zuordnung auf `,` oder `.`";
    number_with_point: "a number with a decimal point" | "eine Zahl mit Dezimalpunkt";
    decimal: "`,` or `.`" | "`,` oder `.`";
    duplicates: "`first` or `none`" | "`first` oder `none`";
    delimiter: "`,`, `;`, `\\t` or `|`" | "`,`, `;`, `\\t` oder `|`";

    // Call detail records
    asterisk_columns(low, high):
        "{low} to {high} columns as in Asterisk's `Master.csv`, or a header that names them" |
        "{low} bis {high} Spalten wie in der `Master.csv` von Asterisk oder eine Kopfzeile, die sie nennt";
    channel_pattern:
        "a pattern such as `1XX`, `1[0-3]X`, `200-299`, `line-*` or a name" |
        "ein Muster wie `1XX`, `1[0-3]X`, `200-299`, `line-*` oder ein Name";
    channel_patterns:
        "a list of patterns such as `[\"1XX\"]`" |
        "eine Liste von Mustern wie `[\"1XX\"]`";
    too_many_patterns(max):
        "at most {max} patterns are allowed" |
        "höchstens {max} Muster sind erlaubt";
    asterisk_uniqueid:
        "set `loguniqueid=yes` in `cdr.conf`, so that calls can be told apart" |
        "setzen Sie `loguniqueid=yes` in `cdr.conf`, damit Anrufe unterscheidbar sind";
    one_recording(uniqueid): "one recording for {uniqueid}" | "eine Aufnahme zu {uniqueid}";
    uniqueid_required:
        "the row needs a `uniqueid` that identifies the call" |
        "es fehlt `uniqueid`, um den Anruf der Zeile zu erkennen";
    one_of(list): "one of {list}" | "eines von {list}";
    seconds(max): "0 to {max} seconds" | "0 bis {max} Sekunden";
    nonexistent_hour(time, zone):
        "{time} doesn't exist in {zone}, because clocks were set forward" |
        "{time} gibt es in {zone} nicht, weil die Uhren vorgestellt wurden";

    // Bulk actions on leads
    leads_required:
        "`lead_ids` or `filter` is required" |
        "`lead_ids` oder `filter` fehlt";
    leads_and_filter:
        "`lead_ids` and `filter` can't be combined" |
        "`lead_ids` und `filter` lassen sich nicht kombinieren";
    two_campaigns:
        "`campaign_id` and `set.campaign_id` can't be combined" |
        "`campaign_id` und `set.campaign_id` lassen sich nicht kombinieren";
    lead_ids(max): "1 to {max} ids of leads" | "1 bis {max} Lead-IDs";
}
