/// Owns a decoder that its own containers hold too, and frees both.
final class RowDecoderOwner {
  let decoder: RowDecoder

  init(_ columns: ColumnTable) {
    decoder = RowDecoder(columns)
  }

  deinit { decoder.drop() }
}
