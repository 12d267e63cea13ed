import EvocationSQLite

/// The user's last place in the list, where the next start begins.
struct Bookmark: Codable, Identifiable, Hashable, Sendable {
  var id = 1
  var selected = 0
  var search = ""
}
