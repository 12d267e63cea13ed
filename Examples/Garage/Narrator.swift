import Evocation
import Foundation

/// Prints what happens, and counts the steps that failed.
struct Narrator {
  /// Whether durations and colors are left out, so that two runs print the same.
  let isPlain: Bool
  private(set) var failures = 0

  init(isPlain: Bool) {
    self.isPlain = isPlain
  }

  /// Prints the title of a part.
  func title(_ text: String) {
    print("\n" + styled(text, "1"))
  }

  /// Prints a sentence.
  func say(_ text: String) {
    print("  " + text)
  }

  /// Prints the code that a developer would write.
  func code(_ text: String) {
    print("  " + styled(text, "36"))
  }

  /// Prints a sentence, and counts a failure if it is not true.
  mutating func check(_ isTrue: Bool, _ text: String) {
    if isTrue {
      print("  \(styled("✓", "32")) \(text)")
    } else {
      failures += 1
      print("  \(styled("✗ not so:", "31")) \(text)")
    }
  }

  /// Prints the origin of a result, its trace, and the error of syncing it, if any.
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

  /// Prints a line of the log.
  func log(_ line: String) {
    let times = /(\ in)?\ [0-9.]+\ [µmn]?s\b|\ \([^)]*\ old\)|\ \(fresh\)/
    say(isPlain ? line.replacing(times, with: "") : line)
  }

  /// Returns the text, without ports that differ from run to run if the output is plain.
  private func plain(_ text: String) -> String {
    isPlain ? text.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1") : text
  }

  /// Prints cars as a table.
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
