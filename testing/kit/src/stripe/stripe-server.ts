import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A subscription, with the fields of Stripe that Redoubt reads. */
export interface TestSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: string;
  created: number;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  trial_start: number | null;
  trial_end: number | null;
  metadata: Record<string, string>;
  items: {
    object: 'list';
    data: {
      id: string;
      object: 'subscription_item';
      current_period_start: number;
      current_period_end: number;
      price: { id: string; object: 'price'; metadata: Record<string, string> };
    }[];
  };
}

export interface TestCharge {
  id: string;
  object: 'charge';
  customer: string;
  status: string;
  failure_code: string | null;
  failure_message: string | null;
  payment_intent: string | null;
}

export interface TestMeterEvent {
  event_name: string;
  identifier: string;
  timestamp: string;
  customer: string;
  value: string;
}

/**
 * A server on loopback that handles the calls of Stripe's API that Redoubt makes, as Stripe documents them:
 * form-encoded bodies, bearer keys, idempotency keys, list objects and its error objects.
 */
export interface TestStripe {
  /** The settings for the server under test. */
  settings: {
    secretKey: string;
    webhookSecret: string;
    apiUrl: string;
    prices: { base: string; compute: string; storage: string; network: string };
  };
  /** The method, path and fields of each request, in order. */
  requests: { method: string; path: string; fields: Record<string, string> }[];
  meterEvents: TestMeterEvent[];
  /** Gives a customer a subscription to all prices. */
  subscribe(customer: string, changes?: Partial<TestSubscription>): TestSubscription;
  charge(customer: string, changes?: Partial<TestCharge>): TestCharge;
  /** The invoice that a payment intent paid. */
  invoices: Map<string, string>;
  /** The body of an event about an object. */
  event(type: string, object: unknown, id?: string): string;
  /** The value of the header Stripe-Signature. */
  sign: typeof signTestEvent;
  /** Makes all calls fail with this status; with undefined, calls succeed again. */
  failWith(status: number | undefined): void;
  /**
   * Delays the response to the next list of subscriptions until the returned function is called. Its content is fixed
   * now.
   */
  holdNextList(): () => void;
  close(): Promise<void>;
}

const webhookSecret = 'whsec_only_for_tests';

/** The value of the header Stripe-Signature. */
const signTestEvent = (body: string, at: Date, secret = webhookSecret): string => {
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
};

const periodStart = Date.parse('2026-01-01T00:00:00Z') / 1000;
const periodEnd = Date.parse('2026-02-01T00:00:00Z') / 1000;

const listOf = (path: string, data: readonly unknown[]) => ({
  object: 'list',
  url: path,
  has_more: false,
  data,
});

const errorReply = (status: number, type: string, message: string, code?: string) => ({
  status,
  body: { error: { type, message, ...(code === undefined ? {} : { code }) } },
});

