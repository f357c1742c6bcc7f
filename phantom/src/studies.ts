/** Generated studies whose geometry and values are known: truth.ts has them. The same options give the same bytes. */
export { ctVolume } from './ct.ts';
export { doseReport } from './dose-report.ts';
export { magneticResonance } from './magnetic-resonance.ts';
export type { Person } from './patients.ts';
export { petCt } from './pet-ct.ts';
export { computedRadiography, type RadiographyOptions } from './radiography.ts';
export type { PhantomFile, StudyOptions } from './study.ts';
export { ultrasoundCine } from './ultrasound.ts';
