//! What a plain word in YAML means: `on` is a boolean, `0x1F` a number, `hello` a string.
//!
//! Mirrors `resolve.go` of `sigs.k8s.io/yaml/goyaml.v2`: YAML 1.1, as Kubernetes reads it.

/// A plain scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Float,
    /// A string, but one that older readers take for something else: it is written in quotes.
    Doubtful,
    String,
}

/// The meaning of a plain scalar.
pub fn resolve(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => {
            return Scalar::Bool(true);
        }
        "false" | "False" | "FALSE" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            return Scalar::Bool(false);
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF"
        | ".nan" | ".NaN" | ".NAN" => return Scalar::Doubtful,
        _ => {}
    }
    if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        return Scalar::String;
    }
    if is_date(text) || is_sexagesimal(text) {
        return Scalar::Doubtful;
    }
    let plain: String = text.chars().filter(|&letter| letter != '_').collect();
    if let Some(number) = integer(&plain) {
        return Scalar::Int(number);
    }
    if is_decimal(&plain) {
        return Scalar::Float;
    }
    Scalar::String
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, &lower[2..]),
        Some("0b") => (2, &lower[2..]),
        Some("0o") => (8, &lower[2..]),
        Some(_) if lower.starts_with('0') => (8, &lower[1..]),
        _ => (10, &*lower),
    };
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return None;
    }
    let number = i128::from(u64::from_str_radix(digits, radix).ok()?);
    i64::try_from(if negative { -number } else { number }).ok()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_decimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            exponent.strip_prefix(['+', '-']).unwrap_or(exponent),
        ),
        None => (text, "0"),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole)
        && digits(part)
        && digits(exponent)
        && !exponent.is_empty()
        && !(whole.is_empty() && part.is_empty())
}

/// `2001-1-2`, alone or with hours, minutes and seconds.
fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    if time.is_some_and(|time| time.split(':').count() < 3) {
        return false;
    }
    let mut parts = date.split('-');
    let mut part = |least: usize, most: usize| {
        parts.next().is_some_and(|part| {
            (least..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    part(4, 4) && part(1, 2) && part(1, 2) && parts.next().is_none()
}

/// `1:30`: a number to the base of 60, once.
fn is_sexagesimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let mut seen = false;
    let sixty = parts.all(|part| {
        seen = true;
        let part = part.split('.').next().unwrap_or(part);
        matches!(part.as_bytes(), [b'0'..=b'5', b'0'..=b'9'] | [b'0'..=b'9'])
    });
    let digits = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    seen && sixty
        && first.starts_with(|first: char| first.is_ascii_digit())
        && first.bytes().all(digits)
}

/// The value of a scalar that stands without quotes. Only the reader of YAML asks for it.
#[cfg(feature = "yaml")]
pub fn value(text: &str) -> super::json::Value {
    use super::json::Value;
    match resolve(text) {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(number) => Value::number(number),
        Scalar::Float => match text.replace('_', "").parse::<f64>() {
            Ok(number) if number.is_finite() => Value::number(number),
            _ => Value::string(text),
        },
        Scalar::Doubtful | Scalar::String => Value::string(text),
    }
}
