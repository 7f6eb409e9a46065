import type { AuditEvent } from '../../platform/audit/index.ts';

/** That what somebody allowed an application has ended. */
export const grantRevokedEvent = (
  { applicationId, name }: { applicationId: string; name: string },
  why: string,
): AuditEvent => ({
  type: 'Login',
  description: `took back what the application "${name}" was given: ${why}`,
  details: { applicationId, name },
});
