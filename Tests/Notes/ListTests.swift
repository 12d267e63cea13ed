import Evocation
import EvocationTesting
import Foundation
import NotesModel
import TestSupport
import TestTraits
import Testing

/// The list, the search and the detail, as a user sees them.
@MainActor @Suite(.patient) struct ListTests {
  @Test func `The list fetches the notes, and shows them without a server from then on`()
    async throws
  {
    let device = try await Device()
    let notes = device.notebook.notes()
    try await eventually("the fetched notes") {
      notes.models == [Device.harbour, Device.market] && !notes.isFetching
    }
    #expect(notes.error == nil)
    device.loseServer()
    let offline = device.notebook.notes()
    try await eventually("the notes of the file, and why there are no others") {
      offline.models == [Device.harbour, Device.market] && offline.error != nil
    }
    #expect(offline.error?.localizedDescription == "The server cannot be reached.")
    await offline.refresh()
    #expect(offline.models.count == 2)
  }

  @Test func `A search finds notes on the device when the user stops typing`() async throws {
    let device = try await Device()
    await device.notebook.notes().refresh()
    device.loseServer()
    let clock = ManualClock()
    let search = NoteSearch(device.notebook, clock: clock)
    try await eventually("all notes") { search.results.models.count == 2 }
    for text in ["p", "pl", "plu"] { search.text = text }
    #expect(search.results.models.count == 2)
    #expect(await clock.sleeps(1))
    clock.advance(by: .milliseconds(300))
    try await eventually("the note with plums") { search.results.models == [Device.market] }
    search.text = "seven FERRY"
    #expect(await clock.sleeps(2))
    clock.advance(by: .milliseconds(300))
    try await eventually("the note with both words") { search.results.models == [Device.harbour] }
    search.text = ""
    #expect(await clock.sleeps(3))
    clock.advance(by: .milliseconds(300))
    try await eventually("all notes again") { search.results.models.count == 2 }
  }

  @Test func `The detail follows its note, until it is removed`() async throws {
    let device = try await Device()
    await device.notebook.notes().refresh()
    let detail = device.notebook.note(Device.market.id)
    try await eventually("the note") { detail.models == [Device.market] }
    let draft = NoteDraft(device.notebook, editing: Device.market)
    draft.text = "Bread."
    #expect(await draft.save())
    try await eventually("the edit") { detail.models.first?.text == "Bread." }
    #expect(await device.notebook.remove(detail.models) == nil)
    try await eventually("no note") { detail.models.isEmpty }
    try await eventually("no note at the server") {
      try await device.onServer == [Device.harbour]
    }
  }
}
