import Testing
@testable import StarlingTool
