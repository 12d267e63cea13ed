/// The model of the samples for those who come from Teller.
struct Departure: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var destination: String
}

typealias DepartureStore = KeptValues<[Departure]>
