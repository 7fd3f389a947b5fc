// StarlingSQLite
