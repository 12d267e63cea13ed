import Foundation

/// Writes a line at once, also where the output is not a terminal.
func say(_ line: String, to file: FileHandle = .standardOutput) {
  try? file.write(contentsOf: Data("\(line)\n".utf8))
}

do {
  let garage = try await Garage.open()
  say("The garage is open. Its inspector: \(garage.address)")
  say("Open the address in a browser on this device. Control-C closes the garage.")
  await garage.work()
} catch {
  say("The garage stays closed: \(error)", to: .standardError)
  exit(1)
}
