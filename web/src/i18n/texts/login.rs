//! Texts of the login page and of missing pages.

super::texts! {
    log_in: "Log in" | "Anmelden";
    title: "Log in to Leadscribe" | "Bei Leadscribe anmelden";
    tagline: "Your call center's leads, calls and transcripts." | "Leads, Anrufe und Transkripte Ihres Callcenters.";
    log_in_again: "Log in again" | "Erneut anmelden";
    session_expired_text: "Your session has expired. Your input is kept."
        | "Ihre Sitzung ist abgelaufen. Ihre Eingaben bleiben erhalten.";
    log_out_instead: "Log out instead" | "Stattdessen abmelden";
    invalid_credentials: "Incorrect email or password" | "E-Mail oder Passwort falsch";
    invalid_credentials_hint:
        "Check both, including uppercase letters. After several failed attempts, you'll have to wait." |
        "Prüfen Sie beides, auch Groß- und Kleinschreibung. Nach mehreren Fehlversuchen müssen Sie warten.";
    too_many_attempts: "Too many attempts" | "Zu viele Versuche";

    page_not_found: "Page not found" | "Seite nicht gefunden";
    page_not_found_text: "Check the address. The page may have been removed."
        | "Prüfen Sie die Adresse. Vielleicht wurde die Seite entfernt.";
    go_to_home_page: "Go to home page" | "Zur Startseite";

    page_load_failed: "This page couldn't be loaded." | "Diese Seite konnte nicht geladen werden.";
    page_load_failed_text: "The server isn't responding, or it was just updated."
        | "Der Server antwortet nicht oder wurde gerade aktualisiert.";
    reload: "Reload" | "Neu laden";
}
