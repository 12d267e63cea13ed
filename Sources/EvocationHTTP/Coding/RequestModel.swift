/// A model as a request carries it.
struct RequestModel<Model: Encodable>: Encodable {
  let model: Model
  let writesNulls: Bool

  func encode(to encoder: any Encoder) throws {
    if writesNulls {
      try model.encode(to: NullWritingEncoder(base: encoder))
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(model)
    }
  }
}
