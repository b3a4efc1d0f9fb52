//! Texts of the lead list: saved views, bulk actions, the table and its pager. Other lists use the texts of the table
//! and the pager too.

super::texts! {
    show_all_leads: "Show all leads" | "Alle Leads anzeigen";
    import_leads: "Import leads" | "Leads importieren";
    search: "Search leads" | "Leads durchsuchen";
    search_placeholder: "Name, phone, email, city or ID" | "Name, Telefon, E-Mail, Stadt oder ID";
    /// Description of a filter with a text search.
    searched(filter, search): "{filter}, matching “{search}”" | "{filter}, mit „{search}“";
    no_lead_matches: "No matching leads" | "Keine passenden Leads";
    no_search_match(search): "No leads match “{search}”." | "Keine Leads passen zu „{search}“.";
    csv_as_shown: "CSV, visible columns" | "CSV, sichtbare Spalten";
    csv_as_shown_hint: "For Excel, with these columns." | "Für Excel, mit diesen Spalten.";
    csv: "CSV, all fields" | "CSV, alle Felder";
    csv_hint: "For spreadsheets. Can be imported again." | "Für Tabellenprogramme. Lässt sich wieder importieren.";
    json_lines_hint: "For programs. Includes campaigns and reasons." | "Für Programme. Mit Kampagnen und Gründen.";

    views: "Views" | "Ansichten";
    your_views: "Your views" | "Ihre Ansichten";
    shared_views: "Shared by others" | "Von anderen geteilt";
    shared_with_all: "Shared with everyone" | "Mit allen geteilt";
    find_a_view: "Find a view" | "Ansicht suchen";
    no_view_found: "No views found" | "Keine Ansichten gefunden";
    views_hint: "Save this list under a name." | "Speichern Sie diese Liste unter einem Namen.";
    save_as: "Save as new view…" | "Als neue Ansicht speichern …";
    save_changes: "Save changes" | "Änderungen speichern";
    rename: "Rename…" | "Umbenennen …";
    share_with_all: "Share with everyone" | "Mit allen teilen";
    stop_sharing: "Stop sharing" | "Nicht mehr teilen";
    save_view: "Save as new view" | "Als neue Ansicht speichern";
    rename_view(name): "Rename “{name}”" | "„{name}“ umbenennen";
    invalid_filter_not_saved:
        "The filter you are editing is invalid. The view will be saved with the applied filter, and your edits will be lost." |
        "Der bearbeitete Filter ist ungültig. Gespeichert wird der angewendete Filter; Ihre Änderungen daran gehen verloren.";
    search_is_not_saved(search): "The search “{search}” isn't saved with the view."
        | "Die Suche „{search}“ wird nicht mit der Ansicht gespeichert.";
    view_name_hint: "For example “Berlin, not called yet”." | "Zum Beispiel „Berlin, noch nicht angerufen“.";
    view_shared(name): "Shared “{name}” with everyone" | "„{name}“ mit allen geteilt";
    view_unshared(name): "Stopped sharing “{name}”" | "Freigabe von „{name}“ beendet";
    delete_view(name): "Delete “{name}”?" | "„{name}“ löschen?";
    all_staff_lose_view: "This view is shared. It will be deleted for everyone."
        | "Diese Ansicht ist geteilt und wird für alle gelöscht.";
    all_staff_lose_view_of(owner): "This view is shared by {owner}. It will be deleted for everyone."
        | "Diese Ansicht wird von {owner} geteilt und für alle gelöscht.";
    view_not_found: "View not found" | "Ansicht nicht gefunden";
    view_not_found_hint: "It was deleted or is no longer shared." | "Sie wurde gelöscht oder wird nicht mehr geteilt.";
    link_filter_invalid: "The filter in this link is invalid" | "Der Filter in diesem Link ist ungültig";
    fix_link_filter: "Fix it above or show all leads." | "Korrigieren Sie ihn oben oder zeigen Sie alle Leads an.";
    link_view_not_found: "The view in this link no longer exists." | "Die Ansicht in diesem Link gibt es nicht mehr.";

    selected_leads: "Selected leads" | "Ausgewählte Leads";
    selected(count): "{count} lead selected" / "{count} leads selected" | "{count} Lead ausgewählt" / "{count} Leads ausgewählt";
    all_selected(count): "{count} lead selected" / "All {count} leads selected"
        | "{count} Lead ausgewählt" / "Alle {count} Leads ausgewählt";
    select_all(count): "Select all {count}" | "Alle {count}";
    /// Follows [`select_all`] on wide screens.
    select_all_suffix: " matching leads" | " auswählen";

    weight: "Weight" | "Gewicht";
    assign: "Assign" | "Zuweisen";
    freeze: "Freeze" | "Pausieren";
    unfreeze: "Unfreeze" | "Pause aufheben";
    do_not_call: "Do not call" | "Nicht anrufen";
    set_status: "Set status" | "Status ändern";
    set_weight: "Set weight" | "Gewicht ändern";
    assign_leads: "Assign leads" | "Leads zuweisen";
    freeze_leads: "Freeze leads" | "Leads pausieren";
    weight_hint: "Whole number. Leads with a higher weight are called first."
        | "Ganze Zahl. Leads mit höherem Gewicht werden zuerst angerufen.";
    assign_to: "Assign to" | "Zuweisen an";
    me(email): "Me ({email})" | "Mich ({email})";
    no_one: "No one" | "Niemanden";
    agent_number(number): "Agent {number}" | "Agent {number}";
    enter_agent_number: "Enter agent number…" | "Agentennummer eingeben …";
    number: "Agent number" | "Agentennummer";
    number_hint: "The agent's ID in your phone system." | "Die ID des Agenten in Ihrer Telefonanlage.";
    action: "Action" | "Aktion";
    freeze_hint: "Frozen leads aren't called until the time you choose." | "Pausierte Leads werden bis zum gewählten Zeitpunkt nicht angerufen.";
    until: "Until" | "Bis";
    these_leads: "These leads" | "Diese Leads";
    set_do_not_call: "Do not call" | "Nicht anrufen";
    allow_calls: "Allow calls" | "Anrufe erlauben";
    do_not_call_hint: "Applies to all campaigns." | "Gilt für alle Kampagnen.";
    all_campaigns_of_leads: "All their campaigns" | "Alle ihre Kampagnen";

    change: "Update" | "Ändern";
    change_leads(count): "Update {count} lead" / "Update {count} leads" | "{count} Lead ändern" / "{count} Leads ändern";
    selected_lead_count(count): "{count} lead is selected." / "{count} leads are selected."
        | "{count} Lead ist ausgewählt." / "{count} Leads sind ausgewählt.";
    campaign_leads(count): "{count} campaign lead" / "{count} campaign leads"
        | "{count} Kampagnen-Lead" / "{count} Kampagnen-Leads";
    will_change(count): "{count} lead will change." / "{count} leads will change."
        | "{count} Lead wird geändert." / "{count} Leads werden geändert.";
    /// With the number of campaign leads.
    will_change_in_campaigns(count, inside):
        "{count} lead will change ({inside})." / "{count} leads will change ({inside})." |
        "{count} Lead wird geändert ({inside})." / "{count} Leads werden geändert ({inside}).";
    already_up_to_date(count): "{count} is already up to date." / "{count} are already up to date."
        | "{count} bleibt unverändert." / "{count} bleiben unverändert.";
    add_leads_hint: "They start as new, without calls." | "Sie beginnen dort neu, ohne Anrufe.";
    add_leads(count): "Add {count} lead" / "Add {count} leads" | "{count} Lead hinzufügen" / "{count} Leads hinzufügen";
    will_be_added(count): "{count} lead will be added." / "{count} leads will be added."
        | "{count} Lead wird hinzugefügt." / "{count} Leads werden hinzugefügt.";
    already_in_campaign(count): "{count} is already in the campaign." / "{count} are already in the campaign."
        | "{count} ist bereits in der Kampagne." / "{count} sind bereits in der Kampagne.";
    campaign_is_inactive: "This campaign is inactive." | "Diese Kampagne ist inaktiv.";
    callable_again(count):
        "{count} lead excluded by status or “Do not call” can be called again." /
        "{count} leads excluded by status or “Do not call” can be called again." |
        "{count} Lead, bisher wegen Status oder „Nicht anrufen“ gesperrt, kann wieder angerufen werden." /
        "{count} Leads, bisher wegen Status oder „Nicht anrufen“ gesperrt, können wieder angerufen werden.";
    newly_callable(count):
        "{count} lead will be callable immediately." / "{count} leads will be callable immediately." |
        "{count} Lead wird sofort anrufbar." / "{count} Leads werden sofort anrufbar.";
    no_longer_callable(count):
        "{count} lead will no longer be callable." / "{count} leads will no longer be callable." |
        "{count} Lead ist dann nicht mehr anrufbar." / "{count} Leads sind dann nicht mehr anrufbar.";
    were_deleted(count):
        "{count} was deleted." / "{count} were deleted." |
        "{count} wurde gelöscht." / "{count} wurden gelöscht.";
    open_recent_changes: "Recent bulk actions…" | "Letzte Sammelaktionen …";
    recent_changes: "Recent bulk actions" | "Letzte Sammelaktionen";
    recent_changes_hint: "You can undo these for 7 days. Later changes are kept."
        | "Sie können diese 7 Tage lang rückgängig machen. Spätere Änderungen bleiben erhalten.";
    no_recent_changes: "No bulk actions in the last 7 days." | "Keine Sammelaktionen in den letzten 7 Tagen.";
    freeze_until(when): "Freeze until {when}" | "Pausieren bis {when}";
    undo_change(set): "Undo: {set}" | "Rückgängig: {set}";
    changed(count): "{count} lead changed" / "{count} leads changed" | "{count} Lead geändert" / "{count} Leads geändert";
    leads_added(count): "{count} lead added" / "{count} leads added"
        | "{count} Lead hinzugefügt" / "{count} Leads hinzugefügt";
    /// With the total, if the action was cancelled or interrupted.
    changed_of_total(changed, all): "{changed} of {all} leads changed" |
        "{changed} von {all} Leads geändert";
    added_of_total(changed, all): "{changed} of {all} leads added" | "{changed} von {all} Leads hinzugefügt";
    changing: "Updating leads…" | "Leads werden geändert …";
    undoing_changes: "Undoing changes…" | "Änderungen werden rückgängig gemacht …";
    restored_of_total(restored, all): "{restored} of {all} leads restored" | "{restored} von {all} Leads wiederhergestellt";
    nothing_to_change: "Nothing to change" | "Nichts zu ändern";
    restored(count): "{count} lead restored" / "{count} leads restored"
        | "{count} Lead wiederhergestellt" / "{count} Leads wiederhergestellt";
    kept_with_later_changes(count):
        "{count} lead was changed later and not restored." / "{count} leads were changed later and not restored." |
        "{count} Lead wurde später geändert und nicht wiederhergestellt." / "{count} Leads wurden später geändert und nicht wiederhergestellt.";
}

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
