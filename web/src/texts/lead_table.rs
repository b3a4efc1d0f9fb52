//! Texts of the lead list, its columns and its pager, which other lists use too.

super::texts! {
    lead: "Lead" | "Lead";
    lead_number(id): "Lead {id}" | "Lead {id}";
    caption: "Leads that match the filter" | "Leads, die zum Filter passen";
    select(name): "Select {name}" | "{name} auswählen";
    select_page: "Select all leads of this page" | "Alle Leads dieser Seite auswählen";
    select_all: "Select all leads that match" | "Alle passenden Leads auswählen";

    phone: "Phone" | "Telefon";
    phone_given: "Phone as given" | "Telefon wie angegeben";
    phone_as_given(phone): "As given: {phone}" | "Wie angegeben: {phone}";
    place: "Place" | "Ort";
    campaigns: "Campaigns" | "Kampagnen";
    why_not_callable: "Why not callable" | "Warum nicht anrufbar";
    next_call: "Next call" | "Nächster Anruf";
    updated: "Updated" | "Geändert";
    fields_updated: "Fields updated" | "Felder geändert";
    yes: "Yes" | "Ja";
    no: "No" | "Nein";

    in_any_campaign: "In any campaign" | "In jeder Kampagne";
    no_calls: "no calls" | "keine Anrufe";
    calls_and_today(count, today):
        "{count} call, {today} today" / "{count} calls, {today} today"
        | "{count} Anruf, {today} heute" / "{count} Anrufe, {today} heute";
    frozen_until(when): "frozen until {when}" | "zurückgestellt bis {when}";
    callable_now: "Callable now" | "Jetzt anrufbar";

    columns: "Columns" | "Spalten";
    columns_about:
        "The lead always comes first. The address of the page keeps the choice, and so does this browser."
        | "Der Lead steht immer vorn. Die Auswahl bleibt in der Adresse der Seite und in diesem Browser erhalten.";
    add_column: "Add a column" | "Spalte hinzufügen";
    choose: "Choose…" | "Auswählen…";
    usual_columns: "Back to the usual ones" | "Zurück zu den üblichen";
    reset_widths: "Reset widths" | "Breiten zurücksetzen";
    done: "Done" | "Fertig";
    move_up(column): "Move {column} up" | "{column} nach oben";
    move_down(column): "Move {column} down" | "{column} nach unten";
    leave_out(column): "Leave {column} out" | "{column} weglassen";
    width_of(column): "Width of {column}" | "Breite von {column}";
    width_hint:
        "Drag to change the width, press twice to fit the content"
        | "Ziehen ändert die Breite, ein Doppelklick passt sie dem Inhalt an";

    sort_by: "Sort by" | "Sortieren nach";
    sorted_up: "Smallest first; turn round" | "Kleinste zuerst; umkehren";
    sorted_up_end: "Smallest first; end sorting" | "Kleinste zuerst; Sortierung aufheben";
    sorted_down: "Largest first; turn round" | "Größte zuerst; umkehren";
    sorted_down_end: "Largest first; end sorting" | "Größte zuerst; Sortierung aufheben";

    rows: "Rows" | "Zeilen";
    all_rows: "All" | "Alle";
    pages: "Pages" | "Seiten";
    range(first, last, total): "{first}–{last} of {total}" | "{first}–{last} von {total}";
    range_beyond(total): "None of {total}" | "Keine von {total}";
    range_of_nothing: "0 of 0" | "0 von 0";
    first_page: "First page" | "Erste Seite";
    previous_page: "Previous page" | "Vorherige Seite";
    next_page: "Next page" | "Nächste Seite";
    last_page: "Last page" | "Letzte Seite";

    places: "Places in the list" | "Stellen der Liste";
    first_row: "First row" | "Erste Zeile";
    last_row: "Last row" | "Letzte Zeile";
    rows_before(row): "Go back before row {row}" | "Vor Zeile {row} zurückgehen";
    rows_after(row): "Go on after row {row}" | "Nach Zeile {row} weitergehen";
    rows_missing: "These rows couldn't be loaded." | "Diese Zeilen konnten nicht geladen werden.";
}
