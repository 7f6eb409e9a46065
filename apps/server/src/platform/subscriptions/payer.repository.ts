import type { Charge } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';

/**
 * The latest charge of the account, if it is who pays for this workspace: an expression for statements over `accounts`.
 * Null elsewhere, since other workspaces are nobody's business in this one.
 */
export const chargeOf = (workspaceUid: string | null): RawBuilder<Charge | null> => sql`
  (select json_build_object('id', charge_id, 'failureCode', charge_failure_code,
      'failureMessage', charge_failure_message, 'invoice', charge_invoice, 'status', charge_status)
    from billing_accounts
    where payer_id = accounts.id and workspace_uid = ${workspaceUid}::text and charge_id is not null)`;

/**
 * The customer that the payment host knows the workspace of a session by, for the account that pays for it. What acts
 * for them does not learn it.
 */
export const customerOf = (sessionId: string): RawBuilder<string | null> => sql`
  (select customer_id from billing_accounts
    join sessions on sessions.workspace_uid = billing_accounts.workspace_uid
    where payer_id = accounts.id and sessions.id = ${sessionId} and sessions.credential is null)`;
