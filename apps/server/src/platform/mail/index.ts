export { createMailQueue, requireMail, type MailKind, type MailQueue } from './mail-queue.ts';
export { createSmtpTransport, type Mail, type MailTransport } from './smtp.ts';
export { renderMail } from './render-mail.ts';
