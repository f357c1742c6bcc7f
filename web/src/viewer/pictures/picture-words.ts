import { formatLocal } from '#ui/formats.ts';
import { tag, textOf } from '#viewer/images/dicom-json.ts';
import type { Picture } from './picture.ts';

export const sexes = { M: 'male', F: 'female', O: 'other', U: 'sex unknown' } as const;

type Described = Pick<Picture, 'study' | 'series' | 'headers' | 'facts' | 'titles' | 'place'>;

/** What is written around a picture, line by line. */
export type PictureWords = {
  /** Whose it is; empty on a picture without identity. */
  above: string[];
  /** What must not be overlooked. */
  cautions: string[];
  below: string[];
};

const joined = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join('  ·  ');

/** The patients whom the images name and who are not the patient of the study. */
const othersNamed = ({ study, headers }: Described): string[] => {
  const written = headers.map((header) => textOf(header, tag.PatientID));
  return [...new Set(written)].filter((id) => id !== '' && id !== study.patient.patientId);
};

const modalitiesOf = ({ series }: Described): string[] => [...new Set(series.map(({ modality }) => modality))];

/** Descriptions and dates are written by people and name the patient or the day: they go with the identity. */
const identityOf = ({ study, series, titles }: Described): string[] => {
  const { patient, studyDescription, studyDate, accessionNumber } = study;
  return [
    joined([
      patient.patientName || 'No name',
      patient.patientId,
      patient.dateOfBirth ?? 'birth date unknown',
      sexes[patient.gender],
    ]),
    joined([
      studyDescription || 'No description',
      formatLocal(studyDate) || 'no date',
      accessionNumber !== '' && `Accession ${accessionNumber}`,
    ]),
    joined(
      series.map(({ seriesNumber, seriesDescription }) => `Series ${seriesNumber ?? '–'} ${seriesDescription}`.trim()),
    ),
    ...titles,
  ];
};

/** What is written around a picture. Without identity nothing of it is the patient's or says when they came. */
export const wordsOf = (picture: Described, isIdentified: boolean): PictureWords => {
  const numbers = picture.series.map(({ seriesNumber }) => seriesNumber ?? '–').join(' + ');
  return {
    above: isIdentified ? identityOf(picture) : [],
    cautions: isIdentified ? othersNamed(picture).map((id) => `The image itself names patient ${id}`) : [],
    below: [
      joined([modalitiesOf(picture).join(' + '), `Series ${numbers}`, ...picture.facts]),
      'Not for primary diagnosis',
    ],
  };
};

const inFileName = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** What the file is called. Without identity it says the series and the image by their numbers only. */
export const fileNameOf = (picture: Described, isIdentified: boolean): string => {
  const { study, series, place } = picture;
  const numbers = series.flatMap(({ seriesNumber }) => seriesNumber ?? []);
  const parts = [
    ...(isIdentified ? [study.patient.patientName, study.patient.patientId, (study.studyDate ?? '').slice(0, 10)] : []),
    ...modalitiesOf(picture),
    ...(numbers.length > 0 ? [`series ${numbers.join(' ')}`] : []),
    place,
  ];
  return `${parts.map(inFileName).filter(Boolean).join('-')}.png`;
};
