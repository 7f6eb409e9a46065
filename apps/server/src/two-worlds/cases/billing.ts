import type { billingRoutes } from '@redoubt/contract';
import { requests, type Case } from '../case.ts';
import { as } from '../world.ts';

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
  receiveBillingEvent: requests(({ people: { reader }, hidden }) => [
    {
      method: 'POST',
      path: '/billing/webhook',
      body: { id: 'evt_1', type: 'charge.failed', data: { object: { customer: hidden.workspace.id } } },
    },
    as(reader).post('/billing/webhook', { id: 'evt_2' }),
  ]),
};
