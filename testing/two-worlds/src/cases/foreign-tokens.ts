import type { Scenario } from '../scenario.ts';
import { as, done, type SendToBoth } from '@redoubt/testkit/requests';

/** Runs `work` while writes create no attributes in the workspace. */
export const withoutNewAttributes = async (
  send: SendToBoth,
  { people: { admin, workspace } }: Scenario,
  work: () => Promise<void>,
): Promise<void> => {
  const set = (createAttributesOnWrite: boolean) =>
    done(send, as(admin).patch(`/workspaces/${workspace.id}`, { createAttributesOnWrite }));
  await set(false);
  await work();
  await set(true);
};

/** Labels with tokens that are attributes only in the second world or in no world, or that the reader holds. */
export const foreignLabels: readonly string[] = [
  'Z-HIDDEN-3',
  'ALPHA|H40',
  'BETA&H41',
  'NEVER-HEARD-OF-1',
  'ALPHA|BETA',
];
