import { placeholders } from '@radwork/contract/core/placeholders';
import { statedIdentity } from '@radwork/contract/imaging/identities';
import { genderLabels } from '@radwork/contract/imaging/patients';
import { correctedPart, partTitle, type SignedPart, signerText } from '@radwork/contract/reading/report-parts';
import { reportIdentifierLabels } from '@radwork/contract/reading/reporting-settings';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { displayName } from '@radwork/dicom/person-name';
import { localMinute } from '#core/values/local-minute.ts';
import { changeFromPreliminary, type ReportDocument } from '#reading/report-delivery/report-document.ts';
import type { SecondIdentifier } from '#reading/report-delivery/second-identifier.ts';
import { ruleOf } from './blocks.ts';
import type { Content } from './content.ts';
import { widthOf } from './fonts.ts';
import { isHeading, keepHeadingsWithText } from './keep-headings-with-text.ts';
import { wordsOf } from './inlines.ts';
import type { Picture } from './embedded-images.ts';
import { findingsOf } from './findings-section.ts';
import { bodySize, boxed, margin, small, smallSize, textWidth, tiny } from './page-text.ts';
import { setApart } from './visual-order.ts';

/** A converted part of the report, with its signature image. */
export type LaidPart = { part: SignedPart | undefined; body: Content[]; signature: Picture | undefined };

type PageContent = { document: ReportDocument; parts: LaidPart[]; logo: Picture | undefined };

/** Returns the pdfmake document of a report. */
export const pageOf = ({ document, parts, logo }: PageContent): Content => {
  const isFinal = document.status === 'FINALIZED';
  const footer = linesOf(document.organization.footer, mostFooterLines);
  return {
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, Math.max(margin, 34 + (footer.length + 1) * 12)],
    version: '1.7',
    subset: 'PDF/A-2b',
    language: 'en',
    displayTitle: true,
    info: {
      title: isFinal ? 'Radiology report' : `Radiology report (${labelOf(document).toLowerCase()})`,
      author: document.organization.name,
      creator: 'Radwork',
      producer: 'Radwork',
      // The dates are fixed, so that the same report always gives the same file.
      creationDate: new Date(document.changedAt),
      modDate: new Date(document.changedAt),
    },
    defaultStyle: { font: 'Tinos', fontSize: bodySize, lineHeight: 1.12 },
    ...(!isFinal && { watermark: watermark(labelOf(document)) }),
    header: (page: number) => (page > 1 ? runningHead(document) : ''),
    footer: (page: number, pages: number) => runningFoot(footer, page, pages),
    content: [
      letterhead(document, logo),
      factsOf(document),
      ...(isFinal ? [] : [boxed(unsigned(document))]),
      ...noticesOf(document),
      ...findingsOf(document),
      ...parts.flatMap((part) => partOf(part, document.timeZone)),
    ],
  };
};

const mostFooterLines = 5;
const mostLetterheadLines = 12;

const linesOf = (text: string, most: number): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, most);

/** Returns the word for a report that is not signed: "Preliminary 2", "Draft". */
const labelOf = ({ preliminary, status }: ReportDocument): string =>
  preliminary ? `Preliminary ${preliminary.number}` : reportStatusLabels[status];

const unsigned = (document: ReportDocument): string => {
  const { preliminary, timeZone } = document;
  const issued = preliminary && `, issued by ${preliminary.by}, ${localMinute(preliminary.at, timeZone)} (${timeZone})`;
  const count = unfilledIn(document);
  const fields = count === 0 ? '' : ` with ${count} unfilled ${count === 1 ? 'field' : 'fields'}`;
  return `${labelOf(document)}${issued ?? ''}: not a signed report${fields}`;
};

/** Counts the unfilled fields in the text of a report that is not signed. */
const unfilledIn = ({ content }: ReportDocument): number =>
  content.replaceAll(/<[^>]*(?:>|$)/g, '\n').match(placeholders())?.length ?? 0;

