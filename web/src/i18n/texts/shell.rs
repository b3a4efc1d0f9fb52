//! Texts of the app shell: navigation, account menu, notifications, command palette, shortcuts. Texts of the login page
//! and of missing pages.

super::texts! {
    today: "Today" | "Heute";
    leads: "Leads" | "Leads";
    campaigns: "Campaigns" | "Kampagnen";
    calls: "Calls" | "Anrufe";
    deliveries: "Deliveries" | "Zustellungen";
    imports: "Imports" | "Importe";
    api: "API" | "API";
    settings: "Settings" | "Einstellungen";

    main_navigation: "Main" | "Hauptnavigation";
    compact_navigation: "Main (compact)" | "Hauptnavigation (kompakt)";
    more: "More" | "Mehr";
    skip_to_content: "Skip to content" | "Zum Inhalt springen";

    account_and_theme: "Account and theme: " | "Konto und Darstellung: ";
    log_out: "Log out" | "Abmelden";
    theme: "Theme" | "Darstellung";
    theme_system: "System" | "System";
    theme_light: "Light" | "Hell";
    theme_dark: "Dark" | "Dunkel";
    language: "Language" | "Sprache";
    no_connection: "No connection. Retrying…" | "Keine Verbindung. Neuer Versuch läuft …";
    notifications: "Notifications" | "Benachrichtigungen";

    log_in: "Log in" | "Anmelden";
    title: "Log in to Leadscribe" | "Bei Leadscribe anmelden";
    tagline: "Your call center's leads, calls and transcripts." | "Leads, Anrufe und Transkripte Ihres Callcenters.";
    log_in_again: "Log in again" | "Erneut anmelden";
    session_expired_text: "Your session has expired. Your input is kept."
        | "Ihre Sitzung ist abgelaufen. Ihre Eingaben bleiben erhalten.";
    log_out_instead: "Log out instead" | "Stattdessen abmelden";
    invalid_credentials: "Incorrect email or password" | "E-Mail oder Passwort falsch";
    invalid_credentials_hint:
        "Passwords are case-sensitive. Too many attempts will lock login for a short time." |
        "Achten Sie auf Groß- und Kleinschreibung. Nach zu vielen Versuchen ist die Anmeldung kurze Zeit gesperrt.";
    too_many_attempts: "Too many attempts" | "Zu viele Versuche";

    page_not_found: "Page not found" | "Seite nicht gefunden";
    page_not_found_text: "Check the address. The page may have been removed."
        | "Prüfen Sie die Adresse. Vielleicht wurde die Seite entfernt.";
    go_to_home_page: "Go to home page" | "Zur Startseite";

    page_load_failed: "This page couldn't be loaded." | "Diese Seite konnte nicht geladen werden.";
    page_load_failed_text: "The server isn't responding, or it was just updated."
        | "Der Server antwortet nicht oder wurde gerade aktualisiert.";
    reload: "Reload" | "Neu laden";

    button_title: "Search or jump to…" | "Suchen oder öffnen …";
    button: "Search…" | "Suchen …";
    search_or_jump: "Search or jump to" | "Suchen oder öffnen";
    placeholder: "Page, name, number or ID…" | "Seite, Name, Nummer oder ID …";
    closes: " to close" | " zum Schließen";
    list: "Results" | "Ergebnisse";
    choose: " select" | " auswählen";
    open: " open" | " öffnen";
    searching: "Searching…" | "Wird gesucht …";
    no_results: "No results" | "Keine Ergebnisse";
    entries(count): "{count} result" / "{count} results" | "{count} Ergebnis" / "{count} Ergebnisse";

    on_this_page: "On this page" | "Auf dieser Seite";
    new_item: "new add" | "neu neuer neue neues hinzufügen erstellen";
    by_id: "By ID" | "Nach ID";

    // Synonyms for the content of a page, which the search finds too
    also_leads: "freeze unfreeze assign weight do not call filter"
        | "pausieren zuweisen Gewicht sperren nicht anrufen filtern";
    also_campaigns: "calling hours attempts freeze time" | "Anrufzeiten Versuche Pause";
    also_transcripts: "deliver" | "zustellen";
    also_tokens: "rotate revoke" | "erneuern widerrufen";
    also_keys: "revoke" | "widerrufen";
    also_german: "German" | "Deutsch";
    also_english: "English" | "Englisch";

    playground: "Filter playground" | "Filter ausprobieren";
    import_file_note: "Leads, calls, campaigns" | "Leads, Anrufe, Kampagnen";
    send_calls: "Send calls to speech recognition" | "Anrufe zur Spracherkennung senden";
    send_calls_note: "Select them first" | "Zuerst auswählen";
    light: "Light theme" | "Helle Darstellung";
    dark: "Dark theme" | "Dunkle Darstellung";
    system: "System theme" | "Darstellung des Systems";
    keys: "Keyboard shortcuts" | "Tastenkürzel";

    all_leads_found(count): "{count} matching lead" / "All {count} matching leads"
        | "{count} passender Lead" / "Alle {count} passenden Leads";
    transcripts_containing(typed): "Transcripts containing “{typed}”" | "Transkripte mit „{typed}“";
    calls_with(typed): "Calls with number, lead or agent “{typed}”" | "Anrufe mit Nummer, Lead oder Agent „{typed}“";

    all_keys: "All shortcuts" | "Alle Tastenkürzel";
    everywhere: "Everywhere" | "Überall";
    go_to: "Go to" | "Gehe zu";
    show_keys: "Show keyboard shortcuts" | "Tastenkürzel anzeigen";
    in_lists: "In lists" | "In Listen";
    adjacent_row: "Previous or next row" | "Vorherige oder nächste Zeile";
    first_or_last_row: "First or last row" | "Erste oder letzte Zeile";
    select: "Select row" | "Zeile auswählen";
    select_to: "Select range" | "Bereich auswählen";
    search_list: "Search the list" | "Liste durchsuchen";
    in_suggestions: "In suggestions" | "In Vorschlägen";
    key_accept: "Accept" | "Übernehmen";
    in_transcript: "In a transcript" | "In einem Transkript";
    seek: "Skip back or forward" | "Zurück- oder vorspringen";
    adjacent_segment: "Previous or next segment" | "Vorheriger oder nächster Abschnitt";
    find: "Search transcript" | "Transkript durchsuchen";
    in_palette: "In the command palette" | "In der Befehlspalette";
    key_choose: "Select" | "Auswählen";
    key_open: "Open" | "Öffnen";
    in_tabs: "In tabs" | "In Tabs";
    adjacent_tab: "Previous or next tab" | "Vorheriger oder nächster Tab";

    control_key: "Ctrl" | "Strg";
    home_key: "Home" | "Pos1";
    end_key: "End" | "Ende";
    shift_key: "Shift" | "Umschalt";
}
