import Testing

@testable import StarlingSQLite
