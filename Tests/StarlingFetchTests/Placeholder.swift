import Testing
@testable import StarlingFetch
