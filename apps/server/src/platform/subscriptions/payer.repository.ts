import type { Charge } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';

/**
 * The latest charge of the workspace if the account pays for it: an expression for statements over `accounts`. Null for
 * other workspaces, which must not be disclosed in this one.
 */
export const chargeOf = (workspaceUid: string | null): RawBuilder<Charge | null> => sql`
  (select json_build_object('id', charge_id, 'failureCode', charge_failure_code,
      'failureMessage', charge_failure_message, 'invoice', charge_invoice, 'status', charge_status)
    from billing_accounts
    where payer_id = accounts.id and workspace_uid = ${workspaceUid}::text and charge_id is not null)`;

/**
 * The payment provider's customer id of the session's workspace, for the account that pays for it. Null in sessions of
 * keys and applications, which must not learn it.
 */
export const customerOf = (sessionId: string): RawBuilder<string | null> => sql`
  (select customer_id from billing_accounts
    join sessions on sessions.workspace_uid = billing_accounts.workspace_uid
    where payer_id = accounts.id and sessions.id = ${sessionId} and sessions.credential is null)`;
