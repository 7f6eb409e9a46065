/** A format that files are read in, as the documentation lists it. */
export interface RegisteredFormat {
  readonly name: string;
  /** Endings of file names, with the dot. */
  readonly extensions: readonly string[];
  readonly mediaTypes: readonly string[];
  /** What becomes a row. */
  readonly description: string;
}

export const registeredFormats: readonly RegisteredFormat[] = [
  {
    name: 'csv',
    extensions: ['.csv', '.txt'],
    mediaTypes: ['text/csv'],
    description: 'Each row of the table. Cells may be separated by commas, semicolons, tabs or bars.',
  },
  {
    name: 'tsv',
    extensions: ['.tsv', '.tab'],
    mediaTypes: ['text/tab-separated-values'],
    description: 'Each row of the table.',
  },
  {
    name: 'json',
    extensions: ['.json'],
    mediaTypes: ['application/json'],
    description: 'Each object of the list, or the object.',
  },
  {
    name: 'ndjson',
    extensions: ['.ndjson', '.jsonl', '.geojsonl', '.geojsons'],
    mediaTypes: ['application/x-ndjson', 'application/jsonl', 'application/json-seq'],
    description: 'Each line, which is an object.',
  },
  {
    name: 'geojson',
    extensions: ['.geojson'],
    mediaTypes: ['application/geo+json'],
    description: 'Each feature of the collection.',
  },
];
