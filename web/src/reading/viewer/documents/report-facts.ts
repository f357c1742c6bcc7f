import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, textOf } from '@radwork/dicom/dataset';
import { dateTimeOf, timeOf } from '@radwork/dicom/dicom-date';
import { displayName } from '@radwork/dicom/person-name';
import { formatLocal } from '#ui/formats/formats.ts';

/**
 * Formats a DT value (PS3.5 §6.2) as "yyyy-MM-dd HH:mm". If the value has a time zone, the text has it too. A value
 * without a time gives only the date. An invalid value is returned unchanged.
 */
export const momentInWords = (dicomMoment: string): string => {
  const [, date, time, zone] = /^(\d{8})(\d{2,6})?(?:\.\d*)?([+-]\d{4})?$/.exec(dicomMoment.trim()) ?? [];
  const [day, clock] = [formatLocal(dateTimeOf(date, time)), timeOf(time)];
  if (day === '' || (time && !clock)) return dicomMoment;
  const inZone = zone ? ` (UTC${zone.slice(0, 3)}:${zone.slice(3)})` : '';
  return clock ? `${day}${inZone}` : day.slice(0, 'yyyy-MM-dd'.length);
};

/** Returns the names of the users who verified a report, with the time (PS3.3 §C.17.2). */
const verifiersOf = (report: DicomJson): string =>
  itemsOf(report, 'VerifyingObserverSequence')
    .map((verifier) => {
      const name = displayName(textOf(verifier, 'VerifyingObserverName') ?? '');
      const at = momentInWords(textOf(verifier, 'VerificationDateTime') ?? '');
      return name && at ? `${name} (${at})` : name || at;
    })
    .filter(Boolean)
    .join(', ');

/**
 * Returns whether a person verified a report. Undefined for key object selections, which have no such flag (PS3.3
 * §C.17.2, C.17.6).
 */
export const verificationOf = (report: DicomJson): { isVerified: boolean; words: string } | undefined => {
  const flag = textOf(report, 'VerificationFlag');
  if (flag === undefined) return undefined;
  if (flag !== 'VERIFIED') return { isVerified: false, words: t`Not verified` };
  const verifiers = verifiersOf(report);
  return { isVerified: true, words: verifiers ? t`Verified: ${verifiers}` : t`Verified` };
};

const completions: Record<string, string> = { COMPLETE: t`Complete`, PARTIAL: t`Partial` };

/** Returns patient, date, completion and author device of a report. Leaves out values missing in the file. */
export const reportFacts = (report: DicomJson): [name: string, value: string][] => {
  const completion = textOf(report, 'CompletionFlag') ?? '';
  const content = dateTimeOf(textOf(report, 'ContentDate'), textOf(report, 'ContentTime'));
  const facts: [string, string][] = [
    [t`Patient`, displayName(textOf(report, 'PatientName') ?? '')],
    [t`Patient ID`, textOf(report, 'PatientID') ?? ''],
    [t`Content date`, formatLocal(content)],
    [t`Completion`, completions[completion] ?? completion],
    [t`Equipment`, [textOf(report, 'Manufacturer'), textOf(report, 'ManufacturerModelName')].filter(Boolean).join(' ')],
  ];
  return facts.filter(([, value]) => value !== '');
};
