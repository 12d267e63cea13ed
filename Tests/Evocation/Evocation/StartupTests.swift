import Testing

@testable import Evocation
@testable import EvocationValues

/// The configuration that the shared instance is made with.
@Suite struct StartupTests {
  @Test func `a configuration is taken once, and only before the instance is made`() throws {
    let startup = Startup()
    try startup.configure(.init(chance: { 0.25 }))
    #expect(throws: EvocationError.alreadyStarted) { try startup.configure(.init()) }
    #expect(startup.begin().chance() == 0.25)
    #expect(throws: EvocationError.alreadyStarted) { try startup.configure(.init()) }
    let late = Startup()
    _ = late.begin()
    #expect(throws: EvocationError.alreadyStarted) { try late.configure(.init()) }
    #expect(
      "\(EvocationError.alreadyStarted)"
        == "Evocation.shared is already in use, or already has a configuration; call "
        + "Evocation.bootstrap(_:) once, before any other use.")
  }
}
