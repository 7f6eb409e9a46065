"""Writes files of the columnar formats, and beside each the rows that the library which wrote it reads from it.

Usage: write_columnar.py <folder> <rows>
       write_columnar.py <folder> read <file>...
       write_columnar.py <folder> sum <Parquet file>
"""

import base64
import datetime
import decimal
import io
import json
import random
import sys
import uuid
from pathlib import Path

import fastavro
import pyarrow as pa
from pyarrow import compute, feather, ipc, orc, parquet

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)
types = pa.types

folder = Path(sys.argv[1])
row_count = int(sys.argv[2]) if sys.argv[2].isdigit() else 0
folder.mkdir(parents=True, exist_ok=True)
rng = random.Random(1)

BASIC = [
    ("i8", pa.int8()),
    ("i64", pa.int64()),
    ("f32", pa.float32()),
    ("f64", pa.float64()),
    ("b", pa.bool_()),
    ("s", pa.string()),
    ("bin", pa.binary()),
    ("d32", pa.date32()),
    ("dec", pa.decimal128(38, 10)),
    ("list", pa.list_(pa.int64())),
    ("lists", pa.list_(pa.list_(pa.string()))),
    (
        "struct",
        pa.struct(
            [
                ("a", pa.int32()),
                ("b.c", pa.list_(pa.struct([("x", pa.string())]))),
            ]
        ),
    ),
    ("map", pa.map_(pa.string(), pa.int64())),
    ("numbers", pa.map_(pa.int32(), pa.list_(pa.float64()))),
]
ODD_NAMES = [
    ('we"ird.né\n', pa.int64()),
    ("{a,b}*?", pa.string()),
    ("東京", pa.string()),
]
MORE = [
    ("u8", pa.uint8()),
    ("u32", pa.uint32()),
    ("u64", pa.uint64()),
    ("f16", pa.float16()),
    ("fixed", pa.binary(3)),
    ("t32", pa.time32("ms")),
    ("t64", pa.time64("us")),
    ("t64n", pa.time64("ns")),
    ("tsms", pa.timestamp("ms")),
    ("tsus", pa.timestamp("us", "UTC")),
    ("tsns", pa.timestamp("ns")),
    ("tsz", pa.timestamp("ms", "Europe/Berlin")),
    ("dec256", pa.decimal256(76, 3)),
    ("dict", pa.dictionary(pa.int32(), pa.string())),
    ("null", pa.null()),
]
ARROW_ONLY = [
    ("ls", pa.large_string()),
    ("lb", pa.large_binary()),
    ("ll", pa.large_list(pa.int8())),
    ("pair", pa.list_(pa.float32(), 2)),
    ("sv", pa.string_view()),
    ("bv", pa.binary_view()),
    ("dec32", pa.decimal32(7, 2)),
    ("dec64", pa.decimal64(15, 4)),
    ("t32s", pa.time32("s")),
    ("tss", pa.timestamp("s")),
]
ORC_TIMES = [("ts", pa.timestamp("ns")), ("tsz", pa.timestamp("ns", "UTC"))]


def is_text(type):
    return types.is_string(type) or types.is_large_string(type) or type == pa.string_view()


def is_bytes(type):
    return types.is_binary(type) or types.is_large_binary(type) or type == pa.binary_view()


def is_list(type):
    return types.is_list(type) or types.is_large_list(type)


def whole(microseconds, type):
    parts = {"s": 1_000_000, "ms": 1000}.get(type.unit, 1)
    return microseconds // parts * parts


