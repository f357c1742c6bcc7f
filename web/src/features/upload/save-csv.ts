import { byteOrderMark } from '@radwork/contract/csv';
import { saveFile } from '#core/save-file.ts';

/** Hands a table, as `csvOf` writes it, to the person as a file. */
export const saveCsv = (name: string, csv: string) =>
  saveFile(name, new Blob([byteOrderMark, csv], { type: 'text/csv' }));
