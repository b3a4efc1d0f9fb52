//! Texts of the log-in page and of missing pages.

super::texts! {
    log_in: "Log in" | "Anmelden";
    title: "Log in to Leadscribe" | "Bei Leadscribe anmelden";
    about: "Leads, calls and transcripts of your call centre." | "Leads, Anrufe und Transkripte Ihres Callcenters.";
    log_in_again: "Log in again" | "Wieder anmelden";
    page_stays: "Your session has ended. The page stays as it is, with all you have typed." | "Ihre Sitzung ist abgelaufen. Die Seite bleibt mit allem, was Sie eingegeben haben, wie sie ist.";
    log_out_instead: "Log out instead" | "Stattdessen abmelden";
    email: "E-mail" | "E-Mail";
    password: "Password" | "Passwort";
    wrong: "E-mail or password is wrong" | "E-Mail oder Passwort ist falsch";
    wrong_advice:
        "Check both, capital letters too. After several tries in a row there is a wait."
        | "Prüfen Sie beides, auch Groß- und Kleinschreibung. Nach mehreren Versuchen hintereinander gibt es eine Wartezeit.";
    too_many: "Too many attempts" | "Zu viele Versuche";

    no_page: "No such page" | "Keine solche Seite";
    no_page_title: "There is no such page" | "Diese Seite gibt es nicht";
    no_page_text:
        "The address may be mistyped, or what stood here is gone."
        | "Vielleicht ist die Adresse vertippt, oder was hier stand, gibt es nicht mehr.";
    first_page: "Go to the first page" | "Zur ersten Seite";

    part_missing: "This page could not be loaded." | "Diese Seite konnte nicht geladen werden.";
    part_missing_text:
        "The server does not answer, or it was brought up to date meanwhile."
        | "Der Server antwortet nicht, oder er wurde inzwischen aktualisiert.";
    load_again: "Load again" | "Neu laden";
}
