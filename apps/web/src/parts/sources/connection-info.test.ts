import { badField } from '@redoubt/errors';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { findProblems, isAtFields, problemsOf, toConnectionInfo } from './connection-info.ts';

const of = (field: string) => problemsOf(badField(`dataSourceParams.connectionInfo.${field}`, 'must be it.'));

test('each kind of source is sent in the form of the API, without the fields of others', () => {
  deepEqual(
    toConnectionInfo('URL', { urls: ' https://a.example/1.csv\n\nhttps://a.example/2.csv ', host: 'h' }),
    { urls: [{ url: 'https://a.example/1.csv' }, { url: 'https://a.example/2.csv' }] },
  );
  deepEqual(toConnectionInfo('URL', { urls: 'https://a.example', headers: 'Authorization: Bearer a:b' }), {
    urls: [{ url: 'https://a.example', headers: { Authorization: 'Bearer a:b' } }],
  });
  deepEqual(toConnectionInfo('S3', { region: ' eu-central-1 ', bucket: 'b', prefix: 'in /', endpoint: '' }), {
    region: 'eu-central-1',
    bucket: 'b',
    prefix: 'in /',
  });
  const database = { host: 'h', port: '5433', database: 'd', username: 'u', password: ' p ', table: 't' };
  deepEqual(toConnectionInfo('postgresql', { ...database, query: 'select 1' }), {
    databaseType: 'postgresql',
    ...database,
    port: 5433,
    tls: true,
  });
  deepEqual(toConnectionInfo('mysql', { ...database, reads: 'query', query: 'select 1', tls: 'off' }), {
    databaseType: 'mysql',
    host: 'h',
    port: 5433,
    database: 'd',
    username: 'u',
    password: ' p ',
    query: 'select 1',
    tls: false,
  });
});

test('a connector gets its settings and secrets as objects', () => {
  const values = { connector: ' sqlite ', stream: 'orders', config: '{"file": "a.db"}', secrets: ' ' };
  deepEqual(toConnectionInfo('OTHER', values), {
    connector: 'sqlite',
    stream: 'orders',
    config: { file: 'a.db' },
  });
  for (const config of ['{"file":', '[1]', '"a.db"', 'null']) {
    deepEqual(findProblems('OTHER', { ...values, config }), {
      config: 'Write it as a JSON object, such as {"file": "shop.db"}.',
    });
  }
  deepEqual(findProblems('OTHER', {}), { connector: 'Choose the connector.', stream: 'Type the stream.' });
});

test('SQL Server gets a table, whatever was chosen for another database', () => {
  const values = { host: 'h', database: 'd', username: 'u', reads: 'query', query: 'select 1', table: 't' };
  deepEqual(toConnectionInfo('mssql', values), {
    databaseType: 'mssql',
    host: 'h',
    database: 'd',
    username: 'u',
    table: 't',
    tls: true,
  });
  deepEqual(findProblems('mssql', { ...values, table: '' }), { table: 'Type the table.' });
});

test('Kafka gets its brokers, sign-in and registry, and ends unless told otherwise', () => {
  const cluster = {
    bootstrapServers: 'a.example:9093, b.example:9093\nc.example:9093',
    username: 'not sent',
  };
  deepEqual(toConnectionInfo('KAFKA', { ...cluster, topics: 'rides\n trips ', includeOffsets: 'off' }), {
    bootstrapServers: ['a.example:9093', 'b.example:9093', 'c.example:9093'],
    tls: true,
    topics: ['rides', 'trips'],
    format: 'json',
    until: 'end',
  });
  const values = {
    bootstrapServers: 'a.example:9093',
    tls: 'off',
    sasl: 'SCRAM-SHA-256',
    username: ' u ',
    password: ' p ',
    registryUrl: 'https://registry.example',
    registryUsername: 'r',
    registryPassword: 's',
    topics: 'rides',
    format: 'avro',
    until: 'canceled',
    from: 'latest',
    groupId: 'map',
    includeOffsets: 'on',
  };
  deepEqual(toConnectionInfo('KAFKA', values), {
    bootstrapServers: ['a.example:9093'],
    tls: false,
    sasl: { mechanism: 'SCRAM-SHA-256', username: 'u', password: ' p ' },
    registry: { url: 'https://registry.example', username: 'r', password: 's' },
    topics: ['rides'],
    format: 'avro',
    from: 'latest',
    groupId: 'map',
    includeOffsets: true,
  });
  deepEqual(findProblems('KAFKA', { sasl: 'PLAIN' }), {
    bootstrapServers: 'Type the brokers.',
    username: 'Type the user.',
    topics: 'Type the topics.',
  });
  deepEqual(of('registry.url'), { registryUrl: 'Must be it.' });
  deepEqual(of('sasl.username'), { username: 'Must be it.' });
});

test('a run that reads only changes names the columns that tell them', () => {
  const database = { host: 'h', database: 'd', username: 'u', table: 't', changes: 'changed' };
  const values = { ...database, cursorColumn: ' updated ', rowKey: 'id, region', overlapSeconds: '60' };
  const sent = { host: 'h', database: 'd', username: 'u', table: 't', tls: true };
  const incremental = { column: 'updated', key: ['id', 'region'] };
  deepEqual(toConnectionInfo('postgresql', values), { ...sent, databaseType: 'postgresql', incremental });
  for (const databaseType of ['mysql', 'mssql'] as const) {
    deepEqual(toConnectionInfo(databaseType, values), {
      ...sent,
      databaseType,
      incremental: { ...incremental, overlapSeconds: 60 },
    });
  }
  deepEqual(toConnectionInfo('mysql', { ...values, changes: 'all' }), { ...sent, databaseType: 'mysql' });
  deepEqual(toConnectionInfo('OTHER', { connector: 'c', stream: 's', changes: 'changed' }), {
    connector: 'c',
    stream: 's',
    incremental: true,
  });
  deepEqual(findProblems('mysql', { ...database, overlapCount: 'many' }), {
    cursorColumn: 'Type the column that grows with each change.',
    rowKey: 'Type the columns that tell rows apart.',
    overlapCount: 'Type a whole number.',
  });
  deepEqual(of('incremental.column'), { cursorColumn: 'Must be it.' });
  deepEqual(of('incremental.key.1'), { rowKey: 'Must be it.' });
});

test('missing and malformed fields are named before anything is sent', () => {
  deepEqual(findProblems('URL', { headers: 'Accept: a\nno header' }), {
    headers: 'Line 2: write it as Name: value.',
    urls: 'Type the addresses.',
  });
  deepEqual(findProblems('postgresql', { host: 'h', port: '0', database: 'd', username: 'u', table: 't' }), {
    port: 'Type a number from 1 to 65535.',
  });
});

test('an error of the server belongs to the field that it names', () => {
  deepEqual(of('region'), { region: 'Must be it.' });
  deepEqual(of('urls.1.url'), { urls: 'Line 2: must be it.' });
  deepEqual(of('urls.0.headers'), { headers: 'Must be it.' });
  deepEqual(of('other'), {});
  deepEqual(problemsOf(new Error('none')), {});
  equal(isAtFields(badField('dataSourceParams.connectionInfo.region', 'must be it.')), true);
  equal(isAtFields(badField('dataSourceParams.connectionInfo.other', 'must be it.')), false);
  equal(isAtFields(new Error('none')), false);
});
