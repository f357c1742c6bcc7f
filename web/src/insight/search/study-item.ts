import { t } from '@lingui/core/macro';
import type { IdentityMark } from '@radwork/contract/imaging/identities';
import type { SearchAnswer } from '@radwork/contract/insight/search';
import { formatLocal } from '#ui/formats/formats.ts';
import type { PaletteItem } from './palette-items.ts';

/** Joins the texts that are there. */
export const joined = (...texts: (string | null | undefined)[]): string => texts.filter(Boolean).join(' · ');

const identityNote = (name: string): string => t`Identity to be confirmed: or ${name}`;

/**
 * Returns a mark for an item whose images may belong to another patient. The search also finds it by that patient's
 * name.
 */
export const inQuestion = (mark: IdentityMark | null | undefined) =>
  mark && identityNote(mark.otherName || t`another patient`);

type FoundStudy = SearchAnswer['studies'][number];

/** Returns the item of a study, the same for results and for recent studies. */
export const studyItem = ({
  id,
  accessionNumber,
  description,
  modality,
  studyDate,
  patient,
  identity,
}: FoundStudy): PaletteItem => ({
  id: `study-${id}`,
  label: joined(accessionNumber, patient.patientName || t`No name`),
  detail: joined(modality, description, formatLocal(studyDate), inQuestion(identity)),
  href: `/studies/${id}`,
});
