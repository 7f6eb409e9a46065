import type { sourcePreviewRoutes } from '@redoubt/contract';
import { as } from '@redoubt/testkit/requests';
import type { Case } from '../case.ts';
import { byField } from '../records.ts';
import { closedBucket, closedDatabase, look, source, unseen } from './ingest.ts';

export const sourcePreviewCases: Record<keyof typeof sourcePreviewRoutes, Case> = {
  previewIngest: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const label = { securityLabeled: true, securityLabelInfo: byField };
    const bodies = [
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
    await look(send, scenario);
  },
};
