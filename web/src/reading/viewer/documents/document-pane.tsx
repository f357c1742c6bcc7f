import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { seriesDocuments } from '#reading/viewer/images/series/series-documents.ts';
import styles from './document-pane.module.css';
import { type DocumentProps, Waiting } from './document-props.tsx';
import { EncapsulatedDocument } from './encapsulated-document.tsx';
import { StoredObject } from './stored-object.tsx';
import { useKeyboardIn } from './use-keyboard-in.ts';

export type DocumentPaneProps = {
  study: StudyDetails;
  series: SeriesSummary;
  /** SOPInstanceUID of the document to show first. Default: the first document of the series. */
  first?: string | undefined;
  onGoTo: DocumentProps['onGoTo'];
};

/** Loaded on demand, because the code of documents includes the DICOM dictionary. */
const StructuredReport = loadOnDemand(async () => (await import('./structured-report.tsx')).StructuredReport);

const VideoDocument = loadOnDemand(async () => (await import('./video-document.tsx')).VideoDocument);

const notKnown = t`This series also has no report or file to show.`;

/** Shows the documents of a series in place of images, one at a time. */
export function DocumentPane({ study, series, first, onGoTo }: DocumentPaneProps) {
  const { data, error, refetch } = useQuery(seriesDocuments(study.studyInstanceUID, series.seriesInstanceUID));
  const [chosen, setChosen] = useState(first);
  const region = useRef<HTMLDivElement>(null);
  useKeyboardIn(region, data !== undefined);
  if (error)
    return <ErrorState failed={t`The series could not be loaded`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const document = data.find(({ sopInstanceUID }) => sopInstanceUID === chosen) ?? data[0];
  if (!document) {
    return <EmptyState icon={IconFileOff} title={t`This series has no images`} detail={notKnown} />;
  }
  return (
    <div ref={region} className={styles.document} data-document onKeyDown={keepScrollKeys}>
      <Document
        key={document.sopInstanceUID}
        study={study}
        series={series}
        document={document}
        onGoTo={onGoTo}
        choice={
          data.length > 1 && (
            <Select
              aria-label={t`Document`}
              className={styles.choice}
              allowDeselect={false}
              data={data.map(({ sopInstanceUID, title }, at) => {
                const number = at + 1;
                const total = data.length;
                const name = title || t`No title`;
                return { value: sopInstanceUID, label: t`${number} of ${total}: ${name}` };
              })}
              value={document.sopInstanceUID}
              onChange={(uid) => uid && setChosen(uid)}
            />
          )
        }
      />
    </div>
  );
}

function Document(props: DocumentProps) {
  if (props.document.kind === 'file') return <EncapsulatedDocument {...props} />;
  if (props.document.kind === 'video') return <VideoDocument {...props} waiting={<Waiting />} />;
  if (props.document.kind === 'object') return <StoredObject {...props} />;
  return <StructuredReport {...props} waiting={<Waiting />} />;
}

const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/** Makes scroll keys scroll the document instead of changing the image. */
const keepScrollKeys = (event: KeyboardEvent) => {
  if (scrollKeys.has(event.key)) event.stopPropagation();
};
