import type { Subscription } from '@redoubt/contract';
import type { MeteredUsage } from './billed-usage.repository.ts';

/** A subscription as the payment host has it at this moment. */
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
  /** The one that counts: of several the newest that has not ended. */
  subscription: HostSubscription | undefined;
  /** The latest. */
  charge: HostCharge | undefined;
}

/** What was said by an event. Nothing else of it is used: what changed is asked of the host. */
export interface HostEvent {
  id: string;
  /** Whose subscription or payment has changed; undefined where the event is about neither. */
  customerId: string | undefined;
}

/** Who is paid. Each call throws a RedoubtError 502 where the host fails or refuses. */
export interface PaymentHost {
  /** Makes the customer that stands for a workspace; the same one when it is asked twice within a day. */
  createCustomer(workspace: { uniqueId: string; slug: string }): Promise<string>;
  /** Where a subscription is begun: a page that is open already, or a new one. */
  checkout(customerId: string, workspaceUid: string, returnUrl: string): Promise<string>;
  /** Where a subscription is managed. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  look(customerId: string): Promise<HostCustomer>;
  /** Reports what was used on a day. The same report twice counts once. */
  report(customerId: string, usage: MeteredUsage): Promise<void>;
  /**
   * @param signature the header that came with the body
   * @throws RedoubtError 400 unless the host signed the body within the last five minutes
   */
  event(body: Buffer, signature: string | undefined, receivedAt: Date): HostEvent;
}
