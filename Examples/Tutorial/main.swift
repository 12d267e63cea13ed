import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation

// notes phone add milk "Buy milk"
let words = Array(CommandLine.arguments.dropFirst()) + ["", "", "", ""]
let (device, command, id, text) = (words[0], words[1], words[2], words[3])

let port = ProcessInfo.processInfo.environment["PORT"] ?? "8080"
guard let url = URL(string: "http://127.0.0.1:\(port)") else { exit(1) }
var format = HTTPFormat()
format.next = .never
format.version = .property("version")
format.idempotency = .key("Idempotency-Key")

let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
let database = try SQLiteDatabase(path: "\(device).sqlite")
let notes = try evocation.register(
  Note.self, remote: HTTPRepository(HTTPService(url), "notes", format: format),
  local: SQLiteRepository(database), strategy: .offlineFirst)

notes.conflicts { conflict in
  if let choice = await choices.take(for: conflict.mine.id) { return choice }
  return try .mergedByFields(conflict)
}

func report(_ result: Evocation.Result<Note>) {
  if let error = result.error { print("Not saved:", error) }
  if result.isPending { print("Saved on the \(device), and will be sent.") }
}

if command == "add" {
  report(await evocation.storeOne(Note(id: id, text: text)))
}

if command == "list" {
  let unsent = Set(try await evocation.outbox.entries(of: Note.self).map(\.model.id))
  for note in try await evocation.find(Note.self, sortedBy: \.id) {
    let state = unsent.contains(note.id) ? " (not sent yet)" : ""
    print(note.isDone ? "[x]" : "[ ]", "\(note.id): \(note.text)\(state)")
  }
}

if command == "outbox" {
  for entry in try await evocation.outbox.entries(of: Note.self) {
    print(entry.kind, "\(entry.model.id):", entry.model.text)
    switch entry.state {
    case .pending, .sending: print("  will be sent")
    case .waiting(_, let reason): print("  waits: \(reason)")
    case .parked(_, let reason): print("  is parked: \(reason)")
    }
  }
}

func synchronize() async throws {
  for entry in try await evocation.outbox.parked(Note.self) {
    try await evocation.outbox.retry(entry)
  }
  let result = await evocation.outbox.flush()
  print(result.sent, "sent,", result.left, "waiting,", result.parked, "parked")
  // The next command is another process, which may then send immediately.
  evocation.outbox.pause()
  let everything = Strategy.Rule(target: .remote, fallback: .local, synchronize: .mirror)
  _ = try await evocation.find(Note.self, rule: everything)
}

if command == "sync" {
  try await synchronize()
}

if command == "edit", var note = try await evocation.findOne(Note.self, id: id) {
  note.text = text
  report(await evocation.updateOne(note))
}

if command == "done", var note = try await evocation.findOne(Note.self, id: id) {
  note.isDone = true
  report(await evocation.updateOne(note))
}

if command == "resolve" {
  for entry in try await evocation.outbox.parked(Note.self) {
    guard let theirs = entry.seen else { continue }
    print("Another device has changed \(theirs.id) too.")
    print("  mine:   \(entry.model.text)")
    print("  theirs: \(theirs.text)")
    print("Keep mine, theirs or both?")
    switch readLine() {
    case "mine": await choices.keep(.mine, for: theirs.id)
    case "theirs": await choices.keep(.theirs, for: theirs.id)
    case "both":
      var both = theirs
      both.text += ", " + entry.model.text
      both.isDone = both.isDone || entry.model.isDone
      await choices.keep(.merged(both), for: theirs.id)
    default: print("Not decided; it stays parked.")
    }
  }
  try await synchronize()
}
