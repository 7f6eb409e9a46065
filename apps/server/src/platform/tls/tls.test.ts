/* Shows: A-tls */
import { createTestRuntime } from '@redoubt/server/testing';
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../config/index.ts';
import { makeSelfSigned } from './self-signed.ts';
import { openTls } from './tls.ts';

const dayMs = 86_400_000;

/** The certificate that a server currently presents. */
const shownAt = (port: number): Promise<X509Certificate | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on('error', reject);
  });

describe('TLS', () => {
  let folder: string;
  let runtime: ReturnType<typeof createTestRuntime>;
  const open = (environment: Record<string, string>, everyMs?: number) =>
    openTls(readConfig(environment), folder, runtime, everyMs);
  /** Writes a certificate and key into files, as from an authority. */
  const inFiles = async (name: string, now = new Date()) => {
    const { cert, key } = await makeSelfSigned([name], now, runtime.random);
    const files = { TLS_CERT: join(folder, `${name}.crt`), TLS_KEY: join(folder, `${name}.key`) };
    await writeFile(files.TLS_CERT, cert);
    await writeFile(files.TLS_KEY, key);
    return { cert, key, files };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-tls-'));
  });
  beforeEach(async () => {
    await rm(join(folder, 'tls.pem'), { force: true });
    runtime = createTestRuntime();
    runtime.clock.set(new Date());
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('without settings the server speaks plain HTTP', async () => {
    equal(await open({}), undefined);
  });

  test('a self-signed certificate covers the names of the server, and is kept in a file that only its owner can read', async () => {
    const settings = { TLS: 'self-signed', HOST: '192.0.2.5', PUBLIC_URL: 'https://data.example.org' };
    const made = await open(settings);
    const { cert = '', selfSigned } = made?.certificate ?? {};
    equal(selfSigned, true);
    const certificate = new X509Certificate(cert);
    for (const name of ['data.example.org', 'localhost']) equal(certificate.checkHost(name), name);
    for (const address of ['192.0.2.5', '127.0.0.1', '::1']) equal(certificate.checkIP(address), address);
    const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / dayMs;
    ok(days > 300 && days < 398);
    equal((await stat(join(folder, 'tls.pem'))).mode & 0o777, 0o600);
    deepEqual((await open(settings))?.certificate, made?.certificate);
  });

  test('it is renewed before it expires, and when the names of the server change', async () => {
    const settings = { TLS: 'self-signed' };
    const first = await open(settings);
    runtime.clock.advance(300 * dayMs);
    equal((await open(settings))?.certificate.cert, first?.certificate.cert);
    runtime.clock.advance(40 * dayMs);
    const second = await open(settings);
    notEqual(second?.certificate.cert, first?.certificate.cert);
    const third = await open({ ...settings, PUBLIC_URL: 'https://other.example.org' });
    notEqual(third?.certificate.cert, second?.certificate.cert);
    match(await readFile(join(folder, 'tls.pem'), 'utf8'), /BEGIN CERTIFICATE.*BEGIN PRIVATE KEY/s);
  });

  test('new connections get a renewed certificate without a restart', async () => {
    const one = await inFiles('one.example.org');
    const tls = await open(one.files, 20);
    const server = createServer({ cert: one.cert, key: one.key }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const errors: unknown[] = [];
    const end = tls?.keepCurrent(server, {
      info: () => undefined,
      error: (error: unknown) => void errors.push(error),
    });
    try {
      match((await shownAt(port))?.subject ?? '', /one\.example\.org/);
      await writeFile(one.files.TLS_CERT, 'half a file');
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      match((await shownAt(port))?.subject ?? '', /one\.example\.org/);
      const two = await inFiles('two.example.org');
      await writeFile(one.files.TLS_KEY, two.key);
      await writeFile(one.files.TLS_CERT, two.cert);
      let subject = '';
      while (!subject.includes('two')) subject = (await shownAt(port))?.subject ?? '';
    } finally {
      end?.();
      server.close();
    }
  });

  test('files that are missing, not PEM, mismatched or expired are rejected at the start', async () => {
    const good = (await inFiles('good.example.org')).files;
    const other = (await inFiles('other.example.org')).files;
    const ended = (await inFiles('ended.example.org', new Date(Date.now() - 400 * dayMs))).files;
    const missing = join(folder, 'missing');
    for (const [files, expected] of [
      [{ ...good, TLS_CERT: missing }, /^TLS_CERT: cannot read .*missing \(ENOENT\)/],
      [{ ...good, TLS_CERT: good.TLS_KEY }, /^TLS_CERT must be a PEM file with a certificate/],
      [{ ...good, TLS_KEY: good.TLS_CERT }, /^TLS_KEY must be a PEM file with a private key/],
      [{ ...good, TLS_KEY: other.TLS_KEY }, /^TLS_KEY must be the key of the certificate/],
      [ended, /^TLS_CERT must be a valid certificate, .* expired on /],
    ] as const) {
      await rejects(open(files), (error) => error instanceof ConfigError && expected.test(error.message));
    }
  });
});
