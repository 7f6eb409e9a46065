import type { labelVisibilityRoutes } from '@redoubt/contract';
import { as } from '@redoubt/testkit/requests';
import { requests, type Case } from '../case.ts';

export const labelVisibilityCases: Record<keyof typeof labelVisibilityRoutes, Case> = {
  getLabelVisibility: requests(({ people: { reader, writer, outsider }, datasets, hidden }) =>
    [reader, writer, outsider].flatMap((person) =>
      [undefined, datasets.notes, datasets.shared, hidden.dataset, 'nowhere-at-all'].map((datasetId) =>
        as(person).post('/label-visibility', {
          labels: ['', 'ALPHA', 'ALPHA&BETA', 'SECRET', 'H5'],
          ...(datasetId !== undefined && { datasetId }),
        }),
      ),
    ),
  ),
};
