import Evocation
import NotesModel
import TestSupport
import TestTraits
import Testing

/// Writing without a server, and what becomes of it.
@MainActor @Suite(.patient) struct OfflineTests {
  @Test func `A note written offline is shown and counted, and sent when the server is back`()
    async throws
  {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    device.loseServer()
    let outbox = ObservedOutbox(device.notebook.evocation.outbox)
    #expect(outbox.status.badge == nil)

    let draft = NoteDraft(device.notebook)
    (draft.title, draft.text) = ("Attic", "Look for the map.")
    #expect(await draft.save())
    try await eventually("the note in the list") { notes.models.first?.title == "Attic" }
    try await eventually("the badge") { outbox.status.badge == "1 to be sent" }
    let edit = NoteDraft(device.notebook, editing: notes.models.first)
    edit.text = "The map is behind the beam."
    #expect(await edit.save())

    try await device.findServer()
    try await eventually("no badge") { outbox.status.badge == nil }
    #expect(
      try await device.onServer.map(\.text) == [
        "The map is behind the beam.", Device.harbour.text, Device.market.text,
      ])
  }

  @Test func `A refused note waits for the user, who corrects it`() async throws {
    let device = try await Device()
    await device.notebook.notes().refresh()
    let parked = ParkedNotes(device.notebook)
    let following = Task { await parked.follow() }
    defer { following.cancel() }
    try await device.refuse("PUT")
    let draft = NoteDraft(device.notebook)
    (draft.title, draft.text) = ("Attic", "Far too long")
    #expect(await draft.save())
    try await eventually("the refused note") { parked.entries.count == 1 }
    let entry = try #require(parked.entries.first)
    #expect(entry.failure?.explanation == "a switch wants the status 422")

    await parked.retry(entry)
    try await eventually("the second refusal") { parked.entries.first?.failure != nil }
    try await device.accept()
    let corrected = NoteDraft(device.notebook, correcting: try #require(parked.entries.first))
    corrected.text = "Short"
    #expect(await corrected.save())
    try await eventually("no refused note") { parked.entries.isEmpty }
    try await eventually("the corrected note") {
      try await device.onServer.first?.text == "Short"
    }
    #expect(await corrected.save() == false)
    #expect(corrected.error == "This change was already sent or discarded.")
  }

  @Test func `The form shows the server's words below the field, also after a restart of the app`()
    async throws
  {
    let device = try await Device()
    await device.notebook.notes().refresh()
    let answer =
      #"{"message": "The note is not valid.", "errors": {"title": ["Too long.", "No!"]}}"#
    try await device.refuse("PUT", saying: answer)
    let draft = NoteDraft(device.notebook, editing: Device.market)
    #expect(draft.failure == nil && draft.titleError == nil)
    draft.title = "A very long title"
    #expect(await draft.save())
    var status = device.notebook.evocation.outbox.observe().makeAsyncIterator()
    while let now = await status.next(), now.parked == 0 {}

    try device.restart()
    let parked = ParkedNotes(device.notebook)
    let following = Task { await parked.follow() }
    defer { following.cancel() }
    try await eventually("the refused change") { parked.entries.count == 1 }
    let form = NoteDraft(device.notebook, correcting: try #require(parked.entries.first))
    #expect(form.title == "A very long title")
    #expect(form.failure?.explanation == "The note is not valid.")
    #expect(form.titleError == "Too long. No!" && form.textError == nil)

    try await device.accept()
    form.title = "Short"
    #expect(await form.save())
    try await eventually("the corrected note") {
      try await device.onServer.contains { $0.title == "Short" }
    }
  }

  @Test func `A refused change is discarded, and the note is as the server has it`() async throws {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    try await device.refuse("PUT")
    let parked = ParkedNotes(device.notebook)
    let following = Task { await parked.follow() }
    defer { following.cancel() }
    let draft = NoteDraft(device.notebook, editing: Device.market)
    draft.text = "Nothing."
    #expect(await draft.save())
    try await eventually("the refused change") { parked.entries.count == 1 }
    await parked.discard(try #require(parked.entries.first))
    #expect(parked.error == nil && parked.entries.isEmpty)
    try await eventually("the server's note") { notes.models.last == Device.market }
  }
}
