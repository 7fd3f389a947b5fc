import Testing
@testable import StarlingLua
