import StarlingModel

/// The functions, values and shapes that one host's Lua code sees.
package struct ApiSurface: Sendable {
  var functions: [ApiFunction]
  var values: [ApiValue]
  var shapes: [ApiShape]

  /// What every host has.
  package static let standard = ApiSurface(
    functions: ApiRegistry.functions, values: ApiRegistry.values, shapes: ApiRegistry.shapes)

  /// With an app's own functions.
  func adding(_ functions: [ApiFunction]) -> ApiSurface {
    var surface = self
    surface.functions += functions
    return surface
  }
}
