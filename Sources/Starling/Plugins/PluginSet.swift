import StarlingModel

/// The plugins of a host with the merge of their kinds.
struct PluginSet {
  let plugins: [Plugin]
  let model: KindModel
  /// Whether the store has the model's kinds.
  var isRegistered = false

  /// Loads plugins in the order given. One whose kinds contradict an earlier one's is refused.
  init(_ files: [PluginFile], services: PluginServices) {
    plugins = files.map { Plugin($0, services: services) }.filter { plugin in
      // Other Lua files may lie beside plugins: rules, scripts.
      plugin.hasHeader || plugin.file.folder != nil
    }
    let usable = plugins.filter { $0.refusal == nil }
    let (model, conflicts) = KindModel.merging(usable.map { ($0.name, $0.declarations) })
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
