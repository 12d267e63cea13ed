import Foundation
import Harness

guard let options = Options(CommandLine.arguments.dropFirst()) else {
  print(Options.usage)
  exit(EXIT_FAILURE)
}
Runner.run(
  [
    .calls, .callParts, .memory, .observing, .live, .sqlite, .growth, .cache, .paging, .outbox,
    .http, .launch,
  ], options)
