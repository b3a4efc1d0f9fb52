//! Where the values of the data set come from.

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to before `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Any of `all`.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Integer weights, picked by binary search on the running sum.
pub struct Weights(Vec<u64>);

impl Weights {
    /// Each place is picked in proportion to its weight.
    pub fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let running_sum = |sum: &mut u64, weight| {
            *sum += weight;
            Some(*sum)
        };
        Self(weights.into_iter().scan(0, running_sum).collect())
    }

    /// The k-th of `n` is picked in proportion to 1 / (k + shift).
    pub fn zipf(n: u64, shift: u64) -> Self {
        Self::new((1..=n).map(|k| 1_000_000_000 / (k + shift)))
    }

    /// A place.
    pub fn pick(&self, random: &mut Random) -> usize {
        let sum = *self.0.last().expect("there are weights");
        let at = random.below(sum);
        self.0.partition_point(|&upto| upto <= at)
    }
}
