/// The number of a page, for services that count them.
///
/// ```swift
/// let second = PageNumber(1).next
/// ```
public struct PageNumber: PageRequirements, ExpressibleByIntegerLiteral {
  /// The number; the first page's is often 0 or 1, as the service counts.
  public var number: Int

  /// Makes a page's number.
  public init(_ number: Int) {
    self.number = number
  }

  /// Makes a page's number of a literal.
  public init(integerLiteral number: Int) {
    self.number = number
  }

  /// The page after this one; the greatest number there is stays as it is.
  public var next: PageNumber { PageNumber(number.addingClamped(1)) }

  /// The page before this one; the least number there is stays as it is.
  public var previous: PageNumber { PageNumber(number.subtractingClamped(1)) }
}
