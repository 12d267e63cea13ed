import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestTraits
import Testing

/// The contract of all repositories, kept over each service.
@Suite(.patient) struct ContractTests {
  /// What a service's repository refuses, because the service cannot do it.
  static func refused(by service: RealService) -> Set<String> {
    switch service {
    case .kinto: ["allOrNone", "lastState", "observing"]
    case .djangoFixed, .djangoSized, .djangoOffsets: ["ids", "lastState", "observing"]
    case .pocketBase: ["allOrNone", "lastState", "observing"]
    }
  }

  /// What it refuses beside that, unless it is done here.
  static func unsayable(by service: RealService) -> Set<String> {
    switch service {
    case .kinto: ["options", "or", "not", "prefix", "contains", "offset", "cursors"]
    case .djangoFixed, .djangoSized:
      ["options", "or", "not", "notEqual", "prefix", "contains", "cursors"]
    case .djangoOffsets: ["options", "or", "not", "notEqual", "prefix", "contains", "cursors"]
    case .pocketBase: ["options", "or", "not", "contains", "offset", "cursors"]
    }
  }

  /// Each service, and where what cannot be said is done here too; Django has a page of its own for each.
  static let cases = RealService.running.flatMap { service -> [(RealService, Bool)] in
    switch service {
    case .kinto, .pocketBase: [(service, false), (service, true)]
    case .djangoFixed, .djangoOffsets: [(service, false)]
    case .djangoSized: [(service, true)]
    }
  }

  @Test(arguments: cases)
  func `The repository keeps the contract of all repositories`(
    service: RealService, filtersHere: Bool
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let meddler = Meddler(service)
      var wishes = Wishes(transport: meddler)
      wishes.filtersHere = filtersHere
      let repository = repository(of: service, type, wishes)
      let models = Array(try Car.all().prefix(12).suffix(4)).map(Model.init)
      let contract = RepositoryContract(models) { model in
        var model = model
        model.weight += 1
        return model
      }
      let report = await contract.report {
        try await service.empty()
        return repository
      }
      // The service's own failures, which nobody has asked for.
      #expect(meddler.lines.filter { $0.hasSuffix("-> 500") || $0.hasSuffix("-> 503") } == [])
      for (sentence, count) in Self.counted(report.violations.map(\.description)) {
        Self.record("\(count) times: \(sentence)", isKnown: sentence.contains("it has no \"null\""))
      }
      var refused = Self.refused(by: service)
      if !filtersHere { refused.formUnion(Self.unsayable(by: service)) }
      #expect(Set(report.refused.map(\.rawValue)) == refused)
    }
    try await service.alone { try await check(service.model) }
  }

  private static func record(_ sentence: Comment, isKnown: Bool) {
    guard isKnown else {
      Issue.record(sentence)
      return
    }
    withKnownIssue("PocketBase has no null, which the contract asks for within ! and ||.") {
      Issue.record(sentence)
    }
  }

  private static func counted(_ sentences: [String]) -> [(String, Int)] {
    Dictionary(sentences.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }
}
