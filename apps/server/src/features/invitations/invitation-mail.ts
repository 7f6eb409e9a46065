import { renderMail, type MailQueue } from '../../platform/mail/index.ts';
import type { InvitationRepository } from './invitation.repository.ts';

/** The page that accepts an invitation. The token is in the fragment, which browsers send to no server. */
export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/app/invite#${token}`;

/** Registers the mail template of invitations. Rendering a mail creates a new token, which invalidates the previous one. */
export const registerInvitationMail = ({
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
    const invitation = await repository.replaceToken(id, hash);
    if (invitation === undefined) return undefined;
    const { email, firstName, workspaceName, inviter } = invitation;
    return {
      to: email,
      subject: 'You are invited to a workspace',
      text: renderMail(
        [
          'Hello {firstName},',
          '{inviter} invites you to the Redoubt workspace "{workspaceName}". Accept within 7 days with this link:',
          invitationLink(publicUrl(), token),
          'If you do not want to join, you can ignore this mail.',
        ],
        { firstName: firstName ?? 'there', inviter, workspaceName },
      ),
    };
  });
