import { Type } from 'typebox';
import { Email, strictObject, Timestamp } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** The token of a link that was sent by mail. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What stands in the link: it can be used once.',
});

/** Says that a link is on its way. */
export const LinkSent = strictObject(
  {
    email: Type.String({ description: 'The address as it was asked for.' }),
    validForSeconds: Type.Integer({ description: 'How long the link can be used once it is sent.' }),
  },
  { title: 'LinkSent' },
);
export type LinkSent = Type.Static<typeof LinkSent>;

export const VerifiedEmail = strictObject(
  { email: Type.String(), verified: Type.Boolean() },
  { title: 'VerifiedEmail' },
);
export type VerifiedEmail = Type.Static<typeof VerifiedEmail>;

export const EmailChange = strictObject(
  {
    newEmail: Email,
    confirmedAtOldAddress: Type.Boolean(),
    confirmedAtNewAddress: Type.Boolean(),
    expiresAt: Timestamp,
  },
  {
    title: 'EmailChange',
    description: 'Once it is confirmed at both addresses, the new one is that of the account.',
  },
);
export type EmailChange = Type.Static<typeof EmailChange>;

const tag = 'Users';

export const emailAddressRoutes = {
  requestEmailVerification: defineRoute({
    method: 'POST',
    path: '/email-verifications',
    operationId: 'requestEmailVerification',
    staysOpen: true,
    tag,
    summary: 'Have a link sent that confirms one’s address',
    description:
      'A new account gets one by itself. The newest link counts, and no further one is sent within a minute. An address that is confirmed is 400; a server that sends no mail answers 501.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    success: { status: 201, description: 'The link is on its way.', schema: LinkSent },
    errors: ['AuthError', 'ForbiddenError', 'NotImplementedError'],
  }),
  confirmEmail: defineRoute({
    method: 'POST',
    path: '/email-verifications/confirm',
    operationId: 'confirmEmail',
    tag,
    summary: 'Confirm an address with the token of the link',
    description: 'A wrong, used, expired or replaced token is 404.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken }, { title: 'EmailConfirmation' }),
    success: { status: 201, description: 'The address, confirmed.', schema: VerifiedEmail },
    errors: ['NotFoundError'],
  }),
  confirmEmailChange: defineRoute({
    method: 'POST',
    path: '/email-changes/confirm',
    operationId: 'confirmEmailChange',
    tag,
    summary: 'Confirm a change of address with the token of one of its two links',
    description:
      '`PATCH /users/{id}` with a new address sends a link to the old one and one to the new one; the second that is used makes the change. A wrong, used, expired or replaced token is 404, an address that somebody has taken meanwhile 409.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken }, { title: 'EmailChangeConfirmation' }),
    success: { status: 201, description: 'How far the change is.', schema: EmailChange },
    errors: ['NotFoundError'],
  }),
} as const;
