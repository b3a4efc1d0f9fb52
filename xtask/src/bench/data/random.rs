//! Random values of the data set.

/// SplitMix64 generator.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `n - 1`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Returns a random element of `values`.
    pub fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// Integer weights, sampled by binary search on the running sum.
pub struct Weights(Vec<u64>);

impl Weights {
    /// Each index is picked in proportion to its weight.
    pub fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let running_sum = |sum: &mut u64, weight| {
            *sum += weight;
            Some(*sum)
        };
        Self(weights.into_iter().scan(0, running_sum).collect())
    }

    /// Weights for `n` items, the k-th in proportion to 1 / (k + shift).
    pub fn zipf(n: u64, shift: u64) -> Self {
        Self::new((1..=n).map(|k| 1_000_000_000 / (k + shift)))
    }

    /// Returns a random index.
    pub fn pick(&self, random: &mut Random) -> usize {
        let sum = *self.0.last().expect("there are weights");
        let position = random.below(sum);
        self.0.partition_point(|&running_sum| running_sum <= position)
    }
}
