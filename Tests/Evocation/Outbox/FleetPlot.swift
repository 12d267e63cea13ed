import Foundation

/// A report as a picture: what was asked for and what was taken, in requests a second.
///
/// The colours can be read on light and dark ground.
struct FleetPlot {
  let report: FleetReport
  let title: String

  private let width = 760.0
  private let height = 300.0
  private let left = 56.0
  private let top = 36.0

  /// The text of an SVG file.
  var svg: String {
    let seconds = Double(max(report.asked.count, 1))
    let most = 1.6 * report.capacity
    let x = { (second: Double) in left + second / seconds * width }
    let y = { (rate: Double) in top + height - min(rate, most) / most * height }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="840" height="400" viewBox="0 0 840 400" \
      role="img" font-family="system-ui, sans-serif" font-size="12" fill="#808890">
      <title>\(title)</title>
      <text x="\(number(left))" y="18" font-size="14">\(title)</text>
      \(rows(x, y).joined(separator: "\n"))
      \(columns(seconds, x).joined(separator: "\n"))
      <path fill="#2f9e6e" fill-opacity="0.45" stroke="none" d="\(area(x, y))"/>
      <path fill="none" stroke="#e07b39" stroke-width="1.2" d="\(line(x, y))"/>
      <line x1="\(number(left))" x2="\(number(left + width))" y1="\(number(y(report.capacity)))" \
      y2="\(number(y(report.capacity)))" stroke="#4a86e8" stroke-dasharray="6 4"/>
      \(legend)
      </svg>

      """
  }

  private func rows(_ x: (Double) -> Double, _ y: (Double) -> Double) -> [String] {
    stride(from: 0, through: 1.6, by: 0.4).map { share in
      let rate = share * report.capacity
      return """
        <line x1="\(number(left))" x2="\(number(left + width))" y1="\(number(y(rate)))" \
        y2="\(number(y(rate)))" stroke="#808890" stroke-opacity="0.25"/>\
        <text x="\(number(left - 6))" y="\(number(y(rate) + 4))" text-anchor="end">\
        \(Int(rate.rounded()))</text>
        """
    }
  }

  private func columns(_ seconds: Double, _ x: (Double) -> Double) -> [String] {
    let step = seconds > 600 ? 200.0 : 50.0
    return stride(from: 0, through: seconds, by: step).map { second in
      """
      <text x="\(number(x(second)))" y="\(number(top + height + 16))" text-anchor="middle">\
      \(Int(second))</text>
      """
    }
  }

  /// What was taken, as the mean of every five seconds.
  private func area(_ x: (Double) -> Double, _ y: (Double) -> Double) -> String {
    let count = report.taken.count
    let points = stride(from: 0, to: count, by: 5).map { start in
      let part = report.taken[start..<min(start + 5, count)]
      let mean = Double(part.reduce(0, +)) / Double(part.count)
      return "L\(number(x(Double(start) + Double(part.count) / 2))) \(number(y(mean)))"
    }
    return "M\(number(x(0))) \(number(y(0)))" + points.joined()
      + "L\(number(x(Double(count)))) \(number(y(0)))Z"
  }

  /// What was asked for in each second.
  private func line(_ x: (Double) -> Double, _ y: (Double) -> Double) -> String {
    let points = report.asked.enumerated().map { second, rate in
      "\(number(x(Double(second) + 0.5))) \(number(y(Double(rate))))"
    }
    return "M" + points.joined(separator: "L")
  }

  private var legend: String {
    let y = number(top + height + 48)
    let marks = [
      ("#e07b39", "asked for in each second"), ("#2f9e6e", "taken, mean of five seconds"),
      ("#4a86e8", "capacity"),
    ]
    let parts = marks.enumerated().map { index, mark in
      let x = left + Double(index) * 220
      return """
        <text x="\(number(x))" y="\(y)"><tspan fill="\(mark.0)">■</tspan> \(mark.1)</text>
        """
    }
    return parts.joined(separator: "\n") + """

      <text x="\(number(left + width / 2))" y="\(number(top + height + 32))" \
      text-anchor="middle">seconds since the return</text>
      <text transform="translate(14 \(number(top + height / 2))) rotate(-90)" \
      text-anchor="middle">requests a second</text>
      """
  }

  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
