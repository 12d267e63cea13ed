import Evocation
import EvocationTesting

/// What kind of service, network and devices a seed has.
struct Options {
  /// Where the service has the versions of its models.
  enum Versions: CaseIterable {
    /// In a property of the model, which it compares.
    case property
    /// Beside the models, as entity tags are; a write says in a condition what it was made on.
    case beside
    /// Nowhere: who wants to know asks, and compares.
    case nowhere
  }

  /// What the app says to a conflict.
  enum Resolver: CaseIterable {
    case park, mine, theirs, fields, fieldsOrMine, fieldsOrTheirs
    /// A model of its own.
    case own
    /// Any of these.
    case any
  }

  /// Whether what happens follows from the seed alone, and not from how many jobs and commits it took.
  ///
  /// So that two states of the sources can be compared that do the same in different ways.
  let isCalm: Bool
  /// Whether the service does what has the same key once.
  let honoursKeys: Bool
  /// Whether it refuses the same again that has the key of what it refused.
  let repeatsRefusals: Bool
  let versions: Versions
  /// Whether a service with its versions in the models compares them, and whether for removals too.
  let checksVersions: Bool
  let checksRemovals: Bool
  /// Whether lists, and answers to writes, say the versions that are kept beside the models.
  let listsVersions: Bool
  let answersVersions: Bool
  let resolver: Resolver
  /// Whether the service refuses some writes for good.
  let refusesSome: Bool
  /// Whether credentials expire.
  let expires: Bool
  /// Whether an update of what is not there is a conflict, and not an empty answer.
  let missingIsConflict: Bool
  /// Whether a conflict says what the service has.
  let saysCurrent: Bool
  /// Of a hundred messages, how many are lost.
  let loss: Int
  /// Whether the stores of devices are files.
  let usesFiles: Bool
  /// Whether jobs run in any order, and not as they came.
  let shufflesJobs: Bool
  /// Whether the simulation goes on before all jobs have run.
  let interrupts: Bool
  let fillsDisks: Bool
  let kills: Bool
  /// Whether several processes of a device share its store.
  let sharesStores: Bool
  let setsDates: Bool
  let devices: Int
  let steps: Int
  let concurrency: Int

  init(_ random: inout SeededGenerator, steps most: Int, isCalm: Bool = false) {
    self.isCalm = isCalm
    honoursKeys = random.chance(85)
    repeatsRefusals = random.chance(50) && honoursKeys
    versions = random.pick(Versions.allCases)
    checksVersions = random.chance(75)
    checksRemovals = random.chance(40)
    listsVersions = random.chance(60)
    answersVersions = random.chance(80)
    resolver = random.pick(Resolver.allCases)
    refusesSome = random.chance(50)
    expires = random.chance(40)
    missingIsConflict = random.chance(50)
    saysCurrent = random.chance(70)
    loss = random.pick([0, 5, 10, 30])
    usesFiles = random.chance(15)
    shufflesJobs = random.chance(60) && !isCalm
    interrupts = random.chance(60) && !isCalm
    fillsDisks = random.chance(30) && !isCalm
    kills = random.chance(60)
    // A device has a file to itself, because it would watch for others on a thread of its own.
    sharesStores = random.chance(20) && !usesFiles
    setsDates = random.chance(20)
    devices = random.count(1...4)
    steps = min(random.count(60...240), most)
    concurrency = min(random.pick([1, 2, 4]), isCalm ? 1 : 4)
  }
}
