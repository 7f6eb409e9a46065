/* Shows: E-User-stripeLatestCharge, E-User-stripeLatestCharge-id, E-User-stripeLatestCharge-failureCode,
   E-User-stripeLatestCharge-failureMessage, E-User-stripeLatestCharge-invoice,
   E-User-stripeLatestCharge-status, E-Workspace-subscription, E-Workspace-subscription-currentPeriodStart,
   E-Workspace-subscription-currentPeriodEnd, E-Workspace-subscription-cancelAtPeriodEnd,
   E-Workspace-subscription-status, E-Workspace-subscription-trialStart, E-Workspace-subscription-trialEnd,
   E-Workspace-subscription-concurrency, E-Workspace-subscription-subscriptionItemIds,
   E-Workspace-subscription-subscriptionItemIds-base, E-Workspace-subscription-subscriptionItemIds-compute,
   E-Workspace-subscription-subscriptionItemIds-storage, E-Workspace-subscription-subscriptionItemIds-network,
   E-AuthResult-user-stripeCustomerId, V-subscriptionStatus-incomplete,
   V-subscriptionStatus-incomplete_expired, V-subscriptionStatus-trialing, V-subscriptionStatus-active,
   V-subscriptionStatus-past_due, V-subscriptionStatus-canceled, V-subscriptionStatus-unpaid,
   V-chargeStatus-failed, V-chargeStatus-pending, V-chargeStatus-succeeded,
   V-auditEventType-BillingPlanManagement, A-billing-off, A-billing-read-only, A-billing-report,
   A-billing-several */
import {
  allRoutes,
  type AuthenticationResult,
  type IssuedApiKey,
  type Schedule,
  type ScheduleRun,
  type User,
  type Workspace,
} from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createRecordFixture,
  signUp,
  startTestStripe,
  type TestResponse,
  type RecordFixture,
  type TestStripe,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

interface ErrorBody {
  name: string;
  message: string;
}

const writeOne = async (fixture: RecordFixture, datasetId: string): Promise<number> =>
  (await fixture.write(datasetId, [{ a: 1 }])).status;

describe('without a payment host', () => {
  test('nothing is billed: checkout, portal and webhook are 501, and the subscription is null', async () => {
    const server = await startServer();
    try {
      const { admin, workspace } = await createRecordFixture(server);
      for (const path of ['/billing/checkout', '/billing/portal']) {
        const { status, body } = await sendRequest<ErrorBody>(server, 'POST', path, { token: admin });
        equal(status, 501);
        match(body.message, /STRIPE_SECRET_KEY/);
      }
      equal((await sendRequest(server, 'POST', '/billing/webhook', { body: {} })).status, 501);
      const found = await sendRequest<Workspace>(server, 'GET', `/workspaces/${workspace.id}`, {
        token: admin,
      });
      equal(found.body.subscription, null);
    } finally {
      await server.close();
    }
  });
});

