import { unexpected } from './setting-readers.ts';
import { define } from './setting.ts';

const defaultApiUrl = 'https://api.stripe.com';

const startingWith =
  (...prefixes: readonly string[]) =>
  (value: string | undefined): string | undefined => {
    if (value !== undefined && !prefixes.some((prefix) => value.startsWith(prefix)))
      throw unexpected(`a text that starts with ${prefixes.join(' or ')}`);
    return value;
  };

const price = startingWith('price_');

const apiUrl = (value: string | undefined): string => {
  if (value === undefined) return defaultApiUrl;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.pathname === '/';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw unexpected(`a URL of the form ${defaultApiUrl}`);
  return value;
};

/** The settings of billing. */
export const stripeSettings = {
  STRIPE_SECRET_KEY: define({
    description: 'The secret key, or a restricted key, of the Stripe account that workspaces pay to.',
    default: 'none: nothing is billed or limited',
    read: startingWith('sk_', 'rk_'),
  }),
  STRIPE_WEBHOOK_SECRET: define({
    description: 'The signing secret of the webhook at /billing/webhook, as Stripe shows it.',
    default: 'none',
    read: startingWith('whsec_'),
  }),
  STRIPE_PRICE_BASE: define({
    description: 'The id of the base price of a workspace.',
    default: 'none',
    read: price,
  }),
  STRIPE_PRICE_COMPUTE: define({
    description: 'The id of a metered price for minutes of queries and jobs.',
    default: 'none: not billed',
    read: price,
  }),
  STRIPE_PRICE_STORAGE: define({
    description: 'The id of a metered price for gigabytes stored, reported each day.',
    default: 'none: not billed',
    read: price,
  }),
  STRIPE_PRICE_NETWORK: define({
    description: 'The id of a metered price for gigabytes of responses.',
    default: 'none: not billed',
    read: price,
  }),
  STRIPE_API_URL: define({
    description: 'The URL of the Stripe API, for a proxy or for tests.',
    default: defaultApiUrl,
    read: apiUrl,
  }),
} as const;