/** Starts a stand-in for Stripe on a free port of loopback, without customers. Call `close` at the end of the test. */
export const startTestStripe = async (): Promise<TestStripe> => {
  const secretKey = 'sk_test_only_for_tests';
  const prices = {
    base: 'price_base',
    compute: 'price_compute',
    storage: 'price_storage',
    network: 'price_network',
  };
  const requests: TestStripe['requests'] = [];
  const meterEvents: TestMeterEvent[] = [];
  const subscriptions: TestSubscription[] = [];
  const charges: TestCharge[] = [];
  const sessions: { id: string; customer: string; status: string; url: string }[] = [];
  const invoices = new Map<string, string>();
  const earlierReplies = new Map<string, { status: number; body: unknown }>();
  let counter = 0;
  let failure: number | undefined;
  let held: Promise<void> | undefined;
  let url = '';
  const idOf = (prefix: string): string => `${prefix}_${String(++counter).padStart(4, '0')}`;

  const respond = (method: string, path: string, fields: Record<string, string>) => {
    const customer = fields['customer'] ?? '';
    switch (`${method} ${path}`) {
      case 'POST /v1/customers':
        return { status: 200, body: { id: idOf('cus'), object: 'customer', name: fields['name'] } };
      case 'GET /v1/checkout/sessions': {
        const open = sessions.filter((one) => one.customer === customer && one.status === fields['status']);
        return { status: 200, body: listOf(path, open) };
      }
      case 'POST /v1/checkout/sessions': {
        // Two servers that request the same customer at the same time, as in two worlds, get the same session.
        const ended = sessions.filter((one) => one.customer === customer && one.status !== 'open');
        const id = `cs_test_${customer}_${String(ended.length + 1)}`;
        const open = sessions.find((one) => one.id === id);
        if (open !== undefined) return { status: 200, body: open };
        const session = { id, object: 'checkout.session', customer, status: 'open', url: `${url}/pay/${id}` };
        sessions.push(session);
        return { status: 200, body: session };
      }
      case 'POST /v1/billing_portal/sessions': {
        const session = {
          id: idOf('bps'),
          object: 'billing_portal.session',
          url: `${url}/portal/${customer}`,
        };
        return { status: 200, body: session };
      }
      case 'GET /v1/subscriptions':
        return {
          status: 200,
          body: listOf(
            path,
            subscriptions.filter((one) => one.customer === customer),
          ),
        };
      case 'GET /v1/charges':
        return {
          status: 200,
          body: listOf(
            path,
            charges
              .filter((one) => one.customer === customer)
              .toReversed()
              .slice(0, 1),
          ),
        };
      case 'GET /v1/invoice_payments': {
        const invoice = invoices.get(fields['payment[payment_intent]'] ?? '');
        const payments =
          invoice === undefined ? [] : [{ id: idOf('inpay'), object: 'invoice_payment', invoice }];
        return { status: 200, body: listOf(path, payments) };
      }
      case 'POST /v1/billing/meter_events': {
        const event = {
          event_name: fields['event_name'] ?? '',
          identifier: fields['identifier'] ?? '',
          timestamp: fields['timestamp'] ?? '',
          customer: fields['payload[stripe_customer_id]'] ?? '',
          value: fields['payload[value]'] ?? '',
        };
        if (meterEvents.some(({ identifier }) => identifier === event.identifier)) {
          const message = `An event already exists with identifier ${event.identifier}.`;
          return errorReply(400, 'invalid_request_error', message);
        }
        meterEvents.push(event);
        return { status: 200, body: { object: 'billing.meter_event', ...event } };
      }
      default:
        return errorReply(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}).`);
    }
  };

  const respondTo = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const sent = request.method === 'GET' ? searchParams : new URLSearchParams(await text(request));
    const fields = Object.fromEntries(sent);
    const method = request.method ?? '';
    requests.push({ method, path: pathname, fields });
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return errorReply(401, 'invalid_request_error', 'Invalid API Key provided.');
    if (failure !== undefined)
      return errorReply(failure, 'api_error', 'Something went wrong with this test.');
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? earlierReplies.get(key) : undefined;
    if (known !== undefined) return known;
    const given = respond(method, pathname, fields);
    if (typeof key === 'string') earlierReplies.set(key, given);
    const snapshot = JSON.stringify(given.body);
    if (pathname === '/v1/subscriptions' && held !== undefined) {
      const wait = held;
      held = undefined;
      await wait;
    }
    return { status: given.status, body: JSON.parse(snapshot) as unknown };
  };

  const server = createServer((request, response) => {
    const send = async (): Promise<void> => {
      const { status, body } = await respondTo(request);
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': idOf('req') });
      response.end(JSON.stringify(body));
    };
    send().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    settings: { secretKey, webhookSecret, apiUrl: url, prices },
    requests,
    meterEvents,
    invoices,
    subscribe: (customer, changes = {}) => {
      const subscription: TestSubscription = {
        id: idOf('sub'),
        object: 'subscription',
        customer,
        status: 'active',
        created: periodStart + counter,
        cancel_at_period_end: false,
        cancel_at: null,
        trial_start: null,
        trial_end: null,
        metadata: {},
        items: {
          object: 'list',
          data: Object.values(prices).map((price) => ({
            id: idOf('si'),
            object: 'subscription_item',
            current_period_start: periodStart,
            current_period_end: periodEnd,
            price: { id: price, object: 'price', metadata: {} },
          })),
        },
        ...changes,
      };
      subscriptions.push(subscription);
      return subscription;
    },
    charge: (customer, changes = {}) => {
      const charge: TestCharge = {
        id: idOf('ch'),
        object: 'charge',
        customer,
        status: 'succeeded',
        failure_code: null,
        failure_message: null,
        payment_intent: null,
        ...changes,
      };
      charges.push(charge);
      return charge;
    },
    event: (type, object, id = idOf('evt')) =>
      JSON.stringify({ id, object: 'event', api_version: '2026-10-28.endive', type, data: { object } }),
    sign: signTestEvent,
    failWith: (status) => {
      failure = status;
    },
    holdNextList: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
