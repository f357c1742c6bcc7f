import { z } from 'zod';

const text = z
  .string()
  .transform((given) => given || undefined)
  .optional()
  .catch(undefined);

/** What the address of Remote Studies Search may say. Without a configuration nothing has been searched yet. */
export const remoteSearch = z.object({
  configId: text,
  patientName: text,
  patientId: text,
  accessionNumber: text,
  modality: text,
  startDate: text,
  endDate: text,
});
export type RemoteSearch = z.infer<typeof remoteSearch>;

export const keyNames = ['patientName', 'patientId', 'accessionNumber', 'modality', 'startDate', 'endDate'] as const;

const digits = (day: string | undefined): string => (day ?? '').replaceAll('-', '');

/** The keys as the server takes them; two days make one range, and one of them a range with an open end. */
export const keysOf = ({ startDate, endDate, ...keys }: Omit<RemoteSearch, 'configId'>) => ({
  ...keys,
  studyDate: startDate || endDate ? `${digits(startDate)}-${digits(endDate)}` : '',
});
