import { signInProviders, type SignInOptions } from '@redoubt/contract';
import type { SignUp, SingleSignOnSettings } from '../../platform/config/index.ts';
import type { ListProvidersOfWorkspace } from '../identity-providers/index.ts';
import { isServerProvider, ssoStrategies } from './provider.ts';
import { isTrustedProvider } from './trusted-provider.ts';

export type GetSignInOptions = (workspaceId: string | undefined) => Promise<SignInOptions>;

/**
 * Finds what a sign-in page can offer. A provider of a workspace that the operator does not trust is left out, with the
 * server's provider that it replaces: a sign-in with either would be rejected.
 */
export const createGetSignInOptions =
  ({
    settings,
    listProvidersOfWorkspace,
    signUp,
    sendsMail,
  }: {
    settings: SingleSignOnSettings;
    listProvidersOfWorkspace: ListProvidersOfWorkspace;
    signUp: SignUp;
    sendsMail: boolean;
  }): GetSignInOptions =>
  async (workspaceId) => {
    const own = workspaceId === undefined ? [] : await listProvidersOfWorkspace(workspaceId);
    const isOffered = (strategy: (typeof ssoStrategies)[number]): boolean => {
      const provider = own.find(({ providerType }) => providerType === strategy);
      return provider === undefined
        ? isServerProvider(strategy, settings)
        : isTrustedProvider(provider, settings.trustedIssuers ?? []);
    };
    return {
      providers: ssoStrategies
        .filter(isOffered)
        .map((strategy) => ({ strategy, name: signInProviders[strategy] })),
      signUp,
      sendsMail,
    };
  };
