import Testing
@testable import StarlingFavorites
