import { type DicomJson, tag, textOf } from './dicom-json.ts';

/** VL Whole Slide Microscopy Image Storage (PS3.4 §B.5). */
const wholeSlideStorage = '1.2.840.10008.5.1.4.1.1.77.1.6';

/** Whether an instance is an image of a slide: a level, a label or an overview (PS3.3 §A.32.8). */
export const isSlideImage = (header: DicomJson): boolean => textOf(header, tag.SOPClassUID) === wholeSlideStorage;
