/// Owns an encoder and lets go of its containers before it.
final class RowEncoderOwner {
  let encoder: RowEncoder

  init(_ columns: ColumnTable) {
    encoder = RowEncoder(columns)
  }

  deinit { encoder.drop() }
}
