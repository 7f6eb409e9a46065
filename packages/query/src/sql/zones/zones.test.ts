import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cycleSeconds, cycleStart, zoneChanges } from './zone-changes.ts';
import { zoneData } from './zone-data.ts';
import { findTimeZone } from './zone-names.ts';

const names = zoneData.split('\n').flatMap((line) => line.split('|')[0]?.split(' ').filter(Boolean) ?? []);

/** The offset of a zone at a time, in seconds ahead of UTC. */
const offsetAt = (zone: string, moment: string): number | undefined => {
  const read = zoneChanges(zone);
  return (
    read && (read.changes.findLast(({ at }) => at * 1000 <= new Date(moment).getTime())?.offset ?? read.first)
  );
};

describe('time zones', () => {
  test('have their historical UTC offsets, in any letter case', () => {
    const known: readonly (readonly [string, string, number])[] = [
      ['Europe/Berlin', '1893-03-31T22:00:00Z', 3208],
      ['Europe/Berlin', '1893-04-01T00:00:00Z', 3600],
      ['europe/BERLIN', '1945-07-01T00:00:00Z', 10_800],
      ['Europe/Berlin', '2024-03-31T00:59:59Z', 3600],
      ['Europe/Berlin', '2024-03-31T01:00:00Z', 7200],
      ['Europe/Berlin', '2499-07-01T00:00:00Z', 7200],
      ['America/New_York', '2006-03-20T12:00:00Z', -18_000],
      ['US/Eastern', '2007-03-20T12:00:00Z', -14_400],
      ['Pacific/Apia', '2011-12-30T09:59:59Z', -36_000],
      ['Pacific/Apia', '2011-12-30T10:00:00Z', 50_400],
      ['Australia/Lord_Howe', '2024-01-01T00:00:00Z', 39_600],
      ['Asia/Kolkata', '2400-01-01T00:00:00Z', 19_800],
    ];
    for (const [zone, moment, offset] of known)
      assert.equal(offsetAt(zone, moment), offset, `${zone} ${moment}`);
    assert.equal(zoneChanges('Europe/Nowhere'), undefined);
  });

  test('have changes in ascending order by UTC and by local time, and repeat their rules for 400 years', () => {
    assert.ok(names.length > 590, String(names.length));
    for (const name of names) {
      const { changes = [] } = zoneChanges(name) ?? {};
      let last = { at: -Infinity, local: -Infinity };
      for (const { at, offset } of changes) {
        const next = { at, local: at + offset };
        assert.ok(next.at > last.at && next.local > last.local, `${name} ${String(at)}`);
        last = next;
      }
      const ruled = changes.filter(({ at }) => at >= cycleStart);
      const years = new Set(ruled.map(({ at }) => new Date(at * 1000).getUTCFullYear()));
      assert.ok(years.size === 0 || years.size === 400, `${name} ${String(years.size)}`);
      assert.ok(last.at < cycleStart + cycleSeconds, name);
    }
  });

  test('are found by the names of PostgreSQL', () => {
    const fixed: Record<string, number> = {
      UTC: 0,
      z: 0,
      CET: 3600,
      cest: 7200,
      EST: -18_000,
      'UTC+3': -10_800,
      '-8': 28_800,
      '+05:30:15': -19_815,
    };
    for (const [name, first] of Object.entries(fixed))
      assert.deepEqual(findTimeZone(name), { kind: 'zone', zone: { first, changes: [] } }, name);
    assert.equal(findTimeZone('Europe/Berlin').kind, 'zone');
    assert.deepEqual(findTimeZone('MSK'), { kind: 'unsupported', instead: 'Europe/Moscow' });
    for (const name of [
      'posix/Europe/Berlin',
      'localtime',
      'EST5EDT,M3.2.0,M11.1.0',
      '+25',
      'Europe/Berlin+3',
    ])
      assert.deepEqual(findTimeZone(name).kind, 'unsupported', name);
    for (const name of ['', ' UTC', 'foo', 'Europe/Nowhere', '__proto__'])
      assert.deepEqual(findTimeZone(name), { kind: 'unknown' }, name);
  });
});
