/// What goes wrong with which calls, as a value that prints as a sentence.
///
/// ```swift
/// let schedule = FaultSchedule(.fails(), on: .number(3))
///   .and(.isDelayed(by: .seconds(2)), on: .each(.read))
/// print(schedule)  // Call 3 fails; every read is delayed by 2.0 seconds.
/// ```
///
/// When several faults meet in one call, delays add up, and the first of the others happens.
public struct FaultSchedule: Sendable {
  private var entries: [(fault: Fault, occasion: Occasion)] = []

  /// Makes a schedule of one fault.
  public init(_ fault: Fault, on occasion: Occasion) {
    entries = [(fault, occasion)]
  }

  private init() {}

  /// Nothing goes wrong.
  public static let none = FaultSchedule()

  /// The same schedule with one fault more.
  public func and(_ fault: Fault, on occasion: Occasion) -> Self {
    var schedule = self
    schedule.entries.append((fault, occasion))
    return schedule
  }

  /// What happens to a call, by its number among all and among its kind.
  func faults(number: Int, _ kind: Occasion.Kind, numberOfKind: Int) -> [Fault] {
    entries.filter { _, occasion in
      switch occasion.kind {
      case .call: occasion.includes(number)
      case kind: occasion.includes(numberOfKind)
      case .read, .write: false
      }
    }.map(\.fault)
  }
}

extension FaultSchedule: CustomStringConvertible {
  /// The schedule as one sentence.
  public var description: String {
    guard !entries.isEmpty else { return "Nothing goes wrong." }
    let text = entries.map { "\($0.occasion) \($0.fault)" }.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

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

    /// The first calls of every period: with 2 of every 3, all but the third, the sixth, and so on.
    public static func first(_ count: Int, ofEvery period: Int, _ kind: Kind = .call) -> Self {
      Self(kind: kind, pattern: .first(count, ofEvery: max(1, period)))
    }

    /// This many of a hundred calls, at random; the same ones for the same seed.
    ///
    /// Without a seed it takes the environment's `EVOCATION_SEED`, or makes one up and prints it.
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
