//! Names, cities, time zones and phone numbers of the sample leads, by country.
//!
//! Phone numbers come from ranges that regulators reserve for fiction, if the country has them (US, CA, GB, DE, FR, AU, SE). In other
//! countries they are arbitrary valid numbers.

/// A country with the names of its people.
pub(super) struct Country {
    /// ISO 3166-1 alpha-2 code.
    pub code: &'static str,
    /// Number of leads relative to the other countries.
    pub share: u32,
    pub first_names: &'static [&'static str],
    pub last_names: &'static [&'static str],
    pub cities: &'static [City],
}

/// A city. `#` in a postal code or phone number stands for any digit.
pub(super) struct City {
    pub name: &'static str,
    pub state: Option<&'static str>,
    pub zip: &'static str,
    pub timezone: &'static str,
    pub lat: f64,
    pub lng: f64,
    pub phone: &'static str,
}

/// Street names for all countries.
pub(super) const STREETS: &[&str] = &[
    "Station Road",
    "High Street",
    "Park Avenue",
    "Church Lane",
    "Mill Road",
    "Harbour Street",
    "Garden Way",
    "Lake View",
    "Bridge Street",
    "Forest Drive",
    "Market Square",
    "Hill Crest",
    "School Lane",
    "River Walk",
    "Orchard Close",
];

macro_rules! countries {
    ($($code:literal $share:literal [$($first:literal)+] [$($last:literal)+] {
        $($city:literal $state:expr, $zip:literal $timezone:literal $lat:literal $lng:literal $phone:literal;)+
    })+) => {
        pub(super) const COUNTRIES: &[Country] = &[$(Country {
            code: $code,
            share: $share,
            first_names: &[$($first),+],
            last_names: &[$($last),+],
            cities: &[$(City {
                name: $city,
                state: $state,
                zip: $zip,
                timezone: $timezone,
                lat: $lat,
                lng: $lng,
                phone: $phone,
            }),+],
        }),+];
    };
}

