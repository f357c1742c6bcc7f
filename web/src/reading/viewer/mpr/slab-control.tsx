import { t } from '@lingui/core/macro';
import { NumberInput, Select } from '@mantine/core';
import { type Slab, type SlabKind, slabKinds, slabLabels, thickest } from '#reading/viewer/volumes/slab.ts';
import bar from '#reading/viewer/shell/toolbar.module.css';
import styles from './slab-control.module.css';

type Props = { slab: Slab; onSlab: (slab: Slab) => void };

const kinds = slabKinds.map((value) => ({ value, label: slabLabels[value] }));
const isKind = (value: string | null): value is SlabKind => slabKinds.some((kind) => kind === value);

/** Controls for the thickness of the planes and the projection of the slab. */
export function SlabControl({ slab, onSlab }: Props) {
  return (
    // Stops the event here, because the toolbar prevents clicks from moving the focus, and these fields need the focus.
    <div className={bar.group} onMouseDown={(event) => event.stopPropagation()}>
      <Select
        aria-label={t`Slab mode`}
        className={styles.kind ?? ''}
        data={kinds}
        value={slab.kind}
        allowDeselect={false}
        onChange={(kind) => isKind(kind) && onSlab({ ...slab, kind })}
      />
      <NumberInput
        aria-label={t`Slab thickness`}
        className={styles.thickness ?? ''}
        value={slab.thickness}
        min={0}
        max={thickest}
        step={5}
        suffix=" mm"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onChange={(thickness) => {
          if (typeof thickness === 'number' && thickness <= thickest) onSlab({ ...slab, thickness });
        }}
      />
    </div>
  );
}
