/// The options of the command line.
package struct Options: Sendable {
  /// A regular expression that selects cases by their name or their suite's name; nil for all.
  var filter: String?

  /// The number of rounds that count; one more runs before them.
  var rounds = 31

  /// Whether JSON lines are printed instead of tables.
  var printsJSON = false

  /// The usage of the command line.
  package static let usage = "usage: benchmarks [--filter pattern] [--rounds number] [--json]"

  /// Reads the arguments; returns nil if they do not follow the usage.
  package init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments).makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--json": printsJSON = true
      case "--filter":
        guard let pattern = rest.next() else { return nil }
        filter = pattern
      case "--rounds":
        guard let count = rest.next().flatMap(Int.init), count > 0 else { return nil }
        rounds = count
      default: return nil
      }
    }
  }
}
