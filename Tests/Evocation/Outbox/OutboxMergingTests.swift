import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

/// A conflict that is settled property by property.
@Suite(.timeLimit(.minutes(30))) struct OutboxMergingTests {
  private typealias Conflict = Outbox.Conflict<Memo>

  /// What became of one property on each side.
  enum Change: CaseIterable {
    case none, mine, theirs, bothAlike, bothApart
  }

  private static let old = Memo(title: "old", color: "old")

  /// The values of a property with the app and with the remote.
  private func values(_ change: Change) -> (mine: String, theirs: String) {
    switch change {
    case .none: ("old", "old")
    case .mine: ("mine", "old")
    case .theirs: ("old", "theirs")
    case .bothAlike: ("new", "new")
    case .bothApart: ("mine", "theirs")
    }
  }

  /// What is to become of it; nil where nobody can say.
  private func wanted(_ change: Change, _ side: Outbox.Side?) -> String? {
    switch (change, side) {
    case (.none, _): "old"
    case (.mine, _): "mine"
    case (.theirs, _): "theirs"
    case (.bothAlike, _): "new"
    case (.bothApart, .mine): "mine"
    case (.bothApart, .theirs): "theirs"
    case (.bothApart, nil): nil
    }
  }

  @Test(arguments: Change.allCases, Change.allCases)
  func `each property is taken from the side that alone has changed it`(
    title: Change, color: Change
  ) throws {
    for side in [nil, Outbox.Side.mine, .theirs] {
      let (titles, colors) = (values(title), values(color))
      let (mine, theirs) = (
        Memo(title: titles.mine, color: colors.mine),
        Memo(title: titles.theirs, color: colors.theirs)
      )
      let resolution = try Outbox.Resolution.mergedByFields(
        Conflict(kind: .update, base: Self.old, mine: mine, theirs: theirs), preferring: side)
      let found: Memo? =
        switch resolution {
        case .mine: mine
        case .theirs: theirs
        case .merged(let memo): memo
        case .park: nil
        }
      let merged = wanted(title, side).flatMap { title in
        wanted(color, side).map { Memo(title: title, color: $0) }
      }
      #expect(found == merged, "\(title), \(color), \(String(describing: side))")
    }
  }

  @Test func `what became nil on one side becomes nil, and what both added goes by preference`()
    throws
  {
    struct Page: Codable, Identifiable, Sendable, Hashable {
      var id = 1
      var text: String?
      var tags: [String] = []
    }
    let base = Page(text: "a", tags: ["x"])
    let conflict = Outbox.Conflict(
      kind: .update, base: base, mine: Page(text: nil, tags: ["x"]),
      theirs: Page(text: "a", tags: ["x", "y"]))
    guard case .merged(let page) = try Outbox.Resolution.mergedByFields(conflict) else {
      Issue.record("It was not merged.")
      return
    }
    #expect(page == Page(text: nil, tags: ["x", "y"]))
    let added = Outbox.Conflict(
      kind: .store, base: nil, mine: Page(text: "mine"), theirs: Page(text: "theirs"))
    guard case .park = try Outbox.Resolution.mergedByFields(added),
      case .theirs = try Outbox.Resolution.mergedByFields(added, preferring: .theirs),
      case .mine = try Outbox.Resolution.mergedByFields(added, preferring: .mine)
    else {
      Issue.record("What both have added was not settled by preference.")
      return
    }
  }

  @Test(arguments: [nil, Outbox.Side.mine, .theirs])
  func `where one side has removed the model, the preferred side counts`(
    side: Outbox.Side?
  ) throws {
    for conflict in [
      Conflict(kind: .remove, base: Self.old, mine: Self.old, theirs: Memo(title: "theirs")),
      Conflict(kind: .update, base: Self.old, mine: Memo(title: "mine"), theirs: nil),
    ] {
      switch (try Outbox.Resolution.mergedByFields(conflict, preferring: side), side) {
      case (.park, nil), (.mine, .mine), (.theirs, .theirs): break
      case (let resolution, _): Issue.record("It gave \(resolution).")
      }
    }
  }

  @Test(arguments: Outbox.ConflictDetection.allCases)
  func `what others wrote is found out as it was said, and by nothing is overwritten`(
    detection: Outbox.ConflictDetection
  ) async throws {
    let service = ScriptedService([Memo(title: "old")])
    let local = InMemoryRepository([Memo(title: "old")])
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst).conflicts(detectedBy: detection) { try .mergedByFields($0) }
    _ = await evocation.updateOne(Memo(title: "mine"))
    _ = try await service.models.update([Memo(title: "old", color: "theirs")])
    #expect(await evocation.outbox.flush().left == 0)
    let color = detection == .automatic ? "theirs" : Memo().color
    #expect(try await service.all == [Memo(title: "mine", color: color)])
  }
}
