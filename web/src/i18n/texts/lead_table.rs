//! Texts of the lead list, its columns and its pager, which other lists use too.

super::texts! {
    caption: "Matching leads" | "Passende Leads";
    select(name): "Select {name}" | "{name} auswählen";
    select_page: "Select all leads on this page" | "Alle Leads dieser Seite auswählen";

    phone: "Phone" | "Telefon";
    phone_as_entered: "Phone as entered" | "Telefon wie eingegeben";
    phone_entered_as(phone): "As entered: {phone}" | "Wie eingegeben: {phone}";
    location: "Location" | "Ort";
    campaigns: "Campaigns" | "Kampagnen";
    callable_column: "Callable?" | "Anrufbar?";
    next_call: "Next call" | "Nächster Anruf";
    updated: "Updated" | "Geändert";
    fields_updated: "Fields updated" | "Felder geändert";

    in_any_campaign: "In all campaigns" | "In allen Kampagnen";
    no_calls: "no calls" | "keine Anrufe";
    calls_and_today(count, today): "{count} call, {today} today" / "{count} calls, {today} today"
        | "{count} Anruf, {today} heute" / "{count} Anrufe, {today} heute";
    /// Rule as a sentence, and the time at which it ends.
    rule_until(rule, moment): "{rule} Until {moment}." | "{rule} Bis {moment}.";
    frozen_until(when): "frozen until {when}" | "pausiert bis {when}";

    columns_hint: "The lead always comes first." | "Der Lead steht immer an erster Stelle.";
    add_column: "Add column" | "Spalte hinzufügen";
    reset_columns: "Reset to default" | "Auf Standard zurücksetzen";
    reset_widths: "Reset widths" | "Breiten zurücksetzen";
    move_up(column): "Move {column} up" | "{column} nach oben";
    move_down(column): "Move {column} down" | "{column} nach unten";
    width_of(column): "Width of {column}" | "Breite von {column}";
    width_hint: "Drag to resize, double-click to fit" | "Ziehen ändert die Breite, Doppelklick passt sie an";

    sort_by: "Sort by" | "Sortieren nach";
    sorted_ascending: "Ascending. Click to reverse." | "Aufsteigend. Klicken zum Umkehren.";
    sorted_ascending_last: "Ascending. Click to stop sorting." | "Aufsteigend. Klicken zum Aufheben.";
    sorted_descending: "Descending. Click to reverse." | "Absteigend. Klicken zum Umkehren.";
    sorted_descending_last: "Descending. Click to stop sorting." | "Absteigend. Klicken zum Aufheben.";

    rows: "Rows" | "Zeilen";
    range(first, last, total): "{first}–{last} of {total}" | "{first}–{last} von {total}";
    range_past_end(total): "0 of {total}" | "0 von {total}";
    empty_range: "0 of 0" | "0 von 0";
    first_page: "First page" | "Erste Seite";
    previous_page: "Previous page" | "Vorherige Seite";
    next_page: "Next page" | "Nächste Seite";
    last_page: "Last page" | "Letzte Seite";
}
