/**
 * The requesters of the walk: one column of the table each, in the groups in which a line shows them. `foreigner` is
 * the admin of another workspace. The page of access rules describes the others.
 */
const columnGroups: readonly (readonly string[])[] = [
  ['nobody', 'no-workspace', 'foreigner'],
  ['member', 'self', 'admin'],
  [
    'manage-users',
    'manage-groups',
    'manage-attributes',
    'manage-datasets',
    'manage-applications',
    'manage-api-keys',
    'manage-audit-log',
    'manage-identity-providers',
    'manage-billing',
  ],
  ['group-admin', 'group-member'],
  ['owner', 'reader', 'writer', 'manager'],
  ['connection-user', 'connection-manager'],
  ['key', 'mls', 'sls'],
];

export const callerNames = columnGroups.flat();

/** What a requester gets. A list that works can still lack the object of the call. */
export type Outcome = 'works' | 'works without the object' | '401' | '403' | '404';

const outcomes: Readonly<Record<string, Outcome>> = {
  y: 'works',
  '.': 'works without the object',
  1: '401',
  3: '403',
  4: '404',
};

const parseOutcome = (letter: string, cell: string): Outcome => {
  const outcome = outcomes[letter];
  if (outcome === undefined) throw new Error(`${cell} must be "y", ".", "1", "3" or "4", got "${letter}".`);
  return outcome;
};

const parseLine = (line: string): [string, Map<string, Outcome>] => {
  const [call = '', ...groups] = line.split(/ +/);
  const lengths = columnGroups.map((group) => group.length).join(' ');
  if (groups.map((group) => group.length).join(' ') !== lengths)
    throw new Error(`The line of ${call} must have groups of ${lengths} letters, got "${line}".`);
  const letters = groups.join('');
  const byCaller = callerNames.map(
    (caller, at) => [caller, parseOutcome(letters.charAt(at), `${call} for ${caller}`)] as const,
  );
  return [call, new Map(byCaller)];
};

/** Parses the access table: the expected outcomes by call, then by requester. */
export const parseAccessTable = (table: string): Map<string, Map<string, Outcome>> => {
  const lines = table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine);
  const calls = new Map(lines);
  const repeated = lines.find((line) => calls.get(line[0]) !== line[1]);
  if (repeated !== undefined) throw new Error(`${repeated[0]} must have one line, got several.`);
  return calls;
};
