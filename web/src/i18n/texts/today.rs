//! Texts of the Today page: activity, pending work and callable leads.

super::texts! {
    days_shown: "Period" | "Zeitraum";

    calls_today: "Calls today" | "Anrufe heute";
    calls_in_days(calls, days): "{calls} in {days} days" | "{calls} in {days} Tagen";
    waiting_for_transcription: "Waiting for transcription" | "Warten auf Transkription";
    oldest_age(distance): "oldest: {distance}" | "ältester: {distance}";
    queue_empty: "queue empty" | "Warteschlange leer";
    failed_transcriptions: "Failed transcriptions" | "Fehlgeschlagene Transkriptionen";
    not_retried: "not retried" | "noch nicht wiederholt";
    failed_deliveries: "Failed deliveries" | "Fehlgeschlagene Zustellungen";
    waiting(count): "{count} waiting" / "{count} waiting" | "{count} wartet" / "{count} warten";

    calls_per_day: "Calls per day" | "Anrufe pro Tag";
    transcriptions_per_day: "Transcriptions per day" | "Transkriptionen pro Tag";
    no_calls: "No calls in this period" | "Keine Anrufe in diesem Zeitraum";
    no_transcriptions: "No transcriptions in this period" | "Keine Transkriptionen in diesem Zeitraum";
    not_answered: "Not answered" | "Nicht angenommen";
    today: "Today" | "Heute";
    day: "Day" | "Tag";
    show_as_table: "Show as table" | "Als Tabelle anzeigen";
    table_title(title): "{title} (table)" | "{title} (Tabelle)";

    transcription_queue: "Transcription queue" | "Warteschlange der Transkription";

    callable_by_campaign: "Callable now, by campaign" | "Jetzt anrufbar, nach Kampagne";
    none_active: "No active campaigns" | "Keine aktiven Kampagnen";
    none_active_hint: "Activate a campaign to call its leads." | "Aktivieren Sie eine Kampagne, um ihre Leads anzurufen.";
    show_campaigns: "Show campaigns" | "Kampagnen anzeigen";
    and_more(count): "{count} more campaign" / "{count} more campaigns"
        | "{count} weitere Kampagne" / "{count} weitere Kampagnen";
    why_not_callable: "Why leads can't be called now" | "Warum Leads jetzt nicht anrufbar sind";
    all_callable: "All leads are callable" | "Alle Leads sind anrufbar";
    /// Before a time.
    updated_at_prefix: "as of" | "Stand";

    /// After a number: the total.
    of(count): " of {count}" / " of {count}" | " von {count}" / " von {count}";
    not_counted: "not counted" | "nicht gezählt";
    not_counted_hint: "Counting took too long" | "Das Zählen dauerte zu lange";
}
