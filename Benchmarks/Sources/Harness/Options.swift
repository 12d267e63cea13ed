/// What the command line asks for.
package struct Options: Sendable {
  /// Only cases whose name, or whose suite's name, this regular expression fits.
  var filter: String?

  /// How many rounds count; one more is run before them.
  var rounds = 31

  /// Whether JSON lines are printed in place of tables.
  var printsJSON = false

  /// How it is to be written.
  package static let usage = "usage: benchmarks [--filter pattern] [--rounds number] [--json]"

  /// Reads the arguments, or gives nil when they are not as the usage says.
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
