import type { Config } from './settings.ts';

/** How Stripe is asked to collect what workspaces owe. */
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

/** What is wrong with the settings of billing taken together, if anything is. */
export const findStripeSettingError = (config: Config): string | undefined => {
  const together = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_BASE'] as const;
  const missing = together.filter((name) => config[name] === undefined);
  return missing.length === 0 || missing.length === together.length
    ? undefined
    : `${together.join(', ')} go together: set ${missing.join(' and ')} as well, or none of them.`;
};

/** Undefined where nothing is billed. */
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
