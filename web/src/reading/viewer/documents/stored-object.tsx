import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { IconDownload, IconFile } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import { seriesKindLabel } from '#reading/viewer/images/series/series-kinds.ts';
import { partsOf } from '#reading/viewer/segments/multipart-parts.ts';
import { DocumentHead } from './document-head.tsx';
import styles from './document-pane.module.css';
import type { DocumentProps } from './document-props.tsx';
import { fileNameOf } from './encapsulated-file.ts';

/** Time-out for loading a large file, in milliseconds. */
const patience = 120_000;

/** The file as stored (WADO-RS, PS3.18 §10.4). */
const fetchStored = async ({ study, series, document }: DocumentProps): Promise<Blob> => {
  const response = await callStream(wadoPrefix, archive.instance, {
    params: {
      studyUid: study.studyInstanceUID,
      seriesUid: series.seriesInstanceUID,
      instanceUid: document.sopInstanceUID,
    },
    accept: 'multipart/related; type="application/dicom"; transfer-syntax=*',
    timeout: patience,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const [file] = partsOf(response.headers.get('content-type') ?? '', bytes);
  if (!file) throw new Error('The answer has no file');
  return new Blob([new Uint8Array(file)], { type: 'application/dicom' });
};

/**
 * Object that no viewer here draws, such as curves or raw data. The text says this, and offers the file for download.
 */
export function StoredObject(props: DocumentProps) {
  const { series, document } = props;
  const [isSaving, setSaving] = useState(false);
  const kind = seriesKindLabel({ modality: series.modality });
  const save = async () => {
    setSaving(true);
    try {
      saveFile(fileNameOf(document.title, 'dcm'), await fetchStored(props));
    } catch (error) {
      toast.failure(errorMessageOf(error, t`The file could not be downloaded`));
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <DocumentHead {...props} facts={[kind]} />
      <div className={styles.body}>
        <EmptyState
          icon={IconFile}
          title={t`This object cannot be shown`}
          detail={t`Download the file and open it in another program.`}
          action={
            <Button
              variant="default"
              loading={isSaving}
              leftSection={<IconDownload size={15} />}
              onClick={() => void save()}
            >
              {t`Download`}
            </Button>
          }
        />
      </div>
    </>
  );
}
