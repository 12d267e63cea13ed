import Evocation
import EvocationSQLite
import Foundation
import TestSupport

/// An app's extension: it carries out one command a line, and says what comes of it.
///
/// What its service is asked is said too, as `asked 1 find 0 2`, and waits for a line such as
/// `answer 1 7:1 8:1`, or `refuse 1`.
struct Sharing {
  private struct Refused: Error {}

  private struct State {
    var last = 0
    var asked: [Int: CheckedContinuation<[NumberedNote], any Error>] = [:]
  }

  private let app: SharedApp
  private let state: Lock<State>

  init(path: String) throws {
    let state = Lock(State())
    self.state = state
    app = try SharedApp(local: SQLiteRepository<NumberedNote>(SQLiteDatabase(path: path))) {
      question in
      try await withCheckedThrowingContinuation { continuation in
        let number = state.withLock { state in
          state.last += 1
          state.asked[state.last] = continuation
          return state.last
        }
        SQLiteChild.say("asked \(number) \(question)")
      }
    }
  }

  /// Takes commands until there are no more.
  func run() async {
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let line = readLine() { feed.yield(line) }
      exit(1)
    }
    SQLiteChild.say("ready")
    for await line in lines {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.first == "answer" || words.first == "refuse" {
        answer(words)
      } else {
        // Each on its own, because some never end and others wait for their service.
        Task { await carryOut(line) }
      }
    }
  }

  private func answer(_ words: [Substring]) {
    guard words.count > 1, let number = Int(words[1]),
      let asked = state.withLock({ $0.asked.removeValue(forKey: number) })
    else { return }
    if words[0] == "refuse" { return asked.resume(throwing: Refused()) }
    asked.resume(returning: words.count > 2 ? SharedApp.notes(words[2]) : [])
  }

  private func carryOut(_ line: String) async {
    let (evocation, cache, list) = (app.evocation, app.cache, app.list)
    let words = line.split(separator: " ", maxSplits: 1)
    switch words.first {
    case "find":
      let result = await evocation.find(model: NumberedNote.self)
      say("found", "\(result.origin?.rawValue ?? "nowhere")", result.data)
    case "write":
      let notes = words.count > 1 ? SharedApp.notes(words[1]) : []
      let result = await evocation.storeOrUpdate(notes)
      say("wrote", result.isPending ? "pending" : "\(result.error.map { "\($0)" } ?? "sent")", nil)
    case "fetch": say("fetched", "\(await cache.outcome)", nil)
    case "refresh": say("refreshed", "\(await list.outcome)", nil)
    case "next": say("paged", "\(await list.goToNextPage())", nil)
    case "list": say("list", "", try? await list.value(from: .cache))
    case "observe":
      for await result in evocation.observe(model: NumberedNote.self) {
        say("models", "", result.data)
      }
    case "watch": for await state in list.observe() { say("listed", "", state.cache?.cache) }
    case "outbox":
      for await status in evocation.outbox.observe() { say("pending", "\(status.pending)", nil) }
    case "send": say("sent", "\(await evocation.outbox.flush().sent)", nil)
    default: SQLiteChild.say("no such command: \(line)")
    }
  }

  private func say(_ what: String, _ how: String, _ notes: [NumberedNote]?) {
    let words = [what, how, notes.map { SharedApp.words($0) } ?? "-"]
    SQLiteChild.say(words.filter { !$0.isEmpty }.joined(separator: " "))
  }
}

extension CacheAccess {
  /// How a refresh at any age ends.
  fileprivate var outcome: RefreshResult {
    get async {
      do {
        return try await refresh(force: true)
      } catch {
        return .failed(error)
      }
    }
  }
}
