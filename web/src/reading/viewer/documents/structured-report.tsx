import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ContentItem, contentTree } from '@radwork/dicom/content-tree';
import type { DicomJson } from '@radwork/dicom/dataset';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { DocumentHead } from './document-head.tsx';
import paneStyles from './document-pane.module.css';
import type { DocumentProps } from './document-props.tsx';
import { ReportItem } from './report-item.tsx';
import { ReportLink, type References } from './report-link.tsx';
import { reportFacts, verificationOf } from './report-facts.ts';
import { mostReferred, referredBy, referredIn, referredInstances } from './report-references.ts';
import styles from './structured-report.module.css';

/** Finds the instances of the study that a report refers to. */
const useReferences = ({ study, onGoTo }: DocumentProps, tree: ContentItem) => {
  const uids = useMemo(() => referredIn(tree), [tree]);
  const { data, error, isFetching, refetch } = useQuery(referredInstances(study, uids));
  const referred = useMemo(() => referredBy(study, data ?? []), [study, data]);
  const requestedUids = useMemo(() => new Set(uids), [uids]);
  // True only for the first `mostReferred` references. The study may contain the others too, but they are not looked
  // up.
  const isKnown = (uid: string) =>
    (uids.length === 0 || data !== undefined) && (uids.length < mostReferred || requestedUids.has(uid));
  const references: References = { study, referred, isKnown, onGoTo };
  return { references, failed: error !== null && !isFetching, refetch };
};

/** Shows a structured report or key image notes as one document (PS3.3 §A.35). */
export function StructuredReport(props: DocumentProps) {
  const { document } = props;
  // The viewer's type `DicomJson` describes the same header with fewer types of values.
  const report = document.header as unknown as DicomJson;
  const tree = useMemo(() => contentTree(report), [report]);
  const { references, failed, refetch } = useReferences(props, tree);
  const verification = verificationOf(report);
  const isKeyImages = textOf(document.header, tag.Modality) === 'KO';
  return (
    <>
      <DocumentHead {...props} facts={[isKeyImages ? t`Key image notes` : t`Structured report`]} />
      <div className={paneStyles.stage} tabIndex={0} role="region" aria-label={document.title || t`Report`}>
        <article className={styles.sheet}>
          {failed && (
            <Notice tone="warning">
              {t`The references of this report could not be loaded.`}{' '}
              <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
                {t`Retry`}
              </Button>
            </Notice>
          )}
          <dl className={styles.facts}>
            {reportFacts(report).map(([name, value]) => (
              <Fact key={name} name={name} value={value} />
            ))}
            {verification && (
              <>
                <dt>{t`Verification`}</dt>
                <dd className={verification.isVerified ? undefined : styles.unverified}>{verification.words}</dd>
              </>
            )}
          </dl>
          {tree.children.length === 0 && <p className={styles.fault}>{t`This report has no content.`}</p>}
          {isKeyImages ? (
            <KeyImageNotes tree={tree} references={references} />
          ) : (
            <Items items={tree.children} references={references} />
          )}
        </article>
      </div>
    </>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

type ItemsProps = { items: readonly ContentItem[]; references: References };

function Items({ items, references }: ItemsProps) {
  return items.map((item, at) => <ReportItem key={at} item={item} level={3} references={references} />);
}

/** Number of images shown at first, and added with each press of "Show more". */
const picturesAtOnce = 50;

/** Selected images with their text (PS3.16 TID 2010). */
function KeyImageNotes({ tree, references }: { tree: ContentItem; references: References }) {
  const [most, setMost] = useState(picturesAtOnce);
  const isImage = ({ references: to }: ContentItem) => to.length > 0;
  const pictures = tree.children.filter(isImage);
  const all = pictures.flatMap((item) => item.references);
  const total = formatNumber(all.length);
  const remaining = all.length - most;
  const next = Math.min(remaining, picturesAtOnce);
  return (
    <>
      <Items items={tree.children.filter((item) => !isImage(item))} references={references} />
      <ul className={styles.pictures}>
        {all.slice(0, most).map((reference, at) => (
          <li key={`${at} ${reference.sopInstanceUID}`}>
            <ReportLink reference={reference} references={references} hasPicture />
          </li>
        ))}
      </ul>
      {remaining > 0 && (
        <div className={styles.more}>
          <span role="status">{t`${most} of ${total} images`}</span>
          <Button variant="default" onClick={() => setMost(most + picturesAtOnce)}>
            {t`Show ${next} more`}
          </Button>
        </div>
      )}
      <Items items={pictures.flatMap((item) => item.children.filter(({ fault }) => fault))} references={references} />
    </>
  );
}
