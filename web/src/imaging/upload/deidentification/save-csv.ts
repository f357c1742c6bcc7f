import { byteOrderMark } from '@radwork/contract/core/csv';
import { saveFile } from '#core/browser/save-file.ts';

/** Downloads a CSV table, as returned by `csvOf`. */
export const saveCsv = (name: string, csv: string) =>
  saveFile(name, new Blob([byteOrderMark, csv], { type: 'text/csv' }));
