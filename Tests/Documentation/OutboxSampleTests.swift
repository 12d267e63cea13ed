import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// The samples of the outbox's documentation comments, as they stand there.
@Suite(.serialized, .patient) struct OutboxSampleTests {
  /// One of this suite's own, because it is registered with what all share.
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    var id: Int
  }

  private struct Customer: Codable, Identifiable, Sendable {
    var id: Int
  }

  private struct Order: Codable, Identifiable, Sendable {
    var id: Int
    var customerID: Int
    var lines: Set<String> = []

    func merged(with other: Order) -> Order {
      Order(id: id, customerID: customerID, lines: lines.union(other.lines))
    }
  }

  /// Stands in for the view of SwiftUI.
  private struct Text {
    let text: String
    @discardableResult init(_ text: String) { self.text = text }
  }

  private let car = Car(id: 1)

  @Test func `a write by the outbox is pending, and its entry is listed`() async throws {
    Evocation.shared.register(for: Car.self)
      .repository(remote: RepositoryMock { _ in throw Offline() })
      .repository(local: InMemoryRepository([car])).strategy(.offlineFirst)
    defer { Evocation.shared.unregister(Car.self) }
    let task = Task { [car] in
      let result = await Evocation.updateOne(car)
      print(result.isPending)  // true: local has it, and the remote gets it when it can be reached
      for await status in Evocation.outbox.observe() { print(status.pending, "to be sent") }
    }
    defer { task.cancel() }
    try await eventually("the entry in the outbox") {
      try await !Evocation.outbox.entries(of: Car.self).isEmpty
    }
    for entry in try await Evocation.outbox.entries(of: Car.self) {
      print(entry.kind, entry.model.id, entry.state)
    }
    #expect(try await Evocation.outbox.entries(of: Car.self).map(\.model) == [car])
  }

  @Test func `what becomes of one write can be waited for`() async throws {
    Evocation.shared.register(for: Car.self)
      .repository(remote: InMemoryRepository([car]))
      .repository(local: InMemoryRepository([car])).strategy(.offlineFirst)
    defer { Evocation.shared.unregister(Car.self) }
    let result = await Evocation.updateOne(car)
    switch await result.delivery?.value() {
    case nil: print("not kept, or not to be sent")
    case .delivered: print("the service has it")
    case .parked(let failure): print("refused:", failure.message ?? failure.reason)
    case .discarded: print("taken back")
    }
    #expect(await result.delivery?.value() == .delivered)
  }

  @Test @MainActor func `a view shows how the outbox stands`() {
    let outbox = ObservedOutbox()
    Text(outbox.status.pending == 0 ? "All sent" : "\(outbox.status.pending) to be sent")
    #expect(outbox.outbox === Evocation.outbox)
  }

  @Test func `conflicts and references are declared at the proxy`() async {
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    let service = InMemoryRepository([Order(id: 1, customerID: 1, lines: ["theirs"])])
    evocation.register(for: Customer.self)
      .repository(remote: InMemoryRepository<Customer>())
      .repository(local: InMemoryRepository<Customer>()).strategy(.offlineFirst)
      .conflicts { try .mergedByFields($0) }
    evocation.register(for: Order.self)
      .repository(remote: service)
      .repository(local: InMemoryRepository<Order>()).strategy(.offlineFirst)
      .conflicts { conflict in
        guard let theirs = conflict.theirs else { return .mine }
        return .merged(conflict.mine.merged(with: theirs))
      }
      .sends(after: Customer.self, by: \.customerID)
    _ = await evocation.storeOne(Customer(id: 1))
    _ = await evocation.storeOne(Order(id: 1, customerID: 1, lines: ["mine"]))
    #expect(await evocation.outbox.flush(deadline: .seconds(20)).left == 0)
    let orders = try? await service.find(Criteria()).value
    #expect(orders?.first?.lines == ["mine", "theirs"])
  }
}
