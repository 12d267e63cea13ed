public import Evocation
public import Observation

/// A search in the notes on the device, for a search field.
///
/// It runs when the user stops typing for a moment. It finds the notes with all words, the best ones
/// first, and takes the last word for the beginning of one.
@MainActor @Observable
public final class NoteSearch {
  /// The notes that match.
  @ObservationIgnored public let results: ObservedModels<Note>

  /// What the user has typed.
  public var text = "" {
    didSet { if text != oldValue { searchSoon() } }
  }

  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private var pause: Task<Void, Never>?

  /// Begins with all notes; the clock measures the moment without typing.
  public init(_ notebook: Notebook, clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    results = ObservedModels(
      Note.self, where: Notebook.all, fetches: false, in: notebook.evocation)
  }

  deinit { pause?.cancel() }

  private func searchSoon() {
    pause?.cancel()
    pause = Task { [clock, text, results] in
      guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
      results.criteria = text.isEmpty ? Notebook.all : .matching(text + "*")
    }
  }
}
