//! A number that stands for results: what goes in, in its order, decides it and nothing else does.

use std::fmt;

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): short, and the same on every machine and in every build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature(u64);

impl Default for Signature {
    fn default() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }
}

impl Signature {
    /// Takes in bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Takes in a text and where it ends.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.number(text.len() as u64);
    }

    /// Takes in a number.
    pub(crate) fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Takes in a number between 0 and some thousands, in steps so coarse that the last digits of a logarithm, which differ from
    /// machine to machine, do not matter.
    pub(crate) fn real(&mut self, number: f32) {
        self.number((f64::from(number) * 4096.0).round() as i64 as u64);
    }

    /// Takes in texts whose order says nothing.
    pub(crate) fn set(&mut self, texts: impl Iterator<Item = String>) {
        let (mut sum, mut count) = (0_u64, 0);
        for text in texts {
            let mut one = Signature::default();
            one.text(&text);
            sum = sum.wrapping_add(one.0);
            count += 1;
        }
        self.number(count);
        self.number(sum);
    }

    /// Takes in another signature.
    pub(crate) fn part(&mut self, part: Signature) {
        self.number(part.0);
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(work: impl FnOnce(&mut Signature)) -> String {
        let mut signature = Signature::default();
        work(&mut signature);
        signature.to_string()
    }

    #[test]
    fn order_and_ends_of_texts_count_and_the_order_of_a_set_does_not() {
        assert_eq!(of(|signature| signature.bytes(b"a")), "af63dc4c8601ec8c", "the published value");
        let texts = |texts: &[&str]| of(|signature| texts.iter().for_each(|text| signature.text(text)));
        assert_ne!(texts(&["ab", "c"]), texts(&["a", "bc"]));
        assert_ne!(texts(&["a", "b"]), texts(&["b", "a"]));
        let set = |texts: &[&str]| of(|signature| signature.set(texts.iter().map(|&text| text.to_owned())));
        assert_eq!(set(&["a", "b"]), set(&["b", "a"]));
        assert_ne!(set(&["a", "b"]), set(&["a", "c"]));
    }
}
