//! Texts of the app shell: navigation, account menu, notifications.

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
}
