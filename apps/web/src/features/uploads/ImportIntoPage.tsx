import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ImportPage } from './ImportPage.tsx';

const route = getRouteApi('/datasets/$id/import');

/** Brings files into the dataset of the address. */
export const ImportIntoPage = (): ReactElement => <ImportPage datasetId={route.useParams().id} />;
