import type { Job, JobReceipt, SourcePreview } from '@redoubt/contract';
import type { RecordFixture } from './record-fixture.ts';

/** Starts ingests from sources of one kind in tests, as one person. */
export interface SourceFixture {
  /** Sends the request and returns its response. */
  send<Result = Job>(
    datasetId: string,
    connectionInfo: object,
    more?: object,
    status?: number,
  ): Promise<Result>;
  /** Sends a request for a preview and returns its response. */
  preview<Result = SourcePreview>(
    datasetId: string,
    connectionInfo: object,
    more?: object,
    status?: number,
  ): Promise<Result>;
  /** Starts a job and waits for its end. */
  run(datasetId: string, connectionInfo: object, more?: object): Promise<Job>;
  jobOf(id: string): Promise<Job>;
  /** @param token of a reader; by default that of the starter */
  receiptOf(job: Pick<Job, 'id'>, token?: string): Promise<JobReceipt>;
}

/**
 * @param settled waits until no job runs
 * @param type the type of the source
 * @param starter the token of the person
 */
export const createSourceFixture = (
  fixture: RecordFixture,
  settled: () => Promise<void>,
  type: string,
  starter: string,
): SourceFixture => {
  const sendTo = <Result>(
    path: string,
    status: number,
    datasetId: string,
    connectionInfo: object,
    more: object,
  ): Promise<Result> =>
    fixture.call<Result>(status, 'POST', path, {
      token: starter,
      body: { datasetId, dataSourceParams: { type, connectionInfo }, ...more },
    });
  const send: SourceFixture['send'] = (datasetId, connectionInfo, more = {}, status = 202) =>
    sendTo('/ingest?isAsync=true', status, datasetId, connectionInfo, more);
  const jobOf = (id: string): Promise<Job> =>
    fixture.call<Job>(200, 'GET', `/jobs/${id}`, { token: starter });
  return {
    send,
    jobOf,
    preview: (datasetId, connectionInfo, more = {}, status = 200) =>
      sendTo('/ingest/preview', status, datasetId, connectionInfo, more),
    run: async (datasetId, connectionInfo, more) => {
      const { id } = await send(datasetId, connectionInfo, more);
      await settled();
      return jobOf(id);
    },
    receiptOf: ({ id }, token = starter) =>
      fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, { token }),
  };
};

/** How a job ended: its status, and the name and message of its error. */
export const outcomeOf = ({ status, error }: Job): string =>
  `${status}: ${error?.name ?? ''}: ${error?.message ?? ''}`;
