import Evocation
import Foundation
import TestTraits
import Testing

/// The samples of the page for those who come from StoreFlowable.
@Suite(.patient) struct StoreFlowableMigrationTests {
  private let ledger = InMemoryFetchLedger()
  private let service = MemberService()
  private let store = MemberStore()

  @Test func `three faces are shown`() async throws {
    let board = Board()
    let members = CacheRepository(
      MemberSource(service: service, store: store), ledger: ledger)
    members.requirements = MemberSource.Requirements(user: 7)
    let task = Task {
      for await state in members.observe() {
        state.loadingState.doAction(
          onLoading: { member in board.show(member.map { "\($0.name) …" } ?? "…") },
          onCompleted: { member, _, _ in board.show(member.name) },
          onError: { error in board.show("No member: \(error)") })
      }
    }
    #expect(await board.lines(upTo: "user").first == "…")
    service.goDown()
    try await members.refresh(force: true)
    #expect(await board.lines(upTo: "No").suffix(2) == ["user 7 …", "No member: Offline()"])
    task.cancel()
  }

  @Test func `a value is read once, put, cleared and validated`() async throws {
    let members = CacheRepository(
      MemberSource(service: service, store: store), ledger: ledger)
    members.requirements = MemberSource.Requirements(user: 7)
    let none = await members.valueIfAvailable(from: .cache)
    let member = try await members.value()
    let fresh = try await members.value(from: .origin)
    #expect(none == nil && member == fresh)

    try await members.update(Member(id: 7, name: "renamed"))
    #expect(try await members.value(from: .cache).name == "renamed")
    await members.validate()
    try await members.update(nil)
    #expect(await members.valueIfAvailable(from: .cache) == nil)
  }

  @Test func `contents are mapped, and states combined`() async throws {
    let members = CacheRepository(
      MemberSource(service: service, store: store), ledger: ledger)
    members.requirements = MemberSource.Requirements(user: 7)
    try await members.refresh()
    let names = members.observe().map { $0.loadingState.mapContent(\.name) }
    for await state in names {
      guard case .completed(let name, _, _) = state else { continue }
      #expect(name == "user 7")
      break
    }

    let member = CacheState(.cache(Member(id: 7, name: "a"), fetchedAt: .distantPast))
    let followers = CacheState(.cache([Member(id: 1, name: "b")], fetchedAt: .distantPast))
    let both = member.loadingState.combine(followers.loadingState) { member, followers in
      "\(member.name) with \(followers.count) followers"
    }
    #expect(both.content == "a with 1 followers")
  }

  @Test func `a list is continued`() async throws {
    let board = Board()
    let followers = PagingCacheRepository(
      FollowerSource(service: service, store: KeptValues()), ledger: ledger)
    followers.requirements = FollowerSource.Requirements(user: 7)
    let task = Task {
      for await state in followers.cache.observe() {
        state.loadingState.doAction(
          onLoading: { members in board.show("Loading, \(members?.count ?? 0) so far") },
          onCompleted: { members, next, _ in
            next.doAction(
              onFixed: { isMore in board.show("\(members.count)\(isMore ? " and more" : "")") },
              onLoading: { board.show("\(members.count) and some on their way") },
              onError: { error in board.show("\(members.count), then \(error)") })
          },
          onError: { error in board.show("No list: \(error)") })
      }
    }
    #expect(await board.lines(upTo: "2").last == "2 and more")
    service.goDown()
    _ = await followers.goToNextPage()
    #expect(await board.lines(upTo: "2, then").last == "2, then Offline()")
    #expect(await followers.goToNextPage(continueWhenError: false) == .skipped(.lastPageFailed))
    service.goUp()
    #expect(await followers.goToNextPage() == .successful)
    #expect(await board.lines(upTo: "3").last == "3")
    task.cancel()
  }
}
