import { t } from '@lingui/core/macro';
import { keyImages, keyImagesExport } from '@radwork/contract/key-images';
import { measurements, measurementsExport } from '@radwork/contract/measurements';

/** Documents that the server makes from a study, with their endpoints and texts. */
export const documentKinds = {
  measurements: {
    exported: measurementsExport,
    store: measurements.store,
    fileName: 'measurements.dcm',
    label: t`DICOM report of the measurements`,
    download: 'Download DICOM SR',
    nothing: t`Nothing has been measured in this study yet`,
    waiting: 'The last measurements are not kept yet',
    question: t`Store the measurements in the study?`,
    consequence: t`They become a DICOM structured report in a series of the study, which everybody sees and other systems fetch. It stays as it is: measurements that are changed later are stored as another one that refers to it.`,
    stored: 'The measurements are stored in the study',
    isThere: 'The study has them already: nothing was measured since',
    notExported: 'The measurements could not be exported',
    notStored: 'The measurements could not be stored',
  },
  keyImages: {
    exported: keyImagesExport,
    store: keyImages.store,
    fileName: 'key-images.dcm',
    label: t`DICOM selection of the key images`,
    download: 'Download DICOM KO',
    nothing: t`This study has no key images yet`,
    waiting: '',
    question: t`Store the key images in the study?`,
    consequence: t`They become a DICOM key object selection in a series of the study, with their notes, which everybody sees and other systems fetch. It stays as it is: what is marked later is stored as another one.`,
    stored: 'The key images are stored in the study',
    isThere: 'The study has them already: nothing was marked since',
    notExported: 'The key images could not be exported',
    notStored: 'The key images could not be stored',
  },
} as const;

export type DocumentKind = (typeof documentKinds)[keyof typeof documentKinds];
