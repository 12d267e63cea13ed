/// A part of a list as it is now, and where it lies in the whole.
public struct ListPart<Model: Sendable>: Sendable {
  /// The models, in the list's order.
  public var models: [Model]

  /// Which places of the list these are, counted from zero.
  public var range: Range<Int>

  /// How many models the list has.
  public var count: Int

  /// Makes a part of a list.
  public init(_ models: [Model], range: Range<Int>, count: Int) {
    self.models = models
    self.range = range
    self.count = count
  }
}
