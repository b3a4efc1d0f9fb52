//! Texts used by several pages and forms.

super::texts! {
    cancel: "Cancel" | "Abbrechen";
    close: "Close" | "Schließen";
    delete: "Delete" | "Löschen";
    dismiss: "Dismiss" | "Ausblenden";
    save: "Save" | "Speichern";
    undone: "Undone" | "Rückgängig gemacht";
    progress: "Progress" | "Fortschritt";
    /// Progress of a long task.
    progress_of_total(done, all): "{done} of {all}" | "{done} von {all}";
    undo: "Undo" | "Rückgängig";
    clear_selection: "Clear selection" | "Auswahl aufheben";
    clear_selection_keys: "Clear selection (Esc)" | "Auswahl aufheben (Esc)";
    invalid_filter: "Invalid filter" | "Ungültiger Filter";
    invalid_filter_hint: "Fix the highlighted fields or clear the filter."
        | "Korrigieren Sie die markierten Felder oder setzen Sie den Filter zurück.";
    try_again: "Try again" | "Erneut versuchen";
    loading: "Loading…" | "Wird geladen …";
    now: "now" | "jetzt";
    just_now: "just now" | "gerade eben";
    in_duration(duration): "in {duration}" | "in {duration}";
    duration_ago(duration): "{duration} ago" | "vor {duration}";
    copy: "Copy" | "Kopieren";
    copied: "Copied" | "Kopiert";
    copy_failed: "Couldn't copy. Select the text and copy it."
        | "Kopieren fehlgeschlagen. Bitte Text markieren und kopieren.";
    less_than_a_minute: "< 1 min" | "< 1 Min.";
    remove_filter_hint: "Remove a filter to see more." | "Entfernen Sie einen Filter, um mehr zu sehen.";
    status: "Status" | "Status";
    campaign: "Campaign" | "Kampagne";
    reason: "Reason" | "Grund";
    from: "From" | "Von";
    until: "To" | "Bis";
    days(count): "{count} day" / "{count} days" | "{count} Tag" / "{count} Tage";
    attempts: "Attempts" | "Versuche";
    ask_for_access: "Ask an administrator if you need access." | "Bitten Sie bei Bedarf einen Administrator um Zugriff.";
    search_transcripts: "Search transcripts" | "Transkripte durchsuchen";
    transcripts: "Transcripts" | "Transkripte";
    may_have_been_deleted: "It may have been deleted." | "Möglicherweise wurde sie gelöscht.";
    show_leads: "Show leads" | "Leads anzeigen";
    created: "Created" | "Angelegt";
    multiple_reasons_note: "Leads can have more than one reason." | "Ein Lead kann mehrere Gründe haben.";
    no_deliveries_hint: "Search transcripts and send the results to a webhook, or request deliveries through the API."
        | "Durchsuchen Sie Transkripte und senden Sie die Ergebnisse an einen Webhook, oder fordern Sie Zustellungen per API an.";
    delivery_number(id): "Delivery {id}" | "Zustellung {id}";
    any_token: "Token: all" | "Token: alle";
    search: "Search" | "Suchen";

    export: "Export" | "Export";
    csv: "CSV" | "CSV";
    csv_hint: "All results in this order, for spreadsheets."
        | "Alle Ergebnisse in dieser Reihenfolge, für Tabellenprogramme.";
    json_lines: "JSON Lines" | "JSON Lines";
    json_lines_hint: "All results as the API returns them, one per line."
        | "Alle Ergebnisse im Format der API, eines pro Zeile.";

    bashkir: "Bashkir" | "Baschkirisch";
    tibetan: "Tibetan" | "Tibetisch";

    nothing_on_page: "No results on this page" | "Keine Ergebnisse auf dieser Seite";
    past_end_of_list: "This page is past the end of the list." | "Diese Seite liegt hinter dem Ende der Liste.";
    to_first_page: "Go to first page" | "Zur ersten Seite";
    leads(count): "{count} lead" / "{count} leads" | "{count} Lead" / "{count} Leads";
    calls(count): "{count} call" / "{count} calls" | "{count} Anruf" / "{count} Anrufe";
    campaigns(count): "{count} campaign" / "{count} campaigns" | "{count} Kampagne" / "{count} Kampagnen";

    time: "Time" | "Zeit";
    lead: "Lead" | "Lead";
    call: "Call" | "Anruf";
    token: "Token" | "Token";
    duration: "Duration" | "Dauer";
    choose: "Choose…" | "Auswählen …";
    discard: "Discard" | "Verwerfen";
    done: "Done" | "Fertig";
    reset: "Reset" | "Zurücksetzen";
    edit: "Edit" | "Bearbeiten";
    add: "Add" | "Hinzufügen";
    remove: "Remove" | "Entfernen";
    yes: "Yes" | "Ja";
    no: "No" | "Nein";
    never: "Never" | "Nie";
    you: "You" | "Sie";
    actions: "Actions" | "Aktionen";
    columns: "Columns" | "Spalten";
    send: "Send" | "Senden";
    send_calls(count): "Send {count} call" / "Send {count} calls" | "{count} Anruf senden" / "{count} Anrufe senden";
    callable_now: "Callable now" | "Jetzt anrufbar";
    fix_highlighted_fields: "Fix the highlighted fields." | "Korrigieren Sie die markierten Felder.";
    selection_dropped: "The selection was cleared because the list changed." | "Die Auswahl wurde aufgehoben, weil sich die Liste geändert hat.";
    leads_found: "Leads found" | "Gefundene Leads";
    unsaved_changes: "Unsaved changes" | "Nicht gespeicherte Änderungen";
    any_status: "Status: all" | "Status: alle";
    body_template: "Body template" | "Inhaltsvorlage";
    api_request: "API request" | "API-Anfrage";
    call_number(id): "Call {id}" | "Anruf {id}";
    lead_number(id): "Lead {id}" | "Lead {id}";
    campaign_number(id): "Campaign {id}" | "Kampagne {id}";
    api_key_number(id): "API key {id}" | "API-Schlüssel {id}";
    custom_field_named(name): "Custom field “{name}”" | "Eigenes Feld „{name}“";
    custom_fields: "Custom fields" | "Eigene Felder";
    field: "Field" | "Feld";
    fields: "Fields" | "Felder";
    remove_item(value): "Remove {value}" | "{value} entfernen";
    discard_changes: "Discard changes" | "Änderungen verwerfen";
    create_lead: "Create lead" | "Lead anlegen";
    new_lead: "New lead" | "Neuer Lead";
    all_leads: "All leads" | "Alle Leads";
    play_or_pause: "Play or pause" | "Wiedergabe oder Pause";
    space_key: "Space" | "Leertaste";
    deleted(name): "Deleted “{name}”" | "„{name}“ gelöscht";
    saved(name): "Saved “{name}”" | "„{name}“ gespeichert";
    count: "Count" | "Anzahl";
    name: "Name" | "Name";
    transcript: "Transcript" | "Transkript";
    transcription: "Transcription" | "Transkription";
    import_file: "Import file" | "Datei importieren";
    recordings: "Recordings" | "Aufnahmen";
    send_again: "Send again" | "Erneut senden";
    no_calls: "No calls yet" | "Noch keine Anrufe";
    hours(hours): "{hours} h" | "{hours} Std.";
    minutes(minutes): "{minutes} min" | "{minutes} Min.";
    seconds(seconds): "{seconds} s" | "{seconds} Sek.";
    no_recording: "No recording" | "Keine Aufnahme";
    pages: "Pages" | "Seiten";
    delivered: "Delivered" | "Zugestellt";
    failed: "Failed" | "Fehlgeschlagen";
}

