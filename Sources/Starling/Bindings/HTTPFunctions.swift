import StarlingFetch
import StarlingLua

/// `http.get`, for hosts that were granted; a redirect to any other is refused.
enum HTTPFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "http.get", in: .script,
      [
        .required("url", .string, "an http or https address"),
        .optional("options", .shape("starling.RequestOptions"), "etag, last_modified"),
      ],
      returns: [
        ApiResult(type: .string, isOptional: true, help: "the body; nil when it failed"),
        ApiResult(
          type: .union([.shape("starling.Response"), .string]),
          help: "the response, or why it failed"),
      ],
      help: "Gets a document.", permission: "--allow-net"
    ) { environment, call, results throws(LuaError) in
      try get(try environment.requireScript(), call, &results)
    }
  ]

  private static func get(
    _ script: ScriptEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let request = try request(script, call)
    script.streams.beforeWaiting()
    guard let fetcher = script.fetcher?() else { throw .message("there is no network here") }
    var body: [UInt8] = []
    let response: FetchResponse
    do throws(FetchError) {
      response = try unsafe fetcher.get(request) { _, piece in
        unsafe body.append(contentsOf: piece)
        return true
      }
    } catch {
      try call.state.checkBudget()
      results.pushNil()
      guard case .refusedRedirect(_, let target) = error,
        let flag = script.permissions.flag(forFetching: target)
      else { return results.push(error.description) }
      return results.push("\(error.description); \(flag) would allow it")
    }
    results.push(body)
    try push(response, &results)
  }

  private static func request(
    _ script: ScriptEnvironment, _ call: borrowing LuaCall
  ) throws(LuaError) -> FetchRequest {
    let url = try call.name(1) ?? ""
    let permissions = script.permissions
    do throws(HostError) {
      try permissions.checkFetch(url)
    } catch {
      throw .host(error)
    }
    var request = FetchRequest(url: url)
    if !call[2].isNil {
      do throws(LuaError) {
        let options = try OptionReader(call[2], ["etag", "last_modified"], of: "get")
        request.etag = try options.text("etag")
        request.lastModified = try options.text("last_modified")
      } catch {
        throw call.argumentError(2, error.description)
      }
    }
    request.sizeLimitBytes = min(request.sizeLimitBytes, call.state.configuration.stringLimit)
    request.allowsRedirect = { permissions.mayFetch($0) }
    request.isCancelled = { [weak state = call.state] in state?.mustStop ?? true }
    return request
  }

  private static func push(
    _ response: FetchResponse, _ results: inout LuaWriter
  ) throws(LuaError) {
    try results.table(fields: 5) { table throws(LuaError) in
      try table.set(named: "status") { $0.push(Int64(response.status)) }
      let texts = [
        ("url", response.url), ("content_type", response.contentType), ("etag", response.etag),
        ("last_modified", response.lastModified),
      ]
      for (name, text) in texts {
        if let text { try table.set(named: name) { $0.push(text) } }
      }
    }
  }
}
