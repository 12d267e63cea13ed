/// Cases that are run together, round by round, and can be compared.
package struct Suite: Sendable {
  /// The suite's name.
  package let name: String

  /// The cases, in the order of the table.
  let cases: [Case]

  /// Makes a suite.
  package init(_ name: String, _ cases: [Case]) {
    self.name = name
    self.cases = cases
  }

  /// The cases whose name, or whose suite's, contains the text, and those they are compared with.
  func cases(matching text: String?) -> [Case] {
    guard let text, !name.contains(text) else { return cases }
    let chosen = cases.filter { $0.name.contains(text) }
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
