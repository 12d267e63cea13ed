extension ModelSchema {
  /// Returns up to three keys that the caller may have meant, the likeliest first.
  ///
  /// A key is likely if at most a third of the characters differ, or if one name is the beginning
  /// of the other. Capitals do not matter.
  package func nearest(to name: String) -> [String] {
    let wanted = Array(name.lowercased())
    let likely = names(depth: 3).compactMap { candidate -> (name: String, distance: Int)? in
      let (wanted, letters) = Self.withoutOwner(wanted, Array(candidate.lowercased()))
      let distance = Self.distance(wanted, letters)
      if distance <= max(1, max(wanted.count, letters.count) / 3) { return (candidate, distance) }
      let shorter = min(wanted.count, letters.count)
      guard shorter > 1, wanted.starts(with: letters) || letters.starts(with: wanted) else {
        return nil
      }
      return (candidate, distance)
    }
    return likely.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(3).map(\.element.name)
  }

  private func names(depth: Int) -> [String] {
    properties.flatMap { property -> [String] in
      guard depth > 1, case .object(let schema) = property.kind else { return [property.name] }
      return [property.name] + schema.names(depth: depth - 1).map { "\(property.name).\($0)" }
    }
  }

  /// Removes the common part up to the last dots, which says nothing about the intended name.
  private static func withoutOwner(
    _ left: [Character], _ right: [Character]
  ) -> ([Character], [Character]) {
    guard let end = left.lastIndex(of: "."), right.lastIndex(of: ".") == end,
      left[...end] == right[...end]
    else { return (left, right) }
    return (Array(left[(end + 1)...]), Array(right[(end + 1)...]))
  }

  /// Returns how many characters have to be added, removed, replaced or swapped with the next one.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var older: [Int] = []
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var next = [index + 1]
      for (column, other) in right.enumerated() {
        var least = min(
          row[column + 1] + 1, next[column] + 1, row[column] + (letter == other ? 0 : 1)
        )
        if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
          least = min(least, older[column - 1] + 1)
        }
        next.append(least)
      }
      (older, row) = (row, next)
    }
    return row[right.count]
  }
}
