import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport

/// Writes notes by the outbox, one after the other, while it sends them to a service.
struct Sending {
  let path: String
  let task: SendingTask

  func run() async throws {
    // Ends this process after a time that is never reached, unless who should kill it does not.
    alarm(60)
    Stopping.prepare(task.stop)
    let notes = try SQLiteRepository<NumberedNote>(
      SQLiteDatabase(path: path))
    let evocation = try evocation(notes)
    guard let first = task.firstNumber else {
      for await status in evocation.outbox.observe() where status.pending == 0 {
        return SQLiteChild.say("sent all but \(status.parked)")
      }
      return
    }
    var (random, number) = (SeededGenerator(seed: task.seed), first)
    while true {
      try await write(number, notes, evocation, &random)
      number += 1
      // Else most writes would be merged before the first one is sent.
      if random.chance(50) {
        let most = random.count(1...16)
        _ = await evocation.outbox.observe().first { $0.pending <= most }
      }
    }
  }

  private func evocation(_ notes: SQLiteRepository<NumberedNote>) throws -> Evocation {
    guard let url = URL(string: "http://127.0.0.1:\(task.port)") else { throw POSIXError(.EINVAL) }
    let retry = Strategy.Retry(
      attempts: .max, delay: .milliseconds(5), multiplier: 2, maximumDelay: .milliseconds(40),
      jitter: 0.5)
    let evocation = Evocation(
      configuration: .init(outbox: .init(retry: retry, lease: .milliseconds(task.lease))))
    // On Linux a request with a body may wait for its timeout when its connection was closed.
    var http = HTTPService.Configuration()
    http.timeout = .seconds(2)
    var format = HTTPFormat.rest
    format.routes.updateOne.sendsChanges = false
    let remote = HTTPRepository<NumberedNote>(
      HTTPService(url, configuration: http), "notes", format: format)
    evocation.register(for: NumberedNote.self)
      .repository(remote: StoppingService(base: remote))
      .repository(local: StoppingStore(base: notes))
      .strategy(.offlineFirst)
    return evocation
  }

  private func write(
    _ number: Int, _ notes: SQLiteRepository<NumberedNote>, _ evocation: Evocation,
    _ random: inout SeededGenerator
  ) async throws {
    let id = random.count(task.ids)
    let note = NumberedNote(id: id, number: number)
    let held = try await notes.findOne(["id": id]).value
    let (chance, others) = (random.count(0...99), task.ids.shuffled(using: &random).prefix(3))
    if let held, chance < 25 {
      SQLiteChild.say("begins \(number) removes \(id)")
      end(number, await evocation.removeOne(held).error)
    } else if chance < 40 {
      SQLiteChild.say("begins \(number) writes \(others.map(String.init).joined(separator: ","))")
      let models = others.map { NumberedNote(id: $0, number: number) }
      guard number.isMultiple(of: 2) else {
        return end(number, await evocation.storeOrUpdate(models).error)
      }
      do {
        // The service knows by the even number that they are to arrive in this order.
        _ = try await evocation.together { writes in
          for model in models.sorted(by: { $0.id < $1.id }) {
            try await writes.storeOrUpdate([model])
          }
        }
        end(number, nil)
      } catch {
        end(number, error)
      }
    } else {
      SQLiteChild.say("begins \(number) writes \(id)")
      let error =
        if chance < 50 {
          await evocation.storeOrUpdate([note]).error
        } else if held == nil {
          await evocation.storeOne(note).error
        } else {
          await evocation.updateOne(note).error
        }
      end(number, error)
    }
  }

  private func end(_ number: Int, _ error: (any Error)?) {
    SQLiteChild.say(error.map { "failed \(number): \($0)" } ?? "ends \(number)")
  }
}
