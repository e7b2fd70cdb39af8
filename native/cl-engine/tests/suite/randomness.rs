//! Randomness of signatures stays fresh where one of its sources repeats, and even.

use cl_engine::random;

fn expanded(own: &[u8], fresh: &[u8], hedge: &[&[u8]]) -> [u8; 341] {
    let mut out = [0u8; 341];
    random::expand(&mut out, own, fresh, hedge);
    out
}

#[test]
fn a_repeated_source_does_not_repeat_what_is_drawn() {
    let (own, fresh) = ([1u8; 64], [2u8; 64]);
    let first = expanded(&own, &fresh, &[]);
    assert_eq!(first, expanded(&own, &fresh, &[]));
    assert_ne!(first, expanded(&own, &[3; 64], &[]), "the process was copied");
    assert_ne!(first, expanded(&[3; 64], &fresh, &[]), "the system repeats");
}

#[test]
fn what_is_signed_separates_draws_whose_sources_all_repeat() {
    let draw = |hedge: &[&[u8]]| expanded(&[1; 64], &[2; 64], hedge);
    let draws = [draw(&[]), draw(&[b"q", b"nonce"]), draw(&[b"q", b"other"]), draw(&[b"qn", b"once"]), draw(&[b"other", b"nonce"])];
    for (index, one) in draws.iter().enumerate() {
        assert!(draws[..index].iter().all(|other| other[..64] != one[..64]));
    }
}

#[test]
fn every_bit_is_set_half_of_the_time() {
    const DRAWS: u32 = 4_000;
    let mut set = [0u32; 341 * 8];
    for _ in 0..DRAWS {
        let mut out = [0u8; 341];
        random::fill(&mut out, &[b"hedge"]).unwrap();
        set.iter_mut().enumerate().for_each(|(bit, count)| *count += (out[bit / 8] >> (bit % 8) & 1) as u32);
    }
    // Seven standard deviations of 32 each.
    assert!(set.iter().all(|count| count.abs_diff(DRAWS / 2) < 7 * 32));
}
