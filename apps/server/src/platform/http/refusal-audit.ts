import type { AuditEventType, RouteDescriptor } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { FastifyRequest } from 'fastify';
import type { Audit } from '../audit/index.ts';
import type { Person } from '../auth/actor.ts';

/** Logs audit events for calls that were rejected because the requester may not make them. */
export interface RefusalAudit {
  /** Keeps the route and the requester of a request for `failed`. */
  called(request: FastifyRequest, route: RouteDescriptor, person: Person): void;
  /** Logs the event if `error` is a rejection. Call it before sending the error. */
  failed(request: FastifyRequest, error: unknown): Promise<void>;
}

/** The event type for calls under each heading of the API reference; DatasetManagement for all others. */
export const refusalTypes: Readonly<Record<string, AuditEventType>> = {
  'API keys': 'UserManagement',
  Applications: 'WorkspaceManagement',
  'Attribute assignments': 'AttributeManagement',
  Attributes: 'AttributeManagement',
  'Audit log': 'AuditLogConfigManagement',
  Authentication: 'Login',
  Billing: 'BillingPlanManagement',
  'Connection permissions': 'WorkspaceManagement',
  Connections: 'WorkspaceManagement',
  Documents: 'DataDownload',
  'Group memberships': 'GroupManagement',
  Groups: 'GroupManagement',
  'Identity providers': 'IdentityProviderManagement',
  OAuth: 'Login',
  Query: 'DataDownload',
  Read: 'DataDownload',
  'Single sign-on': 'Login',
  Storage: 'WriteRecords',
  Users: 'UserManagement',
  'Workspace permissions': 'UserManagement',
  Workspaces: 'WorkspaceManagement',
  Write: 'WriteRecords',
};

const isRefusal = (error: unknown): boolean =>
  error instanceof RedoubtError && error.name === 'ForbiddenError' && error.code === 403;

export const createRefusalAudit = (audit: Pick<Audit, 'log'>): RefusalAudit => {
  const calls = new WeakMap<FastifyRequest, { route: RouteDescriptor; person: Person }>();
  return {
    called: (request, route, person) => void calls.set(request, { route, person }),
    failed: async (request, error) => {
      const call = calls.get(request);
      if (call === undefined || !isRefusal(error)) return;
      const { route, person } = call;
      await audit.log(person, {
        type: refusalTypes[route.tag] ?? 'DatasetManagement',
        description: `was refused: ${route.summary}`,
        details: { operation: route.operationId, outcome: 'refused' },
      });
    },
  };
};
