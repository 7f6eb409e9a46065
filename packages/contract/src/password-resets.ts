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
    validForSeconds: Type.Integer({ description: 'How long the link can be used once it is sent.' }),
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
    summary: 'Have a link sent that sets a new password',
    description:
      'The answer is the same whether the address has an account or not. The newest link counts, and no further one is sent within a minute. A server that sends no mail answers 501 for every address: its operator resets accounts.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject(
      { email: Email },
      { title: 'PasswordResetRequest', examples: [{ email: 'ada@example.org' }] },
    ),
    success: {
      status: 201,
      description: 'If the address has an account with a password, the link is on its way.',
      schema: LinkSent,
    },
    errors: ['NotImplementedError'],
  }),
  startPasswordReset: defineRoute({
    method: 'POST',
    path: '/users/{id}/password-reset',
    operationId: 'startPasswordReset',
    tag,
    summary: 'Have a link that sets a new password sent to a person',
    description:
      'The link goes to the person’s address and is shown to nobody else: whoever sets a password reads with its person’s attributes. A server that sends no mail answers 501.',
    caller: 'member',
    bearer: true,
    params: idParams('The id of the user.'),
    success: { status: 201, description: 'The link is on its way.', schema: ResetStarted },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError'],
  }),
  confirmPasswordReset: defineRoute({
    method: 'POST',
    path: '/password-resets/confirm',
    operationId: 'confirmPasswordReset',
    tag,
    summary: 'Set a new password with the token of the link',
    description:
      'Ends all sessions of the account, its other links and a change of address that is under way. A wrong, used, expired or replaced token is 404.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: LinkToken, password: Password }, { title: 'PasswordResetConfirmation' }),
    success: { status: 201, description: 'Whose password is new.', schema: PasswordReset },
    errors: ['NotFoundError'],
  }),
} as const;
