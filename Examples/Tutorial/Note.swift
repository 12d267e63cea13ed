/// A note, as the server and the local store have it.
struct Note: Codable, Identifiable, Hashable, Sendable {
  let id: String
  var text: String
  var isDone = false
}
