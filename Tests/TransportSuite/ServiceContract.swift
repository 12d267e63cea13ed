#if os(macOS) || os(Linux)
  import Evocation
  public import EvocationHTTP
  public import EvocationTesting
  public import Fixtures

  /// The contract of all repositories, kept over a transport against a service of one kind.
  public struct ServiceContract: Sendable, CustomStringConvertible {
    /// How the service speaks.
    public let dialect: Service.Dialect

    /// Whether what the service cannot say is done here.
    public let filtersHere: Bool

    private let check: @Sendable (any HTTPTransport) async throws -> [String]

    /// Makes the contract of a kind of service, which begins without models.
    ///
    /// - Parameters:
    ///   - dialect: How the service speaks.
    ///   - arguments: Further options of `service.py`.
    ///   - configuration: How it is spoken to.
    ///   - filtersHere: Whether what it cannot say is done here.
    ///   - refused: What a repository refuses, because the service cannot do it.
    ///   - unsayable: What it refuses beside that, and beside options, unless it is done here.
    ///   - models: Some models, made of cars.
    ///   - change: Gives one of them another value somewhere.
    public init<Model: Codable & Identifiable & Equatable & Sendable>(
      _ dialect: Service.Dialect, arguments: [String] = [],
      configuration: @escaping @Sendable () -> Setup = { Setup() },
      filtersHere: Bool = false,
      refusing refused: Set<RepositoryContract<Model>.Capability>,
      unsayable: Set<RepositoryContract<Model>.Capability> = [],
      models: @escaping @Sendable ([Car]) -> [Model],
      change: @escaping @Sendable (inout Model) -> Void
    ) {
      self.dialect = dialect
      self.filtersHere = filtersHere
      let refused = filtersHere ? refused : refused.union(unsayable).union([.options])
      check = { transport in
        let service = try await Service.start(dialect: dialect, arguments: ["--empty"] + arguments)
        defer { service.stop() }
        var configuration = configuration()
        configuration.transport = transport
        configuration.timeout = .seconds(300)
        configuration.filtersHere = filtersHere
        let repository = HTTPRepository<Model>(at: service.url, "cars", configuration)
        let cars = Array(try Car.all().prefix(12).suffix(5))
        let contract = RepositoryContract(models(cars)) { model in
          var model = model
          change(&model)
          return model
        }
        let report = await contract.report {
          _ = try await repository.remove(try await repository.find(Criteria()).value)
          return repository
        }
        return report.violations.map(\.description)
          + report.refused.subtracting(refused).map { "It refuses \($0)." }
          + refused.subtracting(report.refused).map { "It does not refuse \($0)." }
      }
    }

    /// One for each kind of service, and one more where what it cannot say is done here.
    public static let all =
      [
        ServiceContract(.plain, refusing: [.or, .not, .observing], models: { $0 }) {
          $0.weight += 1
        },
        ServiceContract(
          .postgrest, arguments: ["--bearer", "good"], configuration: { Dialects.rows() },
          refusing: [.cursors, .observing], models: { $0 }
        ) { $0.weight += 1 },
      ] + [false, true].flatMap(limited) + filtered

    /// Those of services that cannot say all criteria.
    private static func limited(filtersHere: Bool) -> [ServiceContract] {
      [
        ServiceContract(
          .envelope, configuration: Dialects.envelopes, filtersHere: filtersHere,
          refusing: [.ids, .lastState, .observing], unsayable: [.or, .not, .notEqual, .cursors],
          models: { $0.map(PricedCar.init) }
        ) { $0.weight += 1 },
        ServiceContract(
          .links, configuration: Dialects.links, filtersHere: filtersHere,
          refusing: [.allOrNone, .lastState, .observing],
          unsayable: [.or, .not, .offset, .cursors],
          models: { $0 }
        ) { $0.weight += 1 },
        ServiceContract(
          .records, configuration: Dialects.records, filtersHere: filtersHere,
          refusing: [.allOrNone, .lastState, .observing],
          unsayable: [.or, .not, .prefix, .contains, .offset, .cursors],
          models: { $0.map(RecordCar.init) }
        ) { $0.year += 1 },
        ServiceContract(
          .jsonapi, configuration: Dialects.jsonAPI, filtersHere: filtersHere,
          refusing: [.allOrNone, .lastState, .observing],
          unsayable: [.or, .not, .offset, .cursors],
          models: { $0.map(RecordCar.init) }
        ) { $0.year += 1 },
        ServiceContract(
          .directus, configuration: Dialects.directus, filtersHere: filtersHere,
          refusing: [.lastState, .observing], unsayable: [.cursors], models: { $0 }
        ) { $0.weight += 1 },
      ]
    }

    /// Those of services that cannot sort, or have few conditions: the rest is always done here.
    private static let filtered = [
      ServiceContract(
        .stripe, configuration: Dialects.stripe, filtersHere: true,
        refusing: [.ids, .lastState, .observing], models: { $0.map(RecordCar.init) }
      ) { $0.year += 1 },
      ServiceContract(
        .airtable, configuration: Dialects.airtable, filtersHere: true,
        refusing: [.ids, .lastState, .observing], models: { $0.map(RecordCar.init) }
      ) { $0.year += 1 },
      ServiceContract(
        .firebase, configuration: { Dialects.firebase() }, filtersHere: true,
        refusing: [.allOrNone, .lastState, .observing], models: { $0.map(RecordCar.init) }
      ) { $0.year += 1 },
    ]

    /// The dialect's name.
    public var description: String { dialect.rawValue + (filtersHere ? ", filtered here" : "") }

    /// What a repository over a transport does otherwise than the contract says.
    public func problems(over transport: any HTTPTransport) async throws -> [String] {
      try await check(transport)
    }
  }
#endif
