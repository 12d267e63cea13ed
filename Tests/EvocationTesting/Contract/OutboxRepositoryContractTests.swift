import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct OutboxRepositoryContractTests {
  private var contract: OutboxRepositoryContract<Car> {
    let models = [
      Car(id: 2, name: "b", year: 1970, owner: "x"), Car(id: 1, name: "a", year: 1980, owner: nil),
      Car(id: 3, name: "a", year: 1990, owner: nil),
    ]
    return OutboxRepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
  }

  @Test func `the repository in memory keeps the contract`() async {
    #expect(await contract.violations { InMemoryRepository<Car>() } == [])
  }

  /// What can be wrong with an outbox, the rule that it breaks, and how what was seen begins.
  private static let faults: [(OutboxSlip, rule: String, seen: String)] = [
    (
      .startsHeld, "A new queue has no entries, no lease, and is not held.",
      "isHeld gave true instead of false."
    ),
    (
      .reversesOrder, "Entries are kept as they are appended, and read in the order of positions.",
      #"The first two after a position gave ["c", "b"] instead of ["b", "c"]."#
    ),
    (
      .reversesOrder, "append stands behind all others, at a position that no other entry has.",
      #"The order gave ["d", "c", "a"] instead of ["a", "c", "d"]."#
    ),
    (
      .ignoresTheInstance,
      "records(of:) gives an instance's entries, and ends(of:) where they begin and end.",
      #"records(of:) gave [["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"]] instead of"#
    ),
    (
      .findsNoEnds,
      "records(of:) gives an instance's entries, and ends(of:) where they begin and end.",
      "ends(of:) gave [nil, nil, nil] instead of ["
    ),
    (
      .looksPastPositions, "record(at:) gives the entry at a position, and nothing where none is.",
      #"record(at:) gave [Optional("a"), nil, Optional("a")] instead of [Optional("a"), nil, nil]."#
    ),
    (
      .sendsWhatWaits,
      "pending(after:) gives what neither waits nor is parked, and take has it be so.",
      #"pending gave ["a true", "b true", "d false"] instead of ["a true", "d false"]."#
    ),
    (
      .takesNothing,
      "pending(after:) gives what neither waits nor is parked, and take has it be so.",
      #"pending then gave ["a true", "d false"] instead of ["a true", "b true", "d true"]."#
    ),
    (
      .isNeverDue, "due(by:) gives what has waited long enough, nextDue when, endWaits ends it.",
      #"due(by:) gave [] instead of ["b", "c"]."#
    ),
    (
      .saysNoTime, "due(by:) gives what has waited long enough, nextDue when, endWaits ends it.",
      "nextDue() gave nil instead of Optional("
    ),
    (
      .waitsOn, "due(by:) gives what has waited long enough, nextDue when, endWaits ends it.",
      #"pending after endWaits() gave [] instead of ["a true", "b true", "c true"]."#
    ),
    (
      .searchesOnce, "searched is lowered by an entry before it that is changed or deleted.",
      "Lowered by replace gave false instead of true."
    ),
    (
      .searchesOnce, "searched is lowered by an entry before it that is changed or deleted.",
      "Lowered by delete gave false instead of true."
    ),
    (
      .searchesAlways, "searched is lowered by an entry before it that is changed or deleted.",
      "Lowered by nothing gave true instead of false."
    ),
    (
      .forgetsRenamings,
      "What an instance is called is kept until what it is called so is forgotten.",
      "renaming(of:) gave nil instead of Optional("
    ),
    (
      .keepsRenamings,
      "What an instance is called is kept until what it is called so is forgotten.",
      "Afterwards gave Optional("
    ),
    (
      .keepsTheFirstVersion, "A model's version is the one that was set last.",
      #"version(of:) gave [Optional("\"1\""), Optional("x")] instead of [Optional("\"2\""), nil]."#
    ),
    (
      .refersToNothing, "records(referringTo:) gives the entries that refer to an instance now.",
      "references(of:) gave [] instead of ["
    ),
    (
      .refersToAll, "records(referringTo:) gives the entries that refer to an instance now.",
      "firstReferring(to:) between them gave Optional(1) instead of nil."
    ),
    (
      .forgetsReferences, "records(referringTo:) gives the entries that refer to an instance now.",
      #"records(referringTo:) gave [] instead of ["a", "c"]."#
    ),
    (
      .keepsID, "replace writes all of an entry, at its position.",
      #"All entries gave ["a: remove car 2 of 1971 on car 2 of 1970,"#
    ),
    (
      .replacesAtTheEnd, "replace by an entry of another instance moves it there, in its order.",
      #"records(of:) gave [["c"], ["b", "a"]] instead of [["c"], ["a", "b"]]."#
    ),
    (
      .writesModelsWithStates,
      "setState writes state, attempts and whether it was attempted, and no model.",
      #"All entries gave ["a: update car 2 of 1971 on nothing,"#
    ),
    (
      .deletesNothing, "delete takes one entry away, and nothing where none is.",
      #"All entries gave ["a: update car 2 of 1970 on nothing,"#
    ),
    (
      .promotesNothing,
      "Entries of low urgency are found apart from others, until promote makes them so.",
      "promote, twice gave [false, false] instead of [true, false]."
    ),
    (
      .countsParked, "count says how many are pending and parked, and when the oldest was queued.",
      "count() gave OutboxCount(pending: 3, parked: 1,"
    ),
    (
      .forgetsTheLease, "The lease is the one that was set last.",
      "lease gave nil instead of Optional("
    ),
    (
      .forgetsTheHold, "The queue is held as long as was said, whoever has the lease.",
      "isHeld gave false instead of true."
    ),
    (
      .hasOneKey, "key(of:) is the same for the same id, and for no other.",
      "The count of keys gave 1 instead of 3."
    ),
    (
      .insertsOverOthers, "insert adds a model, and does nothing where one with its id is there.",
      "insert gave false instead of true."
    ),
    (
      .holdsNothing, "put, held and remove write and read the repository's models.",
      "held gave nil instead of Optional(car 2 of 1971)."
    ),
    (
      .removesNothing, "put, held and remove write and read the repository's models.",
      "held of a removed one gave Optional(car 1 of 1980) instead of nil."
    ),
    (
      .readsWhatWas, "A transaction reads what it has written itself.",
      "isEmpty gave true instead of false."
    ),
    (
      .givesAllAsUnsent, "unsent leaves out models that the local store does not have.",
      "unsent gave [car 2 of 1970] instead of []."
    ),
    (
      .ignoresOrder,
      "unsent returns models with entries that match, in the requested order, beyond any limit.",
      "unsent in the other order gave [car 2 of 1971, car 3 of 1991] instead of [car "
        + "3 of 1991, car 2 of 1971]."
    ),
    (
      .keepsWhatThrew,
      "A transaction whose body throws leaves everything as it was, and notifies no observer.",
      "isHeld gave true instead of false."
    ),
    (
      .keepsWhatThrew,
      "A transaction whose body throws leaves everything as it was, and notifies no observer.",
      "The count of tellings gave 2 instead of 0."
    ),
    (
      .finishesWhatWasCancelled,
      "A transaction of a cancelled task throws CancellationError and does nothing.",
      "It threw nothing."
    ),
    (
      .readsTwice, "A look sees one state, with all of a transaction or with none of it.",
      "The count of looks that saw a part gave"
    ),
    (
      .tellsNoModels,
      "After a commit, the models' observers receive all that it changed, each model once.",
      #"What was told gave [] instead of ["[car 3 of 1991], [car 2 of 1971], [car 1 "#
        + #"of 1980]"]."#
    ),
    (
      .tellsNoQueue,
      "After each commit that changed entries, the queue's observers are notified, until the end.",
      "The count of tellings after append gave 0 instead of 1."
    ),
    (
      .tellsNoQueue,
      "After each commit that changed entries, the queue's observers are notified, until the end.",
      "The count of tellings after delete gave 0 instead of 2."
    ),
    (
      .tellsQueueForEver,
      "After each commit that changed entries, the queue's observers are notified, until the end.",
      "The count of tellings after the end gave 3 instead of 2."
    ),
    (
      .changesItsName, "The queue's name and the store's identity stay the same.",
      "queueName gave 2 instead of 1."
    ),
    (
      .hasNoName, "The queue's name and the store's identity stay the same.",
      "Having no name gave true instead of false."
    ),
    (
      .changesItsStore, "The queue's name and the store's identity stay the same.",
      "Being the same store gave false instead of true."
    ),
    (
      .sharesNothing, "The queue's name and the store's identity stay the same.",
      "Sharing it with itself gave false instead of true."
    ),
    (
      .queuesNothing, "A write with an outbox changes the models and queues them, and reports it.",
      "isPending gave false instead of true."
    ),
    (
      .storesWhatIsThere, "A write with an outbox that fails changes no model and queues nothing.",
      "It threw nothing."
    ),
    (
      .storesForUpdates, "queue does what a write with an outbox does.",
      "The models gave [[car 2 of 1970], [car 1 of 1980]] instead of [[car 2 of 1970], []]."
    ),
    (
      .sparesNothing,
      "A write of fetched models leaves unsent models and their base as they are, and is recorded.",
      "The count of models gave 1 instead of 2."
    ),
    (
      .sparesNothing,
      "A write of fetched models leaves unsent models and their base as they are, and is recorded.",
      "Having the app's model gave false instead of true."
    ),
    (
      .addsWhatItMirrors,
      "A write of fetched models leaves unsent models and their base as they are, and is recorded.",
      "What is seen of what the remote does not have gave [Optional(car 2 of 1971)] "
        + "instead of [nil]."
    ),
    (
      .mixesQueues,
      "rows(of:after:) gives a queue's entries, and says why those are parked that are.",
      #"Those of another queue gave ["a pending", "b no", "c pending"] instead of []."#
    ),
    (
      .findsHalfAUnit,
      "The entries of a unit are found in order, and parked and made pending together.",
      #"The unit's entries gave [["b"], ["b"], "#
    ),
    (
      .parksHalfAUnit,
      "The entries of a unit are found in order, and parked and made pending together.",
      #"Those left, parked gave [["c", "d"], ["c"], ["c", "e"], ["a", "c", "d", "e"]] "#
    ),
    (
      .isNotItself, "A transaction returns itself for its own repository.",
      #"The same transaction gave nil instead of Optional(["a"])."#
    ),
  ]

  @Test(arguments: faults)
  func `an outbox that breaks a rule is told which, and how`(
    _ slip: OutboxSlip, _ rule: String, _ seen: String
  ) async {
    let violations = await contract.violations { CarelessOutbox(slip) }
    #expect(
      violations.contains { $0.rule == rule && $0.observation.hasPrefix(seen) }, "\(violations)")
  }
}
