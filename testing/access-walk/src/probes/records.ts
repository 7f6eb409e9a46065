import type {
  bulkReadRoutes,
  datasetRowRoutes,
  documentQueryRoutes,
  labelParserRoutes,
  recordRoutes,
  sqlRoutes,
  storageRoutes,
  summaryRoutes,
} from '@redoubt/contract';
import { newDataset } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

const everything = '*:*';
const ofDataset = (body?: unknown): Probe =>
  standing(({ dataset }) => ({
    request: { params: { datasetId: dataset }, ...(body === undefined ? {} : { body }) },
  }));
const naming = (more: object = {}): Probe =>
  standing(({ dataset }) => ({ request: { body: { datasetId: dataset, ...more } } }));

export const recordProbes: Record<keyof typeof recordRoutes, Probe> = {
  writeRecords: ofDataset([{ n: 2 }]),
  writeRecordsV2: ofDataset({ records: [{ n: 3 }] }),
  patchColumnSecurity: ofDataset({}),
  listColumnLabels: standing(({ dataset }) => ({ request: { params: { id: dataset } } })),
  queryLucene: naming({ expression: everything }),
  readInSequence: naming(),
  getDatasetSchema: standing(({ dataset }) => ({ request: { search: `?datasetId=${dataset}` } })),
};

export const bulkReadProbes: Record<keyof typeof bulkReadRoutes, Probe> = {
  readRange: naming(),
  getSplits: ofDataset(),
};

export const sqlProbes: Record<keyof typeof sqlRoutes, Probe> = {
  query: standing(({ dataset }) => ({ request: { body: { expression: `SELECT * FROM "${dataset}"` } } })),
  cancelQuery: {
    ...standing(() => ({ request: { params: { searchId: 'of-somebody' } } })),
    without: ['self'],
  },
};

export const documentQueryProbes: Record<keyof typeof documentQueryRoutes, Probe> = {
  queryDocuments: standing(({ dataset }) => ({
    request: { body: { datasetId: dataset, expression: `SELECT * FROM "${dataset}"` } },
  })),
  queryDocumentsLucene: naming({ expression: everything }),
};

export const summaryProbes: Record<keyof typeof summaryRoutes, Probe> = {
  summarizeSql: standing(({ dataset }) => ({
    request: { body: { datasetIds: [dataset], expression: 'SELECT * FROM dataset' } },
  })),
  summarizeLucene: standing(({ dataset }) => ({
    request: { body: { datasetIds: [dataset], expression: everything } },
  })),
};

const ofRows = (body: unknown): Probe =>
  standing(({ dataset }) => ({ request: { params: { id: dataset }, body } }));

export const datasetRowProbes: Record<keyof typeof datasetRowRoutes, Probe> = {
  readRows: ofRows({ limit: 1 }),
  profileFields: ofRows({ fields: ['n'] }),
  listValues: ofRows({ field: 'n' }),
};

export const storageProbes: Record<keyof typeof storageRoutes, Probe> = {
  deleteRecords: ofDataset({ recordIds: ['none'] }),
  deleteRecordsByQuery: ofDataset({ query: 'n:99' }),
  deleteDocumentsByQuery: ofDataset({ query: 'n:99' }),
  relabelRecords: ofDataset({ label: 'HELD', query: 'n:99' }),
  clearDataset: {
    make: async (fixture, send) => ({ request: { params: { datasetId: await newDataset(fixture, send) } } }),
  },
};

export const labelParserProbes: Record<keyof typeof labelParserRoutes, Probe> = {
  listLabelParsers: standing(() => ({ request: {}, listed: 'identity-parser' })),
  getLabelParser: standing(() => ({ request: { params: { id: 'identity-parser' } } })),
};
