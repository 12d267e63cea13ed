import TestTraits
import Testing

@testable import CoreSupport
@testable import Evocation
@testable import EvocationLive
@testable import EvocationValues

/// What waits between the task that reads a service and the one that saves.
@Suite(.patient) struct LiveBatchTests {
  private let batch = LiveBatch<Car>(limit: 3)

  private func stored(_ ids: Int...) -> RemoteChanges<Car> {
    RemoteChanges(stored: ids.map { Car(id: $0) })
  }

  @Test func `A full batch holds the reader back until it is taken`() async {
    await batch.add(stored(1, 2))
    _ = batch.take()
    let isRead = Lock(false)
    let reader = Task {
      await batch.add(stored(1, 2, 3))
      isRead.withLock { $0 = true }
    }
    #expect(await batch.arrives())
    for _ in 0..<100 { await Task.yield() }
    #expect(!isRead.withLock { $0 })
    #expect(batch.take().count == 3)
    await reader.value
  }

  @Test func `A canceled reader waits no longer`() async {
    let reader = Task { await batch.add(stored(1, 2, 3)) }
    #expect(await batch.arrives())
    reader.cancel()
    await reader.value
    #expect(batch.take().count == 3)
  }

  @Test func `What waits is still taken after the end`() async {
    await batch.add(stored(1))
    batch.finish()
    #expect(await batch.arrives())
    #expect(batch.take().count == 1)
    #expect(await !batch.arrives())
  }

  @Test
  func `A change that lacks keys leaves what an earlier one said, but not of a removed model`()
    async
  {
    let summary = RemoteChanges(stored: [Car(id: 1, model: "new")], absentKeys: [["year"]])
    await batch.add(RemoteChanges(stored: [Car(id: 1, model: "old", year: 7)]))
    await batch.add(summary)
    var changes = batch.take()
    #expect(changes.stored(local: []).models == [Car(id: 1, model: "new", year: 7)])
    #expect(changes.stored(local: []).unsaid.isEmpty)
    await batch.add(RemoteChanges(removed: ["1"]))
    await batch.add(summary)
    changes = batch.take()
    #expect(changes.removed.isEmpty, "it is there again")
    #expect(changes.stored(local: []).models == [Car(id: 1, model: "new")])
    #expect(changes.stored(local: []).unsaid.isEmpty, "nothing of the removed one stays")
  }

  @Test func `Changes of one model count once`() async {
    for year in 1...100 { await batch.add(RemoteChanges(stored: [Car(id: 1, year: year)])) }
    await batch.add(RemoteChanges(removed: ["2"]))
    let changes = batch.take()
    #expect(changes.count == 2)
    #expect(changes.stored(local: []).models == [Car(id: 1, year: 100)])
    #expect(changes.removed == [ModelID([.integer(2)])])
  }

  private func car(_ year: Int, _ version: String, absent: Set<String> = []) -> RemoteChanges<Car> {
    RemoteChanges(
      stored: [Car(id: 1, model: "v\(version)", year: year)], versions: [version],
      absentKeys: [absent])
  }

  /// All orders in which three states of a model may arrive.
  static let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]

  @Test(arguments: orders, [false, true])
  func `The newest state of a model counts, in whatever order they arrive`(
    order: [Int], lacks: Bool
  ) async {
    let batch = LiveBatch<Car>(limit: 10)
    for version in order {
      await batch.add(
        car(70 + version, "\(version)", absent: lacks && version == 3 ? ["year"] : []))
    }
    let stored = batch.take().stored(local: [])
    #expect(stored.models.map(\.model) == ["v3"])
    #expect(stored.versions.map(\.version) == ["3"])
    // What the newest one lacks is as an older one says.
    #expect(stored.models.map(\.year).first.map { lacks ? $0 != 73 : $0 == 73 } == true)
    #expect(stored.unsaid.isEmpty)
  }
}