def value(type):
    """A value of a type, often one at the edge of what it can hold."""
    if types.is_null(type) or rng.random() < 0.2:
        return None
    if types.is_boolean(type):
        return rng.random() < 0.5
    if types.is_integer(type):
        bits = type.bit_width
        low, high = (0, 2**bits - 1) if types.is_unsigned_integer(type) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        return rng.choice([low, high, 0, 1, rng.randint(low, high)])
    if types.is_float16(type):
        return rng.choice([0.0, 1.5, -65504.0, 5.960464477539063e-08])
    if types.is_floating(type):
        return rng.choice([0.0, -0.0, 1.5, 1e-30, -3.4e38, 0.1, float("inf"), float("nan"), float("-inf")])
    if is_text(type):
        return rng.choice(["", "a", 'é"\\\n', "\U0001f600", "x" * 300, f"v{rng.randrange(10)}"])
    if types.is_fixed_size_binary(type):
        return rng.randbytes(type.byte_width)
    if is_bytes(type):
        return rng.randbytes(rng.randrange(20))
    if types.is_date(type):
        dates = ["0001-01-01", "9999-12-31", "1970-01-01", "1969-12-31", "2024-02-29"]
        return datetime.date.fromisoformat(rng.choice(dates))
    if types.is_time(type):
        microseconds = rng.choice([0, 86_399_999_999, rng.randrange(86_400_000_000)])
        return (EPOCH + datetime.timedelta(microseconds=whole(microseconds, type))).time()
    if types.is_timestamp(type):
        start = EPOCH.replace(tzinfo=UTC) if type.tz else EPOCH
        microseconds = rng.choice([0, -1, 1, -1_500_000, rng.randrange(-(2**51), 2**51)])
        return start + datetime.timedelta(microseconds=whole(microseconds, type))
    if types.is_decimal(type):
        top = 10**type.precision
        unscaled = rng.choice([0, 1, -1, top - 1, 1 - top, rng.randrange(top)])
        return decimal.Decimal(unscaled).scaleb(-type.scale, decimal.Context(prec=100))
    if types.is_dictionary(type):
        return value(type.value_type)
    if types.is_map(type):
        keys = [key for key in (value(type.key_type) for _ in range(rng.randrange(4))) if key is not None]
        return [(key, value(type.item_type)) for key in dict.fromkeys(keys)]
    if is_list(type):
        return [value(type.value_type) for _ in range(rng.randrange(4))]
    if types.is_fixed_size_list(type):
        return [value(type.value_type) for _ in range(type.list_size)]
    return {field.name: value(field.type) for field in type}


def fraction(microseconds):
    text = f"{microseconds:06}"
    return "" if microseconds == 0 else "." + (text[:3] if text.endswith("000") else text)


def clock(moment):
    return moment.strftime("%H:%M:%S") + fraction(moment.microsecond)


def number(value):
    if value != value:
        return '"NaN"'
    if value in (float("inf"), float("-inf")):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    return repr(float(value))


def moment_json(value):
    zone = ""
    if value.tzinfo is not None:
        value, zone = value.astimezone(UTC), "Z"
    return f'"{value.date().isoformat()}T{clock(value)}{zone}"'


def to_json(value, type):
    """The JSON that a value must become."""
    if value is None:
        return "null"
    if types.is_boolean(type):
        return "true" if value else "false"
    if types.is_integer(type):
        return str(value)
    if types.is_floating(type):
        return number(value)
    if is_text(type):
        return json.dumps(value)
    if types.is_fixed_size_binary(type) or is_bytes(type):
        return json.dumps(base64.b64encode(value).decode())
    if types.is_date(type):
        return f'"{value.isoformat()}"'
    if types.is_time(type):
        return f'"{clock(value)}"'
    if types.is_timestamp(type):
        return moment_json(value)
    if types.is_decimal(type):
        return format(value, "f")
    if types.is_dictionary(type):
        return to_json(value, type.value_type)
    if types.is_map(type):
        pairs = [(to_json(key, type.key_type), to_json(item, type.item_type)) for key, item in value]
        if is_text(type.key_type):
            return "{" + ",".join(f"{key}:{item}" for key, item in pairs) + "}"
        return "[" + ",".join(f'{{"key":{key},"value":{item}}}' for key, item in pairs) + "]"
    if is_list(type) or types.is_fixed_size_list(type):
        return "[" + ",".join(to_json(item, type.value_type) for item in value) + "]"
    return "{" + ",".join(f"{json.dumps(field.name)}:{to_json(value[field.name], field.type)}" for field in type) + "}"


def write_rows(name, table):
    columns = [column.to_pylist() for column in table.columns]
    with open(folder / f"{name}.ndjson", "w", encoding="utf-8") as file:
        for row in range(table.num_rows):
            values = (
                f"{json.dumps(field.name)}:{to_json(columns[index][row], field.type)}"
                for index, field in enumerate(table.schema)
            )
            file.write("{" + ",".join(values) + "}\n")


def table_of(columns, rows=row_count):
    schema = pa.schema(columns)
    return pa.Table.from_pylist([{field.name: value(field.type) for field in schema} for _ in range(rows)], schema)


