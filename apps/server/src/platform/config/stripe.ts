import { findIncompleteGroup } from './setting-groups.ts';
import type { Config } from './settings.ts';

/** The settings for billing workspaces through Stripe. */
export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
  prices: {
    base: string;
    compute?: string | undefined;
    storage?: string | undefined;
    network?: string | undefined;
  };
}

/** Checks the combination of the billing settings. @returns an error message, or undefined */
export const findStripeSettingError = (config: Config): string | undefined =>
  findIncompleteGroup(config, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_BASE']);

/** The billing settings; undefined if nothing is billed. */
export const stripeOf = (config: Config): StripeSettings | undefined => {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_BASE: base,
  } = config;
  if (secretKey === undefined || webhookSecret === undefined || base === undefined) return undefined;
  return {
    secretKey,
    webhookSecret,
    apiUrl: config.STRIPE_API_URL,
    prices: {
      base,
      compute: config.STRIPE_PRICE_COMPUTE,
      storage: config.STRIPE_PRICE_STORAGE,
      network: config.STRIPE_PRICE_NETWORK,
    },
  };
};
