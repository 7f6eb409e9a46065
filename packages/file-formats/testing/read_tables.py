"""Prints each file of bokeh-sampledata as Python reads it: one line of JSON for each file.

CSV files have their cells as pandas reads them, JSON files their records, with each number as {"number": its digits}.
"""

import gzip
import json
import sys

import pandas

# Options for files in another dialect than the default of pandas.
options = {
    "sprint.csv": {"escapechar": "\\"},
}


def number(digits):
    return {"number": digits}


def read_cells(path):
    chosen = {"dtype": str, "keep_default_na": False, "index_col": False, **options.get(path.rsplit("/", 1)[-1], {})}
    try:
        table = pandas.read_csv(path, **chosen)
    except UnicodeDecodeError:
        table = pandas.read_csv(path, encoding="cp1252", **chosen)
    return table.to_numpy().tolist()


def read_records(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        document = json.load(file, parse_int=number, parse_float=number)
    return document["features"] if path.endswith(".geojson") else [document]


for path in sys.argv[1:]:
    rows = read_cells(path) if ".csv" in path else read_records(path)
    print(json.dumps({"path": path, "rows": rows}))
