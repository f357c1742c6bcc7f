import { plural, t } from '@lingui/core/macro';
import { partTitle, type SignedPart } from '@radwork/contract/reading/report-parts';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { SignedBlock } from '#reading/reports/signing/signed-block.tsx';
import styles from '#reading/reports/signing/signed-parts.module.css';

/** Notice above a report with addenda or corrections, for a reader who would read only the report text. */
export function AddendaFollow({ addenda }: { addenda: readonly SignedPart[] }) {
  if (addenda.length === 0) return null;
  return (
    <div className={styles.follows}>
      <Notice tone="warning">
        {describeAddenda(addenda)} {t`Read the added text together with this text.`}
      </Notice>
    </div>
  );
}

/** Returns "AMENDED: 1 correction and 2 addenda stand beneath this text." */
const describeAddenda = (addenda: readonly SignedPart[]): string => {
  const corrections = addenda.filter(({ kind }) => kind === 'CORRECTION').length;
  const additions = addenda.length - corrections;
  const added = t`${plural(additions, { one: '# addendum', other: '# addenda' })}`;
  const corrected = t`${plural(corrections, { one: '# correction', other: '# corrections' })}`;
  if (corrections === 0) return t`AMENDED: ${added} below.`;
  if (additions === 0) return t`AMENDED: ${corrected} below.`;
  return t`AMENDED: ${corrected} and ${added} below.`;
};

/** Signed addenda in the order of signing, each with its own signature. */
export function SignedAddenda({ addenda }: { addenda: readonly SignedPart[] }) {
  return addenda.map((addendum) => <SignedAddendum key={addendum.number} addendum={addendum} />);
}

function SignedAddendum({ addendum }: { addendum: SignedPart }) {
  return (
    <section className={styles.addendum} aria-label={partTitle(addendum)}>
      <h3>{partTitle(addendum)}</h3>
      {addendum.kind === 'CORRECTION' ? <CorrectedPassage {...addendum} /> : <PartText {...addendum} />}
      <SignedBlock signed={addendum} />
    </section>
  );
}

/** Signed text from which the user can quote a passage. `number` identifies the report part. */
export function PartText({ number, content }: Pick<SignedPart, 'number' | 'content'>) {
  return (
    <div data-part={number}>
      <ReportText html={content} />
    </div>
  );
}

/**
 * The corrected passage, struck through, and its replacement. Labels give the same information to users who cannot see
 * the line.
 */
export function CorrectedPassage({ number, passage, content }: Pick<SignedPart, 'number' | 'passage' | 'content'>) {
  return (
    <div className={styles.exchange}>
      <div>
        <p className={styles.label}>{t`Deleted`}</p>
        <del className={styles.struck}>{passage}</del>
      </div>
      <div>
        <p className={styles.label}>{t`Replaced by`}</p>
        <PartText number={number} content={content} />
      </div>
    </div>
  );
}