const watermark = (words: string): Content => ({
  text: words.toUpperCase(),
  font: 'Tinos',
  color: '#808080',
  opacity: 0.16,
  bold: true,
});

const logoRoom = { width: 150, height: 52 };

const letterhead = ({ organization }: ReportDocument, logo: Picture | undefined): Content => {
  const [first = organization.name, ...others] = linesOf(organization.letterhead, mostLetterheadLines);
  return {
    stack: [
      {
        columns: [
          {
            stack: [
              { text: wordsOf(first, { width: 300, size: 14 }), fontSize: 14, bold: true },
              ...others.map((line) => small(line)),
              ...(organization.contact ? [small(`Questions about this report: ${organization.contact}`)] : []),
            ],
            width: '*',
          },
          ...(logo ? [{ image: logo.source, fit: [logoRoom.width, logoRoom.height], width: 'auto' }] : []),
        ],
        columnGap: 12,
      },
      { ...ruleOf(textWidth), margin: [0, 6, 0, 6] },
    ],
  };
};

/** Displays a DICOM person name. In every script, the text after the name stays after it. */
const nameOf = (name: string): string => setApart(displayName(name));

const orNone = (text: string | null): string => text || '-';
const localDay = (time: string | null): string => orNone(time && time.slice(0, 16).replace('T', ' '));

/** A row with two labels and their values. */
type FactsRow = [string, string, string, string];

const labeled = (identifier: SecondIdentifier | null): [string, string] =>
  identifier ? [reportIdentifierLabels[identifier.kind], identifier.value] : ['', ''];

/** Returns the patient and study data that the reader may see. */
const factRowsOf = ({ reader, patient, study, author, identifier }: ReportDocument): FactsRow[] => {
  if (reader === 'STRANGER') {
    return [
      ['Patient', nameOf(patient.name), 'Study', study.description],
      [...labeled(identifier), 'Study date', localDay(study.dateTime)],
      ['Author', author.name, 'Modality', study.modality],
    ];
  }
  return [
    ['Patient', nameOf(patient.name), 'Study', study.description],
    ['Patient ID', patient.patientId, 'Study date', localDay(study.dateTime)],
    ['Date of birth', orNone(patient.birthDate), 'Modality', study.modality],
    ['Sex', genderLabels[patient.sex], 'Accession number', study.accessionNumber],
    ['Referred by', nameOf(study.referringPhysician), 'Author', author.name],
  ];
};

const factsOf = (document: ReportDocument): Content => {
  const half = textWidth / 2 - 90;
  const cell = (text: string, more: Content): Content => ({
    text: wordsOf(text, { width: half, size: smallSize }),
    fontSize: smallSize,
    ...more,
  });
  const label = { color: '#505050' };
  const value = { bold: true };
  return {
    table: {
      widths: [68, '*', 86, '*'],
      body: factRowsOf(document).map(([one, first, two, second]) => [
        cell(one, label),
        cell(one && orNone(first), value),
        cell(two, label),
        cell(orNone(second), value),
      ]),
    },
    layout: { hLineWidth: (line: number, { table }: Content) => (isLast(line, table) ? 0.7 : 0), ...plain },
    margin: [0, 0, 0, 12],
  };
};

const isLast = (line: number, table: unknown): boolean =>
  typeof table === 'object' &&
  table !== null &&
  'body' in table &&
  Array.isArray(table.body) &&
  line === table.body.length;

const plain = {
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 6,
  paddingTop: () => 1,
  paddingBottom: (line: number, { table }: Content) => (isLast(line + 1, table) ? 6 : 1),
};

/** Returns the notices before the text. */
const noticesOf = ({
  newerSignedAt,
  parts: [, ...addenda],
  timeZone,
  preliminaryChange,
}: ReportDocument): Content[] => {
  const newer = newerSignedAt && `${localMinute(newerSignedAt, timeZone)} (${timeZone})`;
  const names = addenda.map((part) => partTitle(part)).join(', ');
  return [
    newer && `A newer report of this study was signed on ${newer}. Request that report.`,
    preliminaryChange && changeFromPreliminary(preliminaryChange),
    names && `AMENDED after signing. See below: ${names}`,
  ].flatMap((words) => (words ? [boxed(words)] : []));
};

