//! Texts of the command palette and of the list of shortcuts.

super::texts! {
    button_title: "Search, go anywhere" | "Suchen, überallhin springen";
    button: "Search…" | "Suchen…";
    name: "Search or jump to" | "Suchen oder springen zu";
    placeholder: "A page, a name, a number, an id…" | "Seite, Name, Nummer, ID…";
    closes: " closes this" | " schließt dies";
    list: "Entries" | "Einträge";
    choose: " choose" | " wählen";
    open: " open" | " öffnen";
    searching: "Searching…" | "Wird gesucht…";
    nothing: "Nothing is called so." | "So heißt nichts.";
    entries(count): "{count} entry" / "{count} entries" | "{count} Eintrag" / "{count} Einträge";

    pages: "Pages" | "Seiten";
    deeds: "Do" | "Ausführen";
    on_this_page: "On this page" | "Auf dieser Seite";
    new_one: "new" | "neu neuer neue neues";
    by_id: "By id" | "Nach ID";

    // Synonyms for the content of a page, which the search finds too
    also_leads: "freeze unfreeze assign weight do not call filter" |
        "zurückstellen zuweisen Gewicht sperren nicht anrufen filtern";
    also_campaigns: "calling hours attempts freeze time" | "Anrufzeiten Versuche Zurückstellung";
    also_transcripts: "deliver" | "zustellen";
    also_tokens: "rotate revoke" | "erneuern widerrufen";
    also_keys: "revoke" | "widerrufen";
    also_german: "German" | "Deutsch";
    also_english: "English" | "Englisch";
    search: "Search" | "Suchen";

    playground: "Filter playground" | "Filter ausprobieren";
    add_lead: "Add a lead" | "Lead anlegen";
    create_campaign: "Create a campaign" | "Kampagne anlegen";
    import_file: "Import a file" | "Datei importieren";
    import_file_note: "Leads, calls, campaigns" | "Leads, Anrufe, Kampagnen";
    send_calls: "Send calls to speech recognition" | "Anrufe zur Spracherkennung senden";
    send_calls_note: "Choose them first" | "Zuerst auswählen";
    add_status: "Add a status" | "Status hinzufügen";
    add_user: "Add a member of staff" | "Benutzer hinzufügen";
    create_key: "Create an API key" | "API-Schlüssel erstellen";
    create_token: "Create a speech token" | "Sprach-Token erstellen";
    change_password: "Change your password" | "Passwort ändern";
    your_account: "Your account" | "Ihr Konto";
    light: "Light theme" | "Helle Darstellung";
    dark: "Dark theme" | "Dunkle Darstellung";
    system: "Theme of the system" | "Darstellung des Systems";
    keys: "Keyboard shortcuts" | "Tastenkürzel";

    lead(id): "Lead {id}" | "Lead {id}";
    call(id): "Call {id}" | "Anruf {id}";
    delivery(id): "Delivery {id}" | "Zustellung {id}";
    all_leads_found(count): "{count} lead that matches" / "All {count} leads that match"
        | "{count} Lead, der passt" / "Alle {count} Leads, die passen";
    transcripts_saying(typed): "Transcripts that say “{typed}”" | "Transkripte, in denen „{typed}“ vorkommt";
    calls_with(typed): "Calls with the number, lead or agent “{typed}”" | "Anrufe mit Nummer, Lead oder Agent „{typed}“";

    all_keys: "All shortcuts" | "Alle Tastenkürzel";
    everywhere: "Everywhere" | "Überall";
    go_to: "Go to" | "Gehe zu";
    jump: "Search or jump to anything" | "Suchen oder irgendwohin springen";
    show_keys: "Show these shortcuts" | "Diese Tastenkürzel zeigen";
    in_lists: "In lists" | "In Listen";
    row_beside: "The row above or below" | "Die Zeile darüber oder darunter";
    row_at_end: "The first or the last row" | "Die erste oder die letzte Zeile";
    select: "Select where rows can be selected" | "Auswählen, wo Zeilen auswählbar sind";
    select_to: "Select up to it" | "Bis hierher auswählen";
    select_none: "Select none" | "Auswahl aufheben";
    search_list: "Search the list" | "In der Liste suchen";
    in_suggestions: "In suggested values" | "In vorgeschlagenen Werten";
    key_take: "Take" | "Übernehmen";
    in_transcript: "In a transcript" | "In einem Transkript";
    play: "Play or pause" | "Abspielen oder anhalten";
    seek: "Back and forward by some seconds" | "Einige Sekunden zurück und vor";
    turns: "Next and previous turn" | "Nächster und voriger Redebeitrag";
    find: "Search in it" | "Darin suchen";
    in_palette: "In the palette" | "In der Palette";
    key_choose: "Choose" | "Wählen";
    key_open: "Open" | "Öffnen";
    in_tabs: "In tabs" | "In Reitern";
    tab_beside: "The tab beside" | "Der Reiter daneben";

    control_key: "Ctrl" | "Strg";
    home_key: "Home" | "Pos1";
    end_key: "End" | "Ende";
    shift_key: "Shift" | "Umschalt";
    space_key: "Space" | "Leertaste";
}
