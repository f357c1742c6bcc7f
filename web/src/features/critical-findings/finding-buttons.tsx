import { Button } from '@mantine/core';
import type { CriticalFinding } from '@radwork/contract/critical-findings';
import { IconCheck, IconPhoneOutgoing } from '@tabler/icons-react';
import { useState } from 'react';
import { CommunicateDialog } from './communicate-dialog.tsx';
import { useAcknowledge } from './finding-actions.ts';
import styles from './finding-details.module.css';
import { WithdrawDialog } from './withdraw-dialog.tsx';

type Props = {
  finding: CriticalFinding;
  /** They keep their room, so that nothing below them moves up. */
  isHidden?: boolean;
};

/** What the caller can do about a finding now. */
export function FindingButtons({ finding, isHidden = false }: Props) {
  const [opened, setOpened] = useState<'communicate' | 'withdraw'>();
  const acknowledge = useAcknowledge();
  const close = () => setOpened(undefined);
  const { id, canAcknowledge, canCommunicate, canWithdraw, state } = finding;
  return (
    <div className={styles.buttons} style={{ visibility: isHidden ? 'hidden' : 'inherit' }}>
      {canAcknowledge && (
        <Button
          leftSection={<IconCheck size={15} aria-hidden />}
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ params: { id } })}
        >
          Acknowledge
        </Button>
      )}
      {canCommunicate && (
        <Button
          variant={state === 'OPEN' && !canAcknowledge ? 'filled' : 'default'}
          leftSection={<IconPhoneOutgoing size={15} aria-hidden />}
          onClick={() => setOpened('communicate')}
        >
          Record communication
        </Button>
      )}
      {canWithdraw && (
        <Button variant="subtle" color="gray" onClick={() => setOpened('withdraw')}>
          Withdraw
        </Button>
      )}
      <CommunicateDialog finding={finding} opened={opened === 'communicate'} onClose={close} />
      <WithdrawDialog finding={finding} opened={opened === 'withdraw'} onClose={close} />
    </div>
  );
}
