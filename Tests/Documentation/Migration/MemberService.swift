import Evocation

/// A service that knows users, and can be down.
final class MemberService: Sendable {
  struct Page: Sendable {
    var members: [Member]
    var token: String?
  }

  private let isUp = Lock(true)

  func goDown() {
    isUp.withLock { $0 = false }
  }

  func goUp() {
    isUp.withLock { $0 = true }
  }

  func member(of user: Int) async throws -> Member {
    try answer()
    return Member(id: user, name: "user \(user)")
  }

  /// Gives two followers a page, of three.
  func followers(of user: Int, from token: String?) async throws -> Page {
    try answer()
    guard token == nil else { return Page(members: [Member(id: 3, name: "c")], token: nil) }
    return Page(
      members: [Member(id: 1, name: "a"), Member(id: 2, name: "b")], token: "after 2")
  }

  private func answer() throws {
    guard isUp.withLock({ $0 }) else { throw Offline() }
  }
}
