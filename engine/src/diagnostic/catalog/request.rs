//! Errors in the path, query, headers and body of HTTP requests.

super::messages! {
    pub;
    // Parameters
    unknown_parameter(name): "parameter {name} doesn't exist here" | "den Parameter {name} gibt es hier nicht";
    percent_encoded: "must be percent-encoded UTF-8" | "muss UTF-8 in Prozentkodierung sein";
    requires(name): "requires `{name}`" | "erfordert `{name}`";
    at_most_ids(max): "at most {max} ids" | "höchstens {max} IDs";
    limit_within(max):
        "`<count>;<offset>` with a count of 0 to {max}" |
        "`<Anzahl>;<Versatz>` mit einer Anzahl von 0 bis {max}";
    maximum_below_minimum:
        "the maximum must not be less than the minimum" |
        "das Maximum darf nicht kleiner als das Minimum sein";
    segment_without_value(segment):
        "keys and values must alternate, but {segment} has no value" |
        "Schlüssel und Werte müssen sich abwechseln, aber {segment} hat keinen Wert";
    determined_by_correction:
        "remove it; the corrected import determines it" |
        "lassen Sie es weg; der korrigierte Import legt es fest";

    change_cursor(latest):
        "the `next_cursor` of an earlier response or `{latest}`" |
        "der `next_cursor` einer früheren Antwort oder `{latest}`";

    // Headers
    no_version: "the record has no version" | "dieser Datensatz hat keine Version";
    remove_header: "remove the header" | "lassen Sie den Header weg";
    only_wildcard: "only `*` is supported here" | "hier ist nur `*` möglich";
    opposite_conditions:
        "`If-Match` requires a record and `If-None-Match` requires that there is none; send one of them" |
        "`If-Match` verlangt einen Datensatz und `If-None-Match`, dass es keinen gibt; senden Sie nur eines davon";
    send_content_type(kind): "send the header `Content-Type: {kind}`" | "senden Sie den Header `Content-Type: {kind}`";
    visible_ascii(max):
        "must have 1 to {max} visible ASCII characters" |
        "muss 1 bis {max} sichtbare ASCII-Zeichen haben";

    // Body
    unknown_field_here(field): "field {field} doesn't exist here" | "das Feld {field} gibt es hier nicht";
    invalid_value: "the value is not allowed here" | "dieser Wert ist hier nicht erlaubt";
    body_not_utf8(offset): "the body must be UTF-8, but byte {offset} is not" | "der Inhalt muss UTF-8 sein, Byte {offset} ist es nicht";
    damaged_encoding(coding): "the body is not complete, valid {coding}" | "der Inhalt ist kein vollständiges, gültiges {coding}";

    // Leads
    text_field: "the key of a text field" | "der Schlüssel eines Textfelds";
    not_in_basic(member): "basic records have no `{member}`" | "einfache Datensätze haben kein `{member}`";
    use_extended: "use PUT /api/leads/extended-data instead" | "verwenden Sie PUT /api/leads/extended-data";
    column_name: "the name of a column or `custom.<name>`" | "der Name einer Spalte oder `custom.<name>`";
    not_with_jsonl:
        "can't be combined with `format=jsonl`; use `_fields`" |
        "lässt sich nicht mit `format=jsonl` kombinieren; verwenden Sie `_fields`";
    not_in_row(member): "`{member}` doesn't fit into a row" | "`{member}` passt nicht in eine Zeile";
    use_jsonl: "use `format=jsonl`" | "verwenden Sie `format=jsonl`";
    too_many_custom_columns(max):
        "the leads have more than {max} custom fields in total" |
        "die Leads haben zusammen mehr als {max} eigene Felder";
    use_jsonl_or_fields:
        "use `format=jsonl`, or `_fields` without `custom_fields`" |
        "verwenden Sie `format=jsonl` oder `_fields` ohne `custom_fields`";
}
