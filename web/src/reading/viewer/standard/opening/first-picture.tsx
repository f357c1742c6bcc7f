import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { chestWallOf } from '#reading/viewer/hanging/projection.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { HungSeries } from '#reading/viewer/hanging/hanging.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { FirstCanvas } from '#reading/viewer/shell/first-canvas.tsx';
import { Overlays } from '#reading/viewer/standard/panes/overlays.tsx';
import { describeAsRecorded } from '#reading/viewer/standard/shown-first.ts';
import { firstLookOf } from './first-look.ts';

type Props = {
  study: StudyDetails;
  content: HungSeries;
  images: readonly SeriesImage[];
  /**
   * Whether to fetch the frame. If false, draws the frame only if it is already fetched, as when the imaging library is
   * already loading.
   */
  isAsking?: boolean;
};

/**
 * First image of a pane, drawn without the imaging library until the library is ready. Image, window, size and text are
 * the same as the library will show. Renders nothing if only the library can draw the image.
 */
export function FirstPicture({ study, content, images, isAsking = false }: Props) {
  const look = firstLookOf(content, images);
  if (!look) return null;
  const { image, range } = look;
  const edge = textOf(image.header, tag.Modality) === 'MG' ? chestWallOf(image.header) : undefined;
  return (
    <FirstCanvas key={image.imageId} {...{ image, range, edge, isAsking }}>
      {(magnification) => (
        <Overlays
          series={content.series}
          count={images.length}
          shownImage={describeAsRecorded(look, magnification)}
          patientId={study.patient.patientId}
          isFirst
        />
      )}
    </FirstCanvas>
  );
}
