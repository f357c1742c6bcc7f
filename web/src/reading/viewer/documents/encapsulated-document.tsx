import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { IconDownload, IconFile, IconFileAlert, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { readWithin, SizeLimitError } from '#core/http/size-limit.ts';
import { toast } from '#core/browser/toasts.ts';
import { formatSize } from '#ui/formats/formats.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import { DocumentHead } from './document-head.tsx';
import { type DocumentProps, Waiting } from './document-props.tsx';
import styles from './document-pane.module.css';
import { fileKindOf, fileNameOf, fileSizeOf, isPdf } from './encapsulated-file.ts';

const PdfPages = loadOnDemand(async () => (await import('#ui/media/pdf-pages.tsx')).PdfPages);

/** Time-out for loading a large file, in milliseconds. */
const patience = 120_000;

/**
 * Size of the largest file to show, in bytes. The browser holds a whole PDF in memory; a larger file can only be
 * downloaded.
 */
const largestDrawn = 200 * 1024 * 1024;

const zooms = [0.5, 0.75, 1, 1.5, 2, 3];
const asPrinted = zooms.indexOf(1);

const useFile = ({ study, series, document }: DocumentProps) => {
  const fetchFile = (signal?: AbortSignal) => {
    const params = {
      studyUid: study.studyInstanceUID,
      seriesUid: series.seriesInstanceUID,
      instanceUid: document.sopInstanceUID,
    };
    const accept = '*/*';
    return callStream(wadoPrefix, archive.instanceRendered, {
      params,
      accept,
      timeout: patience,
      ...(signal && { signal }),
    });
  };
  const kind = fileKindOf(document.header);
  const size = fileSizeOf(document.header);
  const isSaidToFit = kind.isPdf && (size ?? 0) <= largestDrawn;
  const pdfQuery = useQuery({
    queryKey: ['viewer', 'file', document.sopInstanceUID],
    queryFn: async ({ signal }) => {
      const bytes = await readWithin(await fetchFile(signal), largestDrawn);
      return { bytes, isPdf: await isPdf(bytes) };
    },
    enabled: isSaidToFit,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isDrawn = isSaidToFit && !(pdfQuery.error instanceof SizeLimitError);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      saveFile(fileNameOf(document.title, kind.ending), pdfQuery.data?.bytes ?? (await (await fetchFile()).blob()));
    } catch (error) {
      toast.failure(errorMessageOf(error, t`The document could not be downloaded`));
    } finally {
      setSaving(false);
    }
  };
  return { kind, size, isDrawn, drawn: pdfQuery, save, isSaving };
};

type File = ReturnType<typeof useFile>;

/** Shows a PDF encapsulated in DICOM. Offers any other encapsulated file for download. */
export function EncapsulatedDocument(props: DocumentProps) {
  const file = useFile(props);
  const [zoom, setZoom] = useState(asPrinted);
  const { kind, size, isDrawn, drawn } = file;
  const isShown = isDrawn && drawn.data?.isPdf === true;
  const facts = [kind.words, size === undefined ? '' : formatSize(size)];
  return (
    <>
      <DocumentHead {...props} facts={facts}>
        {isShown && <Zoom at={zoom} onZoom={setZoom} />}
        <Tooltip position="bottom" label={t`Download`}>
          <ActionIcon aria-label={t`Download document`} loading={file.isSaving} onClick={() => void file.save()}>
            <IconDownload size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </DocumentHead>
      <div className={styles.body}>
        {isDrawn ? <Drawn {...props} file={file} zoom={zooms[zoom] ?? 1} /> : <NotDrawn file={file} />}
      </div>
    </>
  );
}

function Drawn({ document, file, zoom }: DocumentProps & { file: File; zoom: number }) {
  const { data, error, refetch } = file.drawn;
  if (error) {
    return <ErrorState failed={t`The document could not be loaded`} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Waiting />;
  if (!data.isPdf) {
    return (
      <EmptyState
        icon={IconFileAlert}
        title={t`This file is not a valid PDF`}
        detail={t`The file is declared as a PDF but contains something else. Contact the sender.`}
        action={<DownloadButton file={file} />}
      />
    );
  }
  const name = document.title || t`Document`;
  return <PdfPages bytes={data.bytes} name={name} zoom={zoom} className={styles.stage} waiting={<Waiting />} />;
}

function NotDrawn({ file }: { file: File }) {
  const { kind } = file;
  const kindName = kind.words;
  return (
    <EmptyState
      icon={IconFile}
      title={kind.isPdf ? t`This document is too large to show` : t`${kindName}: cannot be shown`}
      detail={t`Download the file and open it in another program.`}
      action={<DownloadButton file={file} />}
    />
  );
}

function DownloadButton({ file: { isSaving, save, size } }: { file: File }) {
  return (
    <Button variant="default" loading={isSaving} leftSection={<IconDownload size={15} />} onClick={() => void save()}>
      {t`Download`}
      {size === undefined ? '' : ` (${formatSize(size)})`}
    </Button>
  );
}

function Zoom({ at, onZoom }: { at: number; onZoom: (at: number) => void }) {
  return (
    <>
      <ActionIcon aria-label={t`Zoom out`} disabled={at === 0} onClick={() => onZoom(at - 1)}>
        <IconZoomOut size={17} stroke={1.6} />
      </ActionIcon>
      <span className={styles.zoom}>{Math.round((zooms[at] ?? 1) * 100)} %</span>
      <ActionIcon aria-label={t`Zoom in`} disabled={at === zooms.length - 1} onClick={() => onZoom(at + 1)}>
        <IconZoomIn size={17} stroke={1.6} />
      </ActionIcon>
    </>
  );
}
