import { Type } from 'typebox';
import { Email, strictObject, Timestamp } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** The token of a link that a mail contains. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The token in the link. It can be used once.',
});

/** The response to a request that sends a link. */
export const LinkSent = strictObject(
  {
    email: Type.String({ description: 'The requested address.' }),
    validForSeconds: Type.Integer({ description: 'How many seconds the link is valid after it is sent.' }),
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
    description: 'A change of the email address. It takes effect when it is confirmed at both addresses.',
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
    summary: 'Send a link that confirms your address',
    description:
      'New accounts get a link automatically. Only the newest link is valid, and you can request one each minute. If your address is already confirmed, you get 400. A server that sends no mail returns 501.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    success: { status: 201, description: 'The link is being sent.', schema: LinkSent },
    errors: ['AuthError', 'ForbiddenError', 'NotImplementedError'],
  }),
  confirmEmail: defineRoute({
    method: 'POST',
    path: '/email-verifications/confirm',
    operationId: 'confirmEmail',
    tag,
    summary: 'Confirm an address with the token of the link',
    description: 'A wrong, used, expired or replaced token returns 404.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken }, { title: 'EmailConfirmation' }),
    success: { status: 201, description: 'The confirmed address.', schema: VerifiedEmail },
    errors: ['NotFoundError'],
  }),
  confirmEmailChange: defineRoute({
    method: 'POST',
    path: '/email-changes/confirm',
    operationId: 'confirmEmailChange',
    tag,
    summary: 'Confirm a change of your address with the token of a link',
    description:
      '`PATCH /users/{id}` with a new address sends one link to the old address and one to the new. The change takes effect when both are used. A wrong, used, expired or replaced token returns 404. An address that another account has taken in the meantime returns 409.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken }, { title: 'EmailChangeConfirmation' }),
    success: { status: 201, description: 'The state of the change.', schema: EmailChange },
    errors: ['NotFoundError'],
  }),
} as const;
