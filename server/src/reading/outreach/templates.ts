import { isCriticalTopic, type OutboundTopic } from '@radwork/contract/reading/outreach';

/**
 * Texts of messages that leave the application. They contain no patient name, study description or report text, because
 * mails, lock screens and pagers can be seen by others.
 */
const templates: Record<OutboundTopic, { subject: string; text: string }> = {
  CRITICAL_FOUND: {
    subject: 'Critical finding in one of your studies',
    text: 'A critical finding was recorded in one of your studies. Review it and act now.',
  },
  CRITICAL_TOLD: {
    subject: 'Acknowledge a critical finding',
    text: 'A critical finding was communicated to you. Acknowledge it now.',
  },
  CRITICAL_READER: {
    subject: 'Critical finding almost due and not communicated',
    text: 'Your critical finding is not communicated. One third of the time limit is left.',
  },
  CRITICAL_ON_CALL: {
    subject: 'Critical finding due and not communicated',
    text: 'The time limit of a critical finding passed without communication. You are on call. Act now.',
  },
  CRITICAL_LEAD: {
    subject: 'Critical finding overdue and not communicated',
    text: 'A critical finding is overdue. Neither the reader nor on-call communicated it. Act now.',
  },
  CRITICAL_WITHDRAWN: {
    subject: 'Critical finding withdrawn',
    text: 'A critical finding that was communicated to you was withdrawn. Read the reason.',
  },
  REPORT_READY: {
    subject: 'A report is ready',
    text: 'A report of one of your studies was signed.',
  },
  ASSIGNMENT: {
    subject: 'A study was assigned to you',
    text: 'A study was assigned to you.',
  },
  OVERDUE: {
    subject: 'An assignment is overdue',
    text: 'A study assigned to you, or by you, is overdue.',
  },
  MENTION: {
    subject: 'You were mentioned in a chat',
    text: 'A colleague mentioned you in a study chat.',
  },
  TEST: {
    subject: 'Test',
    text: 'This is a test of the webhook. No action is needed.',
  },
};

type Told = { topic: OutboundTopic; organization: string; address: string };

/** Returns the mail about an event. `address` is the page that shows the event after sign-in. */
export const mailAbout = ({ topic, organization, address }: Told): { subject: string; text: string } => {
  const { subject, text } = templates[topic];
  return {
    subject: `Radwork: ${subject}`,
    text: [
      text,
      `Organization: ${organization}`,
      `Sign in to view it: ${address}`,
      isCriticalTopic(topic)
        ? 'This message contains no patient data. Replies are not read.'
        : 'This message contains no patient data. Change your notifications under "Notifications" in your account.',
    ].join('\n\n'),
  };
};

/** Returns the message about an event in a form that is short enough for a phone or pager. */
export const noticeAbout = (topic: OutboundTopic) => templates[topic];
