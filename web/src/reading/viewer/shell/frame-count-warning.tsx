import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import styles from './overlays.module.css';

/** The name that the server writes when it corrects the metadata of a file (PS3.3 §C.12.1.1.9). */
const server = 'Radwork';

/**
 * Returns a caution when the server corrected the number of frames, because the file contradicted its own pixel data.
 * Corrections of other systems need none: their files agree with themselves.
 */
const frameCountText = (header: DicomJson): string => {
  const [corrected] = itemsOf(header, tag.OriginalAttributesSequence)
    .filter((item) => textOf(item, tag.ModifyingSystem) === server)
    .flatMap((item) => itemsOf(item, tag.ModifiedAttributesSequence))
    .filter((item) => tag.NumberOfFrames in item);
  if (!corrected) return '';
  const found = numberOf(header, tag.NumberOfFrames) ?? 1;
  const stated = numberOf(corrected, tag.NumberOfFrames) ?? textOf(corrected, tag.NumberOfFrames);
  return stated === ''
    ? t`Frames: ${found} found, the file gives no number`
    : t`Frames: ${found} found, the file gives ${stated}`;
};

/** Warns of a number of frames that differs from the file's. Saved pictures include the warning. */
export function FrameCountWarning({ header }: { header: DicomJson }) {
  const words = frameCountText(header);
  if (words === '') return null;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
