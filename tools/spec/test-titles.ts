const declared =
  /(?<![\w.])(?:test|it|describe)\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/gs;

/**
 * The titles of the tests and suites that a test file declares as plain string literals. Skipped tests and titles with
 * `${…}` are left out.
 */
export function testTitles(source: string): string[] {
  return [...source.matchAll(declared)]
    .map(({ groups }) => groups?.['title'] ?? '')
    .filter((title) => !title.includes('${'))
    .map((title) => title.replaceAll(/\\(['"`\\])/g, '$1'));
}
