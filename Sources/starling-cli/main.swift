import Glibc
import StarlingTool

exit(Tool.run())