def write_parquet():
    table = table_of(BASIC + MORE + ODD_NAMES)
    plain = {"use_dictionary": False}
    deltas = {
        "i8": "DELTA_BINARY_PACKED",
        "i64": "DELTA_BINARY_PACKED",
        "u64": "DELTA_BINARY_PACKED",
        "s": "DELTA_BYTE_ARRAY",
        "bin": "DELTA_LENGTH_BYTE_ARRAY",
        "f32": "BYTE_STREAM_SPLIT",
        "f64": "BYTE_STREAM_SPLIT",
        "fixed": "BYTE_STREAM_SPLIT",
        "b": "RLE",
    }
    variants = {
        "snappy": {"version": "1.0", "compression": "snappy"},
        "zstd": {"data_page_version": "2.0", "compression": "zstd", "data_page_size": 500},
        "gzip": {"compression": "gzip", "row_group_size": max(1, row_count // 4), **plain},
        "brotli": {"compression": "brotli", "data_page_size": 300, "write_page_checksum": True},
        "lz4": {"compression": "lz4", "data_page_version": "2.0"},
        "pages": {"compression": "none", "data_page_size": 1, "write_batch_size": 10, **plain},
        "int96": {"use_deprecated_int96_timestamps": True},
        "delta": {**plain, "column_encoding": deltas},
    }
    for name, options in variants.items():
        path = folder / f"{name}.parquet"
        parquet.write_table(table, path, **options)
        write_rows(path.name, parquet.read_table(path))
    parquet.write_table(table.slice(0, 0), folder / "empty.parquet")
    write_rows("empty.parquet", table.slice(0, 0))


def write_arrow():
    table = table_of(BASIC + MORE + ARROW_ONLY + ODD_NAMES)
    for compression in ("uncompressed", "lz4", "zstd"):
        name = f"{compression}.feather"
        feather.write_feather(table, str(folder / name), compression=compression, chunksize=max(1, row_count // 3))
        write_rows(name, table)
    with ipc.new_stream(str(folder / "stream.arrow"), table.schema) as stream:
        stream.write_table(table, max_chunksize=50)
    write_rows("stream.arrow", table)
    with ipc.new_file(str(folder / "empty.arrow"), table.schema):
        pass
    write_rows("empty.arrow", table.slice(0, 0))


def write_orc():
    table = table_of(BASIC + ORC_TIMES + ODD_NAMES)
    for compression in ("uncompressed", "zlib", "snappy", "lz4", "zstd"):
        name = f"{compression}.orc"
        orc.write_table(table, str(folder / name), compression=compression, compression_block_size=65_536)
        write_rows(name, orc.read_table(str(folder / name)))
    name = "dictionary.orc"
    orc.write_table(table, str(folder / name), dictionary_key_size_threshold=1, stripe_size=4096, batch_size=64)
    write_rows(name, orc.read_table(str(folder / name)))
    name = "old.orc"
    orc.write_table(table, str(folder / name), file_version="0.11")
    write_rows(name, orc.read_table(str(folder / name)))
    orc.write_table(table.slice(0, 0), str(folder / "empty.orc"))
    write_rows("empty.orc", table.slice(0, 0))


def logical(type, name, **more):
    return {"type": type, "logicalType": name, **more}


AVRO_FIELDS = {
    "int": "int",
    "long": "long",
    "float": "float",
    "double": "double",
    "boolean": "boolean",
    "string": "string",
    "bytes": "bytes",
    "nothing": "null",
    "maybe": ["null", "long"],
    "numbers": ["null", "int", "double"],
    "mixed": ["string", "long", {"type": "array", "items": "int"}],
    "tagged": ["bytes", "string"],
    "color": {"type": "enum", "name": "Color", "symbols": ["RED", "GREEN"]},
    "hash": {"type": "fixed", "name": "Hash", "size": 4},
    "list": {"type": "array", "items": ["null", "string"]},
    "map": {"type": "map", "values": "long"},
    "date": logical("int", "date"),
    "millis": logical("int", "time-millis"),
    "micros": logical("long", "time-micros"),
    "stamp": logical("long", "timestamp-millis"),
    "exact": logical("long", "timestamp-micros"),
    "local": logical("long", "local-timestamp-micros"),
    "decimal": logical("bytes", "decimal", precision=30, scale=4),
    "fixed": {**logical("fixed", "decimal", precision=18, scale=2), "name": "Amount", "size": 8},
    "uuid": logical("string", "uuid"),
    "tree": {
        "type": "record",
        "name": "Tree",
        "fields": [
            {"name": "value", "type": "int"},
            {"name": "next", "type": ["null", "Tree"]},
        ],
    },
}


def tree(depth):
    return {"value": rng.randrange(100), "next": tree(depth - 1) if depth > 0 else None}


def avro_row():
    day = datetime.timedelta(microseconds=rng.randrange(86_400_000_000))
    millis = datetime.timedelta(milliseconds=rng.randrange(-(10**12), 10**12))
    micros = datetime.timedelta(microseconds=rng.randrange(-(2**50), 2**50))
    context = decimal.Context(prec=100)
    return {
        "int": rng.choice([0, -1, 2**31 - 1, -(2**31)]),
        "long": rng.choice([0, 63, 64, -64, -65, 2**53 + 1, 2**63 - 1, -(2**63), rng.randrange(2**60)]),
        "float": rng.choice([0.5, float("nan"), float("-inf")]),
        "double": rng.choice([0.1, -1e300, float("inf")]),
        "boolean": rng.random() < 0.5,
        "string": rng.choice(["", "é\n", "\U0001f600"]),
        "bytes": rng.randbytes(rng.randrange(5)),
        "nothing": None,
        "maybe": rng.choice([None, 2**62]),
        "numbers": rng.choice([None, 1, 2.5]),
        "mixed": rng.choice(["text", 2**40, [1, 2]]),
        "tagged": rng.choice([b"ab", "ab"]),
        "color": rng.choice(["RED", "GREEN"]),
        "hash": rng.randbytes(4),
        "list": [rng.choice([None, "a"]) for _ in range(rng.randrange(4))],
        "map": {f"k{index}": index for index in range(rng.randrange(4))},
        "date": datetime.date(1969, 12, 31) + datetime.timedelta(days=rng.randrange(1000)),
        "millis": (EPOCH + datetime.timedelta(milliseconds=day // datetime.timedelta(milliseconds=1))).time(),
        "micros": (EPOCH + day).time(),
        "stamp": EPOCH.replace(tzinfo=UTC) + millis,
        "exact": EPOCH.replace(tzinfo=UTC) + micros,
        "local": EPOCH + micros,
        "decimal": decimal.Decimal(rng.randrange(-(10**30) + 1, 10**30)).scaleb(-4, context),
        "fixed": decimal.Decimal(rng.randrange(-(10**18) + 1, 10**18)).scaleb(-2, context),
        "uuid": uuid.UUID(int=rng.getrandbits(128)),
        "tree": tree(rng.randrange(5)),
    }


def avro_json(name, value):
    if name == "tagged":
        kind = "bytes" if isinstance(value, bytes) else "string"
        return f'{{"{kind}":{avro_json("", value)}}}'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, bytes):
        return json.dumps(base64.b64encode(value).decode())
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        return moment_json(value)
    if isinstance(value, datetime.date):
        return f'"{value.isoformat()}"'
    if isinstance(value, datetime.time):
        return f'"{clock(value)}"'
    if isinstance(value, list):
        return "[" + ",".join(avro_json("", item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{avro_json('', item)}" for key, item in value.items()) + "}"
    return json.dumps(str(value))


def write_avro():
    fields = [{"name": name, "type": type} for name, type in AVRO_FIELDS.items()]
    schema = {"type": "record", "name": "Row", "namespace": "org.example", "fields": fields}
    rows = [avro_row() for _ in range(row_count)]
    for codec in ("null", "deflate", "snappy", "zstandard"):
        buffer = io.BytesIO()
        fastavro.writer(buffer, fastavro.parse_schema(schema), rows, codec=codec, sync_interval=4000)
        name = f"{codec}.avro"
        (folder / name).write_bytes(buffer.getvalue())
        buffer.seek(0)
        with open(folder / f"{name}.ndjson", "w", encoding="utf-8") as file:
            for row in fastavro.reader(buffer):
                values = ",".join(f"{json.dumps(key)}:{avro_json(key, item)}" for key, item in row.items())
                file.write("{" + values + "}\n")
    with open(folder / "empty.avro", "wb") as file:
        fastavro.writer(file, fastavro.parse_schema(schema), [])
    (folder / "empty.avro.ndjson").write_text("")


def read_files(paths):
    """The rows that pyarrow reads from files that are there."""
    for path in map(Path, paths):
        table = orc.read_table(str(path)) if path.suffix == ".orc" else parquet.read_table(path)
        write_rows(path.name, table)


def sum_columns(path):
    """The number of rows, and the sum of each column of numbers."""
    file = parquet.ParquetFile(path)
    sums = dict.fromkeys(field.name for field in file.schema_arrow if types.is_integer(field.type))
    for batch in file.iter_batches(columns=list(sums)):
        for name in sums:
            sums[name] = (sums[name] or 0) + (compute.sum(batch[name]).as_py() or 0)
    print(json.dumps({"rows": file.metadata.num_rows, "sums": sums}))


match sys.argv[2]:
    case "read":
        read_files(sys.argv[3:])
    case "sum":
        sum_columns(sys.argv[3])
    case _:
        write_parquet()
        write_arrow()
        write_orc()
        write_avro()
