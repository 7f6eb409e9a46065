import { renderMail, type MailQueue } from '../../platform/mail/index.ts';
import type { ScheduleMailRepository } from './schedule-mail.repository.ts';

/**
 * Registers the mail about a failed run. It names the schedule and not the error: errors quote sources, and mail passes
 * through other hosts.
 */
export const registerScheduleMail = ({
  mail,
  repository,
  publicUrl,
}: {
  mail: Pick<MailQueue, 'compose'>;
  repository: ScheduleMailRepository;
  publicUrl: () => string;
}): void =>
  mail.compose('schedule-failed', async (about) => {
    const { scheduleId } = JSON.parse(about) as { scheduleId: string };
    const found = await repository.find(scheduleId);
    if (found === undefined) return undefined;
    const { email, firstName, name, workspaceName, isActive } = found;
    return {
      to: email,
      subject: 'A scheduled run failed',
      text: renderMail(
        [
          'Hello {firstName},',
          'A run of your schedule "{name}" in the Redoubt workspace "{workspaceName}" failed.',
          isActive ? 'It runs again at its next time.' : 'The schedule is paused until you start it again.',
          'The history of the schedule says what went wrong. Sign in here:',
          `${publicUrl()}/app/`,
          'The next mail about this schedule comes after a run that completes.',
        ],
        { firstName, name, workspaceName },
      ),
    };
  });
