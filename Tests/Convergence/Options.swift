import EvocationTesting

/// What kind of service, network and devices a seed has.
struct Options {
  /// Whether what happens follows from the seed alone, and not from how many jobs and commits it took.
  ///
  /// So that two states of the sources can be compared that do the same in different ways.
  let isCalm: Bool
  /// Whether the service does what has the same key once.
  let honoursKeys: Bool
  let checksVersions: Bool
  let checksRemovals: Bool
  /// Whether the service refuses some writes for good.
  let refusesSome: Bool
  /// Whether an update of what is not there is a conflict, and not an empty answer.
  let missingIsConflict: Bool
  /// Whether a conflict says what the service has.
  let saysCurrent: Bool
  /// Of a hundred messages, how many are lost.
  let loss: Int
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
    checksVersions = random.chance(75)
    checksRemovals = random.chance(40)
    refusesSome = random.chance(50)
    missingIsConflict = random.chance(50)
    saysCurrent = random.chance(70)
    loss = random.pick([0, 5, 10, 30])
    shufflesJobs = random.chance(60) && !isCalm
    interrupts = random.chance(60) && !isCalm
    fillsDisks = random.chance(30) && !isCalm
    kills = random.chance(60)
    sharesStores = random.chance(20)
    setsDates = random.chance(20)
    devices = random.count(1...4)
    steps = min(random.count(60...240), most)
    concurrency = min(random.pick([1, 2, 4]), isCalm ? 1 : 4)
  }
}
