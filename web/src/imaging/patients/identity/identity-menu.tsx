import { t } from '@lingui/core/macro';
import { Menu } from '@mantine/core';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { IconArrowsJoin, IconTransfer } from '@tabler/icons-react';
import { may } from '#core/state/session.ts';

/** Menu items to merge patients and to move a study, for users with permission. */
export function IdentityMenu({
  canMove,
  onMerge,
  onMove,
}: {
  canMove: boolean;
  onMerge: () => void;
  onMove: () => void;
}) {
  if (!may(patientMerges.merge)) return null;
  return (
    <>
      <Menu.Item leftSection={<IconArrowsJoin size={15} />} onClick={onMerge}>
        {t`Merge another record into this one`}
      </Menu.Item>
      {canMove && (
        <Menu.Item leftSection={<IconTransfer size={15} />} onClick={onMove}>
          {t`Move a study to another patient`}
        </Menu.Item>
      )}
    </>
  );
}
