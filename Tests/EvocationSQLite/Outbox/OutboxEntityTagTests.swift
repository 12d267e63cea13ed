import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

#if os(macOS) || os(Linux)
  /// Edits that are sent to a service on a real connection, which keeps entity tags.
  @Suite(.patient) struct OutboxEntityTagTests {
    private typealias Car = Fixtures.Car

    /// What happens to the app between an edit and its sending.
    enum Meanwhile: CaseIterable, Sendable {
      case nothing, restart, listRead, read, readAndRestart
    }

    private let service: Service
    private let folder: TemporaryFolder
    private let asked = Lock<[Outbox.Conflict<Fixtures.Car>]>([])

    init() async throws {
      service = try await Service.start()
      folder = try TemporaryFolder()
    }

    private func cars(sendsChanges: Bool = false) -> HTTPRepository<Car> {
      var format = HTTPFormat.rest
      format.routes.updateOne.sendsChanges = sendsChanges
      return HTTPRepository(HTTPService(service.url), "cars", format: format)
    }

    /// The app, as it is started; its resolver keeps the app's name and the others' power.
    private func start(sendsChanges: Bool = false) throws -> (Evocation, SQLiteDatabase) {
      let database = try SQLiteDatabase(path: folder.path())
      let evocation = Evocation.flushedByHand()
      evocation.register(for: Car.self).repository(remote: cars(sendsChanges: sendsChanges))
        .repository(local: try SQLiteRepository<Car>(database)).strategy(.offlineFirst)
        .conflicts { [asked] conflict in
          asked.withLock { $0.append(conflict) }
          var car = conflict.mine
          car.horsepower = conflict.theirs?.horsepower
          return .merged(car)
        }
      return (evocation, database)
    }

    private func read(_ evocation: Evocation) async throws -> Car {
      let read = await evocation.findOne(
        model: Car.self, criteria: ["id": 1], rule: .remoteFirst)
      return try #require(read.data)
    }

    private func readList(_ evocation: Evocation) async {
      _ = await evocation.find(
        model: Car.self, criteria: Criteria().limit(3), rule: .remoteFirst)
    }

    @Test(arguments: Meanwhile.allCases)
    func `what others wrote is merged with an edit, whatever came between the edit and its sending`(
      _ meanwhile: Meanwhile
    ) async throws {
      var (evocation, database) = try start()
      let old = try await read(evocation)
      var (mine, theirs) = (old, old)
      (mine.name, theirs.horsepower) = ("mine", 999)
      #expect(await evocation.updateOne(mine).isPending)
      _ = try await cars().updateOne(theirs)
      switch meanwhile {
      case .listRead: await readList(evocation)
      case .read, .readAndRestart: _ = try await read(evocation)
      case .nothing, .restart: break
      }
      if meanwhile == .restart || meanwhile == .readAndRestart {
        await database.close()
        (evocation, database) = try start()
      }
      #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
      #expect(
        asked.withLock { $0 } == [
          .init(kind: .update, base: old, mine: mine, theirs: theirs)
        ])
      let both = try #require(try await cars().findOne(["id": 1]).value)
      #expect((both.name, both.horsepower ?? 0) == ("mine", 999))
      await database.close()
    }

    @Test func `only what the user edited is sent as changed, also after a refresh`() async throws {
      let (evocation, database) = try start(sendsChanges: true)
      let old = try await read(evocation)
      var (mine, theirs) = (old, old)
      (mine.name, theirs.horsepower) = ("mine", 999)
      #expect(await evocation.updateOne(mine).isPending)
      _ = try await cars().updateOne(theirs)
      await readList(evocation)
      #expect(await evocation.outbox.flush().left == 0)
      let last = try #require(try await service.requests().last { $0.method == "PATCH" })
      let body = try #require(last.body)
      let sent = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      #expect(sent.map { Set($0.keys) } == ["name"])
      #expect(try await cars().findOne(["id": 1]).value?.horsepower == 999)
      await database.close()
    }
  }
#endif
