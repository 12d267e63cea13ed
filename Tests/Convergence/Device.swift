import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation

/// A device: its store and its clock, which outlive the processes of the app on it.
///
/// Like all of a simulation, it is used by one thread.
final class Device: @unchecked Sendable {
  let number: Int
  unowned let world: World
  /// Where the store lies; nil in memory, where it is this one for all processes.
  private let file: String?
  private let memory = (notes: InMemoryRepository<Note>(), remarks: InMemoryRepository<Remark>())
  let clock = ManualClock()
  var processes: [AppProcess] = []
  var isOnline = true
  /// The number of its credential, and the least one that the service takes.
  var credential = 0
  var leastCredential = 0
  /// Whether the service has taken a write with it.
  var hasUsedCredential = false
  /// What the store holds, and what waits there, after the last commit.
  var rows: [Name: Record] = [:]
  var waiting: [Waiting] = []
  /// The ids below zero that the app has given, as its screens may know them still.
  var ownNames: [Name] = []
  /// Those that it was told of by another id since.
  var renamed: [Name: Name] = [:]
  /// When each instance was last seen with an entry.
  var unsentAt: [Name: Int] = [:]
  /// The least state of the service that local may show of an instance, since an answer was kept.
  var leastNumbers: [Name: Int] = [:]
  /// When its entries were last seen to wait for the user to sign in again; no read shows them then.
  var heldAt = -1
  var isHeld = false
  /// How many calls that discard entries are under way, and the keys of those that are sent as another.
  var isDiscarding = 0
  var resending: [String] = []
  /// How many writes have begun, and how many of them are under way.
  var writes = (begun: 0, running: 0)

  init(_ number: Int, _ world: World) {
    self.number = number
    self.world = world
    let folder = FileManager.default.temporaryDirectory.path
    let name = "convergence-\(ProcessInfo.processInfo.processIdentifier)-\(number).db"
    file = world.options.usesFiles ? "\(folder)/\(name)" : nil
    deleteFile()
    // As they are once a process has registered both.
    _ = memory.remarks.shares(with: memory.notes)
  }

  var process: AppProcess? { processes.last { $0.isAlive } }

  /// Starts the app, unless a killed one has the file still.
  func start() {
    processes.removeAll { !$0.isAlive }
    if file != nil, world.dying.contains(where: { $0.device === self }) { return }
    processes.append(AppProcess(self))
  }

  func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    for process in processes { process.connectivity.tell(isOnline) }
  }

  func renewCredential() {
    guard leastCredential > credential else { return }
    (credential, hasUsedCredential) = (leastCredential, false)
    for process in processes { for handler in process.credentialHandlers { handler() } }
  }

  /// The store as a process opens it.
  func open() throws -> Store {
    guard let file else { return Store(memory.notes, memory.remarks, nil) }
    var configuration = SQLiteDatabase.Configuration()
    configuration.synchronous = .off
    let database = try SQLiteDatabase(unwatched: file, configuration)
    return Store(
      try SQLiteRepository<Note>(database), try SQLiteRepository<Remark>(database), database)
  }

  /// Shows the check what the store has after a commit.
  func look(through process: AppProcess, by write: Int?) async throws {
    let store = process.store
    let state = try await StoreThread.value { try await store.state() }
    if state.isHeld { heldAt = world.step }
    isHeld = state.isHeld
    world.check.sees(state, by: write, through: process)
  }

  func deleteFile() {
    guard let file else { return }
    for ending in ["", "-wal", "-shm"] { unlink(file + ending) }
  }
}

/// A device's store, as it is open in a process.
struct Store: Sendable {
  let notes: any OutboxStore<Note>
  let remarks: any OutboxStore<Remark>
  private let database: SQLiteDatabase?

  /// What a store has at one moment.
  struct State: Sendable {
    var rows: [Name: Record] = [:]
    var entries: [Outbox.Entry<Record>] = []
    var isHeld = false
  }

  init(
    _ notes: any OutboxStore<Note>, _ remarks: any OutboxStore<Remark>,
    _ database: SQLiteDatabase?
  ) {
    (self.notes, self.remarks, self.database) = (notes, remarks, database)
  }

  func close() async { await database?.close() }

  func state() async throws -> State {
    var state = State()
    try await add(notes, &state)
    try await add(remarks, &state)
    state.entries.sort { $0.position < $1.position }
    return state
  }

  private func add<Model: AppModel>(
    _ repository: any OutboxStore<Model>, _ state: inout State
  ) async throws {
    for model in try await repository.find(Criteria()).value {
      state.rows[model.record.name] = model.record
    }
    let (entries, isHeld) = try await repository.look(isShort: false) { transaction in
      (
        try transaction.records(after: .min, limit: .max).compactMap { $0.entry?.map(\.record) },
        try transaction.entries.isHeld
      )
    }
    state.entries += entries
    state.isHeld = isHeld
  }
}
