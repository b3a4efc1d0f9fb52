//! Times in the format of the data set and the workload.

use std::fmt;

const DAY_SECONDS: u64 = 86_400;

/// Seconds since 1970, displayed as `YYYY-MM-DD hh:mm:ss`.
#[derive(Clone, Copy)]
pub struct UnixTime(pub u64);

impl fmt::Display for UnixTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Days to a civil date, after Howard Hinnant's "chrono-compatible low-level date algorithms".
        let z = (self.0 / DAY_SECONDS) as i64 + 719_468;
        let era = z / 146_097;
        let day_of_era = z - era * 146_097;
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let second = self.0 % DAY_SECONDS;
        write!(f, "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
    }
}
