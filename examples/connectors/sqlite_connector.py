"""A connector of Redoubt that reads SQLite databases with Python's own sqlite3.

The operator starts the server with the folder that may be read:

    CONNECTORS='{"sqlite": ["/usr/bin/python3", "/opt/redoubt/sqlite_connector.py", "/srv/databases"]}'

An import names the database in its config, {"file": "shop.db"}, and a table as its stream. A large table is read in ranges
of its row ids. With incremental: true, only rows that were added after the last import are read.
"""

import base64
import json
import math
import pathlib
import sqlite3
import sys

ROWS_OF_A_RANGE = 100_000
MAX_RANGES = 1000


def write(kind, content):
    print(f"#{kind} {json.dumps(content)}")


def open_database(folder, config):
    """Opens the file for reading. What a request names must be inside the folder: it may come from anybody."""
    name = config.get("file")
    if not isinstance(name, str):
        raise ValueError("config.file must be the name of a database, such as shop.db")
    root = pathlib.Path(folder).resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise ValueError(f"there is no database {name!r}")
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    # Texts that are no UTF-8 must not end the import.
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    return database


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def tables(database):
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    return [name for (name,) in database.execute(query)]


def row_id(database, table):
    """The name of the row id, unless the table has none: WITHOUT ROWID, or columns with all of its names."""
    columns = {row[1].lower() for row in database.execute(f"PRAGMA table_info({quoted(table)})")}
    name = next((name for name in ("rowid", "_rowid_", "oid") if name not in columns), None)
    try:
        database.execute(f"SELECT {name} FROM {quoted(table)} LIMIT 0")
    except sqlite3.OperationalError:
        return None
    return name


def discover(database):
    for name in tables(database):
        stream = {"name": name}
        number = row_id(database, name)
        first = last = None
        if number is not None:
            first, last = database.execute(f"SELECT min({number}), max({number}) FROM {quoted(name)}").fetchone()
        if first is not None and last - first >= ROWS_OF_A_RANGE:
            # Row ids may have large gaps.
            size = max(ROWS_OF_A_RANGE, (last - first) // MAX_RANGES + 1)
            stream["ranges"] = [
                {"name": f"from row {start}", "range": [start, start + size - 1]}
                for start in range(first, last + 1, size)
            ]
        write("stream", stream)


def to_json(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def read(database, task):
    table = task["stream"]
    if table not in tables(database):
        raise ValueError(f"there is no table {table!r}")
    number = row_id(database, table)
    condition, parameters = "1", []
    if number is not None and task["checkpoint"] is not None:
        condition, parameters = f"{number} > ?", [task["checkpoint"]["rowid"]]
    elif number is not None and task["range"] is not None:
        condition, parameters = f"{number} BETWEEN ? AND ?", task["range"]
    rows = database.execute(
        f"SELECT {number or 'NULL'}, * FROM {quoted(table)} WHERE {condition} ORDER BY 1", parameters
    )
    names = [column[0] for column in rows.description][1:]
    last = task["checkpoint"]["rowid"] if task["checkpoint"] is not None else 0
    for last, *values in rows:
        # A row is a line with a JSON object. Anything else is a message, which begins with "#".
        print(json.dumps(dict(zip(names, map(to_json, values))), ensure_ascii=False))
    if number is not None:
        write("checkpoint", {"rowid": last})


def main():
    task = json.loads(sys.stdin.readline())
    database = open_database(sys.argv[1], task["config"])
    if task["action"] == "discover":
        discover(database)
    else:
        read(database, task)
    print("#end")


try:
    main()
except (ValueError, sqlite3.Error) as error:
    write("error", {"message": str(error)})
