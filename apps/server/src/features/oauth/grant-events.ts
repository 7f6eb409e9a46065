import type { AuditEvent } from '../../platform/audit/index.ts';

/** The audit event for a revoked grant of a person to an application. */
export const grantRevokedEvent = (
  { applicationId, name }: { applicationId: string; name: string },
  why: string,
): AuditEvent => ({
  type: 'Login',
  description: `revoked the grant of the application "${name}": ${why}`,
  details: { applicationId, name },
});
