import { t } from '@lingui/core/macro';
import { ActionIcon, Slider } from '@mantine/core';
import { type StoredFile, storedFiles } from '@radwork/contract/imaging/stored-files';
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchBytes } from '#core/http/api.ts';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './library.module.css';

const PdfPages = loadOnDemand(async () => (await import('#ui/media/pdf-pages.tsx')).PdfPages);

export const pathOfFile = ({ id }: Pick<StoredFile, 'id'>, what: 'download' | 'rendered' = 'download'): string =>
  storedFiles[what].path.replace(':id', encodeURIComponent(id));

/** Whether the application can display a file. */
export const isShown = ({ contentType, frames }: StoredFile): boolean =>
  /^(image\/|application\/pdf|text\/plain)/.test(contentType) || (frames ?? 0) > 0;

/** Opens a file in a dialog. */
export function FileView({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={file.filename} size="90vw" zIndex={305}>
      <Content file={file} />
    </Dialog>
  );
}

function Content({ file }: { file: StoredFile }) {
  if (file.contentType.startsWith('image/')) return <Picture path={pathOfFile(file)} name={file.filename} />;
  if (file.contentType === 'application/dicom') return <Dicom file={file} />;
  return <Document file={file} />;
}

const zooms = [1, 1.5, 2, 3, 4, 6];

/** Shows an image, zoomed by buttons or the keys + and - and moved by scrolling. */
function Picture({ path, name }: { path: string; name: string }) {
  const [at, setAt] = useState(0);
  const step = (by: number) => setAt((before) => Math.min(zooms.length - 1, Math.max(0, before + by)));
  return (
    <div
      role="group"
      aria-label={t`Image`}
      onKeyDown={({ key }) => {
        if (key === '+' || key === '=') step(1);
        if (key === '-') step(-1);
      }}
    >
      <div className={styles.tools}>
        <ActionIcon aria-label={t`Zoom out`} disabled={at === 0} onClick={() => step(-1)}>
          <IconZoomOut size={18} />
        </ActionIcon>
        <span className="muted">{Math.round((zooms[at] ?? 1) * 100)} %</span>
        <ActionIcon aria-label={t`Zoom in`} disabled={at === zooms.length - 1} onClick={() => step(1)}>
          <IconZoomIn size={18} />
        </ActionIcon>
      </div>
      <div className={styles.stage} tabIndex={0} role="region" aria-label={name}>
        <div style={{ width: `${(zooms[at] ?? 1) * 100}%` }}>
          <AuthImage path={path} alt={name} className={styles.picture} />
        </div>
      </div>
    </div>
  );
}

function Dicom({ file }: { file: StoredFile }) {
  const [frame, setFrame] = useState(1);
  const frames = file.frames ?? 0;
  const { filename } = file;
  return (
    <>
      {frames > 1 && (
        <Slider
          thumbLabel={t`Frame`}
          min={1}
          max={frames}
          value={frame}
          onChange={setFrame}
          label={(value) => t`${value} of ${frames}`}
        />
      )}
      <p className="muted">{t`Still image with the window of the file. Not for diagnosis.`}</p>
      <Picture path={`${pathOfFile(file, 'rendered')}?frame=${frame}`} name={t`${filename}, frame ${frame}`} />
    </>
  );
}

function Document({ file }: { file: StoredFile }) {
  const isText = file.contentType === 'text/plain';
  const bytes = useQuery({
    queryKey: ['stored-file', file.id],
    queryFn: async ({ signal }) => {
      const blob = await fetchBytes(pathOfFile(file), { signal, timeout: 120_000 });
      return isText ? blob.text() : blob;
    },
    retry: false,
    gcTime: 0,
  });
  if (bytes.isPending) return <Skeleton lines={8} />;
  if (bytes.isError) {
    return <ErrorState failed={t`Failed to download file`} error={bytes.error} onRetry={() => void bytes.refetch()} />;
  }
  if (typeof bytes.data !== 'string')
    return <PdfPages bytes={bytes.data} name={file.filename} waiting={<Skeleton />} />;
  return (
    <pre className={styles.text} tabIndex={0}>
      {bytes.data}
    </pre>
  );
}
