/// A part of a list as it is now, and where it lies in the whole.
public struct ListPart<Model: Sendable>: Sendable {
  /// The models, in the list's order.
  public var models: [Model]

  /// Which places of the list these are, counted from zero.
  public var range: Range<Int>

  /// How many models the list has.
  public var count: Int

  /// The version of the store's state that has it; nil where none are counted.
  public var version: UInt64?

  /// Makes a part of a list.
  public init(_ models: [Model], range: Range<Int>, count: Int, version: UInt64? = nil) {
    self.models = models
    self.range = range
    self.count = count
    self.version = version
  }
}
