import { formatNumber } from '@redoubt/ui';

const records = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;

/** The texts of the pages of datasets, except those of their records. */
export const datasetsText = {
  title: 'Datasets',
  facts: (count: number) =>
    `${formatNumber(count)} ${count === 1 ? 'dataset' : 'datasets'} that you may use. Counts cover the records that you see`,
  newDataset: 'New dataset',
  importFiles: 'Import files',
  importFromSource: 'Import from a source',
  filter: 'Filter by name',
  matches: (count: number, all: number) => `${formatNumber(count)} of ${formatNumber(all)}`,
  columns: {
    name: 'Name',
    records: 'Records',
    fields: 'Fields',
    creator: 'Created by',
    rights: 'You may',
  },
  rights: { manage: 'Manage', write: 'Write', read: 'Read', none: 'See the name' },
  loading: 'Loading your datasets',
  failed: 'Your datasets could not be loaded',
  none: 'No datasets yet',
  noneHint: 'A dataset holds records. Import files, create an empty one, or ask somebody to grant you one.',
  noMatch: 'No dataset matches',
  clearFilter: 'Clear the filter',
  create: {
    title: 'New dataset',
    name: 'Name',
    description: 'Description (optional)',
    cancel: 'Cancel',
    submit: 'Create',
  },
  one: {
    facts: (count: number, fields: number) =>
      `${records(count)} that you see · ${formatNumber(fields)} ${fields === 1 ? 'field' : 'fields'}`,
    querySql: 'Query in SQL',
    parts: 'Parts of the dataset',
    tabs: {
      records: 'Records',
      documents: 'Documents',
      fields: 'Fields',
      code: 'Use in code',
      access: 'Who has access',
      settings: 'Settings',
    },
    loading: 'Loading the dataset',
    failed: 'The dataset could not be loaded',
    absent: 'There is no such dataset',
    absentHint: 'It was deleted, or it was not shared with you.',
    openDatasets: 'Open your datasets',
  },
  fields: {
    label: 'Fields',
    field: 'Field',
    type: 'Type',
    none: 'No fields yet',
    noneHint: 'Redoubt learns the fields from the records that you see.',
  },
  code: {
    hint: 'Programs sign in with an API key or a token. They see what its owner sees.',
    copy: 'Copy',
    copied: 'Copied',
    copyOne: (title: string) => `Copy ${title}`,
  },
  settings: {
    name: 'Name',
    description: 'Description',
    save: 'Save',
    saved: 'Saved',
    remove: 'Delete this dataset',
    removeHint: 'This deletes all its records, including those that you do not see. It cannot be undone.',
    confirm: (name: string) => `Type ${name} to confirm`,
    removeButton: 'Delete dataset',
  },
} as const;
