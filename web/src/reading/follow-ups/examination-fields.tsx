import { t } from '@lingui/core/macro';
import { Select, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { followUpPartLabels, followUpParts } from '@radwork/contract/reading/follow-up-parts';
import { followUpModalities, followUpModalityLabels } from '@radwork/contract/reading/follow-up-states';
import styles from './follow-ups.module.css';

type Field = 'modality' | 'bodyPart' | 'dueFrom' | 'dueTo';

/** Fields of the recommended examination. Dates are typed as "yyyy-MM-dd". */
export function ExaminationFields({ propsOf }: { propsOf: (field: Field) => GetInputPropsReturnType }) {
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={t`Modality`}
          data={[
            { value: '', label: t`Not stated` },
            ...followUpModalities.map((value) => ({ value, label: followUpModalityLabels[value] })),
          ]}
          allowDeselect={false}
          data-autofocus
          {...propsOf('modality')}
        />
        <Select
          label={t`Body part`}
          data={[
            { value: '', label: t`Not stated` },
            ...followUpParts.map((value) => ({ value, label: followUpPartLabels[value] })),
          ]}
          allowDeselect={false}
          searchable
          {...propsOf('bodyPart')}
        />
      </div>
      <div className={styles.pair}>
        <TextInput label={t`Due from`} inputMode="numeric" autoComplete="off" {...propsOf('dueFrom')} />
        <TextInput label={t`Due until`} inputMode="numeric" autoComplete="off" {...propsOf('dueTo')} />
      </div>
    </>
  );
}
