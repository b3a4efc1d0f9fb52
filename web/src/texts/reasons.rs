//! Texts of the reasons why leads can't be called. The rules behind them are said by the engine.

super::texts! {
    campaign_inactive: "Campaign off" | "Kampagne aus";
    not_in_campaign: "In no campaign" | "In keiner Kampagne";
    frozen: "Frozen" | "Zurückgestellt";
    callback_scheduled: "Callback agreed" | "Rückruf vereinbart";
    outside_calling_hours: "Outside hours" | "Außerhalb der Zeiten";
    timezone_unknown: "Time zone unknown" | "Zeitzone unbekannt";
    do_not_call: "Do not call" | "Nicht anrufen";
    blacklisted: "Blacklisted" | "Auf der Sperrliste";
    attempt_limit: "Attempts used up" | "Versuche aufgebraucht";
    daily_limit: "Daily limit" | "Tagesgrenze";
    status_not_dialable: "Status not dialable" | "Status nicht anrufbar";
    no_phone: "No phone" | "Kein Telefon";
    invalid_phone: "Phone invalid" | "Telefon ungültig";

    /// The rule as a sentence, and when time cures it.
    until(rule, moment): "{rule} Until {moment}." | "{rule} Bis {moment}.";
}
