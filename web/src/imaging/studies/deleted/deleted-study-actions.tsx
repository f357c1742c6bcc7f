import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { DeletedStudy, EarlyPurge } from '@radwork/contract/imaging/study-rows';
import { IconArrowBackUp, IconDotsVertical } from '@tabler/icons-react';
import { useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { LossOfPurge } from './early-purge-dialog.tsx';
import styles from './deleted-studies-screen.module.css';

type Props = {
  study: DeletedStudy;
  onRestore: (study: DeletedStudy) => void;
  onDecide: (study: DeletedStudy, kind: EarlyPurge['kind']) => void;
};

/** Buttons of a row of the recycle bin. */
export function DeletedStudyActions({ study, onRestore, onDecide }: Props) {
  const { patientName } = study.patient;
  const { purge, withdraw } = usePurgeActions();
  const { earlyPurge } = study;
  return (
    <span className={styles.actions}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowBackUp size={14} />}
        aria-label={t`Restore study of ${patientName}`}
        onClick={() => onRestore(study)}
      >
        {t`Restore`}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={t`More actions for study of ${patientName}`}>
            <IconDotsVertical size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!earlyPurge && (
            <>
              <Menu.Item onClick={() => onDecide(study, 'REPLACE')}>{t`Allow replacement`}</Menu.Item>
              <Menu.Item onClick={() => onDecide(study, 'PURGE')}>{t`Request purge`}</Menu.Item>
            </>
          )}
          {earlyPurge?.kind === 'PURGE' && (
            <Menu.Item disabled={earlyPurge.isOwn} onClick={() => purge(study)}>
              {earlyPurge.isOwn ? t`Waiting for a second user` : t`Confirm purge`}
            </Menu.Item>
          )}
          {earlyPurge && (
            <Menu.Item onClick={() => withdraw(study)}>
              {earlyPurge.kind === 'PURGE' ? t`Withdraw purge` : t`Withdraw replacement`}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

const usePurgeActions = () => {
  const purgeAction = useAction(studies.confirmPurge, { done: t`Study purged`, failed: t`Could not purge the study` });
  const withdrawal = useAction(studies.withdrawPurge, { done: t`Request withdrawn`, failed: t`Could not withdraw` });
  return {
    purge: async (study: DeletedStudy) => {
      const agreed = await confirm({
        question: t`Purge this study for good?`,
        consequence: <LossOfPurge study={study} />,
        verb: t`Purge study`,
      });
      if (agreed) purgeAction.mutate({ params: { id: study.id } });
    },
    withdraw: ({ id }: DeletedStudy) => withdrawal.mutate({ params: { id } }),
  };
};
