import type { NotificationType } from '@radwork/contract/notifications';
import {
  IconAlertTriangle,
  IconAt,
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
  /** Color of urgent kinds. The text shows the urgency too. */
  tone?: 'danger' | 'warning';
  /** Explains when a notification of this kind is sent. */
  when: string;
};

export const kinds: Record<NotificationType, Kind> = {
  ASSIGNMENT: { icon: IconUserPlus, when: 'A study is assigned to you, or taken back' },
  STUDY_STATUS: {
    icon: IconProgressCheck,
    when: 'The status of a study that concerns you changes. That a signed report was corrected is told always',
  },
  REVIEW_REQUEST: { icon: IconFileSearch, when: 'A colleague asks you to review a report' },
  REVIEW_RESULT: { icon: IconClipboardCheck, when: 'Your report is approved or sent back' },
  CRITICAL_FINDING: {
    icon: IconAlertTriangle,
    tone: 'danger',
    when: 'Something that cannot wait is found. This cannot be turned off.',
  },
  MENTION: { icon: IconAt, when: 'Somebody names you in the chat of a study' },
  IMPORT: { icon: IconCloudDownload, when: 'An import that you asked for ends' },
  ACCOUNT: { icon: IconShieldLock, when: 'Something changes about how you sign in. This cannot be turned off.' },
  IDENTITY: { icon: IconUserQuestion, tone: 'warning', when: 'Images contradict the patient who has their ID' },
  OVERDUE: {
    icon: IconClockExclamation,
    tone: 'warning',
    when: 'The time of an assignment of yours, or by you, has passed',
  },
};
