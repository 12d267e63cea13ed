import Dispatch
import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct BusyCallerTests {
  private let folder: TemporaryFolder
  private let screen = Screen()
  private let gate = ThreadGate()

  private struct Trip: Codable, Identifiable {
    var id: Int
  }

  /// What a screen has begun when it makes a repository, or migrates.
  enum Work: CaseIterable {
    case storing, writing, reading
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func two(_ first: Int = 1) -> [Car] {
    [Car(id: first, name: "a"), Car(id: first + 1, name: "b")]
  }

  /// Holds each change until the gate is released, with the writer.
  private func hold(_ cars: SQLiteRepository<Car>) -> Evocation.Observation {
    let (gate, isFirst) = (gate, Lock(true))
    return cars.observeChanges { _ in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }; return isFirst
        })
      else { return }
      gate.arrive()
      gate.waitForRelease()
    }
  }

  /// Begins the work on the screen, lets its part on the connection end, and then does something on the
  /// screen that waits for the writer.
  private func screenEnds(
    _ work: Work, _ database: SQLiteDatabase, _ last: @escaping @Sendable () throws -> Void
  ) async throws -> Bool {
    let cars = try SQLiteRepository<Car>(database)
    let observation = work == .storing ? hold(cars) : nil
    defer { observation?.cancel() }
    let (gate, screen, models) = (gate, screen, two())
    return try await ends {
      try await screen.run { screen in
        await screen.begin { _ in
          switch work {
          case .storing: try await cars.store(models)
          case .writing:
            try await database.write { _ in
              gate.arrive()
              gate.waitForRelease()
            }
          case .reading:
            try await database.read { _ in
              gate.arrive()
              gate.waitForRelease()
            }
          }
        }
        await gate.waitForArrival()
        gate.release()
        try last()
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases, Work.allCases)
  func `A screen makes a repository while what it began before has not come back`(
    home: DatabaseHome, work: Work
  ) async throws {
    let database = try home.database(folder.path())
    #expect(try await screenEnds(work, database) { _ = try SQLiteRepository<Trip>(database) })
  }

  @Test(arguments: DatabaseHome.allCases, Work.allCases)
  func `A screen migrates while what it began before has not come back`(
    home: DatabaseHome, work: Work
  ) async throws {
    let database = try home.database(folder.path())
    let migration = SQLiteMigration("trips", "CREATE TABLE trips (id INTEGER PRIMARY KEY)")
    #expect(try await screenEnds(work, database) { try database.migrate([migration]) })
  }

  @Test(arguments: DatabaseHome.allCases)
  func `A repository that is made within a write is refused`(home: DatabaseHome) async throws {
    let database = try home.database(folder.path())
    let told = Lock<(any Error)?>(nil)
    #expect(
      try await ends {
        try await database.write { db in
          do { _ = try SQLiteRepository<Trip>(database) } catch { told.withLock { $0 = error } }
        }
      })
    let error = told.withLock { $0 } as? SQLiteError
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Making the repository of the table \"trip\" failed: your app made the call inside a "
        + "closure or an observer's handler that has the database's writer, so it would wait "
        + "forever; make it before, or in a task of its own.")
    // Nothing is left that keeps the next ones from it.
    _ = try SQLiteRepository<Trip>(database)
  }

  @Test func `A migration within a write is refused, and so is one within a migration`()
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let told = Lock<[String]>([])
    let migrate = { @Sendable in
      do { try database.migrate([]) } catch { told.withLock { $0.append("\(error)") } }
    }
    #expect(
      try await ends {
        try await database.write { _ in migrate() }
        try database.migrate([SQLiteMigration("a") { _ in migrate() }])
      })
    let sentence =
      "Migrating the database failed: your app made the call inside a closure or an observer's "
      + "handler that has the database's writer, so it would wait forever; make it before, or in "
      + "a task of its own."
    #expect(told.withLock { $0 } == [sentence, sentence])
  }

  @Test func `A repository may be made within a read of a file, and within another's write`()
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let other = try SQLiteDatabase.inMemory()
    #expect(
      try await ends {
        try await database.read { _ in _ = try SQLiteRepository<Trip>(database) }
        try await other.write { _ in _ = try SQLiteRepository<Car>(database) }
      })
  }

  @Test func `A repository that is made within a read in memory is refused`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let code = Lock<SQLiteError.Code?>(nil)
    #expect(
      try await ends {
        try await database.read { _ in
          do { _ = try SQLiteRepository<Trip>(database) } catch {
            code.withLock { $0 = (error as? SQLiteError)?.code }
          }
        }
      })
    #expect(code.withLock { $0 } == .misuse)
  }

  /// Who tells an observer: a write on the caller's thread, one on the queue, or the watch on others.
  enum Teller: CaseIterable {
    case caller, queue, other
  }

  @Test(arguments: Teller.allCases)
  func `A repository that is made within an observer's handler is refused`(
    teller: Teller
  )
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let cars = try SQLiteRepository<Car>(database)
    let (codes, said) = AsyncStream<SQLiteError.Code?>.makeStream()
    let observation = cars.observeChanges { _ in
      do {
        _ = try SQLiteRepository<Trip>(database)
        said.yield(nil)
      } catch {
        said.yield((error as? SQLiteError)?.code)
      }
    }
    let (path, models) = (folder.path(), two())
    let isOver = try await ends {
      switch teller {
      case .caller: try await cars.storeOne(models[0])
      case .queue: try await cars.store(models)
      case .other: try await SQLiteRepository<Car>(SQLiteDatabase(path: path)).store(models)
      }
      for await code in codes {
        #expect(code == .misuse)
        break
      }
    }
    #expect(isOver)
    observation.cancel()
  }

  @Test(arguments: DatabaseHome.allCases)
  func `A write does not wait for a busy screen whose write has ended`(
    home: DatabaseHome
  )
    async throws
  {
    let database = try home.database(folder.path())
    let cars = try SQLiteRepository<Car>(database)
    let (gate, models) = (gate, two())
    let isServed = try await screen.run { screen in
      await screen.begin { _ in
        try await database.write { _ in
          gate.arrive()
          gate.waitForRelease()
        }
      }
      await gate.waitForArrival()
      gate.release()
      return screen.isBusy { try await cars.storeOne(models[0]) }
    }
    #expect(isServed)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `A write does not wait for a busy screen whose turn has come`(
    home: DatabaseHome
  )
    async throws
  {
    let database = try home.database(folder.path())
    let cars = try SQLiteRepository<Car>(database)
    let (gate, models, last) = (gate, two(), Car(id: 3, name: "c"))
    async let writing: Void = database.write { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let isServed = try await screen.run { screen in
      await screen.begin { _ in try await cars.store(models) }
      return screen.isBusy {
        gate.release()
        try await cars.storeOne(last)
      }
    }
    #expect(isServed)
    try await writing
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1, 2, 3])
  }

  @Test func `A read does not wait for a busy screen whose reads have ended`() async throws {
    let database = try SQLiteDatabase(
      path: folder.path(), configuration: .init(maximumReaderCount: 1))
    let cars = try SQLiteRepository<Car>(database)
    let gate = gate
    let isServed = try await screen.run { screen in
      await screen.begin { _ in
        try await database.read { _ in
          gate.arrive()
          gate.waitForRelease()
        }
      }
      await gate.waitForArrival()
      gate.release()
      return screen.isBusy { _ = try await cars.findOne(["id": 1]) }
    }
    #expect(isServed)
  }
}
