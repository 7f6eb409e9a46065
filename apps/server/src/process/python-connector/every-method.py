"""Calls each method of the published Python connector once and prints each result as a line of JSON."""

import io
import json
import os
import sys
import time
import warnings
from contextlib import redirect_stdout

import pandas
from kdp_api import DatasetPatchRequest
from kdp_api.models import SecurityLabelInfoParams
from kdp_connector import KdpConn

warnings.filterwarnings("ignore")
given = json.load(sys.stdin)
connector = KdpConn(host=given["host"])
called = set()


def plain(value):
    """Converts a result to what JSON can express."""
    if isinstance(value, pandas.DataFrame):
        return json.loads(value.to_json(orient="records"))
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "status") and hasattr(value, "data"):
        return {"status": value.status}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


def call(method, /, *args, step=None, **kwargs):
    called.add(method)
    try:
        with redirect_stdout(io.StringIO()):
            value = getattr(connector, method)(*args, **kwargs)
        line = {"method": step or method, "value": plain(value)}
    except Exception as error:
        value = None
        status = getattr(error, "status", None)
        line = {"method": step or method, "error": str(error)[-600:], "status": status}
    print(json.dumps(line, default=str), flush=True)
    return value


def wait_for_jobs(dataset_id):
    """Waits until no job of the dataset is running."""
    while True:
        with redirect_stdout(io.StringIO()):
            jobs = connector.get_jobs(dataset_id).data
        if all(job.status in ("completed", "failed", "canceled") for job in jobs):
            return
        time.sleep(0.1)


email, password, workspace = given["email"], given["password"], given["workspace"]
token = call("create_authentication_token", email, password, workspace)
call("create_and_set_authentication_token", email, password, workspace)
connector.clear_authentication()
called.add("clear_authentication")
call("get_workspace", workspace, step="get_workspace without a credential")
call("set_access_token", token.access_token)
call("create_configuration")
call("get_workspace", workspace)

dataset = call("create_dataset", name="Planes", workspace_id=workspace, description="Of the connector")
call("get_dataset", dataset.id)
call("patch_dataset", dataset.id, DatasetPatchRequest(description="Changed"))

frame = pandas.DataFrame([{"name": "John", "age": 30}, {"name": "Mary Ann", "age": None}])
call("batch_write", frame, dataset.id, is_async=False)
labels = SecurityLabelInfoParams(fields=["label"], parserClassName="identity-parser", labelHandlingPolicy="ignore")
labelled = pandas.DataFrame([{"name": "Open", "label": None}, {"name": "Hidden", "label": "SECRET"}])
call("batch_write_v2", labelled, dataset.id, labels, is_async=False)
more = pandas.DataFrame([{"name": "50%", "age": 7}])
call("batch_write_v2", more, dataset.id, is_async=False, is_compressed=True, step="batch_write_v2 with gzip")

call("post_lucene_query", dataset.id, "name: John")
call("post_lucene_query", dataset.id, 'name:"Mary Ann" OR name:John', -1, step="post_lucene_query with a phrase")
sql = f'SELECT name FROM "{dataset.id}" WHERE name LIKE \'50%\''
call("post_sql_query", dataset.id, sql)
everything = f'SELECT * FROM "{dataset.id}" WHERE name = \'John\''
internal = call(
    "post_sql_query", dataset.id, everything, include_internal_fields=True, step="post_sql_query with internal fields"
)
call("post_document_lucene_query", dataset.id, "name: John")

record = internal.records[0]
changed = pandas.DataFrame([{"_koverse_record_id": record["_koverse_record_id"], "name": "John", "age": 31}])
call("update", changed, dataset.id, is_async=False)

call("read_dataset_to_dictionary_list", dataset.id, batch_size=2)
call("read_dataset_to_pandas_dataframe", dataset.id)
splits = call("get_splits", dataset.id)
call("read_batch", dataset.id, "", "", False, 10)

call("modify_indexes", dataset.id, [{"fields": ["name"]}], [], True, True)
wait_for_jobs(dataset.id)
call("get_indexes", dataset.id)
call("get_jobs", dataset.id)

path = os.path.join(given["folder"], "planes.csv")
with open(path, "w") as file:
    file.write("name,age\nAda,36\n")
call("upload", dataset.id, {"filename": "planes.csv", "path": path})

configs = call("get_audit_log_configs", workspace_id=workspace)
if configs is not None:
    call("patch_audit_log_configs", configs.data[0].id, False, 30)
call("post_audit_log_query", dataset.id, "type: DatasetManagement")

call("clear_dataset", dataset.id)
wait_for_jobs(dataset.id)
call("post_lucene_query", dataset.id, "name: John", step="post_lucene_query after clear_dataset")

call("delete_user", given["other"])
call("create_proxy_authentication_token", "Ada", workspace)
call("create_and_set_proxy_authentication_token", "Ada", workspace)
realm = ("main", "client", "secret", "ada", "password", workspace, given["keycloak"], False)
call("create_keycloak_authentication_token", *realm)
call("create_and_set_keycloak_authentication_token", *realm)

# Fetched by its ingest job: a file that is there, and one that is not.
for name in ("planes.csv", "absent.csv"):
    job = call("create_url_ingest_job", workspace, dataset.id, [given["files"] + name], step=f"ingest of {name}")
    wait_for_jobs(dataset.id)
    if name == "planes.csv":
        call("post_lucene_query", dataset.id, "name: Fetched", step="post_lucene_query after the ingest")
call("get_jobs", dataset.id, step="get_jobs with a failed job")

call("set_api_key", given["key"])
call("get_dataset", dataset.id, step="get_dataset with an API key")
connector.set_access_token(given["newcomer"])
call("create_workspace", "of-the-connector")
call("delete_workspace", workspace)

methods = {name for name in dir(KdpConn) if not name.startswith("_")}
print(json.dumps({"uncalled": sorted(methods - called)}), flush=True)
