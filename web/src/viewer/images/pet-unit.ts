/** Units of PET (PS3.3 §C.8.9.1.1.3) that people read in another form. */
const printed: Record<string, string> = {
  BQML: 'Bq/ml',
  CNTS: 'counts',
  GML: 'g/ml',
  CPS: 'counts/s',
  PROPCNTS: '∝ counts',
};

/** The unit of a PET as it is printed behind a number, where its code is none that people read; else undefined. */
export const printedUnit = (code: string): string | undefined => printed[code];
