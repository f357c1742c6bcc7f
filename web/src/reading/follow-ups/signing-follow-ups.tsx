import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { dueWindow } from '@radwork/contract/reading/follow-up-match';
import { type FollowUpPart, partsNamedIn } from '@radwork/contract/reading/follow-up-parts';
import { recognizeFollowUps } from '@radwork/contract/reading/follow-up-text';
import { type FollowUp, followUps } from '@radwork/contract/reading/follow-ups';
import type { ReportBlock } from '@radwork/contract/reading/report-check-text';
import type { Report } from '@radwork/contract/reading/reports';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { inertDocument } from '#core/browser/inert-document.ts';
import { may } from '#core/state/session.ts';
import { useAddFollowUp } from './follow-up-actions.ts';
import { dueWords, examinationName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

type Offer = Pick<FollowUp, 'modality' | 'bodyPart' | 'dueFrom' | 'dueTo' | 'quote'>;

/**
 * Offers the recommendations of the text in the signing dialog, so that one press adds them even if signing leads to
 * the next study. Signing never waits for it. After signing, the server offers the recommendations that the user has
 * not added.
 */
export function SigningFollowUps({ report }: { report: Report }) {
  const isAllowed = may(followUps.add);
  const rows = useQuery({
    ...query(followUps.ofStudy, { params: { id: report.studyId } }),
    enabled: isAllowed,
  });
  const offers = isAllowed && rows.data ? offersOf(report, rows.data.ofStudy) : [];
  if (offers.length === 0) return null;
  return (
    <section className={styles.section} aria-label={t`Recommended examinations`}>
      <ul className={styles.lines}>
        {offers.map((offer) => (
          <li key={`${offer.quote} ${offer.modality}`}>
            <OfferLine reportId={report.id} offer={offer} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OfferLine({ reportId, offer }: { reportId: string; offer: Offer }) {
  const add = useAddFollowUp();
  return (
    <div className={styles.line}>
      <strong>{t`Recommended: ${examinationName(offer)}`}</strong>
      <span>{dueWords(offer)}</span>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconCheck size={14} aria-hidden />}
        loading={add.isPending}
        onClick={() => add.mutate({ params: { id: reportId }, body: offer })}
      >
        {t`Add to follow-ups`}
      </Button>
    </div>
  );
}

const blocksOf = (html: string): ReportBlock[] =>
  Array.from(inertDocument(html).querySelectorAll('p, h1, h2, h3, h4, h5, h6'), ({ textContent, tagName }) => ({
    text: textContent ?? '',
    isHeading: tagName !== 'P',
  }));

/** Returns the examinations that the text recommends and the register does not have yet for this study. */
const offersOf = ({ content, studyDate, studyDescription }: Report, rows: readonly FollowUp[]): Offer[] => {
  const day = (studyDate ?? new Date().toISOString()).slice(0, 10);
  const partOfStudy: FollowUpPart | '' = partsNamedIn(studyDescription)[0]?.part ?? '';
  return recognizeFollowUps(blocksOf(content))
    .map(({ modality, bodyPart, interval, quote }) => ({
      modality,
      bodyPart: bodyPart === '' ? partOfStudy : bodyPart,
      ...dueWindow(day, interval),
      quote: quote.slice(0, 2000),
    }))
    .filter(({ modality, bodyPart }) => !rows.some((row) => row.modality === modality && row.bodyPart === bodyPart));
};
