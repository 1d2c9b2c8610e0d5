//! Columns.
//!
//! Mirrors Go's `text/tabwriter`: a cell that is followed by another is as wide as the widest of
//! those right above and below it.

/// How columns are set.
#[derive(Clone, Copy)]
pub struct Style {
    /// A cell is at least so wide.
    pub least: usize,
    /// Blanks after the widest.
    pub padding: usize,
}

/// As `kubectl get` (`k8s.io/cli-runtime/pkg/printers/tabwriter.go`).
pub const TABLE: Style = Style {
    least: 6,
    padding: 3,
};

/// As `kubectl describe` (`k8s.io/kubectl/pkg/describe/describe.go`).
pub const DESCRIPTION: Style = Style {
    least: 0,
    padding: 2,
};

/// The rows as lines.
pub fn align<T: AsRef<str>>(rows: &[Vec<T>], style: Style) -> Vec<String> {
    let mut lines = vec![String::new(); rows.len()];
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for column in 0..columns {
        let mut from = 0;
        while from < rows.len() {
            let together = rows[from..]
                .iter()
                .take_while(|row| row.len() > column + 1)
                .count();
            let block = from..from + together;
            let long = |cell: &str| cell.chars().count();
            let widest = rows[block.clone()]
                .iter()
                .map(|row| long(row[column].as_ref()))
                .max();
            let width = widest.map_or(0, |widest| (widest + style.padding).max(style.least));
            for row in block {
                let cell = rows[row][column].as_ref();
                lines[row].push_str(cell);
                lines[row].extend(std::iter::repeat_n(' ', width - long(cell)));
            }
            from += together;
            if let Some(last) = rows.get(from).and_then(|row| row.get(column)) {
                lines[from].push_str(last.as_ref());
            }
            from += 1;
        }
    }
    lines
}

/// The rows as lines, below others: a column is never narrower than it was. `widths` are those of all
/// columns but the last, and grow.
pub fn align_below<T: AsRef<str>>(
    rows: &[Vec<T>],
    style: Style,
    widths: &mut Vec<usize>,
) -> Vec<String> {
    let long = |cell: &T| cell.as_ref().chars().count();
    for row in rows {
        let last = row.len().saturating_sub(1);
        widths.resize(widths.len().max(last), style.least);
        for (width, cell) in widths.iter_mut().zip(&row[..last]) {
            *width = (*width).max(long(cell) + style.padding);
        }
    }
    let line = |row: &Vec<T>| {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line.push_str(cell.as_ref());
            if column + 1 < row.len() {
                line.extend(std::iter::repeat_n(' ', widths[column] - long(cell)));
            }
        }
        line
    };
    rows.iter().map(line).collect()
}
