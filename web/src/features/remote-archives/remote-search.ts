import { z } from 'zod';
import { wordsInAddress } from '#core/list-address.ts';

/** What the address of Remote Studies Search may say. Without a configuration nothing has been searched yet. */
export const remoteSearch = z.object({
  configId: wordsInAddress,
  patientName: wordsInAddress,
  patientId: wordsInAddress,
  accessionNumber: wordsInAddress,
  modality: wordsInAddress,
  startDate: wordsInAddress,
  endDate: wordsInAddress,
});
export type RemoteSearch = z.infer<typeof remoteSearch>;

export const keyNames = ['patientName', 'patientId', 'accessionNumber', 'modality', 'startDate', 'endDate'] as const;

const digits = (day: string | undefined): string => (day ?? '').replaceAll('-', '');

/** The keys as the server takes them; two days make one range, and one of them a range with an open end. */
export const keysOf = ({ startDate, endDate, ...keys }: Omit<RemoteSearch, 'configId'>) => ({
  ...keys,
  studyDate: startDate || endDate ? `${digits(startDate)}-${digits(endDate)}` : '',
});