countries! {
    "US" 30
    ["Mary" "James" "Patricia" "Robert" "Jennifer" "Michael" "Linda" "David" "Elizabeth" "William" "Aaliyah" "Diego"]
    ["Smith" "Johnson" "Williams" "Brown" "Jones" "Garcia" "Miller" "Davis" "Rodriguez" "Martinez" "Nguyen" "O'Brien"]
    {
        "New York" Some("NY"), "100##" "America/New_York" 40.71 -74.01 "+1 212 555 01##";
        "Boston" Some("MA"), "021##" "America/New_York" 42.36 -71.06 "+1 617 555 01##";
        "Miami" Some("FL"), "331##" "America/New_York" 25.76 -80.19 "+1 305 555 01##";
        "Chicago" Some("IL"), "606##" "America/Chicago" 41.88 -87.63 "+1 312 555 01##";
        "Dallas" Some("TX"), "752##" "America/Chicago" 32.78 -96.80 "+1 214 555 01##";
        "Denver" Some("CO"), "802##" "America/Denver" 39.74 -104.99 "+1 303 555 01##";
        "Phoenix" Some("AZ"), "850##" "America/Phoenix" 33.45 -112.07 "+1 602 555 01##";
        "Seattle" Some("WA"), "981##" "America/Los_Angeles" 47.61 -122.33 "+1 206 555 01##";
        "San Francisco" Some("CA"), "941##" "America/Los_Angeles" 37.77 -122.42 "+1 415 555 01##";
        "Anchorage" Some("AK"), "995##" "America/Anchorage" 61.22 -149.90 "+1 907 555 01##";
        "Honolulu" Some("HI"), "968##" "Pacific/Honolulu" 21.31 -157.86 "+1 808 555 01##";
    }
    "CA" 7
    ["Olivia" "Liam" "Chloé" "Noah" "Emma" "Jacques" "Sophie" "Ethan"]
    ["Tremblay" "Smith" "Roy" "MacDonald" "Gagnon" "Wilson" "Côté" "Campbell"]
    {
        "Toronto" Some("ON"), "M5V 2T6" "America/Toronto" 43.65 -79.38 "+1 416 555 01##";
        "Montréal" Some("QC"), "H2Y 1C6" "America/Toronto" 45.50 -73.57 "+1 514 555 01##";
        "Calgary" Some("AB"), "T2P 1J9" "America/Edmonton" 51.05 -114.07 "+1 403 555 01##";
        "Vancouver" Some("BC"), "V6B 1A1" "America/Vancouver" 49.28 -123.12 "+1 604 555 01##";
        "St. John's" Some("NL"), "A1C 5M2" "America/St_Johns" 47.56 -52.71 "+1 709 555 01##";
    }
    "GB" 14
    ["Oliver" "Amelia" "George" "Isla" "Harry" "Ava" "Arthur" "Freya" "Muhammad" "Grace"]
    ["Smith" "Jones" "Taylor" "Davies" "Evans" "Thomas" "Khan" "Wright" "Walker" "Patel"]
    {
        "London" None, "SW1A 1AA" "Europe/London" 51.51 -0.13 "+44 20 7946 0###";
        "Leeds" None, "LS1 4DY" "Europe/London" 53.80 -1.55 "+44 113 496 0###";
        "Birmingham" None, "B1 1BB" "Europe/London" 52.48 -1.89 "+44 121 496 0###";
        "Edinburgh" None, "EH1 1YZ" "Europe/London" 55.95 -3.19 "+44 131 496 0###";
        "Manchester" None, "M1 1AE" "Europe/London" 53.48 -2.24 "+44 161 496 0###";
    }
    "DE" 12
    ["Anna" "Lukas" "Lena" "Jonas" "Sophie" "Jürgen" "Käthe" "Felix" "Mia" "Björn"]
    ["Müller" "Schmidt" "Schneider" "Fischer" "Weber" "Groß" "Becker" "Schulz" "Köhler" "Yılmaz"]
    {
        "Berlin" Some("BE"), "10###" "Europe/Berlin" 52.52 13.40 "+49 30 23125###";
        "Hamburg" Some("HH"), "20###" "Europe/Berlin" 53.55 9.99 "+49 40 66969###";
        "München" Some("BY"), "80###" "Europe/Berlin" 48.14 11.58 "+49 89 99998###";
        "Köln" Some("NW"), "50###" "Europe/Berlin" 50.94 6.96 "+49 221 4710###";
        "Frankfurt am Main" Some("HE"), "60###" "Europe/Berlin" 50.11 8.68 "+49 69 90009###";
    }
    "FR" 8
    ["Camille" "Léa" "Hugo" "Chloé" "Gabriel" "Zoé" "François" "Inès"]
    ["Martin" "Bernard" "Dubois" "Lefèvre" "Moreau" "Benali" "Rousseau" "Noël"]
    {
        "Paris" None, "750##" "Europe/Paris" 48.86 2.35 "+33 1 99 00 ## ##";
        "Rennes" None, "35###" "Europe/Paris" 48.11 -1.68 "+33 2 61 91 ## ##";
        "Lyon" None, "690##" "Europe/Paris" 45.76 4.84 "+33 4 65 71 ## ##";
        "Bordeaux" None, "33###" "Europe/Paris" 44.84 -0.58 "+33 5 36 49 ## ##";
    }
    "ES" 6
    ["Lucía" "Hugo" "Ana" "Javier" "Begoña" "Iñigo" "Marta" "Pablo"]
    ["García" "Fernández" "López" "Muñoz" "Ibáñez" "Sánchez" "Peña" "Ruiz"]
    {
        "Madrid" None, "280##" "Europe/Madrid" 40.42 -3.70 "+34 912 555 ###";
        "Barcelona" None, "080##" "Europe/Madrid" 41.39 2.17 "+34 932 555 ###";
        "Las Palmas" None, "350##" "Atlantic/Canary" 28.12 -15.43 "+34 928 555 ###";
    }
    "IT" 5
    ["Giulia" "Leonardo" "Anna" "Alessandro" "Niccolò" "Chiara" "Matteo"]
    ["Rossi" "Russo" "Ferrari" "Esposito" "D'Angelo" "Conti" "Greco"]
    {
        "Roma" Some("RM"), "001##" "Europe/Rome" 41.90 12.50 "+39 06 5550 ####";
        "Milano" Some("MI"), "201##" "Europe/Rome" 45.46 9.19 "+39 02 5550 ####";
    }
    "PL" 5
    ["Anna" "Jan" "Małgorzata" "Łukasz" "Zofia" "Paweł" "Katarzyna"]
    ["Nowak" "Kowalski" "Wiśniewska" "Wójcik" "Kamiński" "Zieliński" "Szymańska"]
    {
        "Warszawa" None, "00-0##" "Europe/Warsaw" 52.23 21.01 "+48 22 555 ## ##";
        "Kraków" None, "30-0##" "Europe/Warsaw" 50.06 19.94 "+48 12 555 ## ##";
    }
    "SE" 3
    ["Astrid" "Lars" "Åsa" "Björn" "Ebba" "Göran"]
    ["Andersson" "Johansson" "Lindström" "Åkesson" "Öberg" "Nilsson"]
    {
        "Göteborg" None, "411 ##" "Europe/Stockholm" 57.71 11.97 "+46 31 390 06 ##";
        "Malmö" None, "211 ##" "Europe/Stockholm" 55.60 13.00 "+46 40 628 04 ##";
    }
    "AU" 6
    ["Charlotte" "Jack" "Matilda" "Cooper" "Ruby" "Lachlan" "Kirra"]
    ["Smith" "Jones" "Nguyen" "Kelly" "White" "Chen" "Murphy"]
    {
        "Sydney" Some("NSW"), "20##" "Australia/Sydney" -33.87 151.21 "+61 2 5550 ####";
        "Melbourne" Some("VIC"), "30##" "Australia/Melbourne" -37.81 144.96 "+61 3 5550 ####";
        "Brisbane" Some("QLD"), "40##" "Australia/Brisbane" -27.47 153.03 "+61 7 5550 ####";
        "Adelaide" Some("SA"), "50##" "Australia/Adelaide" -34.93 138.60 "+61 8 5550 ####";
        "Perth" Some("WA"), "60##" "Australia/Perth" -31.95 115.86 "+61 8 7010 ####";
    }
    "NZ" 2
    ["Aroha" "Nikau" "Isla" "Oliver" "Mia"]
    ["Wilson" "Tāne" "Brown" "Singh" "Walker"]
    { "Auckland" None, "10##" "Pacific/Auckland" -36.85 174.76 "+64 9 355 ####"; }
    "JP" 4
    ["陽葵" "蓮" "Yuki" "Haruto" "結衣" "Sakura"]
    ["佐藤" "鈴木" "Takahashi" "田中" "Watanabe" "伊藤"]
    {
        "Tokyo" Some("13"), "100-00##" "Asia/Tokyo" 35.68 139.69 "+81 3 5550 ####";
        "Osaka" Some("27"), "530-00##" "Asia/Tokyo" 34.69 135.50 "+81 6 5550 ####";
    }
    "IN" 5
    ["Aarav" "Priya" "Vihaan" "Ananya" "Rohan" "Lakshmi"]
    ["Sharma" "Patel" "Reddy" "Iyer" "Khan" "Das"]
    {
        "Mumbai" Some("MH"), "4000##" "Asia/Kolkata" 19.08 72.88 "+91 22 5550 ####";
        "Delhi" Some("DL"), "1100##" "Asia/Kolkata" 28.61 77.21 "+91 11 5550 ####";
    }
    "BR" 5
    ["Ana" "João" "Beatriz" "Mateus" "Conceição" "Luís"]
    ["Silva" "Souza" "Araújo" "Gonçalves" "Pereira" "Lima"]
    {
        "São Paulo" Some("SP"), "01310-###" "America/Sao_Paulo" -23.55 -46.63 "+55 11 5555 ####";
        "Manaus" Some("AM"), "69005-###" "America/Manaus" -3.12 -60.02 "+55 92 3555 ####";
    }
    "ZA" 3
    ["Thandi" "Sipho" "Johan" "Lerato" "Zanele"]
    ["Nkosi" "Botha" "van der Merwe" "Dlamini" "Naidoo"]
    {
        "Cape Town" Some("WC"), "80##" "Africa/Johannesburg" -33.92 18.42 "+27 21 555 ####";
        "Johannesburg" Some("GP"), "20##" "Africa/Johannesburg" -26.20 28.05 "+27 11 555 ####";
    }
}
