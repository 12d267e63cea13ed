import Foundation

setvbuf(stdout, nil, _IOLBF, 0)
do {
  let garage = try await Garage.open()
  print("The garage is open. Its inspector: \(garage.address)")
  print("Open the address in a browser on this device. Control-C closes the garage.")
  await garage.work()
} catch {
  FileHandle.standardError.write(Data("The garage stays closed: \(error)\n".utf8))
  exit(1)
}
