import { plural, t } from '@lingui/core/macro';
import { NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  chosenTitles,
  qualityReasonLabels,
  qualityReasons,
  type RejectionForm,
  type RejectionPreview,
  rejections,
  rejectionTitleLabels,
} from '@radwork/contract/imaging/rejections';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { changedNouns, useRestoreImages } from './use-restore-images.ts';

type Series = StudyDetails['series'][number];

/** A series, or one image of it, that the user is about to reject. */
export type PendingRejection = { study: StudyDetails; series: Series; sopInstanceUID?: string | undefined };

type Props = { pending: PendingRejection | undefined; onClose: () => void };

/** Asks for the reason of a rejection, and says what readers will no longer see. */
export function RejectDialog({ pending, onClose }: Props) {
  return (
    <Dialog opened={pending !== undefined} onClose={onClose} title={t`Reject images?`} size={480}>
      {pending && <RejectForm pending={pending} onClose={onClose} />}
    </Dialog>
  );
}

const wholeSeries = '';

/** Returns the choices of images: the whole series, and each image by its number. */
const extentsOf = ({ instances, instanceCount }: Series) => [
  { value: wholeSeries, label: t`Whole series (${plural(instanceCount, { one: '# image', other: '# images' })})` },
  ...instances.map(({ sopInstanceUID, instanceNumber }, index) => {
    const number = instanceNumber ?? index + 1;
    return { value: sopInstanceUID, label: t`Image ${number}` };
  }),
];

const noReason = '';

function RejectForm({
  pending: { study, series, sopInstanceUID },
  onClose,
}: Required<Pick<Props, 'onClose'>> & {
  pending: PendingRejection;
}) {
  const reject = useAction(rejections.reject, { failed: t`Could not reject the images`, refreshes: changedNouns });
  const restore = useRestoreImages();
  const form = useForm({
    initialValues: {
      extent: sopInstanceUID ?? wholeSeries,
      title: chosenTitles[0] as RejectionForm['title'],
      reason: noReason as NonNullable<RejectionForm['reason']> | typeof noReason,
      comment: '',
    },
  });
  const { extent, title } = form.values;
  const selection = {
    seriesInstanceUID: series.seriesInstanceUID,
    ...(extent !== wholeSeries && { sopInstanceUID: extent }),
  };
  const preview = useQuery({
    ...query(rejections.preview, { params: { id: study.id }, query: selection }),
    staleTime: 0,
    gcTime: 0,
  });
  const params = { id: study.id };
  const send = ({ reason, comment }: typeof form.values) =>
    reject.mutate(
      {
        params,
        body: { ...selection, title, comment, ...(title === '113001' && reason !== noReason && { reason }) },
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          offerUndo(t`Images rejected`, () => restore.mutate({ params: { ...params, rejectionId: id } }));
        },
      },
    );
  return (
    <DialogForm
      verb={t`Reject images`}
      action={reject}
      isBarred={!preview.data || preview.data.images === 0}
      onCancel={onClose}
      onSubmit={form.onSubmit(send)}
    >
      <p>
        <strong>{study.patient.patientName}</strong> {study.patient.patientId}
        <br />
        {[series.seriesNumber, series.modality, series.seriesDescription].filter(Boolean).join(' · ')}
      </p>
      <NativeSelect label={t`Images`} data={extentsOf(series)} {...form.getInputProps('extent')} />
      <NativeSelect
        label={t`Reason`}
        data-autofocus
        data={chosenTitles.map((value) => ({ value, label: rejectionTitleLabels[value] }))}
        {...form.getInputProps('title')}
      />
      {title === '113001' && (
        <NativeSelect
          label={t`Quality problem`}
          data={[
            { value: noReason, label: t`Not stated` },
            ...qualityReasons.map((value) => ({ value, label: qualityReasonLabels[value] })),
          ]}
          {...form.getInputProps('reason')}
        />
      )}
      <Textarea label={t`Comment`} rows={2} maxLength={500} {...form.getInputProps('comment')} />
      {preview.isPending && <Skeleton lines={2} label={t`Loading preview`} />}
      {preview.isError && (
        <ErrorState
          failed={t`Failed to load the preview`}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.data && <Consequences preview={preview.data} />}
    </DialogForm>
  );
}

function Consequences({ preview }: { preview: RejectionPreview }) {
  const { images, keyImages, measurements, hasFinalizedReport, isOnLegalHold, isWholeStudy } = preview;
  if (images === 0) return <Notice tone="warning">{t`These images are no longer in the study.`}</Notice>;
  return (
    <>
      <p>
        {t`${plural(images, { one: '# image is', other: '# images are' })} hidden from all readers and other systems.`}{' '}
        {t`The files stay stored. You can restore them on the study page.`}
      </p>
      {isWholeStudy && <Notice tone="warning">{t`The study then shows no images.`}</Notice>}
      {hasFinalizedReport && keyImages > 0 && (
        <Notice tone="danger">
          {t`The finalized report refers to ${plural(keyImages, { one: '# key image', other: '# key images' })} among these.`}{' '}
          {t`Its text keeps copied images.`}
        </Notice>
      )}
      {hasFinalizedReport && keyImages === 0 && (
        <Notice tone="warning">{t`The study has a finalized report. Its text may describe these images.`}</Notice>
      )}
      {!hasFinalizedReport && keyImages > 0 && (
        <Notice tone="warning">
          {t`${plural(keyImages, { one: '# key image is', other: '# key images are' })} hidden, too.`}
        </Notice>
      )}
      {measurements > 0 && (
        <Notice tone="warning">
          {t`${plural(measurements, { one: '# measurement is', other: '# measurements are' })} hidden, too.`}
        </Notice>
      )}
      {isOnLegalHold && <Notice tone="info">{t`The study is on legal hold. Nothing is deleted.`}</Notice>}
    </>
  );
}
