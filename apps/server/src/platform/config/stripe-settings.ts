import { define } from './setting.ts';

const defaultApiUrl = 'https://api.stripe.com';

const startingWith =
  (...beginnings: readonly string[]) =>
  (value: string | undefined): string | undefined => {
    if (value !== undefined && !beginnings.some((beginning) => value.startsWith(beginning)))
      throw new Error(`does not begin with ${beginnings.join(' or ')}`);
    return value;
  };

const price = startingWith('price_');

const apiUrl = (value: string | undefined): string => {
  if (value === undefined) return defaultApiUrl;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.pathname === '/';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new Error(`is no address of the form ${defaultApiUrl}`);
  return value;
};

/** The settings of billing. */
export const stripeSettings = {
  STRIPE_SECRET_KEY: define({
    description: 'The secret key, or a restricted one, of the Stripe account that workspaces pay to.',
    default: 'none: nothing is billed, and nothing limited',
    read: startingWith('sk_', 'rk_'),
  }),
  STRIPE_WEBHOOK_SECRET: define({
    description: 'The signing secret of the webhook at /billing/webhook, as Stripe shows it.',
    default: 'none',
    read: startingWith('whsec_'),
  }),
  STRIPE_PRICE_BASE: define({
    description: 'The id of the price that a workspace pays for being there.',
    default: 'none',
    read: price,
  }),
  STRIPE_PRICE_COMPUTE: define({
    description: 'The id of a metered price for minutes of queries and jobs.',
    default: 'none: it is not billed',
    read: price,
  }),
  STRIPE_PRICE_STORAGE: define({
    description: 'The id of a metered price for gigabytes stored, reported each day.',
    default: 'none: it is not billed',
    read: price,
  }),
  STRIPE_PRICE_NETWORK: define({
    description: 'The id of a metered price for gigabytes of answers.',
    default: 'none: it is not billed',
    read: price,
  }),
  STRIPE_API_URL: define({
    description: 'Where the API of Stripe is, for a proxy or for tests.',
    default: defaultApiUrl,
    read: apiUrl,
  }),
} as const;
