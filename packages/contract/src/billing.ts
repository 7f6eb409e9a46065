import { Type } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

const dayPattern = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

/** What is told of what a workspace uses, and billed, is whole numbers of these. */
export const usageUnits = {
  /** Seconds. */
  compute: 60,
  /** Bytes. */
  storage: 1_000_000_000,
  /** Bytes. */
  network: 1_000_000_000,
} as const;

/** The most days of one answer. */
export const maxUsageDays = 366;

export const UsageDay = strictObject(
  {
    day: Type.String({ description: 'Such as 2026-01-31, in UTC.' }),
    base: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '1 on days on which the workspace was there.',
    }),
    compute: Type.Integer({
      minimum: 0,
      description:
        'Seconds that the record engine worked on queries and jobs, in whole minutes; what is left over counts with the next day.',
    }),
    storage: Type.Integer({
      minimum: 0,
      description: 'Bytes that records took on disk, rounded down to whole gigabytes of 1,000,000,000 bytes.',
    }),
    network: Type.Integer({
      minimum: 0,
      description: 'Bytes of answers, in whole gigabytes; what is left over counts with the next day.',
    }),
  },
  { title: 'UsageDay', description: 'What a workspace has used on a day.' },
);
export type UsageDay = Type.Static<typeof UsageDay>;

export const Usage = strictObject(
  {
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    days: Type.Array(UsageDay, { description: 'Each day from the first to the last.' }),
  },
  { title: 'Usage' },
);
export type Usage = Type.Static<typeof Usage>;

const BillingLink = strictObject(
  {
    url: Type.String({
      description: 'Where the person goes on, at the payment host. It is valid for a short time.',
    }),
  },
  { title: 'BillingLink' },
);

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: dayPattern, maxLength: 10, description }));

const tag = 'Billing';

export const billingRoutes = {
  getUsage: defineRoute({
    method: 'GET',
    path: '/billing/usage',
    operationId: 'getUsage',
    tag,
    summary: 'What the workspace uses by day',
    description: `In units that are large enough not to tell of single records, and no bill is finer. At most ${maxUsageDays} days.`,
    caller: 'member',
    query: strictObject({
      from: day('The first day, such as 2026-01-01; 29 days before the last unless said.'),
      to: day('The last day, in UTC; today unless said.'),
    }),
    success: { status: 200, description: 'The days.', schema: Usage },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  startCheckout: defineRoute({
    method: 'POST',
    path: '/billing/checkout',
    operationId: 'startCheckout',
    tag,
    summary: 'Begin a subscription',
    description:
      'Answers a link to the payment host, where the subscription is chosen and paid. A workspace has one subscription: where it has one that runs, 403. 501 where the server has no payment host.',
    caller: 'member',
    bearer: true,
    staysOpen: true,
    success: { status: 201, description: 'The link.', schema: BillingLink },
    errors: ['AuthError', 'ForbiddenError', 'HttpClientError', 'NotImplementedError'],
  }),
  openBillingPortal: defineRoute({
    method: 'POST',
    path: '/billing/portal',
    operationId: 'openBillingPortal',
    tag,
    summary: 'Manage the subscription',
    description:
      'Answers a link to the payment host, where invoices are seen and paid and the subscription is changed or canceled. 404 where none was ever begun, 501 where the server has no payment host.',
    caller: 'member',
    bearer: true,
    staysOpen: true,
    success: { status: 201, description: 'The link.', schema: BillingLink },
    errors: ['AuthError', 'ForbiddenError', 'HttpClientError', 'NotFoundError', 'NotImplementedError'],
  }),
  receiveBillingEvent: defineRoute({
    method: 'POST',
    path: '/billing/webhook',
    operationId: 'receiveBillingEvent',
    tag,
    summary: 'Receive an event of the payment host',
    description:
      'For Stripe, which signs what it sends (header Stripe-Signature) and sends it again until it is answered 200. What changed is asked of Stripe itself, so the order of events does not matter, and neither do repetitions. Kinds of event that are not needed are answered 200, too.',
    caller: 'anyone',
    ignoresCredential: true,
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'An event of Stripe.' }),
    success: {
      status: 200,
      description: 'It needs not to be sent again.',
      schema: strictObject({ received: Type.Literal(true) }, { title: 'BillingEventReceived' }),
    },
    errors: ['HttpClientError', 'NotImplementedError'],
  }),
} as const;
