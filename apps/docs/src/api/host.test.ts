import { deepEqual, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHost } from './host.ts';

describe('the host of the API reference', () => {
  test('a host is scheme, name and port of a server', () => {
    for (const [sent, origin] of [
      ['https://data.example.org', 'https://data.example.org'],
      ['https://data.example.org/', 'https://data.example.org'],
      ['HTTPS://Data.Example.org:443', 'https://data.example.org'],
      ['http://localhost:7600', 'http://localhost:7600'],
      [' http://127.0.0.1:80 ', 'http://127.0.0.1'],
      ['http://[::1]:7600', 'http://[::1]:7600'],
    ] as const) {
      deepEqual(readHost(sent), { origin }, sent);
    }
  });

  test('anything but a host is rejected with a message that quotes it', () => {
    for (const sent of [
      '',
      'data.example.org',
      'javascript:alert(1)',
      'ftp://data.example.org',
      'file:///etc/passwd',
      'https://',
      'https://user@data.example.org',
      'https://user:secret@data.example.org',
      'https://data.example.org@evil.example',
      'https://data.example.org\\@evil.example',
      'https://data.example.org/api',
      'https://data.example.org/?x=1',
      'https://data.example.org/#x',
      'https://data example.org',
      '//data.example.org',
      'https:data.example.org',
    ]) {
      const reading = readHost(sent);
      ok('problem' in reading, sent);
      match(reading.problem, /^The host "/);
      match(reading.problem, /Send scheme, name and port/);
    }
  });
});
