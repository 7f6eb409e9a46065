import type { ConnectionRights, ObjectRelation, OperationId } from '@redoubt/contract';
import { forbidden, notFound } from '@redoubt/errors';
import { canCall, canSeeObject } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import {
  connectionBits,
  type ConnectionAccessRepository,
  type ConnectionAccessRow,
} from './connection-access.repository.ts';

export interface AccessibleConnection {
  connection: ConnectionAccessRow['connection'];
  rights: ConnectionRights;
}

export const toAccessible = ({ connection, bits }: ConnectionAccessRow): AccessibleConnection => ({
  connection,
  rights: { use: (bits & connectionBits.use) !== 0, manage: (bits & connectionBits.manage) !== 0 },
});

/**
 * Returns the connection if the access rules let the actor make the call for it.
 * @param relations the actor's relations to the object of the call, beyond those to the connection
 * @throws NotFoundError 404 if the connection does not exist or is hidden from the actor
 * @throws ForbiddenError 403 if the actor may use the connection but not make this call
 */
export type RequireConnection = (
  actor: Member,
  connectionId: string,
  operation: OperationId,
  relations?: readonly ObjectRelation[],
) => Promise<AccessibleConnection>;

export const createRequireConnection =
  (repository: ConnectionAccessRepository): RequireConnection =>
  async (actor, connectionId, operation, relations = []) => {
    const row = await repository.find(actor, connectionId);
    if (row === undefined) throw notFound('connection', connectionId);
    const found = toAccessible(row);
    const all: ObjectRelation[] = [
      'connection-user',
      ...(found.rights.manage ? (['connection-manager'] as const) : []),
      ...relations,
    ];
    if (canCall(actor, operation, all)) return found;
    if (!canSeeObject(actor, operation, all)) throw notFound('connection', connectionId);
    throw forbidden(
      `You may only use the connection "${connectionId}": ask a person who manages it to grant "manage" to a group that you are in.`,
    );
  };
