//! Reading a decimal number such as `0.5`.
//!
//! `f64::from_str` reads every number there is, and for that brings tables of 14 KB that do not
//! compress into the page. What people write here has a few digits, and those are read exactly
//! with one division.

/// More digits than this are not read: beyond it one division would not be exact.
const DIGITS: usize = 15;

/// The number, if `text` is digits with at most one dot among them.
pub fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.len() + fraction.len();
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits == 0 || digits > DIGITS || !plain(whole) || !plain(fraction) {
        return None;
    }
    let add = |number: u64, byte: u8| number * 10 + u64::from(byte - b'0');
    let number = whole.bytes().chain(fraction.bytes()).fold(0, add);
    let scale = 10_u64.pow(fraction.len() as u32);
    Some(number as f64 / scale as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_same_as_the_library() {
        let texts = [
            "0",
            "7",
            "0.5",
            "10",
            ".25",
            "3.",
            "0.1",
            "0.3",
            "1000.0",
            "0.01",
            "123456.789",
            "0.000000001",
            "99999999999999.9",
        ];
        for text in texts {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for tenth in 0..10_000 {
            let text = format!("{}", f64::from(tenth) / 100.0);
            assert_eq!(decimal(&text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_plain() {
        for text in [
            "",
            ".",
            "-1",
            "+1",
            "1e3",
            "1.2.3",
            " 1",
            "inf",
            "NaN",
            "1234567890123456",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
