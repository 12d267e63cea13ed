import Foundation

/// Cases that run together, round by round, and can be compared.
package struct Suite: Sendable {
  /// The suite's name.
  package let name: String

  /// The cases, in the order of the table.
  let cases: [Case]

  /// Creates a suite.
  package init(_ name: String, _ cases: [Case]) {
    self.name = name
    self.cases = cases
  }

  /// Returns the cases that the pattern matches by their name or the suite's, with their references.
  func cases(matching pattern: String?) -> [Case] {
    guard let pattern, !name.fits(pattern) else { return cases }
    let chosen = cases.filter { $0.name.fits(pattern) }
    let needed = Set(chosen.map(\.name) + chosen.compactMap(\.reference))
    return cases.filter { needed.contains($0.name) }
  }

  /// Takes a sample of every case in each round, after one round that does not count.
  func run(_ options: Options) async throws -> [Figure] {
    let cases = cases(matching: options.filter)
    var samples: [String: [Double]] = [:]
    for round in 0...options.rounds {
      for item in cases {
        let sample = try await item.sample()
        if round > 0 { samples[item.name, default: []].append(sample) }
      }
    }
    return cases.map { item in
      Figure(
        item, samples[item.name] ?? [], reference: item.reference.flatMap { samples[$0] }
      )
    }
  }
}

extension String {
  fileprivate func fits(_ pattern: String) -> Bool {
    range(of: pattern, options: .regularExpression) != nil
  }
}
