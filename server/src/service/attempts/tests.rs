//! Password guesses from one source and from many, with a fake clock.

use std::net::Ipv4Addr;

use governor::clock::FakeRelativeClock;

use super::*;
use crate::config::Config;

const ANN: &str = "ann@example.com";

/// Creates counters with limits per minute for an account and an address, and their clock.
fn attempts(account: u32, address: u32) -> (Attempts<FakeRelativeClock>, FakeRelativeClock) {
    let mut config = Config::default().login;
    (config.account_attempts, config.address_attempts) = (account, address);
    let clock = FakeRelativeClock::default();
    (Attempts::new(&config, clock.clone()), clock)
}

fn address(number: u32) -> Source {
    Source::Unknown(Some(Ipv4Addr::from_bits(number).into()))
}

fn device(name: &str) -> Source {
    Source::Known(secrets::hash(name))
}

#[test]
fn limits_attempts_per_account_and_address() {
    let (attempts, _) = attempts(2, 3);
    assert_eq!(attempts.admit(ANN, address(1)), Ok(()));
    assert_eq!(attempts.admit(ANN, address(1)), Ok(()));
    let wait = attempts.admit(ANN, address(1)).expect_err("two are taken").as_millis();
    assert!((29_000..=30_000).contains(&wait), "{wait}");
    assert_eq!(attempts.admit(ANN, address(2)), Ok(()));
    assert!(attempts.admit("bob@example.com", address(1)).is_err(), "the address has had its three attempts");
    assert_eq!(attempts.admit("bob@example.com", address(2)), Ok(()));
}

#[test]
fn limits_attempts_per_account_across_addresses() {
    let (attempts, _) = attempts(2, 30);
    let taken = (0..1_000).filter(|number| attempts.admit(ANN, address(*number)).is_ok());
    assert_eq!(taken.count(), 20);
    assert_eq!(attempts.admit("bob@example.com", address(1)), Ok(()), "other accounts are not concerned");
}

#[test]
fn known_devices_have_separate_attempts() {
    let (attempts, _) = attempts(2, 3);
    for number in 0..1_000 {
        let _ = attempts.admit(ANN, address(number));
    }
    assert_eq!(attempts.admit(ANN, device("laptop")), Ok(()));
    assert_eq!(attempts.admit(ANN, device("laptop")), Ok(()));
    assert!(attempts.admit(ANN, device("laptop")).is_err(), "a device that was stolen guesses no faster");
    assert_eq!(attempts.admit(ANN, device("phone")), Ok(()));
    assert_eq!(attempts.admit("bob@example.com", device("laptop")), Ok(()), "each who uses it has their own");
}

#[test]
fn known_devices_of_an_account_share_a_limit() {
    let (attempts, _) = attempts(2, 3);
    let taken = (0..1_000).filter(|number| attempts.admit(ANN, device(&number.to_string())).is_ok());
    assert_eq!(taken.count(), 20);
    assert_eq!(attempts.admit("bob@example.com", device("laptop")), Ok(()), "other accounts are not concerned");
}

#[test]
fn unknown_devices_are_admitted_after_an_attack() {
    let (attempts, clock) = attempts(5, 30);
    // Ten minutes of guesses from many addresses, about a thousand a minute.
    for number in 0..10_000 {
        let _ = attempts.admit(ANN, address(number));
        clock.advance(Duration::from_millis(60));
    }
    let refused = (20_000..20_100).find_map(|number| attempts.admit(ANN, address(number)).err());
    let wait = refused.expect("the attempts of everywhere are used up");
    assert!(wait <= Duration::from_secs(2), "{wait:?}");
    clock.advance(wait);
    assert_eq!(attempts.admit(ANN, address(29_000)), Ok(()));
    clock.advance(Duration::from_secs(60));
    let taken = (0..100).filter(|number| attempts.admit(ANN, address(30_000 + number)).is_ok());
    assert_eq!(taken.count(), 50, "a minute later everything is as before");
}

#[test]
fn number_of_remembered_keys_is_bounded() {
    let (attempts, clock) = attempts(1, 1);
    for number in 0..50_000 {
        let _ = attempts.admit(&format!("{number}@example.com"), address(number));
        let _ = attempts.admit(ANN, address(1_000_000 + number));
        clock.advance(Duration::from_millis(60));
    }
    let kept = [attempts.accounts.len(), attempts.everywhere.len(), attempts.addresses.len()];
    assert!(kept.iter().all(|kept| *kept <= REMEMBERED + 1), "{kept:?}");
}

#[test]
fn addresses_of_an_ipv6_network_count_as_one() {
    let network = |text: &str| network(text.parse().expect("an address"));
    assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1"));
    assert_ne!(network("2001:db8:0:1::1"), network("2001:db8::1"));
    assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
}
