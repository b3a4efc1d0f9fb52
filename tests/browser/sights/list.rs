//! Pages in the order of the documents.

use super::Sight;
use super::Step::{Choose, Click, Fill, Run, See, Turn};

pub(super) const SIGHTS: [Sight; 36] = [
    Sight {
        name: "today",
        title: "Today",
        about: "Calls and transcriptions day by day, what waits and what failed, which leads can be called now and why \
                the others can't. Each figure leads to what it counts.",
        path: "/",
        ready: "[data-test=bar]",
        steps: &[See("[data-test=day]")],
    },
    Sight {
        name: "leads",
        title: "Leads",
        about: "Any field is a condition, in the form, with groups of any or all in one another, or as JSON, and the \
                filter is read out in plain English while it is written. A search narrows what it finds by part of a \
                name, number, e-mail or town, or by an ID. Columns are chosen and ordered, results exported; the address \
                says all of it, so that a link shows the same.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[],
    },
    Sight {
        name: "leads-selected",
        title: "Many leads at once",
        about: "Leads are selected across pages, or all that match; what is done to them is counted before, and can be \
                undone.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=select-lead]"), See("[data-test=selection]")],
    },
    Sight {
        name: "past-changes",
        title: "Recent changes of many leads",
        about: "What was done to many leads within the last week: by whom, how many it changed, and the way to undo it.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=look-back]"), See("[data-test=past-change]")],
    },
    Sight {
        name: "filter-fault",
        title: "A mistake in a filter",
        about: "The engine of the server runs in the page: a mistake is underlined at its character before anything is \
                sent, with what was expected and what would mend it.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[
            Turn(".filter-views button:last-child"),
            Turn(".filter[data-away=true] [data-test=fold-json]"),
            Fill("[data-test=filter-json]", "{\"country\":\"DE\",\"ctiy\":\"Köln\",\"limit\":\"50;0\"}"),
            See("[data-test=fault]"),
            // Other steps assume that the user has no stored preference.
            Run("localStorage.removeItem('filter-json-beside')"),
        ],
    },
    Sight {
        name: "leads-scroll",
        title: "All leads in one list",
        about: "Rows: All shows every lead that matches in one list to scroll through; the address keeps the row at the top.",
        path: "/leads?row=2000",
        ready: "[data-test=lead-scroll] [data-test=lead-row]",
        steps: &[],
    },
    Sight {
        name: "views",
        title: "Saved views",
        about: "What the list shows is saved under a name, for oneself or for all staff, and has an address of its own.",
        path: "/leads?filter={\"country\":[\"GB\",\"IE\"],\"calls_count\":{\"gte\":2},\"limit\":\"50;0\"}",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=views] summary"), See("[data-test=view-save-as]")],
    },
    Sight {
        name: "columns",
        title: "Columns",
        about: "Which fields the list of leads shows, and in which order. The address keeps the choice, and so does the \
                browser.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[Click("[data-test=choose-columns]"), See("[data-test=column]")],
    },
    Sight {
        name: "lead",
        title: "One lead",
        about: "All that is known of a lead, its calls and changes, and for each campaign why the lead can't be called: \
                every reason, until when it holds, and when the next call is possible.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[See("[data-test=reason]"), See("[data-test=call-row]")],
    },
    Sight {
        name: "lead-campaign",
        title: "A lead in a campaign",
        about: "What staff agree with a lead: its status in a campaign, when it is called back, by the clock of whoever \
                sits there, and who does it.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[Click("button[data-test=change-in-campaign]"), See("[data-test=in-status]")],
    },
    Sight {
        name: "lead-new",
        title: "A new lead",
        about: "Each field is checked by the engine while it is written.",
        path: "/leads/new",
        ready: "[data-test=lead-form]",
        steps: &[Fill("#lead-first_name", "Ann"), Fill("#lead-email", "ann@"), See("[data-test=fault]")],
    },
    Sight {
        name: "lead-edit",
        title: "Editing a lead",
        about: "Every field is checked by the engine while it is typed, and each fault stands at its field. What is \
                filled in is not lost unasked.",
        path: "/leads/927",
        ready: "[data-test=lead-campaign]",
        steps: &[
            Click("[data-test=edit-lead]"),
            See("[data-test=lead-form]"),
            Run("document.querySelector('[data-test=lead-form]').scrollIntoView()"),
        ],
    },
    Sight {
        name: "campaigns",
        title: "Campaigns",
        about: "All campaigns with how far they are: done, called, new.",
        path: "/campaigns",
        ready: "[data-test=progress] li",
        steps: &[],
    },
    Sight {
        name: "campaign",
        title: "One campaign",
        about: "Calling hours, attempts and freeze time, with how many leads a change makes callable before it is saved.",
        path: "/campaigns/5",
        ready: "[data-test=effect]",
        steps: &[Fill("[data-test=campaign-max-attempts]", "9"), See("[data-test=difference]")],
    },
    Sight {
        name: "campaign-new",
        title: "A new campaign",
        about: "A name is enough; everything else has a default that is shown. A name that is taken is told at its field.",
        path: "/campaigns/new",
        ready: "[data-test=campaign-name]",
        steps: &[],
    },
    Sight {
        name: "calls",
        title: "Calls",
        about: "Calls by state, campaign, agent and time. Recordings are seen and played in the list; what becomes of a \
                transcription shows by itself.",
        path: "/calls",
        ready: "[data-test=call-row]",
        steps: &[See("[data-test=preview] .is-drawn path")],
    },
    Sight {
        name: "send-calls",
        title: "Sending calls to speech recognition",
        about: "Selected calls are sent together. A dry run gives the verdict for each and the minutes in all before \
                anything is queued.",
        path: "/calls",
        ready: "[data-test=call-row]",
        steps: &[
            Click("[data-id='150'] [data-test=select-call]"),
            Click("[data-id='148'] [data-test=select-call]"),
            Click("[data-id='139'] [data-test=select-call]"),
            Click("[data-id='138'] [data-test=select-call]"),
            Click("[data-id='137'] [data-test=select-call]"),
            Click("[data-test=send]"),
            Choose("[data-test=send-token]", "1"),
            Choose("[data-test=send-language]", "en"),
            Click("[data-test=send-check]"),
            See("[data-test=outcome-row]"),
        ],
    },
    Sight {
        name: "call",
        title: "One call",
        about: "The recording beside its text, both sides apart, the word being spoken marked. A press on a word plays \
                from there; the text is searched and saved as WebVTT, SRT, text or JSON.",
        path: "/calls/141",
        ready: "[data-test=segment]",
        steps: &[
            See("[data-test=waveform] path"),
            // The audio plays, but is paused for the screenshot.
            Click("[data-test=toggle]"),
            Run("const audio = document.querySelector('audio');
                audio.playbackRate = 0;
                audio.currentTime = 10.2"),
            See(".is-spoken"),
        ],
    },
    Sight {
        name: "call-pending",
        title: "A call without text",
        about: "A call says why it has no text yet, and shows it as soon as it is there.",
        path: "/calls/148",
        ready: "[data-test=empty]",
        steps: &[See("[data-test=waveform] path")],
    },
    Sight {
        name: "transcripts",
        title: "Transcripts",
        about: "Words and phrases are searched in all transcripts; each passage leads to its second in the call. What is \
                found can be delivered to a callback.",
        path: "/transcripts?words=delivery+address",
        ready: "[data-test=passage]",
        steps: &[],
    },
    Sight {
        name: "deliver",
        title: "Delivering what was found",
        about: "All transcripts found go to an address, one request for each call. The body is a template of one's own; \
                what it becomes is shown while it is written.",
        path: "/transcripts?words=delivery+address",
        ready: "[data-test=passage]",
        steps: &[
            Click("[data-test=deliver]"),
            Fill("[data-test=callback-url]", "https://crm.example.com/hooks/transcripts"),
            See("[data-test=callback-preview]"),
        ],
    },
    Sight {
        name: "deliveries",
        title: "Deliveries",
        about: "Every transcript that was to be delivered, with its state and its attempts.",
        path: "/deliveries",
        ready: "[data-test=delivery-row]",
        steps: &[],
    },
    Sight {
        name: "delivery",
        title: "One delivery",
        about: "What each attempt came to and when the next one is. What was given up can be sent again.",
        path: "/deliveries/3",
        ready: "[data-test=attempt]",
        steps: &[],
    },
    Sight {
        name: "imports",
        title: "Imports",
        about: "A CSV file is dropped, goes in with its progress in sight, and every row that was refused says why; these \
                rows come as a file to mend and to import again.",
        path: "/imports",
        ready: "[data-test=import-row]",
        steps: &[Click("[data-test=import-row] .link-button"), See("[data-test=rejected-row]")],
    },
    Sight {
        name: "api",
        title: "API",
        about: "The reference of the HTTP API, made from the OpenAPI document. Every operation can be tried with one's \
                session or an API key, and copied as curl, JavaScript or Python.",
        path: "/api-reference?operation=post_leads",
        ready: "[data-test=send]",
        steps: &[],
    },
    Sight {
        name: "api-playground",
        title: "API: filter playground",
        about: "A filter, what it says in plain English, the request for it as code, and the first leads it finds.",
        path: "/api-reference?tab=playground",
        ready: "[data-test=apply]",
        steps: &[Click("[data-test=apply]"), See("[data-test=lead-row]")],
    },
    Sight {
        name: "settings-tokens",
        title: "Settings: speech tokens",
        about: "The credentials that own transcriptions: made, rotated without losing any, revoked, each with the secret \
                that signs its deliveries.",
        path: "/settings?tab=tokens",
        ready: "[data-test=token-row]",
        steps: &[],
    },
    Sight {
        name: "settings-keys",
        title: "Settings: API keys",
        about: "Keys of programs with their scopes, expiry and last use. A key is shown once.",
        path: "/settings?tab=keys",
        ready: "[data-test=key-row]",
        steps: &[],
    },
    Sight {
        name: "settings-staff",
        title: "Settings: staff",
        about: "Who may log in and with which role; a new role or password ends the sessions of whoever gets it, and so does a button beside them.",
        path: "/settings?tab=users",
        ready: "[data-test=user-row]",
        steps: &[],
    },
    Sight {
        name: "settings-statuses",
        title: "Settings: statuses",
        about: "The states of a lead in a campaign, in the order of all lists, and whether a lead with it may be called.",
        path: "/settings?tab=statuses",
        ready: "[data-test=status-row]",
        steps: &[],
    },
    Sight {
        name: "settings-endpoints",
        title: "Settings: callback endpoints",
        about: "Where transcripts were delivered to, with how many wait, arrived and failed; each leads to its deliveries.",
        path: "/settings?tab=endpoints",
        ready: "[data-test=endpoint-row]",
        steps: &[],
    },
    Sight {
        name: "settings-audit",
        title: "Settings: audit log",
        about: "Who did what to what and when, every reading of a transcript included.",
        path: "/settings?tab=audit",
        ready: "[data-test=audit-row]",
        steps: &[],
    },
    Sight {
        name: "settings-retention",
        title: "Settings: retention",
        about: "What is kept how long, what is gone then, and by which option the operator sets it.",
        path: "/settings?tab=retention",
        ready: "[data-test=retention]",
        steps: &[],
    },
    Sight {
        name: "settings-account",
        title: "Settings: your account",
        about: "Who one is logged in as, a new password, which ends all other sessions, and where one is logged in: each session to be ended by itself, or all but this one.",
        path: "/settings?tab=account",
        ready: "[data-test=change-password]",
        steps: &[],
    },
    Sight {
        name: "palette",
        title: "The command palette",
        about: "Ctrl K or ⌘ K: to any page, lead or call by a few letters, and whatever has a page can be done from here.",
        path: "/leads",
        ready: "[data-test=lead-row]",
        steps: &[
            Click("[data-test=open-palette]"),
            Fill("[data-test=palette-input]", "14"),
            See("[data-test=palette-option]"),
        ],
    },
    Sight {
        name: "not-found",
        title: "Not found",
        about: "An address that leads nowhere says so, and where to go on.",
        path: "/nowhere",
        ready: "[data-test=empty]",
        steps: &[],
    },
];
