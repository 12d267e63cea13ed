#if os(Linux)
  @testable import SQLiteSupport
  import TestSupport

  /// What processes said that they wrote, and which notes there must be therefore.
  struct SaidWrites {
    struct Write {
      let number: Int
      let ids: [Int]
      let isRemoval: Bool
    }

    /// The number of the last write on each note that there is.
    private(set) var numbers: [Int: Int] = [:]
    /// How many writes were answered.
    private(set) var answered = 0
    /// How many were not, and were done all the same.
    private(set) var doneUnanswered = 0
    private(set) var last = 0
    /// Lines that nobody expects: errors.
    private(set) var problems: [String] = []
    /// Writes that were begun and not answered: they may have been done.
    private var open: [Write] = []

    /// Takes all that one process said.
    mutating func take(_ text: String) {
      var begun: Write?
      // A line that was not ended was not said.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        let words = line.split(separator: " ")
        switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
        case ("begins", let number?) where words.count == 4:
          last = max(last, number)
          begun = Write(
            number: number, ids: words[3].split(separator: ",").compactMap { Int($0) },
            isRemoval: words[2] == "removes")
        case ("ends", let number?) where begun?.number == number:
          if let begun { numbers.apply(begun) }
          begun = nil
          answered += 1
        case ("at", _), ("sent", _): break
        default: problems.append(String(line))
        }
      }
      if let begun { open.append(begun) }
    }

    /// Finds out, by what there is, which writes were done that were not answered.
    mutating func settle(by found: [Int: Int]) {
      for write in open {
        var done = numbers
        done.apply(write)
        if write.ids.allSatisfy({ done[$0] == found[$0] }) {
          numbers = done
          doneUnanswered += 1
        }
      }
      open = []
    }
  }

  extension [Int: Int] {
    fileprivate mutating func apply(_ write: SaidWrites.Write) {
      for id in write.ids { self[id] = write.isRemoval ? nil : write.number }
    }
  }
#endif
