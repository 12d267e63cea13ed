import Evocation
import NotesModel
import TestSupport
import TestTraits
import Testing

/// Both sides change a note, and the user chooses.
@MainActor @Suite(.patient) struct ConflictTests {
  nonisolated private static let theirs = "Bread and cheese."
  nonisolated private static let mine = "Bread and jam."
  private static let changed = Note(id: Device.market.id, title: "Market", text: theirs)

  @Test(
    arguments: [
      (.keepMine, mine), (.keepTheirs, theirs), (.keepBoth, theirs + "\n\n" + mine),
    ] as [(ConflictQuestions.Answer, String)])
  func `Each choice ends on the device and at the server`(
    answer: ConflictQuestions.Answer, text: String
  ) async throws {
    let device = try await Device()
    try await meet(device)
    let conflicts = device.notebook.conflicts
    let question = try #require(conflicts.current?.conflict)
    #expect(question.mine.text == Self.mine && question.theirs?.text == Self.theirs)
    #expect(question.answers.contains(answer))
    conflicts.answer(answer)
    #expect(conflicts.current == nil)
    let outbox = ObservedOutbox(device.notebook.evocation.outbox)
    _ = outbox.status
    try await eventually("the text at the server") {
      try await device.onServer.last?.text == text
    }
    await device.notebook.evocation.outbox.flush()
    let notes = device.notebook.note(Device.market.id)
    try await eventually("the text on the device") { notes.models.first?.text == text }
    try await eventually("no badge") { outbox.status.badge == nil }
  }

  @Test func `A conflict that the user puts off waits among the refused changes`() async throws {
    let device = try await Device()
    try await meet(device)
    device.notebook.conflicts.current = nil
    let parked = ParkedNotes(device.notebook)
    let following = Task { await parked.follow() }
    defer { following.cancel() }
    try await eventually("the entry") { parked.entries.count == 1 }
    let entry = try #require(parked.entries.first)
    #expect(
      entry.failure?.explanation == "This note was changed somewhere else in the meantime.")
    await parked.retry(entry)
    try await eventually("the question again") { device.notebook.conflicts.current != nil }
    device.notebook.conflicts.answer(.keepTheirs)
    try await eventually("no entry") { parked.entries.isEmpty }
  }

  @Test func `Changes of different properties both stay, and nobody is asked`() async throws {
    let device = try await Device()
    try await change(
      Note(id: Device.market.id, title: "Market day", text: Device.market.text), while: device
    ) {
      try await edit(Device.market, $0)
    }
    try await eventually("both changes") {
      try await device.onServer.last
        == Note(id: Device.market.id, title: "Market day", text: Self.mine)
    }
    #expect(device.notebook.conflicts.current == nil)
  }

  @Test func `A removal asks only whether to keep the other state`() async throws {
    let device = try await Device()
    try await change(Self.changed, while: device) {
      #expect(await $0.notebook.remove([Device.market]) == nil)
    }
    try await eventually("the question") { device.notebook.conflicts.current != nil }
    let question = try #require(device.notebook.conflicts.current?.conflict)
    #expect(question.answers == [.keepMine, .keepTheirs, .decideLater])
    device.notebook.conflicts.answer(.keepMine)
    try await eventually("the removal") { try await device.onServer == [Device.harbour] }
  }

  @Test func `A fetch while the user writes is not replaced unseen`() async throws {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    let draft = NoteDraft(device.notebook, editing: Device.market)
    draft.text = Self.mine
    try await device.changeElsewhere(Self.changed)
    await notes.refresh()
    for answer in [ConflictQuestions.Answer.decideLater, .keepBoth] {
      let saving = Task { await draft.save() }
      try await eventually("the question") { device.notebook.conflicts.current != nil }
      device.notebook.conflicts.answer(answer)
      #expect(await saving.value == (answer == .keepBoth))
    }
    try await eventually("both texts") {
      try await device.onServer.last?.text == Self.theirs + "\n\n" + Self.mine
    }
  }

  @Test(arguments: [ConflictQuestions.Answer.keepMine, .keepTheirs])
  func `A note that was removed while the user writes is kept or given up`(
    answer: ConflictQuestions.Answer
  ) async throws {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    let draft = NoteDraft(device.notebook, editing: Device.market)
    draft.text = Self.mine
    try await device.removeElsewhere(Device.market)
    await notes.refresh()
    let saving = Task { await draft.save() }
    try await eventually("the question") { device.notebook.conflicts.current != nil }
    #expect(device.notebook.conflicts.current?.conflict.answers.contains(.keepBoth) == false)
    device.notebook.conflicts.answer(answer)
    #expect(await saving.value)
    await device.notebook.evocation.outbox.flush()
    let texts = [Device.harbour.text] + (answer == .keepMine ? [Self.mine] : [])
    try await eventually("the same notes everywhere") {
      try await device.onServer.map(\.text) == texts && notes.models.map(\.text) == texts
    }
  }

  /// Edits a note that another device has changed, until the app asks.
  private func meet(_ device: Device) async throws {
    try await change(Self.changed, while: device) { try await edit(Device.market, $0) }
    try await eventually("the question") { device.notebook.conflicts.current != nil }
  }

  /// Changes a note at the server while a device does something that it sends later.
  private func change(
    _ note: Note, while device: Device, _ body: (Device) async throws -> Void
  ) async throws {
    await device.notebook.notes().refresh()
    device.notebook.evocation.outbox.pause()
    try await device.changeElsewhere(note)
    try await body(device)
    device.notebook.evocation.outbox.resume()
  }

  private func edit(_ note: Note, _ device: Device) async throws {
    let draft = NoteDraft(device.notebook, editing: note)
    draft.text = Self.mine
    #expect(await draft.save())
  }
}
