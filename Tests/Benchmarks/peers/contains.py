"""The look-ups of workloads/contains.lua by Python's sqlite3: DB ROWS COUNT."""
import sqlite3
import sys
import time

rows, count = int(sys.argv[2]), int(sys.argv[3])
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA synchronous = NORMAL")
keys, state = [], 1
for _ in range(16384):
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    keys.append(f"https://news.example.org/2026/05/story-{1000000 + (state >> 8) % rows}")
sql = "SELECT 1 FROM favorites WHERE entity = (SELECT rowid FROM news WHERE key = ?)"


def contains(key):
    return database.execute(sql, (key,)).fetchone() is not None


def empty():
    for i in range(1, count + 1):
        if keys[i & 16383] is None:
            raise ValueError


def ask():
    for i in range(1, count + 1):
        if not contains(keys[i & 16383]):
            raise ValueError


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


loop = seconds(empty)
print(f"ns {(seconds(ask) - loop) * 1e9 / count:.3f}")
