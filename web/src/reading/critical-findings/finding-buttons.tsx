import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { CriticalFinding } from '@radwork/contract/reading/critical-findings';
import { IconCheck, IconPhoneOutgoing } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CommunicateDialog } from './communicate-dialog.tsx';
import { useAcknowledge, useAcknowledgeInReport } from './finding-actions.ts';
import styles from './finding-details.module.css';
import { WithdrawDialog } from './withdraw-dialog.tsx';

type Props = {
  finding: CriticalFinding;
  /** Whether the buttons are invisible but keep their space, so that nothing below moves. */
  isHidden?: boolean;
  /** Whether the buttons appear in the report, where a treating physician acknowledges the finding. */
  isInReport?: boolean;
};

/** Shows the actions that the caller can take on a finding. */
export function FindingButtons({ finding, isHidden = false, isInReport = false }: Props) {
  const [opened, setOpened] = useState<'communicate' | 'withdraw'>();
  const acknowledge = useAcknowledge();
  const acknowledgeInReport = useAcknowledgeInReport();
  const close = () => setOpened(undefined);
  const { id, reportId, canAcknowledge, canAcknowledgeInReport, canCommunicate, canWithdraw, state } = finding;
  const isForReport = canAcknowledgeInReport && !canAcknowledge;
  return (
    <div className={styles.buttons} style={{ visibility: isHidden ? 'hidden' : 'inherit' }}>
      {canAcknowledge && (
        <Button
          leftSection={<IconCheck size={15} aria-hidden />}
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ params: { id } })}
        >
          {t`Acknowledge`}
        </Button>
      )}
      {isForReport && isInReport && (
        <Button
          leftSection={<IconCheck size={15} aria-hidden />}
          loading={acknowledgeInReport.isPending}
          onClick={() => acknowledgeInReport.mutate({ params: { id }, body: { restarts: finding.restarts.length } })}
        >
          {t`Acknowledge`}
        </Button>
      )}
      {isForReport && !isInReport && (
        <Button renderRoot={(props) => <Link to="/reports" search={{ reportId }} {...props} />}>
          {t`Open report to acknowledge`}
        </Button>
      )}
      {canCommunicate && (
        <Button
          variant={state === 'OPEN' && !canAcknowledge && !isForReport ? 'filled' : 'default'}
          leftSection={<IconPhoneOutgoing size={15} aria-hidden />}
          onClick={() => setOpened('communicate')}
        >
          {t`Record communication`}
        </Button>
      )}
      {canWithdraw && (
        <Button variant="subtle" color="gray" onClick={() => setOpened('withdraw')}>
          {t`Withdraw`}
        </Button>
      )}
      <CommunicateDialog finding={finding} opened={opened === 'communicate'} onClose={close} />
      <WithdrawDialog finding={finding} opened={opened === 'withdraw'} onClose={close} />
    </div>
  );
}
