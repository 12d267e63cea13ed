expression(
    "A manual clock wakes a sleeper at its deadline", "ManualClock.advance",
    "$0.value.deadline <= state.now", "$0.value.deadline < state.now", "ManualClockTests")
expression(
    "A fault of the nth write counts no reads", "FaultSchedule.faults",
    "includes(«numberOfKind»)", "number", "FaultyRepositoryTests")
expression(
    "The contract takes nothing for findOne but the first that find gives",
    "RepositoryContract.findingOne", "first == models[0]", "true", "RepositoryContractTests")
expression(
    "The contract takes no commit that is told twice", "RepositoryContract.Trial.expect",
    "changes.count == 1", "changes.count >= 1", "RepositoryContractTests")
expression(
    "A replay answers no question but the recorded one", "RecordedRepository.question",
    "ByteText(json)", "ByteText(\"\")", "RecordingTests")
expression(
    "A recording keeps infinities", "RecordedJSON.decoded",
    "positiveInfinity: «\"inf\"»", "\"infinity\"", "RecordingTests")
expression(
    "A contract with fewer than three models says so", "RepositoryContract.report",
    "count >= 3", "count >= 2", "RepositoryContractTests")
