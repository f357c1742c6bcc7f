import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { rejections } from '@radwork/contract/imaging/rejections';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconDotsVertical, IconPhotoX, IconTransfer } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { MoveSeriesDialog, type PatientPickerType, type PendingMove } from './move-series-dialog.tsx';
import { type PendingRejection, RejectDialog } from './reject-dialog.tsx';

type Props = {
  study: StudyDetails;
  seriesInstanceUID: string;
  /** Returns the SOP Instance UID of the image on the screen, if it belongs to the series. */
  shownImage?: (() => string | undefined) | undefined;
  PatientPicker: PatientPickerType;
};

/** Menu of a series with its changes, for users with permission. */
export function SeriesMenu({ study, seriesInstanceUID, shownImage, PatientPicker }: Props) {
  const [pending, setPending] = useState<PendingRejection>();
  const [pendingMove, setPendingMove] = useState<PendingMove>();
  const [shown, setShown] = useState<string>();
  const series = study.series.find((one) => one.seriesInstanceUID === seriesInstanceUID);
  if (!series || !may(rejections.reject)) return null;
  const { seriesNumber, seriesDescription } = series;
  const name = seriesDescription || seriesNumber || series.modality;
  const first = series.instances[0]?.sopInstanceUID;
  return (
    <>
      <Menu position="bottom-end" onOpen={() => setShown(shownImage?.())}>
        <Menu.Target>
          <ActionIcon size="sm" aria-label={t`Actions on series ${name}`}>
            <IconDotsVertical size={15} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPhotoX size={15} />} onClick={() => setPending({ study, series })}>
            {t`Reject series…`}
          </Menu.Item>
          {series.instances.length > 1 && (
            <Menu.Item
              leftSection={<IconPhotoX size={15} />}
              onClick={() => setPending({ study, series, sopInstanceUID: shown ?? first })}
            >
              {shown === undefined ? t`Reject one image…` : t`Reject this image…`}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTransfer size={15} />} onClick={() => setPendingMove({ study, series })}>
            {t`Move series…`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <MoveSeriesDialog pending={pendingMove} PatientPicker={PatientPicker} onClose={() => setPendingMove(undefined)} />
      <RejectDialog pending={pending} onClose={() => setPending(undefined)} />
    </>
  );
}