const partOf = ({ part, body, signature }: LaidPart, timeZone: string): Content[] => [
  ...withSignature(
    keepHeadingsWithText([...(part && part.kind !== 'REPORT' ? addendumHead(part) : []), ...body]),
    part ? [signatureBlock(part, signature, timeZone)] : [],
  ),
];

/** Keeps the signature on the page of the last text block, if that block is short. */
const withSignature = (blocks: readonly Content[], signature: readonly Content[]): Content[] => {
  const last = blocks.at(-1);
  if (last?.['unbreakable'] !== true || signature.length === 0) return [...blocks, ...signature];
  return [...blocks.slice(0, -1), { unbreakable: true, stack: [last, ...signature] }];
};

const addendumHead = (part: SignedPart): Content[] => [
  { ...ruleOf(textWidth), margin: [0, 16, 0, 8] },
  { text: partTitle(part), fontSize: 13, bold: true, ...isHeading, margin: [0, 0, 0, 4] },
  ...(part.kind === 'CORRECTION'
    ? [
        small(`Replaces this passage of ${correctedPart(part.corrects)}:`, { ...isHeading }),
        small(part.passage, { italics: true, margin: [12, 2, 0, 6], ...(isShortQuote(part.passage) && isHeading) }),
      ]
    : []),
];

/** Whether a quote is so short that it must stay on the page of the text that replaces it. */
const isShortQuote = (passage: string): boolean => widthOf(passage, smallSize) < 2 * textWidth;

const signatureRoom = { width: 180, height: 56 };

/** Returns signer, time and statement, with the SHA-256 that proves that the text was not changed later. */
const signatureBlock = (part: SignedPart, signature: Picture | undefined, timeZone: string): Content => ({
  unbreakable: true,
  margin: [0, 14, 0, 0],
  stack: [
    { ...ruleOf(textWidth), margin: [0, 0, 0, 5] },
    ...(signature ? [{ image: signature.source, fit: [signatureRoom.width, signatureRoom.height] }] : []),
    small(
      `Signed by ${setApart(signerText(part.finalizedBy))}, ${localMinute(part.finalizedAt, timeZone)} (${timeZone})`,
      {
        bold: true,
      },
    ),
    ...(part.statement ? [small(part.statement)] : []),
    ...[part.signingRemark, statedIdentity(part.identityStatement)]
      .filter(Boolean)
      .map((remark) => small(remark, { bold: true })),
    tiny(`SHA-256 of the text: ${part.contentHash}`),
    ...(part.isUnchanged
      ? []
      : [small('The stored text was changed. It does not match this SHA-256.', { bold: true })]),
  ],
});

/** Identifies patient and study on every page, because pages may be separated. */
const runningHead = (document: ReportDocument): Content => {
  const { reader, patient, study, status, identifier } = document;
  return tiny(
    [
      status === 'FINALIZED' ? '' : unsigned(document),
      nameOf(patient.name),
      ...(reader === 'STRANGER'
        ? [identifier?.value ?? '']
        : [patient.patientId, orNone(patient.birthDate), study.accessionNumber]),
      localDay(study.dateTime),
      // The description comes last, because only it may be too long for the two lines.
      setApart(study.description),
    ]
      .filter(Boolean)
      .join(' · '),
    { margin: [margin, 24, margin, 0] },
  );
};

const runningFoot = (lines: readonly string[], page: number, pages: number): Content => ({
  margin: [margin, 12, margin, 0],
  stack: [
    tiny(`Page ${page} of ${pages}`, { alignment: 'right' }),
    ...lines.map((line) => tiny(line, { alignment: 'center' })),
  ],
});
