"""buku asked through its own code whether it has a bookmark: DB contains ROWS COUNT."""
import importlib.machinery
import importlib.util
import shutil
import sys
import time
import warnings

warnings.simplefilter("ignore")
sys.stdin = open("/dev/null")
loader = importlib.machinery.SourceFileLoader("buku", shutil.which("buku"))
buku = importlib.util.module_from_spec(importlib.util.spec_from_loader("buku", loader))
loader.exec_module(buku)

path, rows, count = sys.argv[1], int(sys.argv[3]), int(sys.argv[4])
database = buku.BukuDb(dbfile=path)
keys, state = [], 1
for _ in range(16384):
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    keys.append(f"https://news.example.org/2026/05/story-{1000000 + (state >> 8) % rows}")

start = time.process_time()
for i in range(1, count + 1):
    if database.get_rec_id(keys[i & 16383]) in (None, -1):
        raise ValueError
print(f"ns {(time.process_time() - start) * 1e9 / count:.3f}")
