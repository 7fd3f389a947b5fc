public import StarlingModel

/// What became of one item of a feed that is only looked at.
public enum PreviewEvent: Sendable {
  /// - Parameter item: 1 for the first item of the feed.
  case entity(Entity, Kind, item: Int)
  /// The plugin gave nil and a reason; the location is where it returned.
  case leftOut(reason: String, item: Int, location: SourceLocation?)
  /// The plugin says no to the feed, which is mapped all the same.
  case notAccepted(plugin: String)
  case failure(LoadReport.ItemFailure)
}
