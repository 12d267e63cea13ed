/// The faults of a ``FaultyRepository``, as a value that prints as a sentence.
///
/// ```swift
/// let schedule = FaultSchedule(.fails(), on: .number(3))
///   .and(.isDelayed(by: .seconds(2)), on: .each(.read))
/// print(schedule)  // Call 3 fails; every read is delayed by 2.0 seconds.
/// ```
///
/// When several faults concern one call, the delays add up, and the first other fault happens.
public struct FaultSchedule: Sendable {
  private var entries: [(fault: Fault, occasion: FaultOccasion)] = []

  /// Creates a schedule of one fault.
  public init(_ fault: Fault, on occasion: FaultOccasion) {
    entries = [(fault, occasion)]
  }

  private init() {}

  /// A schedule without faults.
  public static let none = FaultSchedule()

  /// Returns the schedule with one more fault.
  public func and(_ fault: Fault, on occasion: FaultOccasion) -> Self {
    var schedule = self
    schedule.entries.append((fault, occasion))
    return schedule
  }

  /// Returns the faults of a call, by its number among all calls and among its kind.
  func faults(number: Int, _ kind: FaultyCalls, numberOfKind: Int) -> [Fault] {
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
