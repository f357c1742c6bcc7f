import { t } from '@lingui/core/macro';
import type { Priority } from '@radwork/contract/core/priorities';
import { StatusPill } from '#ui/marks/status-pill.tsx';

/** Shows the priority of the patient's most urgent open study. Renders nothing if there is no open study. */
export function PatientPriority({ priority }: { priority: Priority | null }) {
  switch (priority) {
    case 'STAT':
      return <StatusPill tone="danger" shape="diamond" label={t`High`} />;
    case 'URGENT':
      return <StatusPill tone="warning" shape="half" label={t`Medium`} />;
    case 'ROUTINE':
      return <StatusPill tone="secondary" shape="ring" label={t`Low`} />;
    case null:
      return null;
  }
}
