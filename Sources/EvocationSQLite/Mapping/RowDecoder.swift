internal import Evocation

/// Decodes models from the rows of one statement.
final class RowDecoder {
  let layout: ModelLayout
  let source = RowSource()
  let model: ModelDecoder

  /// The columns of a mapping by hand, created at its first read.
  var mapped: MappedCells?

  init(_ layout: ModelLayout) {
    self.layout = layout
    model = ModelDecoder(layout, from: source)
  }

  deinit {
    model.releaseContainers()
  }
}
