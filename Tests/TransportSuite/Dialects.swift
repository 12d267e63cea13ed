#if os(macOS) || os(Linux)
  import EvocationHTTP
  import Fixtures

  /// How services are spoken to, as the page "Connect your service" has it.
  enum Dialects {
    struct Session: Sendable {
      func token(renewed: Bool) async throws -> String { renewed ? "good" : "old" }
    }

    /// Rows that a filter addresses, as PostgREST and Supabase have them.
    static func rows(
      _ key: String = "public", _ session: Session = Session()
    ) -> Setup {
      var setup = Setup(.supabase(key: key))
      setup.authorization = { occasion in
        "Bearer \(try await session.token(renewed: occasion == .refusal))"
      }
      return setup
    }

    /// Lists in an envelope, slashes at the end and ids by the service, as Django REST framework has
    /// them, in pages that may be asked to have any length.
    static func envelopes() -> Setup {
      var setup = Setup(.djangoREST(pageSize: 100))
      setup.filters.paging = .offset()
      setup.filters.largestPage = nil
      return setup
    }

    /// Bare arrays, page numbers and the field `Link`, as GitHub has them, with conditions and an order.
    static func links() -> Setup {
      var setup = Setup(.gitHub)
      setup.filters.operators = HTTPFilters.brackets.operators
      setup.filters.order = HTTPFilters.brackets.order
      return setup
    }

    /// Records under their clients' ids, with timestamps, as Kinto has them.
    static func records() -> Setup { Setup(.kinto) }
  }

  /// A number that a service sends as text, so that no digit is lost, and takes as a number.
  struct Amount: Codable, Hashable, Sendable {
    var value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        value = number
      } else if let number = Double(try container.decode(String.self)) {
        value = number
      } else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "It is neither a number nor the text of one.")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  extension Amount {
    init(_ value: Double) { self.value = value }
  }

  /// A car whose numbers with fractions come as text.
  struct PricedCar: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var name: String
    var milesPerGallon: Amount?
    var cylinders: Int
    var displacement: Amount
    var horsepower: Int?
    var weight: Int
    var acceleration: Amount
    var year: Int
    var origin: String

    init(_ car: Car) {
      id = car.id
      name = car.name
      milesPerGallon = car.milesPerGallon.map(Amount.init)
      cylinders = car.cylinders
      displacement = Amount(car.displacement)
      horsepower = car.horsepower
      weight = car.weight
      acceleration = Amount(car.acceleration)
      year = car.year
      origin = car.origin
    }
  }

  /// A car of a service whose ids are text.
  struct RecordCar: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var name: String
    var milesPerGallon: Double?
    var horsepower: Int?
    var year: Int

    init(_ car: Car) {
      id = "car-\(car.id)"
      name = car.name
      milesPerGallon = car.milesPerGallon
      horsepower = car.horsepower
      year = car.year
    }
  }
#endif
