/// The sentences that alerts show to the person who uses the app.
///
/// All errors share them, so that an app shows few different texts. None names a model, a value, a
/// file or an address.
package enum AlertText: String, CaseIterable, Sendable {
  case offline = "There is no internet connection."
  case unreachable = "The server cannot be reached."
  case notAnswered = "The server did not answer in time."
  case unavailable = "The server cannot do this right now."
  case uncertain = "The connection was lost before the server confirmed your change."
  case insecure = "The connection to the server is not secure."
  case captivePortal = "This network asks you to sign in first."
  case signedOut = "You are not signed in."
  case forbidden = "You do not have permission to do this."
  case notFound = "The server does not have this."
  case conflict = "This was changed somewhere else in the meantime."
  case alreadyExists = "This already exists."
  case changeRefused = "The server refused this change."
  case requestRefused = "The server refused this request."
  case unreadableAnswer = "The app could not read the server's answer."
  case partlySaved = "Only some of your changes were saved."
  case unsent = "Some of your changes have not been sent yet."
  case noLongerWaiting = "This change was already sent or discarded."
  case nothingToShow = "There is nothing to show yet."
  case tooOld = "The saved data are too old to show."
  case storageFull = "The storage of this device is full."
  case storageBusy = "The app's data are in use right now."
  case storageDamaged = "The app's data on this device are damaged."
  case storageFailed = "The app cannot use its data on this device."
  case appOutdated = "This version of the app is too old for its data."
  case notPossibleNow = "This is not possible right now."
  case appFailed = "Something went wrong in the app."
  case testFailed = "The test is not set up for this."

  /// The sentence for a failure of which only the kind is known.
  package init(_ kind: FailureKind) {
    self =
      switch kind {
      case .transient: .notPossibleNow
      case .authorization: .signedOut
      case .conflict: .conflict
      case .permanent: .appFailed
      }
  }
}
