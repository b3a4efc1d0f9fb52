//! Countries, as phone numbers know them.

/// The ISO 3166-1 alpha-2 codes of countries that have a calling code, and of three territories (AC, TA, XK) that have one too.
const CODES: &str = "\
    AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA \
    CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR \
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP \
    KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR \
    MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO \
    RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT \
    TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

/// The codes, by the alphabet.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.split_ascii_whitespace()
}

/// The code in upper case, when it is one of a country.
pub fn known(code: &str) -> Option<String> {
    codes().find(|known| known.eq_ignore_ascii_case(code)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_known_by_its_code() {
        assert_eq!(known("de").as_deref(), Some("DE"));
        assert_eq!(known("US").as_deref(), Some("US"));
        for unknown in ["Germany", "XX", "001", "", "DE AT", " "] {
            assert_eq!(known(unknown), None, "{unknown:?}");
        }
        assert!(codes().is_sorted());
    }
}
