"""Prints the cells of each CSV file of bokeh-sampledata as pandas reads them: one line of JSON for each file."""

import json
import sys

import pandas

for path in sys.argv[1:]:
    try:
        table = pandas.read_csv(path, dtype=str, keep_default_na=False, index_col=False)
    except UnicodeDecodeError:
        table = pandas.read_csv(path, dtype=str, keep_default_na=False, index_col=False, encoding="cp1252")
    print(json.dumps({"path": path, "rows": table.to_numpy().tolist()}))
