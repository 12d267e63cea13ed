import Evocation
import NotesModel
import Testing

/// What the badge says, of each status.
struct BadgeTests {
  @Test(
    arguments: [
      (.init(), nil), (.init(pause: .offline), "Offline"), (.init(pending: 2), "2 to be sent"),
      (.init(pending: 1, parked: 3, pause: .offline), "Offline · 1 to be sent · 3 refused"),
      (.init(pending: 1, pause: .authorization("401")), "Sign in to send · 1 to be sent"),
      (.init(pending: 1, pause: .byApp), "1 to be sent"),
    ] as [(Outbox.Status, String?)])
  func `The badge says what the server does not have, and why`(
    status: Outbox.Status, badge: String?
  ) {
    #expect(status.badge == badge)
  }
}
