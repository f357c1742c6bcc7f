import { t } from '@lingui/core/macro';
import styles from './plane-layers.module.css';
import type { PlaneLayersShown } from './use-plane-layers.ts';

/** Names of parts of a study that its planes do not show now. Hidden parts can be shown by a button. */
const namesOf = ({ study, segments, dose }: PlaneLayersShown): string[] => [
  ...(segments.hasAny && !segments.isOn ? [t`segments`] : []),
  ...(dose.hasAny && !dose.isOn ? [t`dose`] : []),
  ...(study.series.some(({ modality }) => modality === 'PR') ? [t`presentation states`] : []),
];

/** Names parts of the study that are not drawn on planes. Saved pictures include the names. */
export function NotDrawn({ layers }: { layers: PlaneLayersShown }) {
  const names = namesOf(layers).join(', ');
  if (names === '') return null;
  const words = t`Not drawn here: ${names}`;
  return (
    <p className={styles.notDrawn} data-picture-fact={words}>
      {words}
    </p>
  );
}
