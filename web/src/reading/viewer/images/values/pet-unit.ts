/** PET units (PS3.3 §C.8.9.1.1.3) that are shown in another form. */
const printed: Record<string, string> = {
  BQML: 'Bq/ml',
  CNTS: 'counts',
  GML: 'g/ml',
  CPS: 'counts/s',
  PROPCNTS: '∝ counts',
};

/** Returns the readable form of a PET unit. Undefined if the code itself is readable. */
export const printedUnit = (code: string): string | undefined => printed[code];
