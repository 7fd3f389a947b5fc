import StarlingModel

/// The plugins of a host with the merge of their kinds and the app's.
struct PluginSet {
  let plugins: [Plugin]
  let model: KindModel
  /// What is wrong with the app's own kinds; nothing can be stored then.
  let appConflict: KindConflict?
  /// Whether the store has the model's kinds.
  var isRegistered = false

  /// Who declares the app's kinds, in conflicts.
  static let app = "the app"

  /// Loads plugins in the order given, after the app's kinds. One whose kinds contradict an earlier one's is refused.
  init(_ files: [PluginFile], services: PluginServices, appKinds: [KindDeclaration] = []) {
    plugins = files.map { Plugin($0, services: services) }.filter { plugin in
      // Other Lua files may lie beside plugins: rules, scripts.
      plugin.hasHeader || plugin.file.folder != nil
    }
    let usable = plugins.filter { $0.refusal == nil }
    let (model, conflicts) = KindModel.merging(
      (appKinds.isEmpty ? [] : [(PluginSet.app, appKinds)])
        + usable.map { ($0.name, $0.declarations) })
    appConflict = conflicts.first { $0.plugin == PluginSet.app }
    self.model = model
    for conflict in conflicts {
      for plugin in usable where plugin.name == conflict.plugin {
        plugin.refusal = HostError(
          .plugin, conflict.description, subject: plugin.path, plugin: plugin.name,
          cause: conflict)
      }
    }
  }
}
