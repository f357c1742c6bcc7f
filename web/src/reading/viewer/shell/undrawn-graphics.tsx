import { t } from '@lingui/core/macro';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { fileLayersOf } from '#reading/viewer/images/header/file-layers.ts';
import styles from './overlays.module.css';

/** Returns cautions about parts of a file that cannot be drawn. */
const cautionsOf = (header: DicomJson): string[] => {
  const { undrawnPlanes, hasUnusedColors } = fileLayersOf(header);
  return [
    ...(undrawnPlanes > 0 ? [t`Not drawn: overlay planes of the file`] : []),
    ...(hasUnusedColors ? [t`Not drawn: color tables of the file`] : []),
  ];
};

/**
 * Warns of parts of the file that are not drawn, because an overlay plane may mark the side. Names the overlay planes
 * that are drawn. Saved pictures include the warnings.
 */
export function UndrawnGraphics({ header }: { header: DicomJson }) {
  const names = [...new Set(fileLayersOf(header).planes.map(({ name }) => name))].filter(Boolean).join(', ');
  return (
    <>
      {cautionsOf(header).map((words) => (
        <strong key={words} className={styles.caution} data-picture-fact={words}>
          {words}
        </strong>
      ))}
      {names && <span data-picture-title>{t`Overlay: ${names}`}</span>}
    </>
  );
}
