import { t } from '@lingui/core/macro';
import type { NotificationType } from '@radwork/contract/identity/notifications';
import {
  IconAlertTriangle,
  IconAt,
  IconCalendarCheck,
  IconClipboardCheck,
  IconCloudDownload,
  IconFileSearch,
  type IconProps,
  IconProgressCheck,
  IconShieldLock,
  IconUserPlus,
  IconUserQuestion,
  IconClockExclamation,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

type Kind = {
  icon: ComponentType<IconProps>;
  /** Color of urgent kinds. The text also says that the kind is urgent. */
  tone?: 'danger' | 'warning';
  /** Text that explains when a notification of this kind is sent. */
  when: string;
};

export const notificationKinds: Record<NotificationType, Kind> = {
  ASSIGNMENT: { icon: IconUserPlus, when: t`A study is assigned to you, or the assignment is removed` },
  STUDY_STATUS: {
    icon: IconProgressCheck,
    when: t`The status of one of your studies changes. Corrections of signed reports are always sent.`,
  },
  REVIEW_REQUEST: {
    icon: IconFileSearch,
    when: t`A colleague requests your review of a report, or a signed report waits for your peer review`,
  },
  REVIEW_RESULT: { icon: IconClipboardCheck, when: t`Your report is approved, sent back or peer reviewed` },
  CRITICAL_FINDING: {
    icon: IconAlertTriangle,
    tone: 'danger',
    when: t`A critical finding is recorded. This cannot be turned off.`,
  },
  MENTION: { icon: IconAt, when: t`A user mentions you in the chat of a study` },
  IMPORT: { icon: IconCloudDownload, when: t`Your import ends` },
  ACCOUNT: { icon: IconShieldLock, when: t`Your sign-in settings change. This cannot be turned off.` },
  IDENTITY: { icon: IconUserQuestion, tone: 'warning', when: t`Images contradict the patient with the same ID` },
  FOLLOW_UP: {
    icon: IconCalendarCheck,
    tone: 'warning',
    when: t`A recommended examination is overdue, or its report was corrected`,
  },
  OVERDUE: {
    icon: IconClockExclamation,
    tone: 'warning',
    when: t`An assignment to you or by you is overdue`,
  },
};
