"""The reads of workloads/fetch.lua by Python's sqlite3, rows as dictionaries: DB MODE COUNT."""
import json
import sqlite3
import sys
import time

mode, count = sys.argv[2], int(sys.argv[3])
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.row_factory = sqlite3.Row
COLUMNS = "'news' AS kind, e.key, link, title, summary, author, image, categories, published, starred_at"
NEWEST = f"""SELECT {COLUMNS} FROM news e CROSS JOIN favorites f ON f.entity = e.rowid
    ORDER BY published DESC LIMIT ?"""
EACH = f"""SELECT {COLUMNS} FROM favorites f CROSS JOIN news e ON e.rowid = f.entity
    WHERE f.kind = (SELECT id FROM kinds WHERE name = 'news')
    ORDER BY f.starred_at DESC, f.entity DESC LIMIT ?"""


def entity(row):
    made = {name: row[name] for name in row.keys() if row[name] is not None}
    if "categories" in made:
        made["categories"] = json.loads(made["categories"])
    return made


def newest():
    for _ in range(count):
        rows = [entity(row) for row in database.execute(NEWEST, (50,))]
        if len(rows) != 50:
            raise ValueError


def each():
    for row in database.execute(EACH, (count,)):
        if entity(row)["title"] is None:
            raise ValueError


start = time.process_time()
newest() if mode == "newest" else each()
print(f"us {(time.process_time() - start) * 1e6 / count:.3f}")
