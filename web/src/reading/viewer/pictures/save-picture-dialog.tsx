import { t } from '@lingui/core/macro';
import { Button, SegmentedControl, Switch } from '@mantine/core';
import { type SaveMethod, savedPictures } from '@radwork/contract/reading/saved-pictures';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { burnedInWarning } from './burned-in.ts';
import { hasAreas, hasPlanes, hasWords } from './picture-overlays.ts';
import type { Picture } from './picture.ts';
import { fileNameOf } from './picture-text.ts';
import styles from './save-picture-dialog.module.css';
import { type ComposedPicture, type PictureChoice, useComposedPicture } from './use-composed-picture.ts';

type Props = { picture: Picture; onClose: () => void };

/** Dialog to save a picture with or without identity. The preview shows the exact file to be saved. */
export function SavePictureDialog({ picture, onClose }: Props) {
  return (
    <Dialog opened onClose={onClose} title={t`Save image`} size={980}>
      <Chosen picture={picture} onClose={onClose} />
    </Dialog>
  );
}

const canCopy = (): boolean => typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write !== undefined;

/** Saves a picture after the server has written an audit entry. Without the entry, no file is saved. */
const useTaking = (picture: Picture, { isIdentified }: PictureChoice, onClose: () => void) =>
  useMutation({
    mutationFn: async ({ way, file }: { way: SaveMethod; file: Blob }) => {
      const body = {
        seriesInstanceUIDs: picture.series.map(({ seriesInstanceUID }) => seriesInstanceUID),
        sopInstanceUID: picture.sopInstanceUID,
        isIdentified,
        way,
        patientRecordId: picture.study.patient.id,
      };
      await call(savedPictures.note, { params: { id: picture.study.id }, body });
      if (way === 'FILE') saveFile(fileNameOf(picture, isIdentified), file);
      else await navigator.clipboard.write([new ClipboardItem({ 'image/png': file })]);
    },
    onSuccess: (_, { way }) => {
      toast.success(way === 'FILE' ? t`Image saved` : t`Image copied`);
      onClose();
    },
  });

const sizeText = ({ width, height }: { width: number; height: number }, fileName: string): string =>
  t`${width} × ${height} pixels, ${fileName}`;

function Chosen({ picture, onClose }: Props) {
  const [choice, setChoice] = useState<PictureChoice>({ isIdentified: false, isDrawnShown: true, isWhole: false });
  const composed = useComposedPicture(picture, choice);
  const taking = useTaking(picture, choice, onClose);
  const take = (way: SaveMethod) => {
    if (composed.state === 'here' && !taking.isPending) taking.mutate({ way, file: composed.file });
  };
  const fileName = fileNameOf(picture, choice.isIdentified);
  const isBarred = composed.state !== 'here' || taking.isPending;
  return (
    <div className={styles.columns}>
      <Preview composed={composed} />
      <div className={styles.choices}>
        <Choices picture={picture} choice={choice} onChoice={setChoice} />
        <LeftOut picture={picture} choice={choice} />
        <Warnings picture={picture} choice={choice} />
        <p className={`muted ${styles.facts}`}>{composed.state === 'here' ? sizeText(composed, fileName) : fileName}</p>
        {taking.error && (
          <Notice tone="danger">
            {errorMessageOf(taking.error, t`The image could not be captured. Nothing was saved.`)}
          </Notice>
        )}
        <div className={styles.buttons}>
          <CancelButton onCancel={onClose} />
          <Button
            variant="default"
            leftSection={<IconCopy size={15} />}
            disabled={isBarred || !canCopy()}
            title={canCopy() ? undefined : t`This browser does not allow copying images`}
            onClick={() => take('CLIPBOARD')}
          >
            {t`Copy`}
          </Button>
          <Button
            leftSection={<IconDownload size={15} />}
            disabled={composed.state !== 'here'}
            loading={taking.isPending}
            onClick={() => take('FILE')}
          >
            {t`Save`}
          </Button>
        </div>
      </div>
    </div>
  );
}

const Preview = ({ composed }: { composed: ComposedPicture }) => (
  <div className={styles.preview}>
    {composed.state === 'composing' && <p className="muted">{t`Preparing image…`}</p>}
    {composed.state === 'failed' && <p role="alert">{t`The image could not be drawn. Choose another size.`}</p>}
    {composed.state === 'here' && <img src={composed.address} alt={t`Preview`} />}
  </div>
);

type ChoicesProps = { picture: Picture; choice: PictureChoice; onChoice: (choice: PictureChoice) => void };

function Choices({ picture, choice, onChoice }: ChoicesProps) {
  return (
    <>
      <SegmentedControl
        aria-label={t`Patient identity`}
        fullWidth
        data={[
          { value: 'without', label: t`Without patient data` },
          { value: 'with', label: t`With patient data` },
        ]}
        value={choice.isIdentified ? 'with' : 'without'}
        onChange={(value) => onChoice({ ...choice, isIdentified: value === 'with' })}
      />
      {picture.drawWhole && (
        <SegmentedControl
          aria-label={t`Size`}
          fullWidth
          data={[
            { value: 'seen', label: t`As on screen` },
            { value: 'whole', label: t`Whole image, 1:1` },
          ]}
          value={choice.isWhole ? 'whole' : 'seen'}
          onChange={(value) => onChoice({ ...choice, isWhole: value === 'whole' })}
        />
      )}
      <Switch
        label={t`Include drawings`}
        description={t`Measurements, arrows, text, lines, overlay planes and segments. Shutters are always included.`}
        checked={choice.isDrawnShown}
        onChange={({ currentTarget }) => onChoice({ ...choice, isDrawnShown: currentTarget.checked })}
      />
    </>
  );
}

/** Lists screen content that the picture cannot include. */
function LeftOut({ picture: { layers, whyNotWhole }, choice }: { picture: Picture; choice: PictureChoice }) {
  return (
    <>
      {whyNotWhole && <Notice tone="info">{whyNotWhole}</Notice>}
      {choice.isWhole && choice.isDrawnShown && hasAreas(layers.over) && (
        <Notice tone="warning">{t`Segments are not drawn on the whole image. To include them, choose “As on screen”.`}</Notice>
      )}
    </>
  );
}

/** Warnings about a picture to be saved without identity. */
function Warnings({ picture, choice }: { picture: Picture; choice: PictureChoice }) {
  if (choice.isIdentified) return <Notice tone="info">{t`The patient’s name and data appear above the image.`}</Notice>;
  const warnings = new Set(picture.headers.map(burnedInWarning).filter(Boolean));
  return (
    <>
      {[...warnings].map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      {choice.isDrawnShown && hasWords(picture.layers.over) && (
        <Notice tone="info">{t`Text that users wrote on the image is included.`}</Notice>
      )}
      {choice.isDrawnShown && hasPlanes(picture.layers.over) && (
        <Notice tone="warning">{t`Overlay planes of the file are included. They may name the patient.`}</Notice>
      )}
    </>
  );
}
