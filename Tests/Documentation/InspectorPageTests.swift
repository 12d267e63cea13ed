import Evocation
import EvocationInspection
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// The samples about looking into an app.
@Suite(.patient) struct InspectorPageTests {
  private let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))

  init() throws {
    try evocation.register(
      Car.self, remote: InMemoryRepository<Car>(), local: InMemoryRepository<Car>(),
      strategy: .offlineFirst)
  }

  @Test func `An inspection is a value that becomes JSON`() async throws {
    let inspection = await evocation.inspection()
    let json = try JSONEncoder().encode(inspection)
    #expect(try JSONDecoder().decode(Inspection.self, from: json) == inspection)
  }

  @Test func `It names the models and the entries`() async throws {
    _ = await evocation.storeOne(Car(id: 1, name: "celica", origin: "Japan", year: 1982))
    let inspection = await evocation.inspection()
    for model in inspection.models { print(model.name, model.count ?? 0, model.warnings) }
    for entry in inspection.outbox.entries { print(entry.model, entry.kind, entry.state) }
    #expect(inspection.models.map(\.name) == ["Car"] && inspection.models.map(\.count) == [1])
    #expect(inspection.outbox.entries.map(\.kind) == [.store])
  }

  @Test func `Inspections follow the outbox, and end with their task`() async throws {
    let following = Task {
      for await inspection in evocation.inspections() {
        let waiting = inspection.outbox.pending + inspection.outbox.parked
        print(waiting, "changes are not sent yet")
      }
    }
    following.cancel()
    await following.value
  }
}
