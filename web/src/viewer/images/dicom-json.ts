/** One element of the DICOM JSON Model (PS3.18 §F.2). */
type Element = { vr: string; Value?: readonly unknown[]; InlineBinary?: string; BulkDataURI?: string };

/** The header of one instance, or an item of one of its sequences, as WADO-RS metadata tells it. Keys are tags. */
export type DicomJson = { readonly [tag: string]: Element };

/**
 * The attributes that the viewer reads itself; the imaging library reads the rest on its own. They are named here
 * because the reader of `@radwork/dicom` would bring the whole dictionary into the browser.
 */
export const tag = {
  SOPClassUID: '00080016',
  SOPInstanceUID: '00080018',
  SeriesDate: '00080021',
  AcquisitionDate: '00080022',
  SeriesTime: '00080031',
  AcquisitionTime: '00080032',
  Modality: '00080060',
  CodeValue: '00080100',
  CodeMeaning: '00080104',
  TimezoneOffsetFromUTC: '00080201',
  SeriesDescription: '0008103E',
  ReferencedSeriesSequence: '00081115',
  ReferencedInstanceSequence: '0008114A',
  ReferencedSOPInstanceUID: '00081155',
  ReferencedFrameNumber: '00081160',
  SourceImageSequence: '00082112',
  StageName: '00082120',
  StageNumber: '00082122',
  ViewName: '00082127',
  ViewNumber: '00082128',
  StartTrim: '00082142',
  StopTrim: '00082143',
  RecommendedDisplayFrameRate: '00082144',
  AvailableTransferSyntaxUID: '00083002',
  DerivationImageSequence: '00089124',
  PatientID: '00100020',
  PatientWeight: '00101030',
  SliceThickness: '00180050',
  CineRate: '00180040',
  SpacingBetweenSlices: '00180088',
  FrameTime: '00181063',
  RadiopharmaceuticalStartTime: '00181072',
  RadionuclideTotalDose: '00181074',
  RadionuclideHalfLife: '00181075',
  RadiopharmaceuticalStartDateTime: '00181078',
  DistanceSourceToPatient: '00181111',
  ActualFrameDuration: '00181242',
  FrameTimeVector: '00181065',
  HeartRate: '00181088',
  PreferredPlaybackSequencing: '00181244',
  ViewPosition: '00185101',
  MechanicalIndex: '00185022',
  SequenceOfUltrasoundRegions: '00186011',
  RegionSpatialFormat: '00186012',
  RegionFlags: '00186016',
  RegionLocationMinX0: '00186018',
  RegionLocationMinY0: '0018601A',
  RegionLocationMaxX1: '0018601C',
  RegionLocationMaxY1: '0018601E',
  ReferencePixelX0: '00186020',
  ReferencePixelY0: '00186022',
  PhysicalUnitsXDirection: '00186024',
  PhysicalUnitsYDirection: '00186026',
  ReferencePixelPhysicalValueX: '00186028',
  ReferencePixelPhysicalValueY: '0018602A',
  PhysicalDeltaX: '0018602C',
  PhysicalDeltaY: '0018602E',
  ImagerPixelSpacing: '00181164',
  SeriesInstanceUID: '0020000E',
  InstanceNumber: '00200013',
  ImagePositionPatient: '00200032',
  ImageOrientationPatient: '00200037',
  PatientOrientation: '00200020',
  FrameOfReferenceUID: '00200052',
  Laterality: '00200060',
  ImageLaterality: '00200062',
  PlanePositionSequence: '00209113',
  PlaneOrientationSequence: '00209116',
  SamplesPerPixel: '00280002',
  PhotometricInterpretation: '00280004',
  PlanarConfiguration: '00280006',
  NumberOfFrames: '00280008',
  Rows: '00280010',
  Columns: '00280011',
  PixelSpacing: '00280030',
  BurnedInAnnotation: '00280301',
  CorrectedImage: '00280051',
  PixelAspectRatio: '00280034',
  BitsAllocated: '00280100',
  BitsStored: '00280101',
  HighBit: '00280102',
  PixelRepresentation: '00280103',
  PixelPaddingValue: '00280120',
  WindowCenter: '00281050',
  WindowWidth: '00281051',
  RescaleIntercept: '00281052',
  RescaleSlope: '00281053',
  RescaleType: '00281054',
  WindowCenterWidthExplanation: '00281055',
  VOILUTFunction: '00281056',
  ModalityLUTSequence: '00283000',
  VOILUTSequence: '00283010',
  PixelMeasuresSequence: '00289110',
  FrameVOILUTSequence: '00289132',
  PixelValueTransformationSequence: '00289145',
  DistanceSourceToEntrance: '00400306',
  ValueType: '0040A040',
  ConceptNameCodeSequence: '0040A043',
  ContentSequence: '0040A730',
  DocumentTitle: '00420010',
  EncapsulatedDocument: '00420011',
  MIMETypeOfEncapsulatedDocument: '00420012',
  EncapsulatedDocumentLength: '00420015',
  RadiopharmaceuticalInformationSequence: '00540016',
  ViewCodeSequence: '00540220',
  Units: '00541001',
  SUVType: '00541006',
  DecayCorrection: '00541102',
  FrameReferenceTime: '00541300',
  PresentationLUTShape: '20500020',
  SegmentationType: '00620001',
  SegmentSequence: '00620002',
  SegmentNumber: '00620004',
  SegmentLabel: '00620005',
  SegmentAlgorithmType: '00620008',
  SegmentAlgorithmName: '00620009',
  SegmentIdentificationSequence: '0062000A',
  ReferencedSegmentNumber: '0062000B',
  RecommendedDisplayCIELabValue: '0062000D',
  MaximumFractionalValue: '0062000E',
  SegmentedPropertyTypeCodeSequence: '0062000F',
  SegmentationFractionalType: '00620010',
  GridFrameOffsetVector: '3004000C',
  StructureSetLabel: '30060002',
  ContourImageSequence: '30060016',
  StructureSetROISequence: '30060020',
  ROINumber: '30060022',
  ReferencedFrameOfReferenceUID: '30060024',
  ROIName: '30060026',
  ROIDisplayColor: '3006002A',
  ROIGenerationAlgorithm: '30060036',
  ROIContourSequence: '30060039',
  ContourSequence: '30060040',
  ContourGeometricType: '30060042',
  NumberOfContourPoints: '30060046',
  ContourData: '30060050',
  ReferencedROINumber: '30060084',
  SharedFunctionalGroupsSequence: '52009229',
  PerFrameFunctionalGroupsSequence: '52009230',
} as const;

export type Tag = (typeof tag)[keyof typeof tag];

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
