import type { WorkspaceProvider } from '../identity-providers/index.ts';

const isBelow = (address: string, prefix: string): boolean => {
  const [whole, start] = [new URL(address).href, new URL(prefix).href.replace(/\/$/, '')];
  return whole === start || whole.startsWith(`${start}/`);
};

/** Whether the operator trusts every address of a workspace's provider. */
export const isTrustedProvider = (
  { config }: Pick<WorkspaceProvider, 'config'>,
  trustedIssuers: readonly string[],
): boolean =>
  [config.authorizeUrl, config.accessUrl, config.profileUrl].every((address) =>
    trustedIssuers.some((prefix) => isBelow(address, prefix)),
  );
