import Evocation
import Foundation

/// Tells what happens, and remembers whether everything went as it said.
struct Narrator {
  /// Whether durations and colours are left out, so that two runs print the same.
  let isPlain: Bool
  private(set) var failures = 0

  init(isPlain: Bool) {
    self.isPlain = isPlain
  }

  /// Begins a part of the story.
  func title(_ text: String) {
    print("\n" + styled(text, "1"))
  }

  /// Says a sentence.
  func say(_ text: String) {
    print("  " + text)
  }

  /// Shows what a developer wrote.
  func code(_ text: String) {
    print("  " + styled(text, "36"))
  }

  /// Says what is true, and counts it as a failure when it is not.
  mutating func check(_ isTrue: Bool, _ text: String) {
    if isTrue {
      print("  \(styled("✓", "32")) \(text)")
    } else {
      failures += 1
      print("  \(styled("✗ not so:", "31")) \(text)")
    }
  }

  /// Says where an answer came from, how it came to be, and whether the other side followed.
  func course<Value>(of result: Evocation.Result<Value>) {
    say("origin: \(styled(result.origin?.rawValue ?? "none", "33"))")
    var trace = result.trace
    if isPlain {
      for index in trace.steps.indices {
        (trace.steps[index].duration, trace.steps[index].age) = (.zero, nil)
      }
    }
    say("trace:  \(plain("\(trace)"))")
    guard let error = result.synchronizationError else { return }
    say("synchronizationError: \(plain("\(error)"))")
  }

  /// Shows a line of the log.
  func log(_ line: String) {
    let times = /(\ in)?\ [0-9.]+\ [µmn]?s\b|\ \([^)]*\ old\)|\ \(fresh\)/
    say(isPlain ? line.replacing(times, with: "") : line)
  }

  /// Leaves out of a text what differs from run to run, if it is to be plain.
  private func plain(_ text: String) -> String {
    isPlain ? text.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1") : text
  }

  /// Shows cars as a table.
  func table(_ cars: [Car]) {
    for car in cars {
      let power = car.horsepower.map { "\($0) hp" } ?? "? hp"
      let thirst = car.milesPerGallon.map { String(format: "%.1f mpg", $0) } ?? "? mpg"
      let name = car.name.padding(toLength: 28, withPad: " ", startingAt: 0)
      print("    \(name) \(car.year)  \(pad(power, 7))  \(pad(thirst, 9))  \(car.origin)")
    }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func styled(_ text: String, _ code: String) -> String {
    isPlain || isatty(STDOUT_FILENO) == 0 ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
