import { badField } from '@redoubt/errors';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { findProblems, problemsOf } from './connection-info.ts';
import type { SourceValues } from './source-kinds.ts';

const values: SourceValues = {
  bootstrapServers: 'a.example:9092, b.example:9093\n[2001:db8::1]:9094',
  topics: 'one\n two ',
};
const problemsWith = (typed: SourceValues) => findProblems('KAFKA', { ...values, ...typed });

test('malformed fields of topics are named before anything is sent', () => {
  deepEqual(problemsWith({}), {});
  deepEqual(problemsWith({ bootstrapServers: 'a:1\nb' }), { bootstrapServers: 'Write “b” as host:port.' });
  deepEqual(problemsWith({ bootstrapServers: 'a:0' }), { bootstrapServers: 'Write “a:0” as host:port.' });
  deepEqual(problemsWith({ topics: 'a\nb\na' }), { topics: '“a” is listed twice.' });
  deepEqual(problemsWith({ topics: 'a\nb*' }), {
    topics: '“b*” cannot be a topic: use at most 249 letters, digits, ".", "_" and "-".',
  });
  deepEqual(problemsWith({ topics: Array.from({ length: 101 }, (_, at) => `t${String(at)}`).join('\n') }), {
    topics: 'Type at most 100.',
  });
  for (const from of ['yesterday', '2026-01-31T08:00', '1950-01-01', '2026-13-01'])
    deepEqual(problemsWith({ from }), {
      from: 'Type earliest, latest or a time such as 2026-01-31T08:00:00Z.',
    });
  for (const from of [' latest ', '2026-01-31', '2026-01-31T08:00+01:00'])
    deepEqual(problemsWith({ from }), {});
});

test('the format Avro and the registry need each other, except for a stored connection', () => {
  const registry = { registryUrl: 'https://registry.example' };
  deepEqual(problemsWith({ format: 'avro', ...registry }), {});
  deepEqual(problemsWith({ format: 'avro' }), {
    registryUrl: 'Type the address of the registry: the schemas of Avro come from it.',
  });
  deepEqual(problemsWith(registry), {
    registryUrl: 'Only messages of Avro have a registry. Choose that format, or leave this empty.',
  });
  deepEqual(problemsWith({ format: 'avro', ...registry, registryUsername: 'r' }), {
    registryPassword: 'Type user and password, or neither.',
  });
  deepEqual(findProblems('KAFKA', { ...values, ...registry }, ['connection']), {});
  deepEqual(findProblems('KAFKA', { topics: 'one', format: 'avro' }, ['choice']), {});
});

const of = (field: string) => problemsOf(badField(`dataSourceParams.connectionInfo.${field}`, 'must be it.'));

test('an error of the server about a part of a property belongs to its field', () => {
  deepEqual(of('topics.0'), { topics: 'Must be it.' });
  deepEqual(of('registry.username'), { registryUsername: 'Must be it.' });
  deepEqual(of('sasl.password'), { password: 'Must be it.' });
  deepEqual(of('tls.ca'), { ca: 'Must be it.' });
});
