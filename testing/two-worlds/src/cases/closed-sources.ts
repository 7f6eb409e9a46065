/** A bucket on a port where nothing listens. */
export const closedBucket = {
  type: 'S3',
  connectionInfo: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'notes' },
};

/** A database on a port where nothing listens. */
export const closedDatabase = {
  type: 'JDBC',
  connectionInfo: {
    databaseType: 'postgresql',
    host: '127.0.0.1',
    port: 1,
    database: 'notes',
    username: 'reader',
    password: 'secret',
    table: 'notes',
  },
};

/** Topics of a cluster that cannot be reached. */
export const closedTopics = {
  type: 'KAFKA',
  connectionInfo: {
    bootstrapServers: '127.0.0.1:1',
    topics: ['notes'],
    format: 'json',
    tls: false,
    until: 'end',
  },
};
