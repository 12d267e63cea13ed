#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    static var streamChecks: [Check] {
      [
        Check("The pieces of a streamed answer arrive before it ends") { trial in
          try await trial.service.control(.chunked(.unending))
          trial.require("the body", try await read(trial) { $0 > 1000 } > 1000)
          // The answer ended with its reader, so the service is free for others.
          try await trial.service.reset()
          trial.require("the answer", try await trial.cars().findOne(["id": 1]).value?.id, 1)
        },
        Check("A streamed answer that ends is whole") { trial in
          let size = try await read(trial) { _ in false }
          trial.require("the size", size > 10_000)
        },
        Check("Canceling ends a streamed answer between two pieces") { trial in
          try await trial.service.control(.chunked(.unending))
          let task = Task { try await read(trial) { _ in false } }
          _ = try await trial.service.requests(atLeast: 1)
          task.cancel()
          if let size = try? await task.value { trial.add("it ended after \(size) bytes") }
        },
      ]
    }

    /// Reads a streamed answer until enough has arrived, or to its end.
    private static func read(_ trial: Trial, _ isEnough: (Int) -> Bool) async throws -> Int {
      var request = HTTPTransportRequest(
        url: trial.service.url.appending(path: "cars"), timeout: .seconds(1), isRepeatable: true)
      request.isStreamed = true
      var size = 0
      for try await piece in try await trial.configuration.transport.send(request).body {
        size += piece.count
        if isEnough(size) { break }
      }
      return size
    }
  }
#endif
