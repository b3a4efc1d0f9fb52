//! Texts of the Today page: activity, pending work and callable leads.

super::texts! {
    days_shown: "Days shown" | "Gezeigte Tage";
    days(count): "{count} day" / "{count} days" | "{count} Tag" / "{count} Tage";

    calls_today: "Calls today" | "Anrufe heute";
    in_days(calls, days): "{calls} in {days} days" | "{calls} in {days} Tagen";
    waiting_for_transcription: "Waiting for transcription" | "Warten auf Transkription";
    the_oldest_for(distance): "the oldest for {distance}" | "der älteste seit {distance}";
    nothing_queued: "nothing is queued" | "nichts in der Warteschlange";
    failed_transcriptions: "Failed transcriptions" | "Fehlgeschlagene Transkriptionen";
    not_sent_again: "not sent again since" | "seitdem nicht erneut gesendet";
    failed_deliveries: "Failed deliveries" | "Fehlgeschlagene Zustellungen";
    waiting(count): "{count} waiting" / "{count} waiting" | "{count} wartet" / "{count} warten";

    calls_per_day: "Calls per day" | "Anrufe pro Tag";
    transcriptions_per_day: "Transcriptions per day" | "Transkriptionen pro Tag";
    answered: "Answered" | "Angenommen";
    not_answered: "Not answered" | "Nicht angenommen";
    today: "Today" | "Heute";
    day: "Day" | "Tag";
    figures_as_table: "The figures as a table" | "Die Zahlen als Tabelle";
    figures_of(title): "{title}, figures" | "{title}, Zahlen";

    transcription_queue: "Transcription queue" | "Warteschlange der Transkription";
    deliveries: "Deliveries" | "Zustellungen";
    state: "State" | "Zustand";
    how_many: "How many" | "Anzahl";

    callable_by_campaign: "Callable now, by campaign" | "Jetzt anrufbar, nach Kampagne";
    campaign: "Campaign" | "Kampagne";
    leads: "Leads" | "Leads";
    none_active: "No campaign is active" | "Keine Kampagne ist aktiv";
    none_active_why:
        "Leads can be called once a campaign that has them is switched on." |
        "Leads sind anrufbar, sobald eine Kampagne mit ihnen eingeschaltet ist.";
    see_campaigns: "See the campaigns" | "Zu den Kampagnen";
    and_more(count):
        "and {count} campaign more" / "and {count} campaigns more" |
        "und {count} weitere Kampagne" / "und {count} weitere Kampagnen";
    why_not_callable: "Why leads can't be called now" | "Warum Leads jetzt nicht anrufbar sind";
    reason: "Reason" | "Grund";
    nothing_in_the_way: "Nothing stands in the way" | "Nichts steht im Weg";
    nothing_in_the_way_why: "No lead has a reason not to be called now." | "Kein Lead hat einen Grund, jetzt nicht angerufen zu werden.";
    counts_at_each:
        "A lead counts at each of its reasons, in whichever campaign." |
        "Ein Lead zählt bei jedem seiner Gründe, gleich in welcher Kampagne.";
    /// Before a time.
    as_of: "as of" | "Stand";

    /// After a number: the total.
    of(count): " of {count}" / " of {count}" | " von {count}" / " von {count}";
    not_counted: "not counted" | "nicht gezählt";
    not_counted_why: "Counting took too long" | "Das Zählen hat zu lange gedauert";
}
