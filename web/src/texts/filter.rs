//! Texts of filters: form, JSON view, and filters of lists.

super::texts! {
    filter: "Filter" | "Filter";
    view_of_filter: "View of the filter" | "Darstellung des Filters";
    form: "Form" | "Formular";
    json: "JSON" | "JSON";
    conditions: "Conditions" | "Bedingungen";
    same_as_json: "The same as JSON" | "Dasselbe als JSON";
    filter_as_json: "Filter as JSON" | "Filter als JSON";
    hide_json: "Hide JSON" | "JSON ausblenden";
    show_conditions: "Show the conditions" | "Bedingungen zeigen";
    show_json: "Show JSON" | "JSON einblenden";
    clear: "Clear" | "Leeren";
    find_leads: "Find leads" | "Leads suchen";
    /// For an edited filter.
    not_applied: "Not applied yet" | "Noch nicht angewendet";
    find_again: "Find again" | "Erneut suchen";
    find_keys: "Ctrl + Enter" | "Strg + Eingabe";
    faults_to_mend(count):
        "One fault to mend before leads can be found." / "{count} faults to mend before leads can be found." |
        "Vor der Suche ist ein Fehler zu beheben." / "Vor der Suche sind {count} Fehler zu beheben.";
    /// Description of a filter with absolute dates, then as chosen.
    exact_and_relative(exact, relative): "{exact}; here {relative}" | "{exact}; hier {relative}";

    no_condition: "No condition yet: every lead is found." | "Noch keine Bedingung: Alle Leads werden gefunden.";
    add_condition: "Add a condition" | "Bedingung hinzufügen";
    remove_condition: "Remove this condition" | "Diese Bedingung entfernen";
    edited_as_json: "Shown and edited as JSON." | "Wird als JSON gezeigt und bearbeitet.";
    not_a_moment: "Not used: expected a moment from 1970 on." | "Gilt nicht: erwartet wird ein Zeitpunkt ab 1970.";
    not_a_number_from(least): "Not used: expected a whole number from {least} on." | "Gilt nicht: erwartet wird eine ganze Zahl ab {least}.";
    unfinished: "Not used until it has a value." | "Gilt erst, wenn ein Wert angegeben ist.";
    add_group: "Add a group" | "Gruppe hinzufügen";
    remove_group: "Remove this group" | "Diese Gruppe entfernen";
    which_must_hold: "Which conditions must hold" | "Welche Bedingungen gelten müssen";
    filters: "Filters" | "Filter";
    filters_set(conditions): "Filters ({conditions})" | "Filter ({conditions})";
    any_of_these: "Any of these" | "Eine davon";
    all_of_these: "All of these" | "Alle davon";
    empty_group: "An empty group is not used." | "Eine leere Gruppe gilt nicht.";
    any_of_groups(count): "Any of {count} group" / "Any of {count} groups" | "Eine von {count} Gruppe" / "Eine von {count} Gruppen";
    all_of_groups(count): "All of {count} group" / "All of {count} groups" | "Alle von {count} Gruppe" / "Alle von {count} Gruppen";

    field: "Field" | "Feld";
    fields: "Fields" | "Felder";
    find_field: "Find a field" | "Feld suchen";
    fields_found(count): "{count} field" / "{count} fields" | "{count} Feld" / "{count} Felder";
    common_fields: "Often used" | "Häufig";
    campaign_lead: "In a campaign" | "In einer Kampagne";
    lead: "Lead" | "Lead";
    custom: "Custom fields" | "Eigene Felder";
    custom_field: "Custom field…" | "Eigenes Feld …";
    /// A custom field with the typed name.
    custom_field_named(name): "Custom field “{name}”" | "Eigenes Feld „{name}“";
    custom_name: "Name of the custom field" | "Name des eigenen Feldes";
    name: "name" | "Name";
    operator: "Operator" | "Operator";
    is_relative: "is relative to now" | "ist bezogen auf heute";

    value: "Value" | "Wert";
    by_clock_of(zone): "By the clock in {zone}" | "Nach der Uhr in {zone}";
    /// Tooltip of a time.
    in_zone_and_exactly(zone, exact): "By the clock in {zone}; exactly {exact}" | "Nach der Uhr in {zone}; genau {exact}";
    a_value: "value" | "Wert";
    a_custom_value: "value; in quotes for a text of digits" | "Wert; Text aus Ziffern in Anführungszeichen";
    more_values: "Permit more values" | "Weitere Werte zulassen";
    add_value: "Add a value" | "Wert hinzufügen";
    add_value_by_enter: "Add a value, then press Enter" | "Wert hinzufügen, dann Eingabetaste drücken";
    add_then_enter: "add, then Enter" | "hinzufügen, dann Eingabe";
    choose: "Choose…" | "Auswählen …";
    or: "Or…" | "Oder …";
    remove(value): "Remove {value}" | "{value} entfernen";
    yes: "yes" | "ja";
    no: "no" | "nein";
    is_null: "true" | "ja";
    is_not_null: "false, it has one" | "nein, es gibt einen";
    /// A value to choose, with the number of leads that have it.
    with_count(value, leads): "{value} ({leads})" | "{value} ({leads})";
    values_of_leads: "Values that leads have" | "Werte, die Leads haben";
    suggestions(count):
        "{count} suggestion" / "{count} suggestions" |
        "{count} Vorschlag" / "{count} Vorschläge";

    faults: "Faults" | "Fehler";
    use_name(name): "Use “{name}”" | "„{name}“ verwenden";
    line_and_column(line, column): "line {line}, column {column}" | "Zeile {line}, Spalte {column}";

    any: "any" | "beliebig";

    relative_date: "Relative date" | "Relatives Datum";
    how_many: "How many" | "Anzahl";
    today: "today" | "heute";
    yesterday: "yesterday" | "gestern";
    last_days_chosen: "last … days" | "letzte … Tage";
    last_hours_chosen: "last … hours" | "letzte … Stunden";
    this_week: "this week" | "diese Woche";
    this_month: "this month" | "dieser Monat";
    before_days_chosen: "before … days ago" | "vor mehr als … Tagen";
    after_days_chosen: "after … days ago" | "vor weniger als … Tagen";
    last_days(count): "the last day" / "the last {count} days" | "der letzte Tag" / "die letzten {count} Tage";
    last_hours(count): "the last hour" / "the last {count} hours" | "die letzte Stunde" / "die letzten {count} Stunden";
    before_days(count):
        "before {count} day ago" / "before {count} days ago" |
        "vor mehr als {count} Tag" / "vor mehr als {count} Tagen";
    after_days(count):
        "after {count} day ago" / "after {count} days ago" |
        "vor weniger als {count} Tag" / "vor weniger als {count} Tagen";
    field_is(field, date): "{field} is {date}" | "{field}: {date}";
    and(one, other): "{one} and {other}" | "{one} und {other}";
    in_zone(dates, zone): "{dates}, in {zone}" | "{dates}, in {zone}";
}
