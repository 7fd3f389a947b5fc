import Testing
@testable import Starling
