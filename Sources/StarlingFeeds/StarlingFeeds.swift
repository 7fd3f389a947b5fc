// StarlingFeeds
