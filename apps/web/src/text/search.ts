import { formatNumber } from '@redoubt/ui';

/** The texts of the search over all datasets. */
export const searchText = {
  tryOne: 'Try one',
  pageTitle: 'Search · Redoubt',
  search: 'Search',
  facts: 'Records of all datasets that you may read',
  failed: 'The search failed',
  searching: 'Searching',
  noMatch: 'No record that you see matches',
  noMatchHint: 'Words match as a whole. For the beginning of a word add an asterisk, such as name:Lon*.',
  clearSearch: 'Clear the search',
  syntax: 'Lucene: words, field:value, ranges and AND, OR, NOT',
  matches: (count: number) => `${formatNumber(count)} ${count === 1 ? 'match' : 'matches'}`,
  matchesIn: (count: number, datasets: number) =>
    `${formatNumber(count)} ${count === 1 ? 'match' : 'matches'} in ${formatNumber(datasets)} ${datasets === 1 ? 'dataset' : 'datasets'}`,
  openAll: (count: number) => `Open all ${formatNumber(count)}`,
  openInDataset: 'Open in the dataset',
  openRecord: 'Open record',
  openPage: 'Open page',
} as const;
