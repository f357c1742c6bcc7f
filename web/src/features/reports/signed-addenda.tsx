import { partTitle, type SignedPart } from '@radwork/contract/report-parts';
import { ReportText } from '#editor/report-text.tsx';
import { Notice } from '#ui/notice.tsx';
import { SignedBlock } from './signed-block.tsx';
import styles from './signed-parts.module.css';

/** Whoever reads only the text would not know that it was corrected: this stands above it. */
export function AddendaFollow({ addenda }: { addenda: readonly SignedPart[] }) {
  if (addenda.length === 0) return null;
  return (
    <div className={styles.follows}>
      <Notice tone="warning">{whatFollows(addenda)} Read it together with this text.</Notice>
    </div>
  );
}

/** "AMENDED: 1 correction and 2 addenda stand beneath this text." */
const whatFollows = (addenda: readonly SignedPart[]): string => {
  const corrections = addenda.filter(({ kind }) => kind === 'CORRECTION').length;
  const additions = addenda.length - corrections;
  const named = [
    corrections > 0 && `${corrections} ${corrections === 1 ? 'correction' : 'corrections'}`,
    additions > 0 && `${additions} ${additions === 1 ? 'addendum' : 'addenda'}`,
  ].filter(Boolean);
  return `AMENDED: ${named.join(' and ')} ${addenda.length === 1 ? 'stands' : 'stand'} beneath this text.`;
};

/** What was signed after the text, in the order in which it was, each with its own signature. */
export function SignedAddenda({ addenda }: { addenda: readonly SignedPart[] }) {
  return addenda.map((addendum) => <SignedAddendum key={addendum.number} addendum={addendum} />);
}

function SignedAddendum({ addendum }: { addendum: SignedPart }) {
  return (
    <section className={styles.addendum} aria-label={partTitle(addendum)}>
      <h3>{partTitle(addendum)}</h3>
      {addendum.kind === 'CORRECTION' ? <Exchange {...addendum} /> : <PartText {...addendum} />}
      <SignedBlock signed={addendum} />
    </section>
  );
}

/** A signed text from which a passage can be quoted; the number says which part it is. */
export function PartText({ number, content }: Pick<SignedPart, 'number' | 'content'>) {
  return (
    <div data-part={number}>
      <ReportText html={content} />
    </div>
  );
}

/** A passage struck, and what takes its place. Told in words too, for those who do not see the stroke. */
export function Exchange({ number, passage, content }: Pick<SignedPart, 'number' | 'passage' | 'content'>) {
  return (
    <div className={styles.exchange}>
      <div>
        <p className={styles.label}>Struck</p>
        <del className={styles.struck}>{passage}</del>
      </div>
      <div>
        <p className={styles.label}>Replaced by</p>
        <PartText number={number} content={content} />
      </div>
    </div>
  );
}
