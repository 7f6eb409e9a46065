/** The quoted table of a dataset, in the database that the server keeps records in. */
export const tableOf = (datasetId: string): string => `redoubt.\`${tableName(datasetId)}\``;

export const tableName = (datasetId: string): string => `ds_${datasetId.replaceAll('-', '_')}`;
