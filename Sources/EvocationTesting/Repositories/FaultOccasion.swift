/// The calls that a ``FaultOccasion`` counts.
///
/// The first write and the third read fail, whatever else is called:
///
/// ```swift
/// let faulty = FaultyRepository(
///   wrapped, FaultSchedule(.fails(), on: .number(1, .write)).and(.fails(), on: .number(3, .read)))
/// ```
public enum FaultyCalls: String, Sendable, Hashable {
  /// All calls.
  case call
  /// The calls that read.
  case read
  /// The calls that write.
  case write
}

/// The calls that a fault of a ``FaultSchedule`` happens to.
///
/// ```swift
/// let schedule = FaultSchedule(.fails(), on: .number(3))
///   .and(.isDelayed(by: .seconds(2)), on: .each(.read))
/// print(schedule)  // Call 3 fails; every read is delayed by 2.0 seconds.
/// ```
public struct FaultOccasion: Sendable, Hashable {
  enum Pattern: Sendable, Hashable {
    case each
    case number(Int)
    case from(Int)
    case first(Int, ofEvery: Int)
    case chance(percent: Int, seed: UInt64)
  }

  let kind: FaultyCalls
  let pattern: Pattern

  /// Selects every call.
  public static func each(_ kind: FaultyCalls = .call) -> Self { Self(kind: kind, pattern: .each) }

  /// Selects one call, by its number among its kind, from 1.
  public static func number(_ number: Int, _ kind: FaultyCalls = .call) -> Self {
    Self(kind: kind, pattern: .number(number))
  }

  /// Selects the call with this number, and to all later ones.
  public static func from(_ number: Int, _ kind: FaultyCalls = .call) -> Self {
    Self(kind: kind, pattern: .from(number))
  }

  /// Selects the first calls of every period.
  ///
  /// With 2 of every 3, it selects all calls except the third, the sixth, and so on.
  public static func first(_ count: Int, ofEvery period: Int, _ kind: FaultyCalls = .call) -> Self {
    Self(kind: kind, pattern: .first(count, ofEvery: max(1, period)))
  }

  /// Selects this many of a hundred calls, at random.
  ///
  /// The same seed selects the same calls. Without a seed, the schedule uses the environment variable
  /// `EVOCATION_SEED`, or else draws a seed and prints it.
  public static func random(
    percent: Int, _ kind: FaultyCalls = .call, seed: UInt64? = nil
  ) -> Self {
    let seed = seed ?? SeededGenerator("FaultSchedule").seed
    return Self(kind: kind, pattern: .chance(percent: percent, seed: seed))
  }

  /// Returns whether it selects a call, by its number among its kind, from 1.
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

extension FaultOccasion: CustomStringConvertible {
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
