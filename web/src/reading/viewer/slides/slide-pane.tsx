import { plural, t } from '@lingui/core/macro';
import { ActionIcon, SegmentedControl, Select, Tooltip } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconCamera, IconFileOff, IconRotateClockwise, IconRuler2, IconZoomReset } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { DocumentHead } from '#reading/viewer/documents/document-head.tsx';
import documentStyles from '#reading/viewer/documents/document-pane.module.css';
import { Waiting } from '#reading/viewer/documents/document-props.tsx';
import { useKeyboardIn } from '#reading/viewer/documents/use-keyboard-in.ts';
import { type DicomJson, itemsOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { lossyText } from '#reading/viewer/images/header/lossy-text.ts';
import { useSavePicture } from '#reading/viewer/pictures/use-save-picture.tsx';
import { faultText } from './fault-text.ts';
import { slideOfSeries, UnreadableSlide } from './load-slide.ts';
import { magnificationText } from './slide-scale.ts';
import { type Ruler, SlideStage } from './slide-stage.tsx';
import styles from './slide-stage.module.css';
import { slideStill } from './slide-still.ts';
import { useSlideView } from './use-slide-view.ts';
import type { Pyramid, Slide, SlidePicture } from './slide.ts';

type Props = { study: StudyDetails; series: SeriesSummary };

/** Shows the slide of a series: its levels by tiles, its label and its overview. */
export function SlidePane({ study, series }: Props) {
  const { data, error, refetch } = useQuery(slideOfSeries(study.studyInstanceUID, series.seriesInstanceUID));
  const region = useRef<HTMLDivElement>(null);
  useKeyboardIn(region, data !== undefined);
  const failed = t`The slide could not be loaded`;
  if (error instanceof UnreadableSlide) {
    return <EmptyState icon={IconFileOff} title={failed} detail={error.message} />;
  }
  if (error) return <ErrorState failed={failed} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  if (data === null) return <EmptyState icon={IconFileOff} title={t`This series has no slide`} />;
  if (data.pictures.length === 0) {
    return <EmptyState icon={IconFileOff} title={failed} detail={data.faults.map(faultText).join(' ')} />;
  }
  return (
    <div ref={region} className={documentStyles.document} data-document>
      <Pictures study={study} series={series} slide={data} />
    </div>
  );
}

const kindLabels = { slide: t`Slide`, label: t`Label`, overview: t`Overview` } as const;

/** More pictures are in a list instead of buttons. */
const mostButtons = 4;

/** Names of the pictures. Pictures of one kind are numbered. */
const namesOf = (pictures: readonly SlidePicture[]): string[] =>
  pictures.map(({ kind }, at) => {
    const ofKind = pictures.filter((one) => one.kind === kind);
    const number = pictures.slice(0, at + 1).filter((one) => one.kind === kind).length;
    return ofKind.length > 1 ? `${kindLabels[kind]} ${number}` : kindLabels[kind];
  });

function Pictures({ study, series, slide }: Props & { slide: Slide }) {
  const [chosen, setChosen] = useState(0);
  const shown = Math.min(chosen, slide.pictures.length - 1);
  const picture = slide.pictures[shown];
  const names = namesOf(slide.pictures);
  if (!picture) return null;
  const choices = names.map((label, at) => ({ label, value: String(at) }));
  return (
    <Picture
      key={shown}
      {...{ study, series, slide, picture }}
      name={names[shown] ?? ''}
      choice={
        names.length > 1 &&
        (names.length > mostButtons ? (
          <Select
            aria-label={t`Picture`}
            size="xs"
            allowDeselect={false}
            data={choices}
            value={String(shown)}
            onChange={(value) => value !== null && setChosen(Number(value))}
          />
        ) : (
          <SegmentedControl
            aria-label={t`Picture`}
            size="xs"
            data={choices}
            value={String(shown)}
            onChange={(value) => setChosen(Number(value))}
          />
        ))
      }
    />
  );
}

type PictureProps = Props & { slide: Slide; picture: SlidePicture; name: string; choice: ReactNode };

function Picture({ study, series, slide, picture, name, choice }: PictureProps) {
  const { pyramid } = picture;
  const [path, setPath] = useState(pyramid.paths[0]?.id ?? '1');
  // The middle plane is the one in focus.
  const [z, setZ] = useState(pyramid.planes[Math.floor((pyramid.planes.length - 1) / 2)] ?? 0);
  const layer = useMemo(() => ({ path, z }), [path, z]);
  const place = { studyUid: study.studyInstanceUID, seriesUid: series.seriesInstanceUID };
  const state = useSlideView(pyramid);
  const [isMeasuring, setMeasuring] = useState(false);
  const [ruler, setRuler] = useState<Ruler>();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const title = series.seriesDescription || textOf(slide.header, tag.ContainerIdentifier) || name;
  const magnification = state.view ? magnificationText(pyramid, state.view) : '';
  const facts = [name, magnification, lossyText(slide.header), profileText(slide.header), ...factsOf(pyramid)];
  const hasSegments = study.series.some(({ modality }) => modality === 'SEG');
  const notes = [
    ...slide.faults.map(faultText),
    ...(hasSegments ? [t`Segmentations are not drawn over a slide.`] : []),
  ];
  // The pixels of a label may name the patient.
  const canSave = picture.kind === 'slide';
  const { onPicture, dialog } = useSavePicture(
    canSave
      ? async () => slideStill({ study, series, slide, picture, facts, canvas: canvasRef.current, view: state.view })
      : undefined,
  );
  return (
    <>
      <DocumentHead study={study} document={{ title, header: slide.header }} facts={facts} choice={choice}>
        <Layers {...{ pyramid, path, z }} onPath={setPath} onPlane={setZ} />
        <HeadButton label={t`Show whole slide (Home)`} icon={IconZoomReset} onPress={state.fit} />
        <HeadButton label={t`Turn (.)`} icon={IconRotateClockwise} onPress={state.turn} />
        {pyramid.spacing !== undefined && (
          <HeadButton
            label={t`Measure distance (not saved)`}
            icon={IconRuler2}
            isPressed={isMeasuring}
            onPress={() => {
              setMeasuring(!isMeasuring);
              setRuler(undefined);
            }}
          />
        )}
        {onPicture && <HeadButton label={t`Save image`} icon={IconCamera} onPress={onPicture} />}
      </DocumentHead>
      {notes.length > 0 && (
        <ul className={styles.faults} role="alert">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <SlideStage
        {...{ place, pyramid, name, state, isMeasuring, ruler, canvasRef }}
        choice={layer}
        onRuler={setRuler}
      />
      {dialog}
    </>
  );
}

/**
 * Names an ICC profile (PS3.3 §C.11.15). The tiles are drawn without it, so colors may differ from those of the scanner. A
 * profile of sRGB changes nothing.
 */
const profileText = (header: DicomJson): string => {
  const profiled = [header, ...itemsOf(header, tag.OpticalPathSequence)].filter((item) => item[tag.ICCProfile]);
  return profiled.some((item) => textOf(item, tag.ColorSpace) !== 'SRGB') ? t`Color profile (ICC) not applied` : '';
};

const factsOf = ({ width, levels, turn }: Pyramid): string[] => {
  const columns = width.toLocaleString();
  const rows = (levels[0]?.rows ?? 0).toLocaleString();
  const count = levels.length;
  return [
    t`${columns} × ${rows} pixels`,
    plural(count, { one: '# level', other: '# levels' }),
    turn.isMirrored ? t`Mirrored as the header says` : '',
  ];
};

type LayersProps = {
  pyramid: Pyramid;
  path: string;
  z: number;
  onPath: (path: string) => void;
  onPlane: (z: number) => void;
};

/** Choices of optical path and focal plane, if there are several. */
function Layers({ pyramid: { paths, planes }, path, z, onPath, onPlane }: LayersProps) {
  if (paths.length < 2 && planes.length < 2) return null;
  const total = planes.length;
  return (
    <div className={styles.selects}>
      {paths.length > 1 && (
        <Select
          aria-label={t`Optical path`}
          size="xs"
          allowDeselect={false}
          data={paths.map(({ id, description }) => ({ value: id, label: description ? `${id}: ${description}` : id }))}
          value={path}
          onChange={(id) => id !== null && onPath(id)}
        />
      )}
      {planes.length > 1 && (
        <Select
          aria-label={t`Focal plane`}
          size="xs"
          allowDeselect={false}
          data={planes.map((height, at) => {
            const number = at + 1;
            const micrometers = height.toLocaleString();
            return { value: String(height), label: t`Plane ${number} of ${total} (${micrometers} µm)` };
          })}
          value={String(z)}
          onChange={(height) => height !== null && onPlane(Number(height))}
        />
      )}
    </div>
  );
}

type HeadButtonProps = { label: string; icon: typeof IconCamera; isPressed?: boolean; onPress: () => void };

function HeadButton({ label, icon: Icon, isPressed, onPress }: HeadButtonProps) {
  return (
    <Tooltip position="bottom" label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={isPressed}
        {...(isPressed && { variant: 'filled' })}
        onClick={onPress}
      >
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
