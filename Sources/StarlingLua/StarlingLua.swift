// StarlingLua
