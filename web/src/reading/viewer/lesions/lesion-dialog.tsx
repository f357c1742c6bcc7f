import { t } from '@lingui/core/macro';
import { Autocomplete, Button, Checkbox, Select, TextInput } from '@mantine/core';
import {
  lesionKindLabels,
  lesionKinds,
  lesionStateLabels,
  statesOfKind,
} from '@radwork/contract/reading/lesion-states';
import type { Lesion } from '@radwork/contract/reading/lesions';
import { type Measurement, measurementToolLabels } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import styles from './lesion-panel.module.css';
import { useAddLesion, useAssessLesion, useSaveLesion, useUnlinkLesion } from './use-lesions.ts';

type Props = {
  studyId: string;
  /** The lesion to edit. Without it, the dialog adds one. */
  lesion?: Lesion;
  /** Measurements of the study without a lesion. */
  free: readonly Measurement[];
  onClose: () => void;
};

/** Adds or edits a lesion: name, organ, kind, and its state in this study. */
export function LesionDialog(props: Props) {
  return (
    <Dialog opened onClose={props.onClose} title={props.lesion ? t`Edit lesion` : t`Add lesion`} size={440}>
      <LesionForm {...props} />
    </Dialog>
  );
}

const organs = () => [
  t`Adrenal gland`,
  t`Bone`,
  t`Brain`,
  t`Kidney`,
  t`Liver`,
  t`Lung`,
  t`Lymph node`,
  t`Pancreas`,
  t`Peritoneum`,
  t`Pleura`,
  t`Soft tissue`,
  t`Spleen`,
];

function LesionForm({ studyId, lesion, free, onClose }: Props) {
  const add = useAddLesion();
  const save = useSaveLesion();
  const [facts, setFacts] = useState({
    label: lesion?.label ?? free[0]?.label ?? '',
    organ: lesion?.organ ?? '',
    isNode: lesion?.isNode ?? false,
    kind: lesion?.kind ?? ('TARGET' as const),
  });
  const [measurementId, setMeasurementId] = useState(free[0]?.id ?? '');
  const submit = () =>
    lesion
      ? save.mutate(
          { params: { id: studyId, lesionId: lesion.id }, body: { ...facts, revision: lesion.revision } },
          { onSuccess: onClose },
        )
      : add.mutate(
          { params: { id: studyId }, body: { ...facts, ...(measurementId !== '' && { measurementId }) } },
          { onSuccess: onClose },
        );
  return (
    <DialogForm
      verb={lesion ? t`Save` : t`Add lesion`}
      action={lesion ? save : add}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {!lesion && (
        <Select
          label={t`Measurement`}
          data={[
            { value: '', label: t`Without measurement` },
            ...free.map((one) => ({
              value: one.id,
              label: [one.label || measurementToolLabels[one.tool], summaryOf(one.values)].join(' · '),
            })),
          ]}
          value={measurementId}
          allowDeselect={false}
          onChange={(value) => setMeasurementId(value ?? '')}
        />
      )}
      <TextInput
        label={t`Name`}
        maxLength={200}
        value={facts.label}
        data-autofocus
        onChange={(event) => setFacts({ ...facts, label: event.currentTarget.value })}
      />
      <Autocomplete
        label={t`Organ`}
        data={organs()}
        maxLength={60}
        value={facts.organ}
        onChange={(organ) => setFacts({ ...facts, organ })}
      />
      <Checkbox
        label={t`Lymph node: the short axis counts`}
        checked={facts.isNode}
        onChange={(event) => setFacts({ ...facts, isNode: event.currentTarget.checked })}
      />
      <Select
        label={t`Kind`}
        data={lesionKinds.map((value) => ({ value, label: lesionKindLabels[value] }))}
        value={facts.kind}
        allowDeselect={false}
        onChange={(value) => setFacts({ ...facts, kind: lesionKinds.find((one) => one === value) ?? facts.kind })}
      />
      {lesion && <StateHere studyId={studyId} lesion={lesion} />}
    </DialogForm>
  );
}

/** Chooses the state of a lesion in this study, and separates its measurement. Both are saved at once. */
function StateHere({ studyId, lesion }: { studyId: string; lesion: Lesion }) {
  const assess = useAssessLesion();
  const unlink = useUnlinkLesion();
  const here = lesion.readings.find((reading) => reading.studyId === studyId);
  const [state, setState] = useState(here?.state ?? null);
  const measurementId = here?.measurementId;
  return (
    <>
      <Select
        label={t`State in this study`}
        description={t`Saved at once. A state takes precedence over a diameter.`}
        placeholder={t`By its diameter`}
        clearable
        data={statesOfKind[lesion.kind].map((value) => ({ value, label: lesionStateLabels[value] }))}
        value={state}
        onChange={(value) => {
          const chosen = statesOfKind[lesion.kind].find((one) => one === value) ?? null;
          setState(chosen);
          assess.mutate(
            { params: { id: studyId, lesionId: lesion.id }, body: { state: chosen } },
            { onError: () => setState(here?.state ?? null) },
          );
        }}
      />
      {measurementId && (
        <div className={styles.buttons}>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            loading={unlink.isPending}
            onClick={() => unlink.mutate({ params: { id: studyId, measurementId } })}
          >
            {t`Separate the measurement of this study`}
          </Button>
        </div>
      )}
    </>
  );
}
