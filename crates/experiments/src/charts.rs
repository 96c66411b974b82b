//! Line charts as SVG: every chart of a page, and the curves of measurements and matches.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// What the legend calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// How the horizontal axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero, evenly.
    Linear,
    /// By powers of ten, from the leftmost point, which must lie right of zero.
    Logarithmic,
}

const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(80, 80, 80),
];

/// A vertical stroke from `low` to `high`: the interval of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whisker {
    /// Where it stands.
    pub at: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Draws lines over common axes. `None` when there is nothing to draw, or nothing that the scale can show.
pub fn lines(
    title: &str,
    horizontal: &str,
    vertical: &str,
    scale: Scale,
    lines: &[ChartLine],
) -> Option<String> {
    lines_with_whiskers(title, horizontal, vertical, scale, lines, &[])
}

/// As [`lines`], the points of each line with their intervals in the line's colour. Values may be negative.
pub fn lines_with_whiskers(
    title: &str,
    horizontal: &str,
    vertical: &str,
    scale: Scale,
    lines: &[ChartLine],
    whiskers: &[Vec<Whisker>],
) -> Option<String> {
    let ends =
        whiskers.iter().flatten().flat_map(|whisker| [(whisker.at, whisker.low), (whisker.at, whisker.high)]);
    let ends: Vec<(f64, f64)> = ends.collect();
    let points = || lines.iter().flat_map(|line| &line.points).chain(&ends);
    let left = points().map(|point| point.0).fold(f64::NAN, f64::min);
    let right = points().map(|point| point.0).fold(f64::NAN, f64::max);
    let top = points().map(|point| point.1).fold(f64::NAN, f64::max);
    if right.is_nan() || top.is_nan() {
        return None;
    }
    let mut svg = String::new();
    let words = [title, horizontal, vertical];
    let bottom = points().map(|point| point.1).fold(0.0, f64::min) * 1.05;
    let height = bottom..top.max(1e-9) * 1.05;
    match scale {
        Scale::Linear => {
            let legend = SeriesLabelPosition::MiddleRight;
            draw(&mut svg, words, (lines, whiskers), 0.0..right.max(1.0), height, legend).ok()?;
        }
        Scale::Logarithmic if left > 0.0 => {
            // What was measured at one point stands in the middle: an axis of one point cannot be divided.
            let (left, right) = if left < right { (left, right) } else { (left / 2.0, right * 2.0) };
            let legend = SeriesLabelPosition::UpperLeft;
            draw(&mut svg, words, (lines, whiskers), (left..right).log_scale(), height, legend).ok()?;
        }
        Scale::Logarithmic => return None,
    }
    Some(svg)
}

fn draw<X>(
    svg: &mut String,
    [title, horizontal, vertical]: [&str; 3],
    (lines, whiskers): (&[ChartLine], &[Vec<Whisker>]),
    width: X,
    height: std::ops::Range<f64>,
    legend: SeriesLabelPosition,
) -> Result<(), Box<dyn std::error::Error>>
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
{
    let area = SVGBackend::with_string(svg, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(width, height)?;
    chart.configure_mesh().x_desc(horizontal).y_desc(vertical).light_line_style(WHITE).draw()?;
    for (index, line) in lines.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let points = line.points.iter().copied();
        // Once the colours are used up, dashes tell lines apart.
        if index < COLOURS.len() {
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        } else {
            chart
                .draw_series(DashedLineSeries::new(points, 6, 4, style))?
                .label(&line.name)
                .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 18, y)], 6, 4, style));
        }
    }
    for (index, whiskers) in whiskers.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(1);
        for whisker in whiskers {
            let stroke = vec![(whisker.at, whisker.low), (whisker.at, whisker.high)];
            chart.draw_series([PathElement::new(stroke, style)])?;
        }
        let points = lines.get(index).map_or(&[][..], |line| &line.points);
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, style.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(legend)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_an_svg_with_its_lines_and_names() {
        let line = ChartLine { name: "HS with White".to_owned(), points: vec![(1.0, 39.0), (2.0, 38.0)] };
        let svg = lines("Material", "move", "material", Scale::Linear, &[line]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("HS with White") && svg.contains("polyline"));
        assert!(lines("Nothing", "x", "y", Scale::Linear, &[]).is_none());
    }

    #[test]
    fn a_logarithmic_chart_begins_right_of_zero() {
        let line = |left| ChartLine { name: "dfs".to_owned(), points: vec![(left, 0.0), (1.0, 7.0)] };
        assert!(lines("Decided", "seconds", "problems", Scale::Logarithmic, &[line(0.001)]).is_some());
        assert!(lines("Decided", "seconds", "problems", Scale::Logarithmic, &[line(0.0)]).is_none());
    }
}
