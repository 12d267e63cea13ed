import Evocation
import EvocationSQLite
import Foundation
import TestSupport

/// What the tests of SQLite need a process of its own for: to be killed, limited or undisturbed.
@main struct SQLiteChild {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    // Who is told what to do reads its input itself.
    if !["share", "begin"].contains(arguments.first) { endWithParent() }
    guard (2...3).contains(arguments.count), let mode = arguments.first else {
      return say(
        "usage: SQLiteChild open|read|begin|bare|backup|store|queue|send|sign-out|stamp|fill|files|move|wake|make|page"
          + "|stand|refresh|share|vacuum|live <path> [task]"
      )
    }
    let path = arguments[arguments.startIndex + 1]
    do {
      switch mode {
      case "open":
        _ = try SQLiteDatabase(path: path)
        say("opened")
      case "read":
        let database = try SQLiteDatabase(path: path, configuration: .init(isReadOnly: true))
        let rows = try await database.read { try $0.rows("SELECT a FROM t").map(\.values) }
        say("\(rows)")
        await database.close()
      case "bare":
        Beginning.withoutSharedMemory()
        _ = try SQLiteDatabase(path: path)
        say("opened")
      case "begin": await Beginning().run()
      case "backup": try await SQLiteDatabase(path: path).backup(to: path + ".copy")
      case "vacuum": try await Filling(path: path).vacuum()
      case "store": try await Storing(path: path).run()
      case "queue": try await Queueing(path: path).run()
      case "send":
        let task = Data(arguments[arguments.endIndex - 1].utf8)
        try await Sending(path: path, task: JSONDecoder().decode(SendingTask.self, from: task))
          .run()
      case "refresh":
        let task = Data(arguments[arguments.endIndex - 1].utf8)
        try await Refreshing(
          path: path, task: JSONDecoder().decode(SendingTask.self, from: task)
        ).run()
      case "sign-out":
        let task = Data(arguments[arguments.endIndex - 1].utf8)
        try await SigningOut(task: JSONDecoder().decode(SigningOutTask.self, from: task)).run()
      case "stamp": try await Stamping(path: path).run()
      case "files": try await Crowding(path: path).run()
      case "move": try await Moving(path: path).run()
      case "fill": try await Filling(path: path).run()
      case "page": try await Paging(path: path).goOn()
      case "stand": try await Paging(path: path).stand()
      case "share": try await Sharing(path: path).run()
      case "live": try await Living(path: path).run()
      case "make": try await Making(path: path).run()
      case "wake": try await Waking(path: path).run()
      default: say("no such mode")
      }
    } catch let error as SQLiteError {
      say("\(error)")
    }
  }

  /// Prints a line now, and not when there are many.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Ends this process when the input closes, as it does when the one who started it is gone.
  private static func endWithParent() {
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(1)
    }
  }
}
