import Foundation

/// The figures of a suite as text.
struct Report {
  let suite: String
  let figures: [Figure]

  /// A table, with each bar beside its figure.
  var markdown: String {
    let head = [
      "", "## \(suite)", "",
      "| case | median | least – most | above the reference | ratio | bar | kept |",
      "|---|---:|---:|---:|---:|---:|---|",
    ]
    return (head + figures.map(row)).joined(separator: "\n")
  }

  /// One JSON object per case, each on its own line.
  var jsonLines: String {
    figures.map { figure in
      var fields: [String: Any] = [
        "suite": suite, "case": figure.name, "unit": figure.quantity.rawValue,
        "median": figure.median, "least": figure.least, "most": figure.most,
      ]
      fields["reference"] = figure.reference
      fields["difference"] = figure.difference
      fields["ratio"] = figure.ratio
      fields["bar"] = figure.bar == nil ? nil : bar(figure)
      fields["limit"] = figure.bar?.limit
      fields["judged"] = figure.judged
      fields["kept"] = figure.isWithinBar
      let data = try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
      return String(decoding: data ?? Data(), as: UTF8.self)
    }
    .joined(separator: "\n")
  }

  private func row(_ figure: Figure) -> String {
    let format = figure.quantity.format
    let cells = [
      figure.name, format(figure.median), "\(format(figure.least)) – \(format(figure.most))",
      figure.difference.map(format) ?? "", figure.ratio.map { String(format: "%.2f", $0) } ?? "",
      bar(figure), figure.isWithinBar.map { $0 ? "yes" : "**no**" } ?? "",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private func bar(_ figure: Figure) -> String {
    switch figure.bar {
    case .atMost(let limit): "≤ \(figure.quantity.format(limit))"
    case .above(let limit): "≤ \(figure.quantity.format(limit)) above"
    case .times(let limit): "≤ \(limit) ×"
    case .timesAtLeast(let limit): "≥ \(limit) ×"
    case nil: ""
    }
  }
}
