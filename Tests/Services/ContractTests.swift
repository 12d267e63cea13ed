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
    case .kinto, .kintoInMemory, .pocketBase, .eve: ["allOrNone", "lastState", "observing"]
    case .datasette: ["lastState", "observing"]
    case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .fastAPI, .graphQL:
      ["ids", "lastState", "observing"]
    }
  }

  /// What it refuses beside that, unless it is done here.
  static func unsayable(by service: RealService) -> Set<String> {
    switch service {
    case .kinto, .kintoInMemory:
      ["options", "or", "not", "prefix", "contains", "offset", "cursors"]
    case .djangoFixed, .djangoSized:
      ["options", "or", "not", "notEqual", "prefix", "contains", "cursors"]
    case .jsonAPI, .datasette:
      ["options", "or", "not", "notEqual", "prefix", "contains", "offset", "cursors"]
    case .fastAPI: []
    case .graphQL: ["options", "prefix", "contains", "cursors"]
    case .eve: ["options", "prefix", "contains", "offset", "cursors"]
    case .djangoOffsets: ["options", "or", "not", "notEqual", "prefix", "contains", "cursors"]
    case .pocketBase: ["options", "or", "not", "contains", "offset", "cursors"]
    }
  }

  /// Each service, and where what cannot be said is done here too; Django has a page of its own for each.
  static let cases = RealService.running.flatMap { service -> [(RealService, Bool)] in
    switch service {
    case .kinto, .pocketBase, .jsonAPI, .datasette, .eve, .graphQL:
      [(service, false), (service, true)]
    case .kintoInMemory, .djangoFixed, .djangoOffsets: [(service, false)]
    case .djangoSized, .fastAPI: [(service, true)]
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
      let violations = report.violations.map(\.description)
      // For the table of `scripts/test-services`.
      print("contract of \(service): \(violations.count) violations")
      for (sentence, count) in Self.counted(violations) {
        Self.record("\(count) times: \(sentence)", Self.reason(for: sentence, of: service))
      }
      var refused = Self.refused(by: service)
      if !filtersHere { refused.formUnion(Self.unsayable(by: service)) }
      #expect(Set(report.refused.map(\.rawValue)) == refused)
    }
    try await service.alone { try await check(service.model) }
  }

  /// Why a violation is known; nil if it is not.
  private static func reason(for sentence: String, of service: RealService) -> Comment? {
    switch service {
    case .pocketBase where sentence.contains("it has no \"null\""):
      "PocketBase has no null, which the contract asks for within ! and ||."
    case .jsonAPI where isAboutOrder(sentence) || sentence.contains("as a number"):
      "Ids are texts, which the service has in the order of their numbers."
    default: nil
    }
  }

  /// Whether the models are the right ones in another order, or the first ones in another order.
  private static func isAboutOrder(_ sentence: String) -> Bool {
    guard let match = sentence.wholeMatch(of: /.* gave ([\d, ]+) instead of ([\d, ]+)\./) else {
      return sentence.hasPrefix("findOne gives the first")
    }
    return Set(match.1.split(separator: ", ")) == Set(match.2.split(separator: ", "))
      || sentence.hasPrefix("A limit and an offset")
  }

  private static func record(_ sentence: Comment, _ reason: Comment?) {
    guard let reason else {
      Issue.record(sentence)
      return
    }
    withKnownIssue(reason) { Issue.record(sentence) }
  }

  private static func counted(_ sentences: [String]) -> [(String, Int)] {
    Dictionary(sentences.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }
}
