import Evocation
import EvocationSQLite
import Foundation
import TestSupport

/// Registers three files, may sign out of them, and is killed at a step by its own hand.
final class SigningOut: Sendable {
  let task: SigningOutTask
  private let evocation = Evocation()
  private let step = Lock(0)

  init(task: SigningOutTask) {
    self.task = task
  }

  func run() async throws {
    for file in task.order { try await register(SigningOutTask.models[file], file) }
    SQLiteChild.say("registered")
    guard task.signsOut else { return }
    try await evocation.signOut(.discard)
    SQLiteChild.say("signed out")
  }

  private func register<Model: SigningOutTask.Model>(_ type: Model.Type, _ file: Int) async throws {
    let models = try SQLiteRepository<Model>(SQLiteDatabase(path: task.paths[file]))
    if task.signsOut { _ = try await models.storeOrUpdate((1...50).map { Model(id: $0) }) }
    let store = SteppedStore(models.database, onFinish: { [self] in pass($0, file) }) { [self] in
      pass($0, file)
    }
    evocation.register(for: type).strategy(.localOnly)
      .repository(local: SteppedRepository(models, store))
  }

  private func pass(_ at: SignOutStep, _ file: Int) {
    let number = step.withLock { step in
      step += 1
      return step
    }
    guard number == task.end else { return }
    SQLiteChild.say("\(at.rawValue) of \(file)")
    kill(getpid(), SIGKILL)
  }
}
