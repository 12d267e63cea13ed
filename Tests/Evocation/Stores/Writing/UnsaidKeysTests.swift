import EvocationTesting
import TestSupport
import Testing

@testable import EvocationStores

/// Which keys an answer lacked is known of each of its models, whichever of them are asked about.
@Suite struct UnsaidKeysTests {
  private struct Note: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var text: String?
  }

  @Test func `Models of an answer keep their absent keys in any order, and in any part of it`() {
    var random = Trials.random("unsaid keys")
    for _ in 0..<Trials.count(100) {
      let notes = (0..<random.count(1...6)).map { Note(id: $0) }.shuffled(using: &random)
      let absent = notes.map { _ in random.chance(50) ? Set(["text"]) : [] }
      let keys = UnsaidKeys(absent, of: notes)
      let known = Dictionary(uniqueKeysWithValues: zip(notes.map(\.id), absent))
      let isWhole = absent.allSatisfy(\.isEmpty)
      #expect(keys.isEmpty == isWhole)
      let part = notes.shuffled(using: &random).filter { _ in random.chance(70) }
      for asked in [notes, part, notes + [Note(id: 100)]] {
        let expected = asked.map { known[$0.id] ?? [] }
        #expect(keys.absentKeys(of: asked) == (isWhole ? [] : expected))
        // Some are not known.
        let whole = keys.completed(asked) { note in
          note.id % 3 == 0 ? nil : Note(id: note.id, text: "\(note.id) held")
        }
        #expect(whole.map(\.id) == asked.map(\.id))
        for (note, absent) in zip(whole, expected) {
          #expect(note.text == (absent.isEmpty || note.id % 3 == 0 ? nil : "\(note.id) held"))
        }
      }
    }
  }

  @Test func `Of a model that comes twice, the last one counts`() {
    let keys = UnsaidKeys([["text"], []], of: [Note(id: 1), Note(id: 1)])
    #expect(keys.absentKeys(of: Note(id: 1)) == nil)
    #expect(keys.absentKeys(of: [Note(id: 1)]) == [[]])
  }

  @Test func `Fewer sets than models say that the rest lack nothing`() {
    let notes = (1...3).map { Note(id: $0) }
    let keys = UnsaidKeys([["text"]], of: notes)
    #expect(keys.absentKeys(of: notes) == [["text"], [], []])
  }
}
