/** The outcome of a call for one requester, as the access page states it. */
export type Expected = 'yes' | '401' | '403' | '404';

/** The outcome that each column of the table stands for. */
const columns: readonly Expected[] = ['yes', '401', '403', '404'];

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Parses the second table of the page about access: the outcomes by call, then by caller. The page is generated from the
 * access rules in code, which the server uses as well.
 */
export const expectedFrom = (page: string): Map<string, Map<string, Expected>> => {
  const [, section = ''] = page.split('## What each kind of caller gets');
  const lines = section.split('\n');
  const callers = lines.flatMap((line) => /^- `([^`]+)`:/.exec(line)?.[1] ?? []);
  const [, , ...rows] = lines.filter((line) => line.startsWith('| '));
  return new Map(
    rows.map((line) => {
      const [call = '', ...groups] = cells(line);
      const named = new Map(
        groups.flatMap((group, at) =>
          Array.from(group.matchAll(/`([^`]+)`/g), ([, caller = '']) => [caller, columns[at]] as const),
        ),
      );
      const others = columns[groups.findIndex((group) => group.startsWith('everyone'))];
      const byCaller = callers.map((caller) => [caller, (named.get(caller) ?? others) as Expected] as const);
      return [call.replaceAll('`', ''), new Map(byCaller)];
    }),
  );
};
