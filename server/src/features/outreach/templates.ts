import { isCriticalTopic, type OutboundTopic } from '@radwork/contract/outreach';

/**
 * Texts of messages that leave the application. They contain no patient name, study description or report text, because
 * others can see mails, lock screens and pagers (D-39).
 */
const templates: Record<OutboundTopic, { subject: string; text: string }> = {
  CRITICAL_FOUND: {
    subject: 'Critical finding in a study that concerns you',
    text: 'A critical finding was recorded in a study that concerns you. Read it and act on it now.',
  },
  CRITICAL_TOLD: {
    subject: 'Acknowledge a critical finding',
    text: 'A colleague recorded that you were told of a critical finding. Acknowledge it.',
  },
  CRITICAL_READER: {
    subject: 'Critical finding not communicated, little time left',
    text: 'A critical finding of yours was not communicated yet. One third of the time is left.',
  },
  CRITICAL_ON_CALL: {
    subject: 'Critical finding due and not communicated',
    text: 'The time for a critical finding has passed and nobody was told. You are on call: act on it now.',
  },
  CRITICAL_LEAD: {
    subject: 'Critical finding overdue and not communicated',
    text: 'A critical finding is overdue and neither its reader nor on-call communicated it. Act on it now.',
  },
  CRITICAL_WITHDRAWN: {
    subject: 'Critical finding withdrawn',
    text: 'A critical finding that you were told of was withdrawn. Read why.',
  },
  REPORT_READY: {
    subject: 'A report is ready',
    text: 'A report of a study that concerns you was signed.',
  },
  ASSIGNMENT: {
    subject: 'A study was assigned to you',
    text: 'A study was assigned to you.',
  },
  OVERDUE: {
    subject: 'An assignment is overdue',
    text: 'A study that was assigned to you, or that you assigned, is overdue.',
  },
  MENTION: {
    subject: 'You were mentioned in a chat',
    text: 'A colleague mentioned you in the chat about a study.',
  },
  TEST: {
    subject: 'Test',
    text: 'An administrator tries this webhook. Nothing happened.',
  },
};

type Told = { topic: OutboundTopic; organisation: string; address: string };

/** Returns the mail about an event. `address` is the page that shows it after signing in. */
export const letterAbout = ({ topic, organisation, address }: Told): { subject: string; text: string } => {
  const { subject, text } = templates[topic];
  return {
    subject: `Radwork: ${subject}`,
    text: [
      text,
      `Organisation: ${organisation}`,
      `Sign in to read it: ${address}`,
      isCriticalTopic(topic)
        ? 'This message names no patient. An answer to it reaches nobody.'
        : 'This message names no patient. Choose what you receive under "Notifications" in your account.',
    ].join('\n\n'),
  };
};

/** Returns the same in a form that fits on a phone or pager. */
export const noticeAbout = (topic: OutboundTopic) => templates[topic];
