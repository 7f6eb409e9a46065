import { Type } from 'typebox';
import { Email, idParams, Password, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { LinkSent, LinkToken } from './email-addresses.ts';

const PasswordReset = strictObject(
  { email: Type.String({ description: 'The address of the account.' }) },
  { title: 'PasswordReset' },
);
export type PasswordReset = Type.Static<typeof PasswordReset>;

const ResetStarted = strictObject(
  {
    userId: Type.String(),
    validForSeconds: Type.Integer({ description: 'How many seconds the link is valid after it is sent.' }),
  },
  { title: 'ResetStarted' },
);
export type ResetStarted = Type.Static<typeof ResetStarted>;

const tag = 'Users';

export const passwordResetRoutes = {
  requestPasswordReset: defineRoute({
    method: 'POST',
    path: '/password-resets',
    operationId: 'requestPasswordReset',
    tag,
    summary: 'Request a link that sets a new password',
    description:
      'The response is the same whether or not the address has an account. Only the newest link is valid, and one link is sent each minute. A server that sends no mail returns 501 for every address; ask its operator to reset the account.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject(
      { email: Email },
      { title: 'PasswordResetRequest', examples: [{ email: 'ada@example.org' }] },
    ),
    success: {
      status: 201,
      description: 'If the address has an account with a password, the link is being sent.',
      schema: LinkSent,
    },
    errors: ['NotImplementedError'],
  }),
  startPasswordReset: defineRoute({
    method: 'POST',
    path: '/users/{id}/password-reset',
    operationId: 'startPasswordReset',
    tag,
    summary: 'Send a person a link that sets a new password',
    description:
      'The link is sent to the address of the person and shown to nobody else, because the password gives access to all that the person can see. A server that sends no mail returns 501.',
    caller: 'member',
    bearer: true,
    params: idParams('The id of the user.'),
    success: { status: 201, description: 'The link is being sent.', schema: ResetStarted },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError'],
  }),
  confirmPasswordReset: defineRoute({
    method: 'POST',
    path: '/password-resets/confirm',
    operationId: 'confirmPasswordReset',
    tag,
    summary: 'Set a new password with the token of the link',
    description:
      'Ends all sessions of the account, its other links and an unfinished change of the address. A wrong, used, expired or replaced token returns 404.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken, password: Password }, { title: 'PasswordResetConfirmation' }),
    success: { status: 201, description: 'The account with the new password.', schema: PasswordReset },
    errors: ['NotFoundError'],
  }),
} as const;
