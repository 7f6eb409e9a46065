import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConnection, type CredentialStorage } from './connection.ts';

const site = 'https://docs.example.org';
const other = 'https://other.example.org';

const storageOf = (kept = new Map<string, string>()): CredentialStorage & { kept: Map<string, string> } => ({
  kept,
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
});
const bearer = { authorization: 'Bearer secret' };

describe('the connection of the API reference', () => {
  test('a credential goes to the origin for which it was entered, and to no other', () => {
    const connection = createConnection(site, storageOf());
    connection.followAddress('');
    connection.enter('bearer', 'secret', false);
    deepEqual(connection.headersFor(site), bearer);
    for (const origin of [
      other,
      'http://docs.example.org',
      `${site}:8443`,
      `${site}.evil.example`,
      'null',
      '',
    ]) {
      deepEqual(connection.headersFor(origin), {}, origin);
    }
    connection.forget();
    connection.enter('api-key', 'key', false);
    deepEqual(connection.headersFor(site), { 'x-api-key': 'key' });
  });

  test('another host drops the credential, and coming back does not bring it again', () => {
    const connection = createConnection(site, storageOf());
    connection.followAddress('');
    connection.enter('bearer', 'secret', false);
    equal(connection.chooseHost(other), undefined);
    equal(connection.state().holds, undefined);
    deepEqual([connection.headersFor(other), connection.headersFor(site)], [{}, {}]);
    connection.chooseSite();
    deepEqual(connection.headersFor(site), {});
    equal(connection.state().isForeign, false);
  });

  test('a link that names another host drops the credential, also in the middle of a visit', () => {
    const connection = createConnection(site, storageOf());
    connection.followAddress('');
    connection.enter('bearer', 'secret', true);
    connection.followAddress(`?host=${encodeURIComponent(other)}`);
    const { origin, namedBy, holds } = connection.state();
    deepEqual([origin, namedBy, holds], [other, 'link', undefined]);
    deepEqual([connection.headersFor(other), connection.headersFor(site)], [{}, {}]);
  });

  test('a kept credential comes back for the host of the site or of the reader, and never by a link', () => {
    const storage = storageOf();
    const before = createConnection(site, storage);
    before.followAddress('');
    before.enter('bearer', 'secret', true);
    before.chooseHost(other);
    before.enter('bearer', 'secret', true);

    const again = createConnection(site, storage);
    again.followAddress('');
    deepEqual(again.headersFor(site), bearer);
    again.chooseHost(other);
    deepEqual(again.headersFor(other), bearer);
    equal(again.state().isKept, true);

    for (const host of [site, other]) {
      const byLink = createConnection(site, storage);
      byLink.followAddress(`?host=${encodeURIComponent(host)}`);
      deepEqual([byLink.state().origin, byLink.headersFor(host)], [host, {}], host);
    }
  });

  test('a credential that is not to be kept is in no storage, and forgetting takes a kept one away', () => {
    const storage = storageOf();
    const connection = createConnection(site, storage);
    connection.followAddress('');
    connection.enter('bearer', 'secret', false);
    equal(storage.kept.size, 0);
    connection.enter('bearer', 'secret', true);
    equal(storage.kept.size, 1);
    connection.forget();
    equal(storage.kept.size, 0);
    connection.enter('bearer', 'secret', true);
    connection.enter('bearer', 'other', false);
    equal(storage.kept.size, 0);
  });

  test('if the reader rejects the host named by a link, the page says so and uses its own host without a credential', () => {
    const storage = storageOf();
    const before = createConnection(site, storage);
    before.followAddress('');
    before.enter('bearer', 'secret', true);
    for (const search of ['?host=javascript:alert(1)', `?host=${other}&host=${site}`]) {
      const connection = createConnection(site, storage);
      connection.followAddress(search);
      const { origin, refusal } = connection.state();
      equal(origin, site);
      match(refusal ?? '', /host/);
      deepEqual(connection.headersFor(site), {});
    }
  });

  test('a refused host of the reader changes nothing', () => {
    const connection = createConnection(site, storageOf());
    connection.followAddress('');
    connection.enter('bearer', 'secret', false);
    match(connection.chooseHost('data.example.org') ?? '', /http/);
    deepEqual(connection.headersFor(site), bearer);
  });

  test('a stored value that the site did not write is not used as a credential', () => {
    for (const text of ['', 'null', '[]', '{"kind":"cookie","value":"x"}', '{"kind":"bearer","value":7}']) {
      const connection = createConnection(
        site,
        storageOf(new Map([[`redoubt.api.credential ${site}`, text]])),
      );
      connection.followAddress('');
      deepEqual(connection.headersFor(site), {}, text);
    }
  });
});
