import { renderMail, type MailQueue } from '../../platform/mail/index.ts';
import type { InvitationRepository } from './invitation.repository.ts';

/** The page that accepts an invitation. */
export const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/invite/${token}`;

/** Writes invitations. Each gets the token of its link when it is written, and the earlier one is worth nothing. */
export const writeInvitationMail = ({
  mail,
  repository,
  publicUrl,
  makeToken,
}: {
  mail: Pick<MailQueue, 'compose'>;
  repository: InvitationRepository;
  publicUrl: () => string;
  makeToken: () => { token: string; hash: string };
}): void =>
  mail.compose('invitation', async (about) => {
    const { id } = JSON.parse(about) as { id: string };
    const { token, hash } = makeToken();
    const invitation = await repository.giveToken(id, hash);
    if (invitation === undefined) return undefined;
    const { email, firstName, workspaceName, inviter } = invitation;
    return {
      to: email,
      subject: 'You are invited to a workspace',
      text: renderMail(
        [
          'Hello {firstName},',
          '{inviter} invites you to the workspace "{workspaceName}" of Redoubt. Sign in and accept by this link, within 7 days:',
          invitationLink(publicUrl(), token),
          'If you do not want to join, do nothing.',
        ],
        { firstName, inviter, workspaceName },
      ),
    };
  });
