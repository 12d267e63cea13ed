/// Owns an encoder that its own containers hold too, and frees both.
final class RowEncoderOwner {
  let encoder: RowEncoder

  init(_ columns: ColumnTable) {
    encoder = RowEncoder(columns)
  }

  deinit { encoder.drop() }
}
