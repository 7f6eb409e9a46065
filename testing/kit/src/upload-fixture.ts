import { multipartBody, type MultipartPart } from './multipart-body.ts';
import type { RecordFixture } from './record-fixture.ts';

/** The result of an upload. */
export interface EndedUpload {
  jobId: string;
  job: { status: string; error: { message: string } | null; config: Record<string, unknown> | null };
  receipt: {
    received: number | null;
    written: number;
    rejected: number | null;
    dropped: number | null;
    duplicate: number | null;
    replaced: number | null;
  };
  rejects: { row: number; line: number; reason: string; text: string }[];
}

/** Uploads files in tests. */
export interface UploadFixture {
  /**
   * Sends a multipart body and parses the response. Parts that are not texts are sent as JSON; undefined parts are left
   * out.
   */
  send(
    path: string,
    status: number,
    files: Readonly<Record<string, string | Uint8Array>>,
    parts?: Readonly<Record<string, unknown>>,
    token?: string,
  ): Promise<unknown>;
  /** Uploads files and waits for the end of the job. */
  upload(
    datasetId: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    parts?: Readonly<Record<string, unknown>>,
    token?: string,
  ): Promise<EndedUpload>;
  ended(datasetId: string, jobId: string, token?: string): Promise<EndedUpload>;
  /** The records of a dataset, sorted by their texts, because records of one write have no order. */
  records(datasetId: string, token?: string): Promise<Record<string, unknown>[]>;
}

/** @param settled waits until no job runs */
export const createUploadFixture = (fixture: RecordFixture, settled: () => Promise<void>): UploadFixture => {
  const send: UploadFixture['send'] = async (path, status, files, parts = {}, token = fixture.admin) => {
    const sent: MultipartPart[] = [
      ...Object.entries(parts).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [{ name, content: typeof value === 'string' ? value : JSON.stringify(value) }],
      ),
      ...Object.entries(files).map(([fileName, content]) => ({ name: 'files', fileName, content })),
    ];
    const { body, headers } = multipartBody(sent);
    const response = await fixture.post(path, body, { token, headers });
    if (response.status !== status)
      throw new Error(`Expected ${String(status)}, got ${String(response.status)}: ${response.text}`);
    return JSON.parse(response.text) as unknown;
  };

  const ended: UploadFixture['ended'] = async (datasetId, jobId, token = fixture.admin) => {
    await settled();
    const get = <Result>(path: string): Promise<Result> => fixture.call<Result>(200, 'GET', path, { token });
    const rejected = `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    return {
      jobId,
      job: await get(`/jobs/${jobId}`),
      receipt: await get(`/jobs/${jobId}/receipt`),
      rejects: (await get<{ data: EndedUpload['rejects'] }>(rejected)).data,
    };
  };

  return {
    send,
    ended,
    upload: async (datasetId, files, parts = {}, token = fixture.admin) => {
      const made = (await send('/uploads', 201, files, { datasetId, ...parts }, token)) as { jobId: string };
      return ended(datasetId, made.jobId, token);
    },
    records: async (datasetId, token = fixture.admin) => {
      const body = JSON.stringify({ datasetId, batchSize: -1 });
      const { text } = await fixture.post('/readInSequence', body, { token });
      const { records } = JSON.parse(text) as { records: Record<string, unknown>[] };
      return records.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    },
  };
};
