import { t } from '@lingui/core/macro';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type HangingPane, planes } from '@radwork/contract/reading/hanging-rules';
import styles from './hanging-rules.module.css';
import { planeLabels } from './rule-texts.ts';

type Props = {
  number: number;
  pane: HangingPane;
  modality: string;
  hasPrior: boolean;
  isReadOnly: boolean;
  onChange: (pane: HangingPane) => void;
};

/** Terms by which the viewer recognizes series. DICOM terms are not translated. */
const terms = [
  { modalities: ['MR'], group: t`Sequence`, items: ['T1', 'T2', 'T2*', 'PD', 'FLAIR', 'STIR', 'DWI', 'MRA'] },
  { modalities: ['MG'], group: t`View`, items: ['R CC', 'L CC', 'R MLO', 'L MLO', 'R ML', 'L ML', 'R LM', 'L LM'] },
  { modalities: ['CR', 'DX', 'XR'], group: t`View`, items: ['PA', 'AP', 'LL', 'RL', 'LAT'] },
  { modalities: ['PT', 'NM'], group: t`Modality`, items: ['CT', 'MR', 'PT', 'NM'] },
];

const choicesFor = (modality: string, shown: string) => {
  const fitting = terms.filter(({ modalities }) => modality === '' || modalities.includes(modality));
  const isKnown = shown === '' || fitting.some(({ items }) => items.includes(shown));
  return [
    { value: '', label: t`Next series` },
    // A term of a saved layout, such as "R CC spot".
    ...(isKnown ? [] : [{ value: shown, label: shown }]),
    ...fitting.map(({ group, items }) => ({ group, items: items.map((value) => ({ value, label: value })) })),
  ];
};

/** Fields for the series of one viewport. */
export function PaneFields({ number, pane, modality, hasPrior, isReadOnly, onChange }: Props) {
  return (
    <fieldset className={styles.pane} disabled={isReadOnly}>
      <legend>{t`Viewport ${number}`}</legend>
      <NativeSelect
        label={t`Shows`}
        value={pane.shows}
        data={choicesFor(modality, pane.shows)}
        onChange={({ currentTarget }) => onChange({ ...pane, shows: currentTarget.value })}
      />
      <NativeSelect
        label={t`Plane`}
        value={pane.plane}
        data={(['', ...planes] as const).map((value) => ({ value, label: planeLabels[value] }))}
        onChange={({ currentTarget }) =>
          onChange({ ...pane, plane: planes.find((plane) => plane === currentTarget.value) ?? '' })
        }
      />
      <TextInput
        label={t`Words of the series description`}
        maxLength={80}
        value={pane.words}
        onChange={({ currentTarget }) => onChange({ ...pane, words: currentTarget.value })}
      />
      {hasPrior && (
        <Checkbox
          label={t`Prior`}
          checked={pane.isPrior}
          onChange={({ currentTarget }) => onChange({ ...pane, isPrior: currentTarget.checked })}
        />
      )}
    </fieldset>
  );
}
