import Testing
@testable import StarlingFeeds
