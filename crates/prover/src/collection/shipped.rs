//! The collections that come with the program, one problem a line.

/// Names and texts; the number is that of plies.
pub const SHIPPED: [(&str, &str); 4] = [
    ("berkeley-3", include_str!("../../../../collections/berkeley-3.jsonl")),
    ("berkeley-5", include_str!("../../../../collections/berkeley-5.jsonl")),
    ("berkeley-7", include_str!("../../../../collections/berkeley-7.jsonl")),
    ("berkeley-9", include_str!("../../../../collections/berkeley-9.jsonl")),
];