describe('with Stripe as the payment host', () => {
  let stripe: TestStripe;
  let server: TestServer;
  let fixture: RecordFixture;
  let datasetId: string;
  let customer: string;
  before(async () => {
    stripe = await startTestStripe();
    server = await startServer({ stripe: stripe.settings, limits: { querySeconds: 1 } });
  });
  after(async () => {
    await server.close();
    await stripe.close();
  });
  beforeEach(async () => {
    fixture = await createRecordFixture(server);
    datasetId = await fixture.dataset();
    equal(await writeOne(fixture, datasetId), 200);
    stripe.requests.length = 0;
  });

  const post = <T = { url: string }>(path: string, token = fixture.admin): Promise<TestResponse<T>> =>
    sendRequest<T>(server, 'POST', path, { token });
  /** Opens the checkout as the admin, and returns the customer of the workspace. */
  const goToPay = async (): Promise<string> => {
    const { status } = await post('/billing/checkout');
    equal(status, 201);
    return stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!.fields['customer']!;
  };
  const deliver = async (body: string, signature?: string): Promise<TestResponse<ErrorBody>> => {
    const response = await fetch(`${server.url}/billing/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signature ?? stripe.sign(body, server.runtime.clock.now()),
      },
      body,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody };
  };
  const deliverEvent = async (type: string, object: unknown): Promise<void> =>
    equal((await deliver(stripe.event(type, object))).status, 200);
  /** Completes the checkout, so that the workspace has a subscription with these fields. */
  const subscribe = async (changes: Parameters<TestStripe['subscribe']>[1] = {}) => {
    customer = await goToPay();
    const subscription = stripe.subscribe(customer, changes);
    await deliverEvent('customer.subscription.created', subscription);
    return subscription;
  };
  const workspace = async (): Promise<Workspace> => {
    const { body } = await sendRequest<Workspace>(server, 'GET', `/workspaces/${fixture.workspace.id}`, {
      token: fixture.admin,
    });
    return body;
  };
  const search = (token: string): Promise<TestResponse<ErrorBody>> =>
    sendRequest<ErrorBody>(server, 'POST', '/query/lucene', {
      token,
      body: { datasetId, expression: '*:*' },
    });

  test('checkout returns the same link for the same customer when it is repeated', async () => {
    const first = await post('/billing/checkout');
    const second = await post('/billing/checkout');
    equal(first.status, 201);
    equal(first.body.url, second.body.url);
    const made = stripe.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    deepEqual(made, ['/v1/customers', '/v1/checkout/sessions']);
    const { fields } = stripe.requests.find(
      ({ path, method }) => method === 'POST' && path.endsWith('sessions'),
    )!;
    equal(fields['mode'], 'subscription');
    equal(fields['client_reference_id'], fixture.workspace.uniqueId);
    equal(fields['success_url'], `${server.url}/app/billing?checkout=done`);
    deepEqual(
      [0, 1, 2, 3].map((index) => [
        fields[`line_items[${index}][price]`],
        fields[`line_items[${index}][quantity]`],
      ]),
      [
        ['price_base', '1'],
        ['price_compute', undefined],
        ['price_storage', undefined],
        ['price_network', undefined],
      ],
    );
  });

  test('the portal is 404 before a checkout, and returns a link after it', async () => {
    equal((await post('/billing/portal')).status, 404);
    await goToPay();
    const { status, body } = await post('/billing/portal');
    equal(status, 201);
    match(body.url, /\/portal\/cus_/);
  });

  test('only admins and holders of manage-billing get a link, and a second subscription cannot be started', async () => {
    const member = await addMember(server, fixture.workspace);
    for (const path of ['/billing/checkout', '/billing/portal']) {
      equal((await post(path, member.token)).status, 403);
    }
    await subscribe();
    const { status, body } = await post<ErrorBody>('/billing/checkout');
    equal(status, 403);
    match(body.message, /has a subscription in the state active/);
  });

  test('after an event, the workspace shows the subscription as it is at Stripe', async () => {
    await subscribe({
      status: 'trialing',
      trial_start: Date.parse('2026-01-01T00:00:00Z') / 1000,
      trial_end: Date.parse('2026-01-15T00:00:00Z') / 1000,
      metadata: { concurrency: '3' },
      cancel_at_period_end: true,
    });
    const { subscription } = await workspace();
    const { subscriptionItemIds, ...rest } = subscription!;
    deepEqual(rest, {
      currentPeriodStart: '2026-01-01T00:00:00.000Z',
      currentPeriodEnd: '2026-02-01T00:00:00.000Z',
      cancelAtPeriodEnd: true,
      status: 'trialing',
      trialStart: '2026-01-01T00:00:00.000Z',
      trialEnd: '2026-01-15T00:00:00.000Z',
      concurrency: 3,
    });
    deepEqual(Object.keys(subscriptionItemIds), ['base', 'compute', 'storage', 'network']);
    for (const id of Object.values(subscriptionItemIds)) match(id!, /^si_\d+$/);
  });

  test('every state of a subscription has the name that Stripe uses, and a paused one is unpaid', async () => {
    const subscription = await subscribe();
    for (const [said, shown] of [
      ['incomplete', 'incomplete'],
      ['incomplete_expired', 'incomplete_expired'],
      ['trialing', 'trialing'],
      ['past_due', 'past_due'],
      ['canceled', 'canceled'],
      ['unpaid', 'unpaid'],
      ['paused', 'unpaid'],
      ['active', 'active'],
    ] as const) {
      subscription.status = said;
      await deliverEvent('customer.subscription.updated', subscription);
      equal((await workspace()).subscription?.status, shown);
    }
  });

  test('the latest charge is shown only to the payer and to holders of manage-billing', async () => {
    customer = await goToPay();
    stripe.invoices.set('pi_1', 'in_1');
    const failed = { failure_code: 'card_declined', failure_message: 'Your card was declined.' };
    for (const [status, shown] of [
      ['succeeded', 'succeeded'],
      ['pending', 'pending'],
      ['failed', 'failed'],
    ] as const) {
      const charge = stripe.charge(customer, {
        status,
        payment_intent: 'pi_1',
        ...(status === 'failed' ? failed : {}),
      });
      await deliverEvent(`charge.${status}`, charge);
      const { body } = await sendRequest<User>(server, 'GET', `/users/${fixture.workspace.admin.id}`, {
        token: fixture.admin,
      });
      deepEqual(body.stripeLatestCharge, {
        id: charge.id,
        failureCode: status === 'failed' ? 'card_declined' : null,
        failureMessage: status === 'failed' ? 'Your card was declined.' : null,
        invoice: 'in_1',
        status: shown,
      });
    }
    const member = await addMember(server, fixture.workspace);
    const seen = await sendRequest<User>(server, 'GET', `/users/${fixture.workspace.admin.id}`, {
      token: member.token,
    });
    equal(seen.body.stripeLatestCharge, null);
    const { email, password } = fixture.workspace.admin;
    const body = { strategy: 'local', email, password, workspaceId: fixture.workspace.id };
    const signedIn = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication', { body });
    equal(signedIn.body.user.stripeCustomerId, customer);

    // A key of the payer sees neither the customer nor the charge.
    const fields = { name: 'Key', workspaceId: fixture.workspace.id, groupNames: [], attributeNames: [] };
    const made = await sendRequest<IssuedApiKey>(server, 'POST', '/api-keys', {
      token: fixture.admin,
      body: fields,
    });
    const { key } = made.body;
    const byKey = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication?apiKey=true', {
      body: { strategy: 'key', key },
    });
    equal(byKey.body.user.stripeCustomerId, null);
    const self = await sendRequest<User>(server, 'GET', `/users/${fixture.workspace.admin.id}`, {
      headers: { 'x-api-key': key },
    });
    deepEqual([self.status, self.body.stripeLatestCharge], [200, null]);
  });

  test('an event with a missing, expired or wrong signature is rejected and changes nothing', async () => {
    const subscription = await subscribe();
    subscription.status = 'canceled';
    const body = stripe.event('customer.subscription.deleted', subscription);
    const now = server.runtime.clock.now();
    const old = new Date(now.getTime() - 301_000);
    for (const signature of [
      '',
      'nonsense',
      't=1,v1=00',
      stripe.sign(body, now, 'whsec_of_somebody_else'),
      stripe.sign(body, old),
      stripe.sign(`${body} `, now),
    ]) {
      const response = await deliver(body, signature);
      equal(response.status, 400, signature);
      match(response.body.message, /Stripe-Signature/);
    }
    equal((await workspace()).subscription?.status, 'active');
    equal((await deliver(body, stripe.sign(body, new Date(now.getTime() - 200_000)))).status, 200);
    equal((await workspace()).subscription?.status, 'canceled');
  });

  test('an event is handled once, and events of other types or customers are accepted and ignored', async () => {
    const subscription = await subscribe();
    const body = stripe.event('customer.subscription.updated', subscription);
    equal((await deliver(body)).status, 200);
    stripe.requests.length = 0;
    equal((await deliver(body)).status, 200);
    await deliverEvent('customer.created', { id: customer, object: 'customer' });
    await deliverEvent('price.created', { id: 'price_x', object: 'price' });
    await deliverEvent('customer.subscription.updated', { ...subscription, customer: 'cus_of_nobody_here' });
    await deliverEvent('a.kind.that.comes.later', {});
    deepEqual(stripe.requests, []);
  });

  test('events and fetches in the wrong order end in the newest state', async () => {
    const subscription = await subscribe();
    const stale = stripe.event('customer.subscription.updated', { ...subscription, status: 'past_due' });
    subscription.status = 'unpaid';
    await deliverEvent('customer.subscription.updated', subscription);
    equal((await deliver(stale)).status, 200);
    equal((await workspace()).subscription?.status, 'unpaid');

    const letGo = stripe.holdNextList();
    const slow = deliver(stripe.event('customer.subscription.updated', subscription));
    while (!stripe.requests.slice(-4).some(({ path }) => path === '/v1/subscriptions')) {
      await new Promise(setImmediate);
    }
    subscription.status = 'active';
    await deliverEvent('customer.subscription.updated', subscription);
    letGo();
    equal((await slow).status, 200);
    equal((await workspace()).subscription?.status, 'active');
  });

  test('of several subscriptions, the newest that has not ended is effective', async () => {
    const first = await subscribe();
    const second = stripe.subscribe(customer, { status: 'canceled', created: first.created + 10 });
    await deliverEvent('customer.subscription.deleted', second);
    equal((await workspace()).subscription?.status, 'active');
    first.status = 'canceled';
    stripe.subscribe(customer, { status: 'trialing', created: first.created - 10 });
    await deliverEvent('customer.subscription.deleted', first);
    equal((await workspace()).subscription?.status, 'trialing');
  });

  test('an error of the payment host is 502, and the event is handled when it is sent again', async () => {
    const subscription = await subscribe();
    subscription.status = 'past_due';
    const body = stripe.event('customer.subscription.updated', subscription);
    stripe.failWith(400);
    const refused = await deliver(body);
    const portal = await post<ErrorBody>('/billing/portal');
    stripe.failWith(undefined);
    deepEqual([refused.status, refused.body.name], [502, 'HttpClientError']);
    deepEqual([portal.status, portal.body.name], [502, 'HttpClientError']);
    ok(!portal.body.message.includes('this test'), portal.body.message);
    equal((await workspace()).subscription?.status, 'active');
    equal((await deliver(body)).status, 200);
    equal((await workspace()).subscription?.status, 'past_due');
  });

  test('an overdue payment adds a warning header, and no request is rejected', async () => {
    const reader = await fixture.reader();
    equal((await search(reader)).headers.get('redoubt-billing-warning'), null);
    await subscribe({ status: 'past_due' });
    const response = await search(reader);
    equal(response.status, 200);
    match(response.headers.get('redoubt-billing-warning') ?? '', /^past_due: /);
    equal(await writeOne(fixture, datasetId), 200);
  });

  for (const status of ['unpaid', 'canceled', 'incomplete_expired']) {
    test(`a workspace whose subscription is ${status} can be read and not changed, and paid for again`, async () => {
      const reader = await fixture.reader();
      const subscription = await subscribe({ status });
      const refused = await fixture.write(datasetId, [{ a: 2 }]);
      equal(refused.status, 403);
      match(refused.text, new RegExp(`subscription of this workspace is ${status}`));
      const body = { name: 'Another', workspaceId: fixture.workspace.id };
      equal((await sendRequest(server, 'POST', '/datasets', { token: fixture.admin, body })).status, 403);

      equal((await search(reader)).status, 200);
      equal((await sendRequest(server, 'GET', '/datasets', { token: reader })).status, 200);
      equal((await sendRequest(server, 'GET', '/billing/usage', { token: fixture.admin })).status, 200);
      const { email, password } = fixture.workspace.admin;
      const signIn = { strategy: 'local', email, password, workspaceId: fixture.workspace.id };
      equal((await sendRequest(server, 'POST', '/authentication', { body: signIn })).status, 201);
      equal((await post(status === 'unpaid' ? '/billing/portal' : '/billing/checkout')).status, 201);

      subscription.status = 'active';
      await deliverEvent('customer.subscription.updated', subscription);
      equal(await writeOne(fixture, datasetId), 200);
    });
  }

  test('an unpaid subscription fails the runs of schedules and pauses none', async () => {
    const subscription = await subscribe({ status: 'active' });
    const body = {
      datasetId,
      name: 'Each hour',
      cron: '0 * * * *',
      request: {
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [{ url: 'http://host.invalid/rows.csv' }] },
        },
      },
    };
    const token = fixture.admin;
    const { id } = await fixture.call<Schedule>(201, 'POST', '/schedules', { token, body });
    subscription.status = 'unpaid';
    await deliverEvent('customer.subscription.updated', subscription);
    await server.db
      .updateTable('schedules')
      .set({ next_run_at: server.runtime.clock.now() })
      .where('id', '=', id)
      .execute();
    await server.checkSchedules();
    const { data } = await fixture.call<{ data: ScheduleRun[] }>(200, 'GET', `/schedules/${id}/runs`, {
      token,
    });
    equal(data.length, 1);
    match(data[0]?.error?.message ?? '', /subscription of this workspace is unpaid/);
    equal((await fixture.call<Schedule>(200, 'GET', `/schedules/${id}`, { token })).isActive, true);
  });

  test('every call that could change an unpaid workspace is rejected, whatever is sent', async () => {
    await subscribe({ status: 'unpaid' });
    const changing = allRoutes.filter(
      ({ method, runsQuery, staysOpen, ignoresCredential }) =>
        method !== 'GET' && runsQuery !== true && staysOpen !== true && ignoresCredential !== true,
    );
    ok(changing.length > 40);
    for (const { method, path, operationId } of changing) {
      const at = path.replaceAll('{datasetId}', datasetId).replaceAll(/\{\w+\}/g, 'some-id');
      const { status, body } = await sendRequest<ErrorBody>(server, method, at, { token: fixture.admin });
      equal(status, 403, operationId);
      match(body.message, /so the workspace is read-only/, operationId);
    }
  });

  test('nobody can accept an invitation to an unpaid workspace', async () => {
    const person = await signUp(server);
    const body = { email: person.email, firstName: 'x', lastName: 'y', workspaceId: fixture.workspace.id };
    const { body: invited } = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: fixture.admin,
      body: { ...body, password: 'not used at all' },
    });
    const accept = () =>
      sendRequest<ErrorBody>(server, 'POST', '/invitations/accept', {
        token: person.token,
        body: { token: invited.token },
      });
    const subscription = await subscribe({ status: 'unpaid' });
    const refused = await accept();
    equal(refused.status, 403);
    match(refused.body.message, /so the workspace is read-only/);
    subscription.status = 'active';
    await deliverEvent('customer.subscription.updated', subscription);
    equal((await accept()).status, 201);
  });

  test('the calls that work in an unpaid workspace are a fixed list', () => {
    const open = allRoutes
      .filter(({ staysOpen }) => staysOpen === true)
      .map(({ operationId }) => operationId);
    deepEqual(open.toSorted(), [
      'authenticate',
      'cancelQuery',
      'createExport',
      'createWorkspace',
      'deleteApplicationGrant',
      'deleteSession',
      'deleteWorkspace',
      'getLabelVisibility',
      'openBillingPortal',
      'previewUpload',
      'queryAuditLog',
      'requestEmailVerification',
      'signOut',
      'startCheckout',
      'updateSession',
    ]);
  });

  test('a queued job of a workspace that becomes unpaid changes nothing, and its error says why', async () => {
    const subscription = await subscribe();
    const letGo = server.holdChanges();
    const records = `/storage/datasets/${datasetId}/deleteRecords`;
    const job = await sendRequest<{ id: string }>(server, 'POST', records, {
      token: fixture.admin,
      body: { recordIds: [], deleteAll: true },
    });
    equal(job.status, 202, JSON.stringify(job.body));
    subscription.status = 'unpaid';
    await deliverEvent('customer.subscription.updated', subscription);
    letGo();
    await server.jobsSettled();
    const { body } = await sendRequest<{ status: string; error: { message: string } }>(
      server,
      'GET',
      `/jobs/${job.body.id}`,
      {
        token: fixture.admin,
      },
    );
    equal(body.status, 'failed');
    match(body.error.message, /so the workspace is read-only/);
  });

  test('actions on a subscription and its changes are in the audit log', async () => {
    const subscription = await subscribe();
    await deliverEvent('customer.subscription.updated', subscription);
    subscription.status = 'past_due';
    await deliverEvent('customer.subscription.updated', subscription);
    equal((await post('/billing/portal')).status, 201);
    await server.audit.settle();
    const { body } = await sendRequest<{ data: { description: string; userId: string | null }[] }>(
      server,
      'POST',
      '/audit-log/query',
      { token: fixture.admin, body: { expression: 'type:BillingPlanManagement', limit: -1 } },
    );
    const { id } = fixture.workspace.admin;
    deepEqual(
      body.data
        .map(({ description, userId }) => [description, userId])
        .toSorted(([a = ''], [b = '']) => ((a ?? '') < (b ?? '') ? -1 : 1)),
      [
        ['opened the billing portal', id],
        ['opened the checkout page of the subscription', id],
        ['the payment host reported the subscription state active', null],
        ['the payment host reported the subscription state past_due', null],
      ],
    );
  });

  test('a workspace cannot be deleted while its subscription is active', async () => {
    const subscription = await subscribe();
    const path = `/workspaces/${fixture.workspace.id}`;
    const refused = await sendRequest<ErrorBody>(server, 'DELETE', path, { token: fixture.admin });
    equal(refused.status, 403);
    match(refused.body.message, /Cancel it/);
    subscription.cancel_at_period_end = true;
    await deliverEvent('customer.subscription.updated', subscription);
    equal((await sendRequest(server, 'DELETE', path, { token: fixture.admin })).status, 200);
  });

  test('concurrent queries of a workspace are limited by its subscription, and more queries wait or get 429', async () => {
    const reader = await fixture.reader();
    const lines = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(2000) }));
    equal((await fixture.write(datasetId, lines)).status, 200);
    await subscribe({ metadata: { concurrency: '1' } });
    const gone = new AbortController();
    const held = await fetch(`${server.url}/query/lucene`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}`, 'content-type': 'application/json' },
      body: JSON.stringify({ datasetId, expression: '*:*', limit: -1 }),
      signal: gone.signal,
    });
    equal(held.status, 200);
    const refused = await search(reader);
    equal(refused.status, 429);
    match(refused.body.message, /allows 1 queries at once/);
    equal((await sendRequest(server, 'GET', '/datasets', { token: reader })).status, 200);
    const waiting = search(reader);
    gone.abort();
    equal((await waiting).status, 200);
  });

  test('concurrent jobs of a workspace are limited by its subscription', async () => {
    await subscribe({ metadata: { concurrency: '1' } });
    const other = await fixture.dataset(['read', 'write', 'manage']);
    const letGo = server.holdChanges();
    const statuses: string[] = [];
    for (const id of [datasetId, other]) {
      const path = `/storage/datasets/${id}/deleteRecords`;
      equal(
        (
          await sendRequest(server, 'POST', path, {
            token: fixture.admin,
            body: { recordIds: [], deleteAll: true },
          })
        ).status,
        202,
      );
    }
    for (let look = 0; look < 20; look += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      const { body } = await sendRequest<{ data: { status: string }[] }>(
        server,
        'GET',
        `/jobs?datasetId=${other}`,
        {
          token: fixture.admin,
        },
      );
      statuses.push(...body.data.map(({ status }) => status));
    }
    deepEqual(new Set(statuses), new Set(['queued']));
    letGo();
    await server.jobsSettled();
  });

  test('the usage of completed days is reported once, in whole units, and only for customers', async () => {
    await subscribe();
    const uid = fixture.workspace.uniqueId;
    const use = async (
      day: string,
      meter: 'compute' | 'storage' | 'network',
      amount: number,
    ): Promise<void> => {
      await server.db
        .insertInto('usage_days')
        .values({ workspace_uid: uid, day, meter, amount })
        .onConflict((conflict) => conflict.columns(['workspace_uid', 'day', 'meter']).doUpdateSet({ amount }))
        .execute();
    };
    await use('2025-12-30', 'storage', 9_000_000_000);
    await use('2026-01-01', 'compute', 150_000);
    await use('2026-01-01', 'storage', 2_500_000_000);
    await use('2026-01-01', 'network', 10);
    await use('2026-01-02', 'compute', 40_000);
    stripe.meterEvents.length = 0;
    await server.reportUsage();
    deepEqual(stripe.meterEvents, []);
    const now = server.runtime.clock.now();
    server.runtime.clock.set(new Date('2026-01-02T01:30:00Z'));
    const own = { customer, timestamp: String(Date.parse('2026-01-01T23:59:59Z') / 1000) };
    const day = `${uid}/2026-01-01`;
    await server.reportUsage();
    const first = [
      { event_name: 'redoubt_compute_minutes', identifier: `${day}/compute`, value: '2', ...own },
      { event_name: 'redoubt_storage_gigabytes', identifier: `${day}/storage`, value: '2', ...own },
    ];
    const reported = () => stripe.meterEvents.filter((event) => event.customer === customer);
    deepEqual(
      reported().toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1)),
      first,
    );
    await server.reportUsage();
    equal(reported().length, 2);
    // Stripe received the report, but the server did not get the response.
    await server.db
      .updateTable('usage_days')
      .set({ reported_at: null })
      .where('workspace_uid', '=', uid)
      .execute();
    server.runtime.clock.set(new Date('2026-01-03T01:30:00Z'));
    await server.reportUsage();
    server.runtime.clock.set(now);
    deepEqual(
      reported().map(({ identifier, value }) => [identifier, value]),
      [...first.map(({ identifier, value }) => [identifier, value]), [`${uid}/2026-01-02/compute`, '1']],
    );
  });
});
