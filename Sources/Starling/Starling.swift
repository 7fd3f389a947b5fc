// Starling
