import type { ReactElement } from 'react';
import { DatasetPage } from '../features/datasets/DatasetPage.tsx';
import { DatasetAccess } from '../features/people/DatasetAccess.tsx';

/** The page of a dataset, with the part that shows people and groups. */
export const DatasetRoute = (): ReactElement => (
  <DatasetPage renderAccess={(dataset) => <DatasetAccess dataset={dataset} />} />
);
