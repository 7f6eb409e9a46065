/* Shows: A-database-values, A-database-whole, A-database-reads */
import type { Connection, ConnectionTest, Job } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  labelField,
  outcomeOf,
  startTds,
  type TdsColumn,
  type TdsValue,
  type RecordFixture,
  type SourceFixture,
  type TestPerson,
  type TestTds,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { makeSelfSigned } from '../../platform/tls/self-signed.ts';

const password = 'a word that nobody guesses';

const versionOf = (value: number): Buffer => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
const textOfVersion = (value: number): string => `0x${versionOf(value).toString('hex').toUpperCase()}`;

describe('ingest from Microsoft SQL Server, whose protocol a test server speaks', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let starter: TestPerson;
  let source: SourceFixture;
  let peer: TestTds;

  before(async () => {
    peer = await startTds(password);
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    starter = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'JDBC', starter.token);
  });
  after(async () => {
    await server.close();
    await peer.stop();
  });

  const infoOf = (more: object): Record<string, unknown> => ({
    databaseType: 'mssql',
    host: '127.0.0.1',
    port: peer.port,
    database: 'shop',
    username: 'reader',
    password,
    tls: false,
    ...more,
  });

  /** Has the test server show a table of these columns. */
  const show = (
    columns: readonly [name: string, type: string][],
    selected: Extract<ReturnType<TestTds['respond']>, { rows: unknown }>,
  ): void => {
    peer.respond = (sql) => {
      if (sql.includes('sys.all_columns'))
        return {
          columns: [
            { name: 'name', type: 'nvarchar' },
            { name: 'type', type: 'nvarchar' },
          ],
          rows: columns,
        };
      return sql.startsWith('SELECT ') ? selected : undefined;
    };
  };

  test('a stored connection lists the tables that it allows, and a job reads one of them', async () => {
    const call = <Body>(status: number, path: string, body?: object): Promise<Body> =>
      fixture.call(status, 'POST', path, { token: starter.token, ...(body && { body }) });
    const { id } = await call<Connection>(201, '/connections', {
      workspaceId: fixture.workspace.id,
      name: 'Shop',
      type: 'JDBC',
      connectionInfo: infoOf({}),
      allowed: { tables: ['dbo.orders'] },
    });
    const names = ['TABLE_SCHEMA', 'TABLE_NAME'];
    const columns = names.map((name) => ({ name, type: 'nvarchar' as const }));
    const rows = [
      ['dbo', 'orders'],
      ['dbo', 'people'],
    ];
    show(
      names.map((name) => [name, 'nvarchar'] as const),
      { columns, rows },
    );
    peer.statements = [];
    const tested = await call<ConnectionTest>(200, `/connections/${id}/test`);
    assert.deepEqual([tested.succeeded, tested.found], [true, ['dbo.orders']]);
    assert.match(peer.statements.at(-1) ?? '', /FROM \[INFORMATION_SCHEMA\]\.\[TABLES\]$/);
    show([['n', 'int']], { columns: [{ name: 'n', type: 'int' }], rows: [[1]] });
    const datasetId = await fixture.dataset();
    const through = (connectionInfo: object) => ({
      dataSourceParams: { type: 'JDBC', connectionId: id, connectionInfo },
    });
    for (const other of [{ schema: 'dbo', table: 'people' }, { table: 'orders' }, { query: 'SELECT 1' }])
      await source.send(datasetId, {}, through(other), 400);
    const job = await source.run(datasetId, {}, through({ schema: 'dbo', table: 'orders' }));
    assert.equal(outcomeOf(job), 'completed: : ');
  });

  test('rows of a table of SQL Server are stored under the label of each, in a snapshot', async () => {
    show(
      [
        ['n', 'int'],
        ['label', 'nvarchar'],
      ],
      {
        columns: [
          { name: 'n', type: 'int' },
          { name: 'label', type: 'nvarchar' },
        ],
        rows: [
          [1, 'A'],
          [2, 'B'],
          [3, 'A&'],
          [4, 'A'],
        ],
      },
    );
    peer.statements = [];
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf({ schema: "o'", table: 'the [rows]' }), {
      securityLabeled: true,
      securityLabelInfo: labelField,
    });
    assert.equal(outcomeOf(job), 'completed: : ');
    const { received, written, rejected } = await source.receiptOf(job);
    assert.deepEqual([received, written, rejected], [4, 3, 1]);
    assert.deepEqual(
      (await uploads.records(datasetId, starter.token)).map(({ n }) => n),
      [1, 4],
    );
    const [columns, begin, select] = peer.statements.slice(-3);
    assert.equal(begin, 'SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION');
    assert.match(columns ?? '', /OBJECT_ID\(N'\[o''\]\.\[the \[rows\]\]\]'\)/);
    assert.equal(select, "SELECT [n], [label] FROM [o'].[the [rows]]]");
  });

  test('SQL Server converts what its driver would round, and the values keep all that they say', async () => {
    const columns: [
      name: string,
      type: string,
      expression: string,
      sent: 'nvarchar' | 'int' | 'bigint' | 'bit' | 'varbinary',
      value: string | number | boolean | Buffer | null,
      json: string,
    ][] = [
      ['big', 'bigint', '[big]', 'bigint', '-9223372036854775808', '-9223372036854775808'],
      ['small', 'tinyint', '[small]', 'int', 255, '255'],
      ['flag', 'bit', '[flag]', 'bit', true, 'true'],
      [
        'exact',
        'decimal',
        'CONVERT(varchar(50), [exact])',
        'nvarchar',
        '1234567890123456789012345678.1234567890',
        '1234567890123456789012345678.1234567890',
      ],
      [
        'price',
        'money',
        'CONVERT(varchar(50), [price], 2)',
        'nvarchar',
        '922337203685477.5807',
        '922337203685477.5807',
      ],
      [
        'dbl',
        'float',
        'CONVERT(varchar(50), [dbl], 3)',
        'nvarchar',
        '1.0000000000000001e-001',
        '1.0000000000000001e-001',
      ],
      [
        'moment',
        'datetime2',
        'CONVERT(varchar(50), [moment], 126)',
        'nvarchar',
        '2026-01-31T08:00:00.1234567',
        '"2026-01-31T08:00:00.1234567"',
      ],
      [
        'zoned',
        'datetimeoffset',
        'CONVERT(varchar(50), [zoned], 126)',
        'nvarchar',
        '2026-01-31T08:00:00.1234567+02:00',
        '"2026-01-31T08:00:00.1234567+02:00"',
      ],
      ['day', 'date', 'CONVERT(varchar(10), [day], 23)', 'nvarchar', '2026-01-31', '"2026-01-31"'],
      ['at', 'time', 'CONVERT(varchar(16), [at])', 'nvarchar', '08:00:00.1234567', '"08:00:00.1234567"'],
      ['note', 'nvarchar', '[note]', 'nvarchar', 'é"\\\n😀', String.raw`"é\"\\\n😀"`],
      ['bytes', 'varbinary', '[bytes]', 'varbinary', Buffer.of(0, 255, 16), '"AP8Q"'],
      ['place', 'geography', 'CONVERT(nvarchar(max), [place])', 'nvarchar', 'POINT (1 2)', '"POINT (1 2)"'],
      ['none', 'int', '[none]', 'int', null, 'null'],
    ];
    show(
      columns.map(([name, type]) => [name, type]),
      {
        columns: columns.map(([name, , , type]) => ({ name, type })),
        rows: [columns.map(([, , , , value]) => value)],
      },
    );
    const datasetId = await fixture.dataset();
    assert.equal(outcomeOf(await source.run(datasetId, infoOf({ table: 'typed' }))), 'completed: : ');
    assert.equal(
      peer.statements.at(-1),
      `SELECT ${columns.map(([, , expression]) => expression).join(', ')} FROM [typed]`,
    );
    const body = JSON.stringify({ datasetId, batchSize: 10 });
    const { text } = await fixture.post('/readInSequence', body, { token: starter.token });
    for (const [name, , , , , json] of columns)
      assert.ok(text.includes(`"${name}":${json}`), `${name}: ${json} in ${text}`);
  });

  /** Has the test server show a table, and answer the statement that looks for the checkpoint. */
  const showChanges = (
    columns: readonly (readonly [name: string, type: string, sent: TdsColumn['type']])[],
    checkpoint: readonly (string | null)[],
    rows: readonly TdsValue[][],
  ): void => {
    show(
      columns.map(([name, type]) => [name, type]),
      {
        columns: [
          ...columns.map(([name, , type]) => ({ name, type })),
          { name: 'redoubt_kept', type: 'int' },
        ],
        rows,
      },
    );
    const respond = peer.respond;
    peer.respond = (sql) =>
      /^SELECT (TOP|CONVERT\(varchar\(18\), CONVERT\(binary\(8\), MIN_ACTIVE)/.test(sql)
        ? {
            columns: checkpoint.map((_, index) => ({ name: `c${String(index)}`, type: 'nvarchar' })),
            rows: [checkpoint],
          }
        : respond(sql);
    peer.statements = [];
  };

  const runChanges = async (
    datasetId: string,
    more: object,
  ): Promise<[job: Job, counts: (number | null)[]]> => {
    const job = await source.run(datasetId, infoOf({ table: 'visits', ...more }));
    assert.equal(outcomeOf(job), 'completed: : ');
    const { received, written, duplicate } = await source.receiptOf(job);
    return [job, [received, written, duplicate]];
  };

  describe('a later job of SQL Server brings what has changed', () => {
    test('by a rowversion column, no commit is missed however late it is', async () => {
      const columns = [
        ['id', 'int', 'int'],
        ['changed', 'timestamp', 'varbinary'],
      ] as const;
      const incremental = { column: 'changed', key: 'id' };
      const datasetId = await fixture.dataset();
      // Row 3 was changed by a transaction that began after one that is still open.
      const seen = [
        [1, versionOf(99), 0],
        [3, versionOf(101), 1],
      ];
      showChanges(columns, [textOfVersion(100), 'READ_WRITE'], seen);
      const [first, counts] = await runChanges(datasetId, { incremental });
      assert.deepEqual(counts, [2, 2, 0]);
      const [smallest, begin, select] = peer.statements.slice(-3);
      assert.match(smallest ?? '', /MIN_ACTIVE_ROWVERSION\(\)/);
      assert.match(begin ?? '', /^SET TRANSACTION ISOLATION LEVEL SNAPSHOT/);
      assert.equal(
        select,
        `SELECT [id], [changed], CASE WHEN [changed] >= ${textOfVersion(100)} THEN 1 ELSE 0 END AS redoubt_kept FROM [visits]`,
      );
      const later = [
        [2, versionOf(100), 0],
        [3, versionOf(101), 0],
      ];
      showChanges(columns, [textOfVersion(255), 'READ_WRITE'], later);
      const [second, added] = await runChanges(datasetId, { incremental, changedSinceJob: first.id });
      assert.deepEqual(added, [2, 1, 1]);
      assert.match(
        peer.statements.at(-1) ?? '',
        new RegExp(`WHERE \\[changed\\] >= ${textOfVersion(100)} OR \\[changed\\] IS NULL$`),
      );
      showChanges(columns, [textOfVersion(300), 'READ_ONLY'], []);
      const copied = infoOf({ table: 'visits', incremental, changedSinceJob: second.id });
      assert.match(
        outcomeOf(await source.run(datasetId, copied)),
        /This database is a read-only copy.*Name the host of the primary/,
      );
    });

    test('by other columns, the overlap is read again without doubling it', async () => {
      const at = '2026-01-31 08:00:00.1234567';
      const cases: [type: string, found: string, bound: string][] = [
        ['bigint', '9007199254740993', '9007199254739993'],
        ['decimal', '-5.5', '-1006'],
        ['date', '2026-01-31', "DATEADD(second, -600, CONVERT(datetime2(7), '2026-01-31', 23))"],
        ['datetime2', at, `DATEADD(second, -600, CONVERT(datetime2(7), '${at}', 121))`],
        [
          'datetime',
          '2026-01-31 08:00:00.997',
          "DATEADD(second, -600, CONVERT(datetime, '2026-01-31 08:00:00.997', 121))",
        ],
        [
          'datetimeoffset',
          at,
          `DATEADD(second, -600, TODATETIMEOFFSET(CONVERT(datetime2(7), '${at}', 121), '+00:00'))`,
        ],
      ];
      const incremental = { column: 'changed', key: ['id'] };
      for (const [type, found, bound] of cases) {
        const datasetId = await fixture.dataset();
        const columns = [
          ['id', 'int', 'int'],
          ['changed', type, 'nvarchar'],
        ] as const;
        showChanges(columns, [found], [[1, '5', 1]]);
        const [first, counts] = await runChanges(datasetId, { incremental });
        assert.deepEqual(counts, [1, 1, 0]);
        const [begin, greatest, select] = peer.statements.slice(-3);
        assert.match(begin ?? '', /^SET TRANSACTION ISOLATION LEVEL SNAPSHOT/);
        assert.match(
          greatest ?? '',
          /^SELECT TOP \(1\) CONVERT\(.* WHERE \[changed\] IS NOT NULL ORDER BY \[changed\] DESC$/,
        );
        assert.ok(
          select?.includes(`CASE WHEN [changed] >= ${bound} THEN 1 ELSE 0 END AS redoubt_kept`),
          select,
        );
        showChanges(columns, [found], [[1, '5', 1]]);
        const [, again] = await runChanges(datasetId, { incremental, changedSinceJob: first.id });
        assert.deepEqual(again, [1, 0, 1]);
        const last = peer.statements.at(-1) ?? '';
        assert.ok(last.endsWith(` WHERE [changed] >= ${bound} OR [changed] IS NULL`), last);
      }
      showChanges([['changed', 'nvarchar', 'nvarchar']], ['a'], []);
      const text = infoOf({ table: 'visits', incremental: { column: 'changed', key: 'changed' } });
      assert.match(
        outcomeOf(await source.run(await fixture.dataset(), text)),
        /The column "changed" has the unsupported type nvarchar\. incremental\.column must be a rowversion/,
      );
      showChanges([['changed', 'bigint', 'bigint']], ["1'; DROP TABLE visits; --"], []);
      const hostile = infoOf({ table: 'visits', incremental: { column: 'changed', key: 'changed' } });
      assert.match(
        outcomeOf(await source.run(await fixture.dataset(), hostile)),
        /The greatest value of the column "changed" is "1'; DROP TABLE/,
      );
    });
  });

  const outcomeWith = async (info: object): Promise<string> =>
    outcomeOf(
      await source.run(await fixture.dataset(), infoOf({ table: 'people', host: 'localhost', ...info })),
    );

  test('TLS to SQL Server is required unless the request says otherwise, and the certificate is checked', async () => {
    const { cert, key } = await makeSelfSigned(['localhost'], new Date(), { bytes: randomBytes });
    peer.certificate = { cert, key };
    show([['n', 'int']], { columns: [{ name: 'n', type: 'int' }], rows: [[1]] });
    assert.match(
      await outcomeWith({ tls: true }),
      /its certificate cannot be trusted \(\w+\)\. Send the certificate of its authority/,
    );
    assert.equal(await outcomeWith({ tls: { ca: cert } }), 'completed: : ');
    assert.match(
      await outcomeWith({ tls: { ca: cert }, host: '127.0.0.1' }),
      /its certificate cannot be trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    );
    peer.certificate = undefined;
  });

  test('a cut result of SQL Server stores nothing, and a retry stores each row once', async () => {
    const rowCount = 20_000;
    show([['n', 'int']], {
      columns: [{ name: 'n', type: 'int' }],
      rows: { [Symbol.iterator]: () => Iterator.from(Array.from({ length: rowCount }, (_, n) => [n])) },
    });
    peer.cutAfter = 50_000;
    const job = await source.run(await fixture.dataset(), infoOf({ table: 'many' }));
    assert.match(outcomeOf(job), /^failed: DatasourceError: many\.ndjson: Cannot use SQL Server at /);
    assert.equal((await source.receiptOf(job)).written, 0);
    peer.cutAfter = Infinity;
    await fixture.call(200, 'PATCH', `/jobs/${job.id}`, { token: starter.token, body: { status: 'queued' } });
    await server.jobsSettled();
    assert.equal(outcomeOf(await source.jobOf(job.id)), 'completed: : ');
    assert.equal((await source.receiptOf(job)).written, rowCount);
  });

  test('errors of SQL Server name host, number and what to do, and never the password', async () => {
    const failures: [info: object, response: ReturnType<TestTds['respond']>, message: RegExp][] = [
      [{ password: 'wrong-word' }, undefined, /reports error 18456: an error\. Check the user name/],
      [
        {},
        { error: 3952, message: 'Snapshot isolation transaction failed accessing database.' },
        /reports error 3952: .*ALTER DATABASE \[shop\] SET ALLOW_SNAPSHOT_ISOLATION ON/,
      ],
      [{}, undefined, /shows no table or view \[absent\] to this user/],
      [{ tls: true }, undefined, /it offers no TLS\. Send tls: false/],
      [
        { port: 1 },
        undefined,
        /Cannot use SQL Server at 127\.0\.0\.1:1: it did not respond \(ECONNREFUSED\)/,
      ],
    ];
    for (const [info, response, message] of failures) {
      peer.respond = () => response;
      const job = await source.run(await fixture.dataset(), infoOf({ table: 'absent', ...info }));
      assert.match(outcomeOf(job), /^failed: DatasourceError: /);
      assert.match(outcomeOf(job), message);
      assert.ok(!outcomeOf(job).includes(password) && !outcomeOf(job).includes('wrong-word'));
    }
    peer.requiresTls = true;
    const job = await source.run(await fixture.dataset(), infoOf({ table: 'absent' }));
    assert.match(outcomeOf(job), /it requires TLS\. Leave tls out/);
    peer.requiresTls = false;
  });

  test('SQL Server gets no statements of people, because it cannot keep them from writing', async () => {
    const refused = await source.send<{ errors: unknown }>(
      await fixture.dataset(),
      infoOf({ query: 'SELECT 1' }),
      {},
      400,
    );
    assert.match(JSON.stringify(refused), /connectionInfo\.query.*Make a view of it/);
  });
});
