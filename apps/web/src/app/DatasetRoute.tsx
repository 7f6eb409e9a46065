import type { ReactElement } from 'react';
import { DatasetPage } from '../features/datasets/DatasetPage.tsx';
import { DatasetAccess } from '../features/people/DatasetAccess.tsx';

/**
 * Connects the page of a dataset with the feature that shows people and groups, because features do not import each
 * other.
 */
export const DatasetRoute = (): ReactElement => (
  <DatasetPage renderAccess={(dataset) => <DatasetAccess dataset={dataset} />} />
);
