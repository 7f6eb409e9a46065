/** The texts of the search over all datasets. */
export const searchText = {
  tryOne: 'Try one',
  pageTitle: 'Search · Redoubt',
  search: 'Search',
  facts: 'Records of all datasets that you may read',
  failed: 'The search failed',
  searching: 'Searching',
  noMatch: 'No record that you see matches',
  clearSearch: 'Clear the search',
} as const;
