//! `YYYY-MM-DD hh:mm:ss` to seconds since 1970 and back, after Howard Hinnant's "chrono-compatible low-level date
//! algorithms".

const DAY_SECONDS: u32 = 86_400;

/// Parses a time of the data set into seconds since 1970; returns `None` if it is invalid.
pub fn parse(text: &str) -> Option<u32> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let year = if month <= 2 { year - 1 } else { year };
    let era = year / 400;
    let year_of_era = year - era * 400;
    let month_from_march = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    u32::try_from(days * i64::from(DAY_SECONDS) + seconds).ok()
}

/// Appends a time in quotes.
pub fn put(out: &mut Vec<u8>, seconds: u32) {
    let days = i64::from(seconds / DAY_SECONDS) + 719_468;
    let second = seconds % DAY_SECONDS;
    let era = days / 146_097;
    let day_of_era = days - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
    let month = (if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 }) as u32;
    let year = (year_of_era + era * 400 + i64::from(month <= 2)) as u32;
    let two = |number: u32| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
    out.push(b'"');
    out.extend(two(year / 100));
    out.extend(two(year % 100));
    let rest = [(b'-', month), (b'-', day), (b' ', second / 3600), (b':', second / 60 % 60), (b':', second % 60)];
    for (separator, number) in rest {
        out.push(separator);
        out.extend(two(number));
    }
    out.push(b'"');
}
