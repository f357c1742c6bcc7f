/** One element of the DICOM JSON Model (PS3.18 §F.2). */
type Element = { vr: string; Value?: readonly unknown[]; InlineBinary?: string; BulkDataURI?: string };

/** The header of one instance, or an item of one of its sequences, as WADO-RS metadata tells it. Keys are tags. */
export type DicomJson = { readonly [tag: string]: Element };

/**
 * The attributes that the viewer reads itself; the imaging library reads the rest on its own. They are named here
 * because the reader of `@radwork/dicom` would bring the whole dictionary into the browser.
 */
export const tag = {
  SOPInstanceUID: '00080018',
  Modality: '00080060',
  RecommendedDisplayFrameRate: '00082144',
  PatientID: '00100020',
  SliceThickness: '00180050',
  CineRate: '00180040',
  FrameTime: '00181063',
  InstanceNumber: '00200013',
  ImagePositionPatient: '00200032',
  ImageOrientationPatient: '00200037',
  PatientOrientation: '00200020',
  PlanePositionSequence: '00209113',
  PlaneOrientationSequence: '00209116',
  NumberOfFrames: '00280008',
  Rows: '00280010',
  WindowCenter: '00281050',
  WindowWidth: '00281051',
  WindowCenterWidthExplanation: '00281055',
  SharedFunctionalGroupsSequence: '52009229',
  PerFrameFunctionalGroupsSequence: '52009230',
} as const;

type Tag = (typeof tag)[keyof typeof tag];

/** The values of an attribute that are text; empty when the header lacks it. */
export const textsOf = (header: DicomJson, attribute: Tag): string[] =>
  (header[attribute]?.Value ?? []).flatMap((value) => (typeof value === 'string' ? [value.trim()] : []));

/** The first value of a text attribute, '' when the header lacks it. */
export const textOf = (header: DicomJson, attribute: Tag): string => textsOf(header, attribute)[0] ?? '';

/** The values of a numeric attribute. Some servers write decimal strings as strings; what is no number is left out. */
export const numbersOf = (header: DicomJson, attribute: Tag): number[] =>
  (header[attribute]?.Value ?? [])
    .map((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value));

/** The first value of a numeric attribute, undefined when the header lacks it. */
export const numberOf = (header: DicomJson, attribute: Tag): number | undefined => numbersOf(header, attribute)[0];

/** The items of a sequence. */
export const itemsOf = (header: DicomJson, attribute: Tag): DicomJson[] =>
  (header[attribute]?.Value ?? []).filter((value): value is DicomJson => typeof value === 'object' && value !== null);
