internal import Dispatch
internal import Foundation

/// The main thread, or the thread that runs the main queue in its place.
///
/// There are two cases. On Apple platforms the main thread runs the main queue and the main actor. On
/// Linux a program whose `main` is asynchronous ends its main thread, and other threads run the main
/// queue and the main actor; there the queue itself is recognized.
enum MainThread {
  static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil
  }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
