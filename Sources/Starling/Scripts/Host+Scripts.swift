import StarlingFavorites
package import StarlingLua
package import StarlingModel

extension Host {
  /// Runs a script to its end.
  ///
  /// The store is opened when the script first asks it something. What the script changed is one run
  /// of the history; a transaction that it left open is rolled back.
  /// - Parameters:
  ///   - script: its text or where that is, and what it is given.
  ///   - io: its standard streams.
  ///   - stop: ends it from elsewhere.
  /// - Returns: the status that it ended itself with, else 0.
  /// - Throws: of kind `script` what it raised, with file, line and traceback; `time`, `memory`,
  ///   `canceled` for a stop; `permission`, `database`, `host` for what was not done for it.
  @discardableResult
  public func run(
    _ script: Script, io: ScriptIO = .standard(), stop: StopHandle = StopHandle()
  ) throws(HostError) -> Int32 {
    let session: ScriptSession
    do throws(LuaError) {
      session = try makeSession(
        name: script.name, io: io, permissions: script.permissions,
        limits: script.limits ?? configuration.scriptLimits, stop: stop)
    } catch {
      throw HostError(error, subject: script.name)
    }
    defer { session.close() }
    do throws(LuaError) {
      for source in script.sources {
        if let status = try session.run(source, arguments: script.argumentBytes) { return status }
      }
      return 0
    } catch {
      throw HostError(error, in: session.state, subject: script.name).advised
    }
  }

  /// A Lua state with everything that scripts and the console have.
  ///
  /// - Parameters:
  ///   - name: what the history and log lines call it.
  ///   - origin: who acts; the script when left out.
  package func makeSession(
    name: String, io: ScriptIO, permissions: Permissions = .none, limits: Limits,
    stop: StopHandle, origin: Cause.Origin? = nil, context: ApiContexts = .script
  ) throws(LuaError) -> ScriptSession {
    let environment = ApiEnvironment(
      context: context, name: name, clock: configuration.clock, log: configuration.log,
      appFunctions: configuration.appFunctions)
    let access = StoreBinding.Access(
      open: { () throws(HostError) in try self.store() },
      openWithPlugins: { () throws(HostError) in try self.storeWithPlugins() })
    let session = try ScriptSession(
      environment, io: io, permissions: permissions, limits: limits, store: access,
      origin: origin ?? .script(name: name), stop: stop)
    session.script.fetcher = { self.fetcher }
    return session
  }
}

extension ScriptSession {
  /// Reads and runs one source.
  func run(_ source: Script.Source, arguments: [[UInt8]]) throws(LuaError) -> Int32? {
    try setArguments(source.chunk, arguments)
    return try run(try read(source), name: source.chunk, arguments: arguments)
  }

  private func read(_ source: Script.Source) throws(LuaError) -> [UInt8] {
    switch source {
    case .code(let text): return Array(text.utf8)
    case .standardInput: return try script.streams.rest(state)
    case .file(let path):
      // A link to a script, such as one in PATH, has its modules where the script is.
      let real = Files.isLink(path) ? Files.resolved(path) : nil
      requireModules(in: Files.folder(real ?? path))
      do throws(HostError) {
        return try Files.readLua(path, limitBytes: 64 << 20)
      } catch {
        throw .host(error)
      }
    }
  }
}
