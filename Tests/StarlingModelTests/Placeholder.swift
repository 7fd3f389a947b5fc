import Testing
@testable import StarlingModel
