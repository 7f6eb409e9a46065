import type { Scenario } from '../scenario.ts';
import { as, done, type Ask } from '@redoubt/testkit/requests';

/** Does something while writes make no attributes in the workspace. */
export const withoutNewAttributes = async (
  ask: Ask,
  { people: { admin, workspace } }: Scenario,
  work: () => Promise<void>,
): Promise<void> => {
  const set = (createAttributesOnWrite: boolean) =>
    done(ask, as(admin).patch(`/workspaces/${workspace.id}`, { createAttributesOnWrite }));
  await set(false);
  await work();
  await set(true);
};

/** Labels with tokens of which there are attributes in one world alone or in none, and with ones that the reader holds. */
export const foreignLabels: readonly string[] = [
  'Z-HIDDEN-3',
  'ALPHA|H40',
  'BETA&H41',
  'NEVER-HEARD-OF-1',
  'ALPHA|BETA',
];
