//! Texts of filters: form, JSON view, and filters of lists.

super::texts! {
    filter: "Filter" | "Filter";
    filter_view: "Filter view" | "Filteransicht";
    form: "Form" | "Formular";
    json: "JSON" | "JSON";
    conditions: "Conditions" | "Bedingungen";
    as_json: "As JSON" | "Als JSON";
    filter_as_json: "Filter as JSON" | "Filter als JSON";
    hide_json: "Hide JSON" | "JSON ausblenden";
    show_conditions: "Show conditions" | "Bedingungen anzeigen";
    show_json: "Show JSON" | "JSON anzeigen";
    clear: "Clear" | "Zurücksetzen";
    find_leads: "Apply" | "Anwenden";
    /// For an edited filter.
    not_applied: "Not applied yet" | "Noch nicht angewendet";
    refresh: "Refresh" | "Aktualisieren";
    apply_shortcut: "Ctrl + Enter" | "Strg + Eingabe";
    errors_to_fix(count):
        "Fix {count} error to apply the filter." / "Fix {count} errors to apply the filter." |
        "Beheben Sie {count} Fehler, um den Filter anzuwenden." / "Beheben Sie {count} Fehler, um den Filter anzuwenden.";
    /// Description of a filter with absolute dates, then as chosen.
    exact_and_relative(exact, relative): "{exact} ({relative})" | "{exact} ({relative})";

    add_condition: "Add filter" | "Filter hinzufügen";
    remove_condition: "Remove filter" | "Filter entfernen";
    edited_as_json: "Can only be edited as JSON." | "Nur als JSON bearbeitbar.";
    invalid_date: "Ignored: enter a date in 1970 or later." | "Wird ignoriert: Geben Sie ein Datum ab 1970 ein.";
    invalid_number(min): "Ignored: enter a whole number, at least {min}."
        | "Wird ignoriert: Geben Sie eine ganze Zahl ab {min} ein.";
    unfinished: "Ignored until you enter a value." | "Wird ignoriert, bis Sie einen Wert eingeben.";
    add_group: "Add group" | "Gruppe hinzufügen";
    remove_group: "Remove group" | "Gruppe entfernen";
    match_mode: "Match" | "Verknüpfung";
    filters: "Filters" | "Filter";
    filters_set(conditions): "Filters ({conditions})" | "Filter ({conditions})";
    any_of_these: "Any of these" | "Mindestens eine";
    all_of_these: "All of these" | "Alle";
    empty_group: "Empty groups are ignored." | "Leere Gruppen werden ignoriert.";
    any_of_groups(count): "Any of {count} group" / "Any of {count} groups" | "Mindestens eine von {count} Gruppe" / "Mindestens eine von {count} Gruppen";
    all_of_groups(count): "All of {count} group" / "All of {count} groups" | "Alle von {count} Gruppe" / "Alle von {count} Gruppen";

    find_field: "Find a field" | "Feld suchen";
    fields_found(count): "{count} field" / "{count} fields" | "{count} Feld" / "{count} Felder";
    common_fields: "Frequently used" | "Häufig verwendet";
    campaign_lead: "In a campaign" | "In einer Kampagne";
    custom_field: "Custom field…" | "Eigenes Feld …";
    custom_name: "Custom field name" | "Name des eigenen Felds";
    name: "name" | "Name";
    operator: "Operator" | "Operator";
    is_relative: "is (relative date)" | "liegt (relatives Datum)";

    value: "Value" | "Wert";
    time_in_zone(zone): "{zone} time" | "Zeit in {zone}";
    /// Tooltip of a time.
    time_in_zone_with_exact(zone, exact): "{zone} time; exactly {exact}" | "Zeit in {zone}; genau {exact}";
    value_placeholder: "value" | "Wert";
    custom_value_placeholder: "Value; use \"7\" to match text" | "Wert; für Text \"7\" schreiben";
    add_value: "Add a value" | "Wert hinzufügen";
    add_value_by_enter: "Type a value, then press Enter" | "Wert eingeben, dann Eingabetaste drücken";
    add_then_enter: "Type and press Enter" | "Eingeben, dann Eingabetaste";
    add_another: "Add another…" | "Weitere hinzufügen …";
    yes: "yes" | "ja";
    no: "no" | "nein";
    /// A value to choose, with the number of leads that have it.
    with_count(value, leads): "{value} ({leads})" | "{value} ({leads})";
    values_of_leads: "Values in your leads" | "Vorhandene Werte";
    suggestions(count): "{count} suggestion" / "{count} suggestions" | "{count} Vorschlag" / "{count} Vorschläge";

    errors: "Errors" | "Fehler";
    use_name(name): "Use “{name}”" | "„{name}“ verwenden";
    line_and_column(line, column): "line {line}, column {column}" | "Zeile {line}, Spalte {column}";

    any: "any" | "beliebig";

    relative_date: "Relative date" | "Relatives Datum";
    how_many: "Number" | "Anzahl";
    today: "today" | "heute";
    yesterday: "yesterday" | "gestern";
    last_days_chosen: "in the last … days" | "in den letzten … Tagen";
    last_hours_chosen: "in the last … hours" | "in den letzten … Stunden";
    this_week: "this week" | "in dieser Woche";
    this_month: "this month" | "in diesem Monat";
    before_days_chosen: "more than … days ago" | "vor mehr als … Tagen";
    after_days_chosen: "less than … days ago" | "vor weniger als … Tagen";
    last_days(count): "today" / "in the last {count} days" | "heute" / "in den letzten {count} Tagen";
    last_hours(count): "in the last hour" / "in the last {count} hours"
        | "in der letzten Stunde" / "in den letzten {count} Stunden";
    before_days(count): "more than {count} day ago" / "more than {count} days ago"
        | "vor mehr als {count} Tag" / "vor mehr als {count} Tagen";
    after_days(count): "less than {count} day ago" / "less than {count} days ago"
        | "vor weniger als {count} Tag" / "vor weniger als {count} Tagen";
    field_is(field, date): "{field} {date}" | "{field} {date}";
    and(one, other): "{one} and {other}" | "{one} und {other}";
    in_zone(dates, zone): "{dates}, {zone} time" | "{dates}, Zeit in {zone}";
}
