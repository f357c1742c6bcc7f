import type { Context } from '#core/context.ts';
import { isMailRefusal, sendMail } from '#core/notifications/mail.ts';
import { canceled, failed, type Outcome, sent } from './outcome.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { mailAbout } from './templates.ts';

type SendContext = { context: Pick<Context, 'config'>; onError: (error: unknown) => void };

/** Sends a message to the user's current mail address. */
export const sendByMail = async ({ context, onError }: SendContext, message: OutgoingMessage): Promise<Outcome> => {
  const { mail } = context.config;
  if (!mail) return canceled('This installation cannot send mail');
  if (message.email === '') return failed('The recipient has no e-mail address', false);
  const { id, topic, organization, link, email, locale } = message;
  const letter = mailAbout({ topic, organization, address: `${mail.publicUrl}${link}`, locale });
  const { hostname } = new URL(mail.publicUrl);
  try {
    // The Message-ID is stable, so many mail programs show a message only once when it was accepted twice.
    await sendMail(mail, { from: mail.from, to: email, messageId: `<${id}@${hostname}>`, ...letter });
    return sent;
  } catch (error) {
    onError(error);
    if (isMailRefusal(error)) return failed('The mail server rejected the address', false);
    return failed('The mail server rejected the message', true);
  }
};
