//! Password guesses from one source and from many, with a fake clock.

use std::net::Ipv4Addr;

use governor::clock::FakeRelativeClock;

use super::*;
use crate::config::Config;

const ACCOUNT: &str = "ann@example.com";

/// Creates counters with limits per minute for an account and an address, and their clock.
fn new_limiter(account: u32, address: u32) -> (LoginAttemptLimiter<FakeRelativeClock>, FakeRelativeClock) {
    let mut config = Config::default().login;
    (config.account_attempts, config.address_attempts) = (account, address);
    let clock = FakeRelativeClock::default();
    (LoginAttemptLimiter::new(&config, clock.clone()), clock)
}

fn address(number: u32) -> AttemptSource {
    AttemptSource::Unknown(Some(Ipv4Addr::from_bits(number).into()))
}

fn device(name: &str) -> AttemptSource {
    AttemptSource::Known(secrets::hash(name))
}

#[test]
fn limits_attempts_per_account_and_address() {
    let (limiter, _) = new_limiter(2, 3);
    assert_eq!(limiter.admit(ACCOUNT, address(1)), Ok(()));
    assert_eq!(limiter.admit(ACCOUNT, address(1)), Ok(()));
    let wait = limiter.admit(ACCOUNT, address(1)).expect_err("the limit per address applies").as_millis();
    assert!((29_000..=30_000).contains(&wait), "{wait}");
    assert_eq!(limiter.admit(ACCOUNT, address(2)), Ok(()));
    assert!(limiter.admit("bob@example.com", address(1)).is_err(), "the limit per address applies");
    assert_eq!(limiter.admit("bob@example.com", address(2)), Ok(()));
}

#[test]
fn limits_attempts_per_account_across_addresses() {
    let (limiter, _) = new_limiter(2, 30);
    let admitted = (0..1_000).filter(|number| limiter.admit(ACCOUNT, address(*number)).is_ok());
    assert_eq!(admitted.count(), 20);
    assert_eq!(limiter.admit("bob@example.com", address(1)), Ok(()), "other accounts are not affected");
}

#[test]
fn known_devices_have_separate_attempts() {
    let (limiter, _) = new_limiter(2, 3);
    for number in 0..1_000 {
        let _ = limiter.admit(ACCOUNT, address(number));
    }
    assert_eq!(limiter.admit(ACCOUNT, device("laptop")), Ok(()));
    assert_eq!(limiter.admit(ACCOUNT, device("laptop")), Ok(()));
    assert!(limiter.admit(ACCOUNT, device("laptop")).is_err(), "known devices are limited too");
    assert_eq!(limiter.admit(ACCOUNT, device("phone")), Ok(()));
    assert_eq!(limiter.admit("bob@example.com", device("laptop")), Ok(()), "each account has its own limit per device");
}

#[test]
fn known_devices_of_an_account_share_a_limit() {
    let (limiter, _) = new_limiter(2, 3);
    let admitted = (0..1_000).filter(|number| limiter.admit(ACCOUNT, device(&number.to_string())).is_ok());
    assert_eq!(admitted.count(), 20);
    assert_eq!(limiter.admit("bob@example.com", device("laptop")), Ok(()), "other accounts are not affected");
}

#[test]
fn unknown_devices_are_admitted_after_an_attack() {
    let (limiter, clock) = new_limiter(5, 30);
    // Ten minutes of guesses from many addresses, about a thousand a minute.
    for number in 0..10_000 {
        let _ = limiter.admit(ACCOUNT, address(number));
        clock.advance(Duration::from_millis(60));
    }
    let rejection = (20_000..20_100).find_map(|number| limiter.admit(ACCOUNT, address(number)).err());
    let wait = rejection.expect("all attempts are used up");
    assert!(wait <= Duration::from_secs(2), "{wait:?}");
    clock.advance(wait);
    assert_eq!(limiter.admit(ACCOUNT, address(29_000)), Ok(()));
    clock.advance(Duration::from_secs(60));
    let admitted = (0..100).filter(|number| limiter.admit(ACCOUNT, address(30_000 + number)).is_ok());
    assert_eq!(admitted.count(), 50, "attempts are available again after a minute");
}

#[test]
fn number_of_remembered_keys_is_bounded() {
    let (limiter, clock) = new_limiter(1, 1);
    for number in 0..50_000 {
        let _ = limiter.admit(&format!("{number}@example.com"), address(number));
        let _ = limiter.admit(ACCOUNT, address(1_000_000 + number));
        clock.advance(Duration::from_millis(60));
    }
    let key_counts = [limiter.by_account_and_address.len(), limiter.by_account.len(), limiter.by_address.len()];
    assert!(key_counts.iter().all(|key_count| *key_count <= MAX_REMEMBERED_KEYS + 1), "{key_counts:?}");
}

#[test]
fn addresses_of_an_ipv6_network_count_as_one() {
    let network = |text: &str| network(text.parse().expect("an address"));
    assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1"));
    assert_ne!(network("2001:db8:0:1::1"), network("2001:db8::1"));
    assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
}
