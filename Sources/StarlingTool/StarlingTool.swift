// StarlingTool
