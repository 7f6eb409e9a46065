import { halfOf, minMemoryLimit } from './machine-memory.ts';
import {
  integer,
  optionalOneOf,
  text,
  postgresUrl,
  clickhouseUrl,
  engineName,
  s3Endpoint,
  s3Bucket,
  s3Buckets,
  s3Prefix,
  metricsToken,
  collector,
  signingKey,
  secretKeys,
  publicUrl,
  commands,
  consoleFolder,
  docsFolder,
  smtpUrl,
  mailAddress,
  ocrLanguages,
} from './setting-readers.ts';
import { define } from './setting.ts';
import { protectionSettings } from './protection-settings.ts';
import { stripeSettings } from './stripe-settings.ts';
import { signOnSettings } from './sign-on-settings.ts';

/** Every environment variable that the server reads. */
export const settings = {
  HOST: define({
    description: 'The address to listen on. For other addresses than loopback, use TLS here or in a proxy.',
    default: '127.0.0.1',
    read: text('127.0.0.1'),
  }),
  PORT: define({
    description: 'The port to listen on; 0 takes a free one.',
    default: '7600',
    read: integer(0, 65_535, 7600),
  }),
  DATA_DIR: define({
    description: 'The folder for the data of the embedded engines, the keys and the lock file.',
    default: './data',
    read: text('./data'),
  }),
  DATABASE_URL: define({
    description: 'A PostgreSQL server (15 or later) for the metadata, instead of the embedded one.',
    default: 'the embedded database in DATA_DIR',
    read: postgresUrl,
  }),
  CLICKHOUSE_URL: define({
    description:
      'The HTTP interface of a ClickHouse server (26.7 or later) for the records, instead of the embedded engine.',
    default: 'the embedded engine in DATA_DIR',
    read: clickhouseUrl,
  }),
  CLICKHOUSE_USER: define({
    description:
      'The user of that server. The start checks its rights on CLICKHOUSE_DATABASE and on system tables, and names those that are missing.',
    default: 'default',
    read: text('default'),
  }),
  CLICKHOUSE_PASSWORD: define({
    description: 'The password of that user.',
    default: 'none',
    read: text(''),
  }),
  CLICKHOUSE_DATABASE: define({
    description: 'The database of the records; the server creates it if it does not exist.',
    default: 'redoubt',
    read: engineName('redoubt'),
  }),
  CLICKHOUSE_CLUSTER: define({
    description:
      'The name of the cluster on that server, if each of its servers should hold a copy of the records. It must have one shard.',
    default: 'none: the records are only on that server',
    read: engineName(undefined),
  }),
  S3_BUCKET: define({
    description: 'The bucket of an S3 service for files, instead of a folder.',
    default: 'the folder objects in DATA_DIR',
    read: s3Bucket,
  }),
  S3_ENDPOINT: define({
    description: 'The URL of the S3 service, such as http://localhost:9000.',
    default: "Amazon's service in S3_REGION",
    read: s3Endpoint,
  }),
  S3_REGION: define({
    description: 'The region of the S3 service.',
    default: 'us-east-1',
    read: text('us-east-1'),
  }),
  S3_ACCESS_KEY_ID: define({
    description:
      'The access key of the S3 service; it must be allowed to list, read, write and delete in the bucket.',
    default: 'what the machine provides (a role, or a file of the user)',
    read: (value) => value,
  }),
  S3_SECRET_ACCESS_KEY: define({
    description: 'The secret of that access key.',
    default: 'none',
    read: (value) => value,
  }),
  S3_PREFIX: define({
    description: 'A prefix for the names of all files in the bucket, such as redoubt/.',
    default: 'none',
    read: s3Prefix,
  }),
  S3_SHARED_BUCKETS: define({
    description:
      'Other buckets of S3_ENDPOINT that people may read into datasets with keys for them, separated by commas. Without it, they read nothing from the service of the own files.',
    default: 'none',
    read: s3Buckets,
  }),
  JWT_SECRET: define({
    description: 'The key that signs access tokens, at least 32 characters.',
    default: 'created at the first start and kept in DATA_DIR',
    read: signingKey,
  }),
  SECRETS_KEY: define({
    description:
      'The key that encrypts stored secrets, at least 32 characters. Separate several keys by commas, the newest first.',
    default:
      'created at the first start and kept in DATA_DIR; with both DATABASE_URL and CLICKHOUSE_URL, derived from JWT_SECRET',
    read: secretKeys,
  }),
  PUBLIC_URL: define({
    description:
      'The URL at which people reach the server, such as https://data.example.org; links start with it.',
    default: 'http://HOST:PORT',
    read: publicUrl,
  }),
  DOCS_DIR: define({
    description:
      'The folder with the built documentation site, which the server serves beside the API; "none" serves no pages.',
    default: 'apps/docs/build, where npm run up builds it',
    read: docsFolder,
  }),
  CONNECTORS: define({
    description:
      'Programs that read other systems for imports of the type OTHER, as JSON: `{"name": ["/path/of/program", "argument"]}`. They run with the rights of the server.',
    default: 'none',
    read: commands,
  }),
  CONSOLE_DIR: define({
    description: 'The folder with the built console, which is served at /app/; none serves no console.',
    default: 'apps/web/build, where npm run up builds it',
    read: consoleFolder,
  }),
  SMTP_URL: define({
    description:
      'A mail server, as smtps://user:password@host:465, or smtp://user:password@host:587, which must offer STARTTLS; ?tls=none sends unencrypted.',
    default: 'none: no mail is sent',
    read: smtpUrl,
  }),
  MAIL_FROM: define({
    description: 'The sender of mail, as redoubt@example.org or "Redoubt <redoubt@example.org>".',
    default: 'none; needed with SMTP_URL',
    read: mailAddress,
  }),
  SIGN_UP: define({
    description:
      'Who may create an account: anybody (open), people whom an administrator adds (invited), nobody (closed).',
    default: 'open when HOST is loopback, else invited',
    read: optionalOneOf(['open', 'invited', 'closed']),
  }),
  ...protectionSettings,
  ...signOnSettings,
  MAX_BODY_BYTES: define({
    description: 'Maximum size of a request body, in bytes, after decompression.',
    default: '67108864 (64 MB)',
    read: integer(1024, 1 << 30, 64 * 1024 * 1024),
  }),
  MAX_UPLOAD_BYTES: define({
    description:
      'Maximum size of all files of one upload together, and of one file that is fetched, in bytes.',
    default: '50000000000 (50 GB)',
    read: integer(1024, Number.MAX_SAFE_INTEGER, 50_000_000_000),
  }),
  OCR_LANGUAGES: define({
    description:
      'The languages of the text that is recognised in images, where a request names none: names of Tesseract, separated by +, such as deu+eng.',
    default: 'eng',
    read: ocrLanguages,
  }),
  INGEST_MAX_ATTRIBUTES: define({
    description:
      'The most attributes that the labels of one ingest job may name and the person who started it does not hold: missing ones are created.',
    default: '1000',
    read: integer(0, 1_000_000, 1000),
  }),
  INGEST_BLOCK_ROWS: define({
    description: 'The rows of a file that are stored at once and become visible together.',
    default: '20000',
    read: integer(1, 100_000, 20_000),
  }),
  REJECTED_ROWS_DAYS: define({
    description:
      'How many days the rejected rows of an ingest job are kept after its start. The person who started it can list, fix and replay them until then.',
    default: '30',
    read: integer(1, 3650, 30),
  }),
  MAX_PATHS: define({
    description: 'Maximum number of distinct field paths in the records of a dataset.',
    default: '10000',
    read: integer(1, 1_000_000, 10_000),
  }),
  QUERY_TIMEOUT_SECONDS: define({
    description: 'Maximum time that one query may run, in seconds.',
    default: '60',
    read: integer(1, 86_400, 60),
  }),
  STOP_GRACE_SECONDS: define({
    description:
      'How long the server waits for requests in flight when it stops, in seconds. Then it aborts them and ends within 5 more seconds.',
    default: '10',
    read: integer(0, 3600, 10),
  }),
  MEMORY_LIMIT: define({
    description:
      'Maximum memory of the embedded record engine, in bytes: all queries, merges and caches together. A query that needs more fails; a write waits.',
    default: 'half of the memory of the machine, or of the container',
    read: integer(minMemoryLimit, 2 ** 50, halfOf()),
  }),
  QUERY_MEMORY_BYTES: define({
    description: 'Maximum memory of one query in the record engine, in bytes.',
    default: '2147483648 (2 GB), or half of MEMORY_LIMIT where that is less',
    read: (value) => (value === undefined ? undefined : integer(1 << 24, 2 ** 50, 0)(value)),
  }),
  JOBS_PER_WORKSPACE: define({
    description: 'Maximum number of jobs of a workspace that run at once; further jobs wait.',
    default: '2',
    read: integer(1, 1000, 2),
  }),
  ...stripeSettings,
  METRICS_PORT: define({
    description: 'The port of GET /metrics, which returns metrics for Prometheus; 0 takes a free one.',
    default: 'none: no metrics',
    read: (value) => (value === undefined ? undefined : integer(0, 65_535, 0)(value)),
  }),
  METRICS_HOST: define({
    description: 'The address of that port. Other addresses than loopback need METRICS_TOKEN.',
    default: '127.0.0.1',
    read: text('127.0.0.1'),
  }),
  METRICS_TOKEN: define({
    description:
      'The token that Prometheus must send as Authorization: Bearer <token>, at least 16 characters.',
    default: 'none: everybody who can reach the port can read the metrics',
    read: metricsToken,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: define({
    description:
      'An OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://localhost:4318.',
    default: 'none: no traces',
    read: collector,
  }),
  LOG_LEVEL: define({
    description: 'The lowest level that is logged: debug, info, warn, error or silent.',
    default: 'info; warn if standard output is a terminal',
    read: optionalOneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
} as const;

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> };
