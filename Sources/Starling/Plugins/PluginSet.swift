import StarlingFavorites
import StarlingModel

/// The plugins of a host with the merge of their kinds and the app's.
struct PluginSet {
  let plugins: [Plugin]
  let appKinds: [KindDeclaration]
  let model: KindModel
  /// What is wrong with the app's own kinds; nothing can be stored then.
  let appConflict: KindConflict?
  /// Whether the store has the model's kinds.
  var isRegistered = false

  /// Who declares the app's kinds, in conflicts.
  static let app = "the app"

  /// Loads plugins in the order given. One whose kinds contradict the app's or those of an older
  /// plugin is refused; a plugin of the user's own is newer than those that come with the program.
  init(_ files: [PluginFile], services: PluginServices, appKinds: [KindDeclaration] = []) {
    self.init(
      plugins: files.map { Plugin($0, services: services) }, appKinds: appKinds)
  }

  /// Plugins that are loaded, in their order.
  init(plugins: [Plugin], appKinds: [KindDeclaration]) {
    self.plugins = plugins
    self.appKinds = appKinds
    // Whom another one contradicted may be right among these.
    for plugin in plugins where plugin.refusal?.cause is KindConflict { plugin.refusal = nil }
    let (model, conflicts) = KindModel.merging(PluginSet.declarations(of: plugins, appKinds))
    appConflict = conflicts.first { $0.plugin == PluginSet.app }
    self.model = model
    refuse(conflicts)
  }

  /// What the app and the plugins declare. One in quarantine makes nothing, but others may share its
  /// kinds.
  var declarations: [(plugin: String, declarations: [KindDeclaration])] {
    PluginSet.declarations(of: plugins, appKinds)
  }

  private static func declarations(
    of plugins: [Plugin], _ appKinds: [KindDeclaration]
  ) -> [(plugin: String, declarations: [KindDeclaration])] {
    // Folders go from the user's own to those that come with the program, kinds the other way.
    let order = plugins.indices.sorted {
      (plugins[$1].file.foldersBefore, $0) < (plugins[$0].file.foldersBefore, $1)
    }
    return (appKinds.isEmpty ? [] : [(app, appKinds)])
      + order.map { plugins[$0] }.filter { $0.refusal == nil || $0.isQuarantined }
      .map { ($0.name, $0.declarations) }
  }

  /// Takes plugins out of use that contradict others, or the database.
  func refuse(_ conflicts: [KindConflict]) {
    for conflict in conflicts {
      for plugin in plugins where plugin.name == conflict.plugin && !plugin.isQuarantined {
        let names = ["kinds", conflict.kind] + (conflict.field.map { [$0] } ?? [])
        let line = TextPlace(plugin.sources.main).line(of: names)
        let message = "plugin \(FavoritesError.kindConflict(conflict))"
        plugin.refusal = HostError(
          .plugin, message, subject: line == nil ? plugin.path : nil,
          plugin: plugin.name,
          location: line.map { SourceLocation(file: plugin.path, line: $0) }, cause: conflict)
      }
    }
  }
}
