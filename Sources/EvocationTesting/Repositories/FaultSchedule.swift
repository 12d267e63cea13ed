/// What goes wrong with which calls, as a value that prints as a sentence.
///
/// ```swift
/// let schedule = FaultSchedule(.fails(), on: .number(3))
///   .and(.isDelayed(by: .seconds(2)), on: .each(.read))
/// print(schedule)  // Call 3 fails; every read is delayed by 2.0 seconds.
/// ```
///
/// Of several faults that meet in one call, delays add up, and the first of the others happens.
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
