import type { sourcePreviewRoutes } from '@redoubt/contract';
import { as } from '@redoubt/testkit/requests';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Case } from '../case.ts';
import { byField } from '../records.ts';
import { closedBucket, closedDatabase } from './closed-sources.ts';
import { look, source, unseen } from './ingest.ts';

export const sourcePreviewCases: Record<keyof typeof sourcePreviewRoutes, Case> = {
  previewIngest: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const label = { securityLabeled: true, securityLabelInfo: byField };
    const host = createServer((_request, response) => response.end('note,label\none,ALPHA\ntwo,SECRET\n'));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/a.csv`;
    const bodies = [
      { dataSourceParams: source(address), ...label },
      { dataSourceParams: source(address), processAsDocument: true },
      { dataSourceParams: source(address), processAsDocument: true, ...label },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), ...label },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), fileOptions: { encoding: 'none' } },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), workspaceId: hidden.workspace.id },
      { dataSourceParams: source('ftp://127.0.0.1/a.csv') },
      { dataSourceParams: closedBucket, ...label },
      { dataSourceParams: closedDatabase, ...label },
      { dataSourceParams: { type: 'S3', connectionId: hidden.connection } },
      { dataSourceParams: { type: 'KAFKA', connectionInfo: {} } },
    ];
    for (const body of bodies) {
      for (const datasetId of [...unseen(scenario), datasets.notes])
        await send(as(people.reader).post('/ingest/preview', { ...body, datasetId }));
    }
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    await look(send, scenario);
  },
};
