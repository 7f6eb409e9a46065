import type { billingRoutes } from '@redoubt/contract';
import { createHmac } from 'node:crypto';
import { requests, type Case } from '../case.ts';
import { as } from '@redoubt/testkit/requests';

/** A signature of the payment host. Its time is so far in the future that it does not expire. */
const signatureOf = (body: string): string => {
  const seconds = Date.parse('2100-01-01T00:00:00Z') / 1000;
  const signature = createHmac('sha256', 'whsec_only_for_tests').update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
};

export const billingCases: Record<keyof typeof billingRoutes, Case> = {
  getUsage: requests(({ people: { admin, reader, loner } }) => [
    as(admin).get('/billing/usage'),
    as(admin).get('/billing/usage?from=2026-01-01&to=2026-01-31'),
    as(reader).get('/billing/usage'),
    as(loner).get('/billing/usage'),
  ]),
  startCheckout: requests(({ people: { admin, reader } }) =>
    [admin, reader].map((person) => as(person).post('/billing/checkout', undefined)),
  ),
  openBillingPortal: requests(({ people: { admin, reader } }) =>
    [admin, reader].map((person) => as(person).post('/billing/portal', undefined)),
  ),
  receiveBillingEvent: requests(({ people: { reader }, hidden }) => {
    const data = { object: { customer: hidden.workspace.uniqueId } };
    const signed = JSON.stringify({ id: 'evt_2', type: 'charge.failed', data });
    return [
      as(reader).post('/billing/webhook', { id: 'evt_1' }),
      {
        method: 'POST',
        path: '/billing/webhook',
        body: Buffer.from(signed),
        headers: { 'stripe-signature': signatureOf(signed) },
      },
    ];
  }),
};
