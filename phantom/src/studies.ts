/** Generated studies with known geometry and values (known-values.ts). The same options give the same bytes. */
export { ctVolume } from './ct.ts';
export { studyDocuments } from './documents.ts';
export { doseReport } from './dose-report.ts';
export { enhancedCt, enhancedMr } from './enhanced.ts';
export { magneticResonance } from './magnetic-resonance.ts';
export type { Person } from './patients.ts';
export { petCt } from './pet-ct.ts';
export { presentationStates } from './presentation-states.ts';
export { computedRadiography, type RadiographyOptions } from './radiography.ts';
export { binarySegmentation, fractionalSegmentation, type Marking } from './segmentation.ts';
export { doseVolume, type DoseForm, treatmentPlan } from './dose.ts';
export { slidePyramid, type SlideOptions } from './slide.ts';
export { structureSet } from './structure-set.ts';
export type { PhantomFile, StudyOptions } from './study.ts';
export { ultrasoundCine } from './ultrasound.ts';
