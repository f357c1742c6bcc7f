import { t } from '@lingui/core/macro';
import { detailOf, isForProcessing } from '#reading/viewer/hanging/projection-kind.ts';
import { projectionName, projectionOf } from '#reading/viewer/hanging/projection.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import styles from '#reading/viewer/shell/overlays.module.css';

const detailNames = {
  magnification: t`magnification`,
  spot: t`spot view`,
  modified: t`modified view`,
  partial: t`partial view`,
  '': '',
};

/** Side and view of a mammogram, such as "R CC", and a caution on raw data. Saved pictures include the caution. */
export function ViewName({ header }: { header: DicomJson }) {
  const name = textOf(header, tag.Modality) === 'MG' ? projectionName(projectionOf(header)) : '';
  const words = [name, name && detailNames[detailOf(header)]].filter(Boolean).join(', ');
  const raw = isForProcessing(header) ? t`Raw image (FOR PROCESSING), not meant for reading` : '';
  return (
    <>
      {words && <strong data-testid="view-name">{words}</strong>}
      {raw && (
        <strong className={styles.caution} data-picture-fact={raw}>
          {raw}
        </strong>
      )}
    </>
  );
}
