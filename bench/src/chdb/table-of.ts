/** The quoted name of a dataset's table, in the server's database. */
export const tableOf = (datasetId: string): string => `redoubt.\`${tableName(datasetId)}\``;

export const tableName = (datasetId: string): string => `ds_${datasetId.replaceAll('-', '_')}`;
