/// Owns a decoder and lets go of its containers before it.
final class RowDecoderOwner {
  let decoder: RowDecoder

  init(_ columns: ColumnTable) {
    decoder = RowDecoder(columns)
  }

  deinit { decoder.drop() }
}
