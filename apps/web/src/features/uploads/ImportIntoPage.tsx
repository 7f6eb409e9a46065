import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ImportPage } from './ImportPage.tsx';

const route = getRouteApi('/datasets/$id/import');

/** The page that imports files into the dataset in the address. */
export const ImportIntoPage = (): ReactElement => <ImportPage datasetId={route.useParams().id} />;
