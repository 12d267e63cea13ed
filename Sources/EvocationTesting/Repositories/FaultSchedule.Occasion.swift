extension FaultSchedule {
  /// Which calls something happens to.
  public struct Occasion: Sendable, Hashable {
    /// Which calls are counted.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// All calls.
      case call
      /// Those that only read.
      case read
      /// Those that write.
      case write
    }

    enum Pattern: Sendable, Hashable {
      case each
      case number(Int)
      case from(Int)
      case first(Int, ofEvery: Int)
      case chance(percent: Int, seed: UInt64)
    }

    let kind: Kind
    let pattern: Pattern

    /// Every call.
    public static func each(_ kind: Kind = .call) -> Self { Self(kind: kind, pattern: .each) }

    /// One call, by its number among its kind, from 1.
    public static func number(_ number: Int, _ kind: Kind = .call) -> Self {
      Self(kind: kind, pattern: .number(number))
    }

    /// A call by its number, and all that follow.
    public static func from(_ number: Int, _ kind: Kind = .call) -> Self {
      Self(kind: kind, pattern: .from(number))
    }

    /// The first so many of every so many calls.
    public static func first(_ count: Int, ofEvery period: Int, _ kind: Kind = .call) -> Self {
      Self(kind: kind, pattern: .first(count, ofEvery: max(1, period)))
    }

    /// So many of a hundred calls, by chance; the same ones for the same seed.
    ///
    /// Without a seed one is made up and printed, or taken from the environment's `EVOCATION_SEED`.
    public static func random(
      percent: Int, _ kind: Kind = .call, seed: UInt64? = nil
    ) -> Self {
      let seed = seed ?? SeededGenerator("FaultSchedule").seed
      return Self(kind: kind, pattern: .chance(percent: percent, seed: seed))
    }

    /// Whether it is this call, by its number among its kind, from 1.
    func includes(_ number: Int) -> Bool {
      switch pattern {
      case .each: true
      case .number(let only): number == only
      case .from(let first): number >= first
      case .first(let count, let period): (number - 1) % period < count
      case .chance(let percent, let seed):
        Int(SeededGenerator.mixed(seed ^ SeededGenerator.mixed(UInt64(number))) % 100) < percent
      }
    }
  }
}

extension FaultSchedule.Occasion: CustomStringConvertible {
  /// The occasion as the beginning of a sentence.
  public var description: String {
    switch pattern {
    case .each: "every \(kind)"
    case .number(let number): "\(kind) \(number)"
    case .from(let number): "every \(kind) from number \(number) on"
    case .first(let count, let period): "each of the first \(count) of every \(period) \(kind)s"
    case .chance(let percent, let seed): "one \(kind) in \(percent) % of cases (seed \(seed))"
    }
  }
}