super::texts! {
    confirm_leave: "Leave without saving?" | "Ohne Speichern verlassen?";
    confirm_leave_text: "Your changes on this page will be lost." | "Ihre Änderungen auf dieser Seite gehen verloren.";
    confirm_discard: "Discard changes?" | "Änderungen verwerfen?";
    keep_editing: "Keep editing" | "Weiter bearbeiten";
    leave: "Leave without saving" | "Ohne Speichern verlassen";

    edit_conflict: "Someone else changed this" | "Jemand anderes hat dies geändert";
    /// A field and its value.
    field_is_now(field, value): "{field}: now {value}" | "{field}: jetzt {value}";
    save_anyway_hint: "“Save anyway” overwrites their change." | "„Trotzdem speichern“ überschreibt diese Änderung.";
    save_anyway: "Save anyway" | "Trotzdem speichern";

    /// For the time of a callback or the end of a freeze.
    time_in_past: "In the past, so it has no effect." | "Liegt in der Vergangenheit und hat keine Wirkung.";

    label: "Label" | "Bezeichnung";
    label_hint: "Shown in the panel." | "Wird in der Oberfläche angezeigt.";
    status_name_hint: "Used in files and the API: a–z, 0–9 and _. Can't be changed later."
        | "Für Dateien und API: a–z, 0–9 und _. Lässt sich später nicht ändern.";
    status_is_taken: "A status with this name already exists." | "Ein Status mit diesem Namen existiert bereits.";
    may_be_called: "Leads can be called" | "Leads dürfen angerufen werden";
    may_be_called_hint: " Leads with this status are callable unless another reason applies."
        | " Leads mit diesem Status sind anrufbar, sofern kein anderer Grund vorliegt.";
}
