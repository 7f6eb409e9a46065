import { halfOf, smallestBudget } from './machine-memory.ts';
import {
  integer,
  optionalOneOf,
  text,
  postgresUrl,
  clickhouseUrl,
  engineName,
  s3Endpoint,
  s3Bucket,
  s3Prefix,
  metricsToken,
  collector,
  signingKey,
  secretKeys,
  publicUrl,
  docsFolder,
  smtpUrl,
  mailAddress,
} from './setting-readers.ts';
import { define } from './setting.ts';
import { protectionSettings } from './protection-settings.ts';
import { stripeSettings } from './stripe-settings.ts';
import { signOnSettings } from './sign-on-settings.ts';

/** Every setting. The environment holds no other that the server reads. */
export const settings = {
  HOST: define({
    description: 'The address to listen on. Beyond loopback, use TLS, or put it in front.',
    default: '127.0.0.1',
    read: text('127.0.0.1'),
  }),
  PORT: define({
    description: 'The port to listen on; 0 takes a free one.',
    default: '7600',
    read: integer(0, 65_535, 7600),
  }),
  DATA_DIR: define({
    description: 'The folder of the embedded engines, of the keys and of the lock.',
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
      'A ClickHouse server (26.7 or later) for the records, by its HTTP interface, instead of the embedded one.',
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
    description: 'The database of the records; it is made when it is missing.',
    default: 'redoubt',
    read: engineName('redoubt'),
  }),
  CLICKHOUSE_CLUSTER: define({
    description:
      'The cluster, as that server names it, whose servers are each to hold a copy of the records; it has one shard.',
    default: 'none: the records are on that server alone',
    read: engineName(undefined),
  }),
  S3_BUCKET: define({
    description: 'The bucket of an S3 service for files, instead of the folder.',
    default: 'the folder objects in DATA_DIR',
    read: s3Bucket,
  }),
  S3_ENDPOINT: define({
    description: 'The address of the S3 service, such as http://localhost:9000.',
    default: "that of Amazon's service in S3_REGION",
    read: s3Endpoint,
  }),
  S3_REGION: define({
    description: 'The region of the S3 service.',
    default: 'us-east-1',
    read: text('us-east-1'),
  }),
  S3_ACCESS_KEY_ID: define({
    description: 'The account of the S3 service; it may list, read, write and delete in the bucket.',
    default: 'what the machine provides (a role, or a file of the user)',
    read: (value) => value,
  }),
  S3_SECRET_ACCESS_KEY: define({
    description: 'The secret of that account.',
    default: 'none',
    read: (value) => value,
  }),
  S3_PREFIX: define({
    description: 'What the names of all files in the bucket begin with, such as redoubt/.',
    default: 'none',
    read: s3Prefix,
  }),
  JWT_SECRET: define({
    description: 'The key that signs access tokens, at least 32 characters.',
    default: 'made at the first start and kept in DATA_DIR',
    read: signingKey,
  }),
  SECRETS_KEY: define({
    description:
      'The key that seals secrets which are used again, at least 32 characters; several are parted by commas, the newest first.',
    default:
      'made at the first start and kept in DATA_DIR; with two servers of your own, made out of JWT_SECRET',
    read: secretKeys,
  }),
  PUBLIC_URL: define({
    description:
      'The address by which people reach the server, such as https://data.example.org; links begin with it.',
    default: 'http://HOST:PORT',
    read: publicUrl,
  }),
  DOCS_DIR: define({
    description:
      'The folder with the built documentation site, which is served beside the API; none serves no pages.',
    default: 'apps/docs/build, where npm run up builds it',
    read: docsFolder,
  }),
  SMTP_URL: define({
    description:
      'A mail server, as smtps://user:password@host:465, or smtp://user:password@host:587, which has to offer STARTTLS; ?tls=none sends in the clear.',
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
      'Who may make an account: anybody (open), people whom an administrator adds (invited), nobody (closed). The first account needs open.',
    default: 'open when HOST is loopback, else invited',
    read: optionalOneOf(['open', 'invited', 'closed']),
  }),
  ...protectionSettings,
  ...signOnSettings,
  MAX_BODY_BYTES: define({
    description: 'The largest request body, in bytes, after unpacking.',
    default: '67108864 (64 MB)',
    read: integer(1024, 1 << 30, 64 * 1024 * 1024),
  }),
  MAX_UPLOAD_BYTES: define({
    description: 'The most bytes of the files of one upload together, and of one file that is fetched.',
    default: '50000000000 (50 GB)',
    read: integer(1024, Number.MAX_SAFE_INTEGER, 50_000_000_000),
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
  MAX_PATHS: define({
    description: 'The most distinct field paths that the records of a dataset may have.',
    default: '10000',
    read: integer(1, 1_000_000, 10_000),
  }),
  QUERY_TIMEOUT_SECONDS: define({
    description: 'How long one query may run, in seconds.',
    default: '60',
    read: integer(1, 86_400, 60),
  }),
  STOP_GRACE_SECONDS: define({
    description:
      'How long a stop waits for what is in flight, in seconds; then it is cut off, and the process ends within 5 seconds more.',
    default: '10',
    read: integer(0, 3600, 10),
  }),
  MEMORY_LIMIT: define({
    description:
      'How much memory the embedded record engine may take, in bytes: all queries, merges and caches together. A query that would need more fails, and a write waits.',
    default: 'half of the memory of the machine, or of the container',
    read: integer(smallestBudget, 2 ** 50, halfOf()),
  }),
  QUERY_MEMORY_BYTES: define({
    description: 'How much memory one query may take in the record engine, in bytes.',
    default: '2147483648 (2 GB), or half of MEMORY_LIMIT where that is less',
    read: (value) => (value === undefined ? undefined : integer(1 << 24, 2 ** 50, 0)(value)),
  }),
  JOBS_PER_WORKSPACE: define({
    description: 'How many jobs of a workspace run at the same time; further ones wait.',
    default: '2',
    read: integer(1, 1000, 2),
  }),
  ...stripeSettings,
  METRICS_PORT: define({
    description: 'The port on which GET /metrics answers figures for Prometheus; 0 takes a free one.',
    default: 'none: there are no figures',
    read: (value) => (value === undefined ? undefined : integer(0, 65_535, 0)(value)),
  }),
  METRICS_HOST: define({
    description: 'The address to answer it on. Beyond loopback, METRICS_TOKEN has to be set.',
    default: '127.0.0.1',
    read: text('127.0.0.1'),
  }),
  METRICS_TOKEN: define({
    description: 'What Prometheus sends as Authorization: Bearer <token>, at least 16 characters.',
    default: 'none: whoever reaches the port may read',
    read: metricsToken,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: define({
    description:
      'An OpenTelemetry collector to send traces to by OTLP over HTTP, such as http://localhost:4318.',
    default: 'none: there are no traces',
    read: collector,
  }),
  LOG_LEVEL: define({
    description: 'What is logged: debug, info, warn, error or silent.',
    default: 'info, or warn where a terminal shows it',
    read: optionalOneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
} as const;

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> };
