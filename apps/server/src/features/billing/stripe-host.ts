import { badRequest, RedoubtError } from '@redoubt/errors';
import { Stripe } from 'stripe';
import type { StripeSettings } from '../../platform/config/index.ts';
import type { MeteredUsage } from './billed-usage.repository.ts';
import type { PaymentHost, HostCharge } from './payment-host.ts';
import { selectCurrentSubscription } from './stripe-subscription.ts';

const timeoutMs = 15_000;
/** How old a signature may be, in seconds, as Stripe advises. */
const signatureAge = 300;
const mostOfOne = 100;

/** Events after which a customer is looked at. */
const aboutCustomers = /^(customer\.subscription\.|checkout\.session\.completed$|charge\.|invoice\.)/;

/** What a meter at Stripe is named, to which usage is reported. */
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

/** Says that Stripe failed, and nothing of what it said: that is for the log of whoever runs the server. */
const ask = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const why = error.code ?? error.type;
    throw new RedoubtError(
      'HttpClientError',
      `The payment host did not do what it was asked (${why}): try again in a minute; if that does not help, whoever runs this server finds the cause at Stripe.`,
    );
  }
};

/** The second at which a day ends, in UTC. */
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
      ask(async () => {
        const customer = await stripe.customers.create(
          { name: slug, metadata: { workspace: uniqueId } },
          { idempotencyKey: `redoubt-customer-${uniqueId}` },
        );
        return customer.id;
      }),

    checkout: (customer, workspaceUid, returnUrl) =>
      ask(async () => {
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
          'The payment host answered no link: try again in a minute.',
        );
      }),

    portal: (customer, returnUrl) =>
      ask(async () => {
        const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
        return url;
      }),

    look: (customer) =>
      ask(async () => {
        const [subscriptions, charge] = await Promise.all([
          stripe.subscriptions.list({ customer, status: 'all', limit: mostOfOne }),
          latestCharge(customer),
        ]);
        return { subscription: selectCurrentSubscription(subscriptions.data, settings.prices), charge };
      }),

    report: (customer, { workspaceUid, day, meter, units }) =>
      ask(async () => {
        const identifier = `${workspaceUid}/${day}/${meter}`;
        try {
          await stripe.billing.meterEvents.create({
            event_name: meterNames[meter],
            identifier,
            timestamp: endOf(day),
            payload: { stripe_customer_id: customer, value: String(units) },
          });
        } catch (error) {
          // It came before, and its answer was lost.
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
          signatureAge,
          undefined,
          receivedAt.getTime(),
        );
        const about: object = event.data.object;
        const customer = 'customer' in about ? idOf(about.customer) : undefined;
        return { id: event.id, customerId: aboutCustomers.test(event.type) ? customer : undefined };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        throw badRequest(
          'Stripe-Signature: the body was not signed with the secret of this webhook in the last five minutes. Only Stripe sends events here.',
        );
      }
    },
  };
};
