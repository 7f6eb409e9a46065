import { badField, badRequest, forbidden } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import {
  joinConnection,
  labelFieldsOf,
  satisfiesMinimum,
  type Sources,
  type StoredConnections,
} from '../ingest/index.ts';
import type { ConnectionAccessRepository } from './connection-access.repository.ts';
import type { RequireConnection } from './connection-access.ts';
import { allowedOf, eventOf } from './connection.service.ts';
import { openInfo, type Info } from './stored-info.ts';

/** What other features use of connections. */
export type Connections = StoredConnections;

/** Whether the person sees all attributes of the workspace in a session, whatever credential a job has. */
const managesAttributes = ({ workspace: { role, codes } }: Member): boolean =>
  role === 'admin' || codes.has('manage-attributes');

const satisfies = async (
  held: Pick<HeldAttributes, 'heldTokens'>,
  actor: Member,
  { minimum_label: label }: { minimum_label: string | null },
): Promise<boolean> => satisfiesMinimum(label, new Set(await held.heldTokens(actor)));

export const createConnections = ({
  audit,
  held,
  findConnection,
  requireConnection,
  secrets,
  sources,
}: {
  audit: Pick<Audit, 'log'>;
  held: Pick<HeldAttributes, 'heldTokens'>;
  findConnection: ConnectionAccessRepository['find'];
  requireConnection: RequireConnection;
  secrets: Pick<SecretBox, 'open'>;
  sources: Pick<Sources, 'stored'>;
}): Connections => ({
  openFor: async (actor, connectionId, { type, connectionInfo }) => {
    const { connection } = await requireConnection(actor, connectionId, 'testConnection');
    if (type !== connection.type) {
      throw badField(
        'dataSourceParams.type',
        `must be "${connection.type}", which is the type of the connection, got "${type}". Send that, or another connection.`,
      );
    }
    const kind = sources.stored(type);
    const stored = openInfo(secrets, connectionId, connection.sealed_info);
    const joined = joinConnection(kind, stored, connectionInfo as Info);
    const computed = kind.computedFields?.find((field) => joined[field] !== undefined);
    if (computed !== undefined && !(await satisfies(held, actor, connection))) {
      throw forbidden(
        `dataSourceParams.connectionInfo.${computed} must not be sent without the attributes of the minimum label of the connection, because its result depends on hidden rows. Name a table alone, or ask a person who holds them.`,
      );
    }
    if (connection.tested_at === null) {
      throw badRequest(
        `The connection "${connectionId}" must pass a test before it is used. Send POST /connections/${connectionId}/test.`,
      );
    }
    return {
      type,
      connectionInfo: joined,
      allowed: allowedOf(connection),
      minimumLabel: connection.minimum_label,
    };
  },
  requireUse: async (actor, { connectionId, minimumLabel, write, securityLabelInfo = null }) => {
    if (connectionId === undefined) return;
    const found = await findConnection(actor, connectionId);
    if (found === undefined) {
      throw forbidden(
        `You may no longer use the connection "${connectionId}", or it was deleted. Ask a person who manages it, then start the job again.`,
      );
    }
    if (found.connection.minimum_label !== (minimumLabel ?? null)) {
      throw forbidden(
        `The minimum label of the connection "${connectionId}" was changed since this job began, so it cannot go on. The rows that it stored keep their labels. Delete its upload, and these rows if the next job is to store them again, then start a new job.`,
      );
    }
    const labelsManaged = managesAttributes(actor) && labelFieldsOf(securityLabelInfo).length > 0;
    if (write === undefined && !labelsManaged) return;
    if (await satisfies(held, actor, found.connection)) return;
    if (labelsManaged) {
      throw forbidden(
        'securityLabelInfo.fields must not be sent by people who manage attributes and lack those of the minimum label of the connection, because values of hidden rows would become attributes that they see. Send one label for all records, or ask a person who holds them.',
      );
    }
    if (write !== undefined) {
      throw forbidden(
        'writeMode must be append for people without the attributes of the minimum label of the connection, because the records that disappear would tell which rows it has read. Send append, or ask a person who holds them.',
      );
    }
  },
  logUse: async (actor, connectionId, { datasetId, jobId }) => {
    const { connection } = await requireConnection(actor, connectionId, 'testConnection');
    const details = jobId === undefined ? { preview: true } : { jobId };
    await audit.log(actor, { ...eventOf('used', connection, details), datasetId });
  },
});
