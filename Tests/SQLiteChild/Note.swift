/// What the children store.
struct Note: Codable, Identifiable, Sendable {
  let id: Int
  let text: String
}
