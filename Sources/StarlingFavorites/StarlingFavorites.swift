// StarlingFavorites
