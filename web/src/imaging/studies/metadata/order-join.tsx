import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import styles from './order-join.module.css';

type JoinedStudy = Pick<StudyDetails, 'id' | 'orderJoin' | 'accessionNumber'>;

/** Says when images joined an order by accession number. Users who may edit studies can separate them here. */
export function OrderJoin({ study: { id, orderJoin, accessionNumber } }: { study: JoinedStudy }) {
  const [isOpen, setOpen] = useState(false);
  if (!orderJoin) return null;
  return (
    <span className={styles.join}>
      {t`Joined order ${accessionNumber} on ${formatMoment(orderJoin.joinedDate)}`}
      {may(studies.separateOrder) && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          {t`Separate`}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t`Separate images from order?`} size={460}>
        <Separation id={id} joinId={orderJoin.id} onClose={() => setOpen(false)} />
      </Dialog>
    </span>
  );
}

function Separation({ id, joinId, onClose }: { id: string; joinId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const separate = useAction(studies.separateOrder, {
    done: t`Images separated from order`,
    failed: t`Could not separate the images`,
  });
  const submit = () =>
    separate.mutate(
      { params: { id }, body: { joinId } },
      {
        onSuccess: ({ imagesStudyId }) => {
          onClose();
          void navigate({ to: '/studies/$id', params: { id: imagesStudyId } });
        },
      },
    );
  return (
    <DialogForm
      verb={t`Separate`}
      action={separate}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p>{t`The order has no images again. It gets back its status, assignments and due time.`}</p>
      <p>{t`The images get their own study. Drafts, measurements and key images made since go with them.`}</p>
      <p>{t`Earlier drafts and the chat stay with the order. These images will not join it again.`}</p>
    </DialogForm>
  );
}
