import { badRequest, RedoubtError } from '@redoubt/errors';
import { Stripe } from 'stripe';
import type { StripeSettings } from '../../platform/config/index.ts';
import type { MeteredUsage } from './billed-usage.repository.ts';
import type { PaymentHost, HostCharge } from './payment-host.ts';
import { selectCurrentSubscription } from './stripe-subscription.ts';

const timeoutMs = 15_000;
/** The maximum age of a signature in seconds, as Stripe recommends. */
const maxSignatureAge = 300;
const maxSubscriptions = 100;

/** Types of events after which the customer is fetched. */
const customerEvents = /^(customer\.subscription\.|checkout\.session\.completed$|charge\.|invoice\.)/;

/** The names of the meters at Stripe that usage is reported to. */
const meterNames: Record<MeteredUsage['meter'], string> = {
  compute: 'redoubt_compute_minutes',
  storage: 'redoubt_storage_gigabytes',
  network: 'redoubt_network_gigabytes',
};

const chargeStatuses = ['failed', 'pending', 'succeeded'] as const;

const idOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** Hides the messages of Stripe from the requester, because they are meant for the operator. */
const callStripe = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const why = error.code ?? error.type;
    throw new RedoubtError(
      'HttpClientError',
      `The payment host rejected the request (${why}). Try again in a minute. If it fails again, the operator of this server finds the cause at Stripe.`,
    );
  }
};

/** The last second of a day in UTC, since 1970. */
const endOf = (day: string): number => Date.parse(`${day}T23:59:59Z`) / 1000;

export const createStripeHost = (settings: StripeSettings): PaymentHost => {
  const { protocol, hostname, port } = new URL(settings.apiUrl);
  const stripe = new Stripe(settings.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
  });
  const { base, compute, storage, network } = settings.prices;
  const metered = [compute, storage, network].filter((price) => price !== undefined);

  const invoiceOf = async (charge: Stripe.Charge): Promise<string | null> => {
    const intent = idOf(charge.payment_intent);
    if (intent === undefined) return null;
    const payment = { type: 'payment_intent' as const, payment_intent: intent };
    const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
    return idOf(data[0]?.invoice) ?? null;
  };

  const latestCharge = async (customer: string): Promise<HostCharge | undefined> => {
    const { data } = await stripe.charges.list({ customer, limit: 1 });
    const [charge] = data;
    if (charge === undefined) return undefined;
    return {
      id: charge.id,
      failureCode: charge.failure_code,
      failureMessage: charge.failure_message,
      invoice: await invoiceOf(charge),
      status: chargeStatuses.find((status) => status === charge.status) ?? 'failed',
    };
  };

  return {
    createCustomer: ({ uniqueId, slug }) =>
      callStripe(async () => {
        const customer = await stripe.customers.create(
          { name: slug, metadata: { workspace: uniqueId } },
          { idempotencyKey: `redoubt-customer-${uniqueId}` },
        );
        return customer.id;
      }),

    checkout: (customer, workspaceUid, returnUrl) =>
      callStripe(async () => {
        const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 1 });
        const url = open.data[0]?.url;
        if (typeof url === 'string') return url;
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: workspaceUid,
          line_items: [{ price: base, quantity: 1 }, ...metered.map((price) => ({ price }))],
          subscription_data: { metadata: { workspace: workspaceUid } },
          success_url: `${returnUrl}?checkout=done`,
          cancel_url: returnUrl,
        });
        if (typeof session.url === 'string') return session.url;
        throw new RedoubtError(
          'HttpClientError',
          'The payment host returned no link. Try again in a minute.',
        );
      }),

    portal: (customer, returnUrl) =>
      callStripe(async () => {
        const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
        return url;
      }),

    fetchCustomer: (customer) =>
      callStripe(async () => {
        const [subscriptions, charge] = await Promise.all([
          stripe.subscriptions.list({ customer, status: 'all', limit: maxSubscriptions }),
          latestCharge(customer),
        ]);
        return { subscription: selectCurrentSubscription(subscriptions.data, settings.prices), charge };
      }),

    report: (customer, { workspaceUid, day, meter, units }) =>
      callStripe(async () => {
        const identifier = `${workspaceUid}/${day}/${meter}`;
        try {
          await stripe.billing.meterEvents.create({
            event_name: meterNames[meter],
            identifier,
            timestamp: endOf(day),
            payload: { stripe_customer_id: customer, value: String(units) },
          });
        } catch (error) {
          // An earlier attempt succeeded, and its response was lost.
          const isThere =
            error instanceof Stripe.errors.StripeError &&
            error.message.includes('already exists with identifier');
          if (!isThere) throw error;
        }
      }),

    event: (body, signature, receivedAt) => {
      try {
        const event = stripe.webhooks.constructEvent(
          body,
          signature ?? '',
          settings.webhookSecret,
          maxSignatureAge,
          undefined,
          receivedAt.getTime(),
        );
        const about: object = event.data.object;
        const customer = 'customer' in about ? idOf(about.customer) : undefined;
        return { id: event.id, customerId: customerEvents.test(event.type) ? customer : undefined };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        throw badRequest(
          'Stripe-Signature: the body was not signed with the secret of this webhook within the last five minutes. Only Stripe may send events here.',
        );
      }
    },
  };
};
