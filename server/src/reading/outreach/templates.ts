import { type Sentence, sentence, t, translatedSentence } from '@radwork/contract/core/translate';
import { isCriticalTopic, type OutboundTopic } from '@radwork/contract/reading/outreach';
import { inLanguage } from '#core/http/request-language.ts';

/**
 * Texts of messages that leave the application. They contain no patient name, study description or report text, because
 * mails, lock screens and pagers can be seen by others.
 */
const templates: Record<OutboundTopic, { subject: Sentence; text: Sentence }> = {
  CRITICAL_FOUND: {
    subject: sentence`Critical finding in one of your studies`,
    text: sentence`A critical finding was recorded in one of your studies. Review it and act now.`,
  },
  CRITICAL_TOLD: {
    subject: sentence`Acknowledge a critical finding`,
    text: sentence`A critical finding was communicated to you. Acknowledge it now.`,
  },
  CRITICAL_READER: {
    subject: sentence`Critical finding almost due and not communicated`,
    text: sentence`Your critical finding is not communicated. One third of the time limit is left.`,
  },
  CRITICAL_ON_CALL: {
    subject: sentence`Critical finding due and not communicated`,
    text: sentence`The time limit of a critical finding passed without communication. You are on call. Act now.`,
  },
  CRITICAL_LEAD: {
    subject: sentence`Critical finding overdue and not communicated`,
    text: sentence`A critical finding is overdue. Neither the reader nor on-call communicated it. Act now.`,
  },
  CRITICAL_WITHDRAWN: {
    subject: sentence`Critical finding withdrawn`,
    text: sentence`A critical finding that was communicated to you was withdrawn. Read the reason.`,
  },
  REPORT_READY: {
    subject: sentence`A report is ready`,
    text: sentence`A report of one of your studies was signed.`,
  },
  ASSIGNMENT: {
    subject: sentence`A study was assigned to you`,
    text: sentence`A study was assigned to you.`,
  },
  OVERDUE: {
    subject: sentence`An assignment is overdue`,
    text: sentence`A study assigned to you, or by you, is overdue.`,
  },
  MENTION: {
    subject: sentence`You were mentioned in a chat`,
    text: sentence`A colleague mentioned you in a study chat.`,
  },
  TEST: {
    subject: sentence`Test`,
    text: sentence`This is a test of the webhook. No action is needed.`,
  },
};

type Told = { topic: OutboundTopic; organization: string; address: string; locale: string };

/**
 * Returns the mail about an event in the language of the organization. `address` is the page that shows the event after
 * sign-in.
 */
export const mailAbout = ({ topic, organization, address, locale }: Told): { subject: string; text: string } =>
  inLanguage(locale, () => {
    const subject = translatedSentence(templates[topic].subject);
    return {
      subject: t`Radwork: ${subject}`,
      text: [
        translatedSentence(templates[topic].text),
        t`Organization: ${organization}`,
        t`Sign in to view it: ${address}`,
        isCriticalTopic(topic)
          ? t`This message contains no patient data. Replies are not read.`
          : t`This message contains no patient data. Change your notifications under "Notifications" in your account.`,
      ].join('\n\n'),
    };
  });

/** Returns the message about an event in a language, in a form that is short enough for a phone or pager. */
export const noticeAbout = (topic: OutboundTopic, locale: string): { subject: string; text: string } =>
  inLanguage(locale, () => ({
    subject: translatedSentence(templates[topic].subject),
    text: translatedSentence(templates[topic].text),
  }));
