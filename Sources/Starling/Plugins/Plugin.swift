import StarlingLua
public import StarlingModel

/// A plugin that was found: what its first lines say, the kinds that it declares, and the Lua state
/// that it runs in.
///
/// A plugin that cannot be used stays in the list, with the reason in `refusal`.
public final class Plugin {
  public let name: String
  /// The Lua file, as it was found.
  public let path: String
  public let summary: String?
  /// Why it is not used; nil for one that is.
  public internal(set) var refusal: HostError?
  /// Whether it is not used because it was stopped for time or memory again and again.
  public private(set) var isQuarantined = false
  /// The kinds that it declares or shares, as it writes them.
  public private(set) var declarations: [KindDeclaration] = []

  let file: PluginFile
  /// Whether the file's first lines name an API version; one without is refused.
  private(set) var hasHeader = true
  /// Whether it says which feeds are its own; one that does not is used by name.
  private(set) var hasAccepts = false
  let sources: PluginSources
  /// What it did since that was last written down.
  let meter = PluginMeter()
  private let services: PluginServices
  private var session: PluginSession?

  /// Reads the plugin's first lines and, when they fit, runs it once for its kinds.
  init(_ file: PluginFile, services: PluginServices) {
    self.file = file
    self.services = services
    name = file.name
    path = file.path
    do throws(HostError) {
      if let problem = file.problem {
        throw HostError(.plugin, problem, subject: file.path, plugin: file.name)
      }
      sources = try PluginSources.read(file)
    } catch {
      sources = .none
      summary = nil
      refusal = error
      return
    }
    let header = PluginHeader(parsing: sources.main)
    summary = header.summary
    hasHeader = header.api != nil
    if let reason = header.refusal {
      refusal = HostError(
        .plugin, reason, plugin: file.name,
        location: SourceLocation(file: file.path, line: header.apiLine))
      return
    }
    if let (error, kinds) = services.health?.quarantine(file.name, sources) {
      declarations = kinds
      quarantine(error)
      return
    }
    do throws(HostError) {
      let session = try currentSession()
      declarations = session.declarations
      hasAccepts = session.hasAccepts
    } catch {
      meter.note(error)
      refusal = error
    }
  }

  /// Puts it out of use from here on.
  func quarantine(_ error: HostError) {
    refusal = error
    isQuarantined = true
    discardSession()
  }

  /// The plugin's running state, made anew after one was discarded.
  func currentSession() throws(HostError) -> PluginSession {
    if let session { return session }
    let session = try PluginSession(
      file, sources: sources, services: services, meter: meter)
    self.session = session
    return session
  }

  /// Lets go of the state: after a stop nothing that it holds is trusted.
  func discardSession() {
    session = nil
  }
}

@available(*, unavailable)
extension Plugin: Sendable {}

/// What a plugin gets of its host.
struct PluginServices {
  var limits: Limits
  var clock: () -> Timestamp
  var log: (LogLine) -> Void
  /// See `LuaConfiguration.randomSeed`.
  var randomSeed: Int64?
  var appFunctions: [ApiFunction] = []
  /// What is kept of plugins; nil where they run whatever they did before.
  var health: PluginHealth?
}
