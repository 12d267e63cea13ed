import Dispatch
import Evocation
import EvocationInspection
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Where an inspection works that a screen asks for.
@Suite(.patient) @MainActor struct InspectionThreadTests {
  @Test func `The main thread encodes no models for it`() async {
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Sighting.self).repository(remote: InMemoryRepository<Sighting>())
      .repository(local: InMemoryRepository<Sighting>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Sighting(id: 1))
    DispatchQueue.main.setSpecific(key: Sighting.isMain, value: true)
    Sighting.wereOnMain.withLock { $0 = [] }
    let inspection = await evocation.inspection(revealing: true)
    var inspections = evocation.inspections(revealing: true).makeAsyncIterator()
    let first = await inspections.next(isolation: #isolation)
    for inspection in [inspection, first] {
      #expect(inspection?.models.first?.values == [#"{"id":1}"#])
      #expect(inspection?.outbox.entries.map(\.value) == [#"{"id":1}"#])
    }
    let wereOnMain = Sighting.wereOnMain.withLock { $0 }
    #expect(wereOnMain.count >= 4 && !wereOnMain.contains(true))
  }
}

/// Notes of each time that it is encoded whether that is on the main queue.
///
/// On Linux the main actor may run on another thread than the first.
private struct Sighting: Codable, Identifiable, Sendable {
  static let isMain = DispatchSpecificKey<Bool>()
  static let wereOnMain = Lock<[Bool]>([])

  var id: Int

  private enum Key: CodingKey { case id }

  init(id: Int) { self.id = id }

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
  }

  func encode(to encoder: any Encoder) throws {
    Self.wereOnMain.withLock { $0.append(DispatchQueue.getSpecific(key: Self.isMain) ?? false) }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
  }
}
