import { t } from '@lingui/core/macro';
import { formatLocal } from '#ui/formats/formats.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { Picture } from './picture.ts';

export const sexes = { M: t`male`, F: t`female`, O: t`other`, U: t`sex unknown` } as const;

type DescribedPicture = Pick<Picture, 'study' | 'series' | 'headers' | 'facts' | 'titles' | 'place'>;

/** Text around a picture, line by line. */
export type PictureText = {
  /** Lines that identify the patient; empty for a picture without identity. */
  above: string[];
  /** Lines with warnings. */
  cautions: string[];
  below: string[];
};

const joined = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join('  ·  ');

/** Returns the Patient IDs in the image headers that differ from the patient of the study. */
const othersNamed = ({ study, headers }: DescribedPicture): string[] => {
  const patientIds = headers.map((header) => textOf(header, tag.PatientID));
  return [...new Set(patientIds)].filter((id) => id !== '' && id !== study.patient.patientId);
};

const modalitiesOf = ({ series }: DescribedPicture): string[] => [...new Set(series.map(({ modality }) => modality))];

/**
 * Returns the lines that identify the patient. They include descriptions and dates, because users may have typed
 * identifying text.
 */
const identityOf = ({ study, series, titles }: DescribedPicture): string[] => {
  const { patient, studyDescription, studyDate, accessionNumber } = study;
  return [
    joined([
      patient.patientName || t`No name`,
      patient.patientId,
      patient.dateOfBirth ?? t`birth date unknown`,
      sexes[patient.gender],
    ]),
    joined([
      studyDescription || t`No description`,
      formatLocal(studyDate) || t`no date`,
      accessionNumber !== '' && t`Accession ${accessionNumber}`,
    ]),
    joined(
      series.map(({ seriesNumber, seriesDescription }) => {
        const number = seriesNumber ?? '–';
        return `${t`Series ${number}`} ${seriesDescription}`.trim();
      }),
    ),
    ...titles,
  ];
};

/** Returns the text around a picture. Unless `isIdentified` is true, it contains no patient data and no dates. */
export const pictureTextOf = (picture: DescribedPicture, isIdentified: boolean): PictureText => {
  const numbers = picture.series.map(({ seriesNumber }) => seriesNumber ?? '–').join(' + ');
  return {
    above: isIdentified ? identityOf(picture) : [],
    cautions: isIdentified ? othersNamed(picture).map((id) => t`The image names patient ${id}`) : [],
    below: [
      joined([modalitiesOf(picture).join(' + '), t`Series ${numbers}`, ...picture.facts]),
      t`Not for primary diagnosis`,
    ],
  };
};

const inFileName = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** Returns the file name. Unless `isIdentified` is true, it contains only the numbers of series and image. */
export const fileNameOf = (picture: DescribedPicture, isIdentified: boolean): string => {
  const { study, series, place } = picture;
  const numbers = series.flatMap(({ seriesNumber }) => seriesNumber ?? []).join(' ');
  const parts = [
    ...(isIdentified ? [study.patient.patientName, study.patient.patientId, (study.studyDate ?? '').slice(0, 10)] : []),
    ...modalitiesOf(picture),
    ...(numbers ? [t`series ${numbers}`] : []),
    place,
  ];
  return `${parts.map(inFileName).filter(Boolean).join('-')}.png`;
};
