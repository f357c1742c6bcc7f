import { t } from '@lingui/core/macro';
import { keyImages, keyImagesExport } from '@radwork/contract/reading/key-images';
import { measurements, measurementsExport } from '@radwork/contract/reading/measurements';

/** Documents that the server makes from a study, with their endpoints and texts. */
export const documentKinds = {
  measurements: {
    exported: measurementsExport,
    store: measurements.store,
    fileName: 'measurements.dcm',
    label: t`DICOM measurement report`,
    download: t`Download DICOM SR`,
    nothing: t`This study has no measurements yet`,
    waiting: t`The latest measurements are not saved yet`,
    question: t`Store the measurements in the study?`,
    consequence: t`This stores the measurements in the study as a DICOM structured report, visible to all users and other systems. The structured report cannot be changed. Later measurements are stored as a new report that refers to it.`,
    stored: t`Measurements stored in the study`,
    isThere: t`The study already has these measurements`,
    notExported: t`The measurements could not be exported`,
    notStored: t`The measurements could not be stored`,
  },
  keyImages: {
    exported: keyImagesExport,
    store: keyImages.store,
    fileName: 'key-images.dcm',
    label: t`DICOM key image selection`,
    download: t`Download DICOM KO`,
    nothing: t`This study has no key images yet`,
    waiting: '',
    question: t`Store the key images in the study?`,
    consequence: t`This stores the key images with their notes in the study as a DICOM key object selection, visible to all users and other systems. The selection cannot be changed. Later key images are stored as a new selection.`,
    stored: t`Key images stored in the study`,
    isThere: t`The study already has these key images`,
    notExported: t`The key images could not be exported`,
    notStored: t`The key images could not be stored`,
  },
} as const;

export type DocumentKind = (typeof documentKinds)[keyof typeof documentKinds];
