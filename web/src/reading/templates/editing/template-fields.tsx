import { t } from '@lingui/core/macro';
import { Autocomplete, NativeSelect, Switch, TextInput } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import type { TemplateDraft, TemplateWriting } from './template-draft.ts';
import styles from './template-editor.module.css';

/** Common body parts, with DICOM names (PS3.16 Annex L). */
const commonBodyParts = (
  'ABDOMEN ABDOMENPELVIS ANKLE BRAIN BREAST CHEST CSPINE ELBOW EXTREMITY FOOT HAND HEAD HEART HIP KNEE LSPINE NECK PELVIS PROSTATE ' +
  'SHOULDER SKULL SPINE THYROID TSPINE WRIST'
).split(' ');

type Props = { writing: TemplateWriting; faults: Record<string, string> };

/** Fields for the name and purpose of a template. */
export function TemplateFields({ writing: { draft, change }, faults }: Props) {
  const set = (fields: Partial<TemplateDraft>) => change((before) => ({ ...before, ...fields }));
  return (
    <div className={styles.fields}>
      <TextInput
        label={t`Name`}
        withAsterisk
        maxLength={120}
        value={draft.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t`Modality`}
        withAsterisk
        value={draft.modality}
        error={faults.modality}
        onChange={(event) => set({ modality: event.currentTarget.value })}
        data={[{ value: '', label: t`Select` }, ...modalities]}
      />
      <Autocomplete
        label={t`Body part`}
        placeholder={t`Any`}
        maxLength={64}
        data={commonBodyParts}
        value={draft.bodyPart}
        error={faults.bodyPart}
        onChange={(bodyPart) => set({ bodyPart: bodyPart.toUpperCase() })}
      />
      <TextInput
        label={t`Description`}
        maxLength={500}
        value={draft.description}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Switch
        className={styles.active}
        label={t`Active`}
        checked={draft.isActive}
        onChange={(event) => set({ isActive: event.currentTarget.checked })}
      />
    </div>
  );
}
