import Evocation
import NotesModel
import TestSupport
import TestTraits
import Testing

/// Signing out, with and without unsent changes.
@MainActor @Suite(.patient) struct SignOutTests {
  @Test func `Signing out sends what is unsent, and empties the device`() async throws {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    device.notebook.evocation.outbox.pause()
    #expect(await device.notebook.remove([Device.market]) == nil)
    device.notebook.evocation.outbox.resume()
    let request = SignOutRequest(device.notebook)
    #expect(request.phase == .ready)
    await request.signOut()
    #expect(request.phase == .signedOut)
    try await eventually("an empty list") { notes.models.isEmpty }
    #expect(try await device.onServer == [Device.harbour])
  }

  @Test func `Signing out offline warns, and loses changes only if the user says so`()
    async throws
  {
    let device = try await Device()
    let notes = device.notebook.notes()
    await notes.refresh()
    device.loseServer()
    let draft = NoteDraft(device.notebook)
    draft.title = "Attic"
    #expect(await draft.save())
    let request = SignOutRequest(device.notebook)
    await request.signOut(sendingFor: .milliseconds(100))
    #expect(request.phase == .unsent(1))
    try await eventually("all notes") { notes.models.count == 3 }
    await request.signOutAnyway()
    #expect(request.phase == .signedOut)
    try await eventually("an empty list") { notes.models.isEmpty }
    #expect(try await device.notebook.evocation.outbox.status() == .init())
    try await device.findServer()
    #expect(try await device.onServer.map(\.title) == ["Harbour", "Market"])
  }
}
