import EvocationSQLite

/// Where the reader left off, so that the next start begins there.
struct Bookmark: Codable, Identifiable, Hashable, Sendable {
  var id = 1
  var selected = 0
  var search = ""
}
