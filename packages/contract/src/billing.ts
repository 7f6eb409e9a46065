import { Type } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

const dayPattern = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

/**
 * Usage is reported and billed in whole multiples of these units. They are so large that usage does not disclose single
 * records.
 */
export const usageUnits = {
  /** Seconds. */
  compute: 60,
  /** Bytes. */
  storage: 1_000_000_000,
  /** Bytes. */
  network: 1_000_000_000,
} as const;

/** The maximum number of days of usage in one request. */
export const maxUsageDays = 366;

export const UsageDay = strictObject(
  {
    day: Type.String({ description: 'A day in UTC, such as 2026-01-31.' }),
    base: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '1 on days on which the workspace existed.',
    }),
    compute: Type.Integer({
      minimum: 0,
      description:
        'Seconds that the record engine worked on queries and jobs, in whole minutes. The rest counts for the next day.',
    }),
    storage: Type.Integer({
      minimum: 0,
      description: 'Bytes of records on disk, rounded down to whole gigabytes of 1,000,000,000 bytes.',
    }),
    network: Type.Integer({
      minimum: 0,
      description: 'Bytes of responses, in whole gigabytes. The rest counts for the next day.',
    }),
  },
  { title: 'UsageDay', description: 'The usage of a workspace on one day.' },
);
export type UsageDay = Type.Static<typeof UsageDay>;

export const Usage = strictObject(
  {
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    days: Type.Array(UsageDay, { description: 'All days from the first to the last.' }),
  },
  { title: 'Usage' },
);
export type Usage = Type.Static<typeof Usage>;

const BillingLink = strictObject(
  {
    url: Type.String({
      description: 'A page of the payment provider where the person continues. It is valid for a short time.',
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
    summary: 'Get the usage of the workspace by day',
    description: `Returns the usage in units that are too large to disclose single records; bills use the same units. Request at most ${maxUsageDays} days.`,
    caller: 'member',
    query: strictObject({
      from: day('The first day, such as 2026-01-01. By default 29 days before the last day.'),
      to: day('The last day, in UTC. By default today.'),
    }),
    success: { status: 200, description: 'The days.', schema: Usage },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  startCheckout: defineRoute({
    method: 'POST',
    path: '/billing/checkout',
    operationId: 'startCheckout',
    tag,
    summary: 'Start a subscription',
    description:
      'Returns a link to the payment provider, where you choose and pay for the subscription. A workspace that already has a subscription gets 403. A server without a payment provider returns 501.',
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
      'Returns a link to the payment provider, where you see and pay invoices and change or cancel the subscription. A workspace that never had a subscription gets 404. A server without a payment provider returns 501.',
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
    summary: 'Receive an event from the payment provider',
    description:
      'For Stripe, which signs its requests (header Stripe-Signature) and repeats them until the response is 200. The server then reads the current state from Stripe, so the order and the repetition of events do not matter. Other types of events also return 200.',
    caller: 'anyone',
    ignoresCredential: true,
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'A Stripe event.' }),
    success: {
      status: 200,
      description: 'The event is processed.',
      schema: strictObject({ received: Type.Literal(true) }, { title: 'BillingEventReceived' }),
    },
    errors: ['HttpClientError', 'NotImplementedError'],
  }),
} as const;
