/** A supported file format, as the documentation lists it. */
export interface RegisteredFormat {
  readonly name: string;
  /** Endings of file names, with the dot. */
  readonly extensions: readonly string[];
  readonly mediaTypes: readonly string[];
  /** Which parts of a file become rows. */
  readonly description: string;
  /** Whether the format only contains other files, which have their own formats. */
  readonly isContainer?: true;
}

/**
 * All formats that files are read in. `FileOptions.format` takes one of their names, and the documentation
 * lists them.
 */
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
  {
    name: 'xml',
    extensions: ['.xml'],
    mediaTypes: ['application/xml', 'text/xml'],
    description: 'Each of the repeated elements nearest to the root.',
  },
  {
    name: 'yaml',
    extensions: ['.yaml', '.yml'],
    mediaTypes: ['application/yaml'],
    description: 'Each map of the list, or each document.',
  },
  {
    name: 'excel',
    extensions: ['.xlsx', '.xlsm'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    description: 'Each row of each sheet.',
  },
  {
    name: 'parquet',
    extensions: ['.parquet'],
    mediaTypes: ['application/vnd.apache.parquet'],
    description: 'Each row of the file.',
  },
  {
    name: 'avro',
    extensions: ['.avro'],
    mediaTypes: ['application/avro'],
    description: 'Each record of the file.',
  },
  {
    name: 'orc',
    extensions: ['.orc'],
    mediaTypes: ['application/vnd.apache.orc'],
    description: 'Each row of the file.',
  },
  {
    name: 'arrow',
    extensions: ['.arrow', '.arrows', '.feather', '.ipc'],
    mediaTypes: ['application/vnd.apache.arrow.file', 'application/vnd.apache.arrow.stream'],
    description: 'Each row of the file or stream, also of Feather files of version 2.',
  },
  {
    name: 'zip',
    extensions: ['.zip'],
    mediaTypes: ['application/zip'],
    description: 'The rows of each file inside.',
    isContainer: true,
  },
  {
    name: 'tar',
    extensions: ['.tar', '.tgz'],
    mediaTypes: ['application/x-tar'],
    description: 'The rows of each file inside.',
    isContainer: true,
  },
  {
    name: 'gzip',
    extensions: ['.gz', '.gzip'],
    mediaTypes: ['application/gzip'],
    description: 'The rows of the file inside.',
    isContainer: true,
  },
  {
    name: 'zstd',
    extensions: ['.zst', '.zstd'],
    mediaTypes: ['application/zstd'],
    description: 'The rows of the file inside.',
    isContainer: true,
  },
];
