import { routes } from '@redoubt/contract';
import { requestOrigin } from '../../platform/http/origin.ts';
import { bindMember, bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { EmailAddressService } from './email-address.service.ts';
import type { PasswordResetService } from './password-reset.service.ts';

export const createAccountRoutes = (
  addresses: EmailAddressService,
  resets: PasswordResetService,
): RouteBinding[] => [
  bindPerson(routes.requestEmailVerification, ({ actor }) => addresses.requestVerification(actor)),
  bindPublic(routes.confirmEmail, ({ body, request }) =>
    addresses.confirm(body.token, requestOrigin(request)),
  ),
  bindPublic(routes.confirmEmailChange, ({ body, request }) =>
    addresses.confirmChange(body.token, requestOrigin(request)),
  ),
  bindPublic(routes.requestPasswordReset, ({ body }) => resets.request(body.email)),
  bindMember(routes.startPasswordReset, ({ actor, params }) => resets.start(actor, params.id)),
  bindPublic(routes.confirmPasswordReset, ({ body, request }) =>
    resets.confirm(body.token, body.password, requestOrigin(request)),
  ),
];
