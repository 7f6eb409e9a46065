import type { Subscription } from '@redoubt/contract';
import type { MeteredUsage } from './billed-usage.repository.ts';

/** A subscription in its present state at the payment host. */
export interface HostSubscription extends Omit<
  Subscription,
  'currentPeriodStart' | 'currentPeriodEnd' | 'trialStart' | 'trialEnd'
> {
  id: string;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  trialStart: Date | null;
  trialEnd: Date | null;
}

export interface HostCharge {
  id: string;
  failureCode: string | null;
  failureMessage: string | null;
  invoice: string | null;
  status: 'failed' | 'pending' | 'succeeded';
}

export interface HostCustomer {
  /** The effective one: the newest that has not ended. */
  subscription: HostSubscription | undefined;
  /** The latest charge. */
  charge: HostCharge | undefined;
}

/** An event of the payment host. It only says what may have changed; the new state is fetched from the host. */
export interface HostEvent {
  id: string;
  /** The customer whose subscription or payment changed; undefined if the event is about neither. */
  customerId: string | undefined;
}

/** A payment provider such as Stripe. Each call throws a RedoubtError 502 if the host fails or rejects it. */
export interface PaymentHost {
  /** Creates the customer for a workspace. A second call within a day returns the same one. */
  createCustomer(workspace: { uniqueId: string; slug: string }): Promise<string>;
  /** Returns the URL of a page to start a subscription; an open page is reused. */
  checkout(customerId: string, workspaceUid: string, returnUrl: string): Promise<string>;
  /** Returns the URL of a page to manage a subscription. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  fetchCustomer(customerId: string): Promise<HostCustomer>;
  /** Reports the usage of a day. Repeating a report has no effect. */
  report(customerId: string, usage: MeteredUsage): Promise<void>;
  /**
   * Verifies and parses an event.
   * @param signature the value of the signature header
   * @throws RedoubtError 400 unless the host signed the body within the last five minutes
   */
  event(body: Buffer, signature: string | undefined, receivedAt: Date): HostEvent;
}
