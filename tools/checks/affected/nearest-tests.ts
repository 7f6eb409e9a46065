import { dirname } from 'node:path';
import { readImporters, type Importers } from './import-graph.ts';

/**
 * Returns the tests that a change reaches, nearest first: how far a test is from a changed file is the number of
 * imports between them. The tests of a feature or folder count as importers of its files, since most of them send
 * requests to a server, which imports everything.
 * @param changed the paths of changed files, relative to the root
 * @param tests the paths of all test files
 */
export function nearestTests(
  changed: readonly string[],
  tests: readonly string[],
  root = process.cwd(),
): string[] {
  const distances = distancesFrom(changed, readImporters(root));
  const byRoom = new Map<string, number>();
  for (const [file, distance] of distances) {
    const room = roomOf(file);
    byRoom.set(room, Math.min(byRoom.get(room) ?? Infinity, distance + 1));
  }
  return tests
    .map((test) => ({
      test,
      distance: Math.min(distances.get(test) ?? Infinity, byRoom.get(roomOf(test)) ?? Infinity),
    }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ test }) => test);
}

function distancesFrom(changed: readonly string[], importers: Importers): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map yields the entries that are added while it is read.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/** The folder whose tests belong together: a feature or part of the platform of the server, or else a folder. */
function roomOf(file: string): string {
  const [room] = /^apps\/server\/src\/(?:features|platform)\/[^/]+/.exec(file) ?? [];
  return room ?? dirname(file);
}
