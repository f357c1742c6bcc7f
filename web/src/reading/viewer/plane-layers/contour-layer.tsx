import { plural, t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { cssColor } from '#reading/viewer/segments/color.ts';
import { refusalOf } from '#reading/viewer/segments/placement.ts';
import type { Region, SegmentSet } from '#reading/viewer/segments/segment-set.ts';
import { useSegmentSets } from '#reading/viewer/segments/use-segment-sets.ts';
import segmentStyles from '#reading/viewer/segments/segment-layer.module.css';
import { isWithoutSection, type Section, sectionOf } from './contours-on-plane.ts';
import { MatrixLayer, type Shown } from './matrix-layer.tsx';
import type { PlaneLayersShown } from './use-plane-layers.ts';
import { useTracedSets } from './use-traced-sets.ts';

type Props = Shown & { layers: PlaneLayersShown; images: readonly SeriesImage[] };

/** Regions of a set that may be drawn on planes in a frame of reference, and the number of those that may not. */
const drawableIn = (
  set: SegmentSet,
  layers: PlaneLayersShown,
  images: readonly SeriesImage[],
  { frameOfReference }: Slice,
) => {
  const { studyInstanceUID } = layers.study;
  const isRefused = refusalOf(set, { studyInstanceUID, images }) !== '';
  const visible = set.regions.filter(({ key }) => !layers.segments.hidden.has(key));
  const drawn = visible.flatMap((region) => {
    const outline = set.outlines?.get(region.number);
    const isHere = frameOfReference !== '' && outline?.frameOfReference === frameOfReference;
    return isHere && !isRefused ? [{ region, outline }] : [];
  });
  const incomplete = drawn.filter(({ region, outline }) => region.lack !== '' || isWithoutSection(outline)).length;
  return { drawn, missing: visible.length - drawn.length + incomplete };
};

type DrawnRegion = { region: Region; section: Section };

/** Returns the sections of a plane with all visible regions, computed once per plane. */
const useSections = (sets: readonly SegmentSet[], { layers, images, slice }: Props) => {
  const { study, segments } = layers;
  const { hidden } = segments;
  return useMemo(() => {
    const found = sets.map((set) => drawableIn(set, { ...layers, study }, images, slice));
    const regions = found.flatMap(({ drawn }) =>
      drawn
        .map(({ region, outline }): DrawnRegion => ({ region, section: sectionOf(outline, slice) }))
        .filter(({ section }) => section.outline !== ''),
    );
    return { regions, missing: found.reduce((sum, { missing }) => sum + missing, 0) };
    // `layers` is a new object after each render. Its parts decide what is drawn.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [sets, images, slice, study, hidden]);
};

/** Returns a warning about segments that the planes do not show. */
const wordsOf = ({ isPending, error }: { isPending: boolean; error: Error | null }, missing: number): string => {
  if (isPending) return t`Loading segments…`;
  if (error) {
    const reason = errorMessageOf(error, t`The data could not be loaded.`);
    return t`Segments are not shown: ${reason}`;
  }
  return missing > 0
    ? t`${plural(missing, { one: '# segment is', other: '# segments are' })} not drawn completely on planes`
    : '';
};

/** Draws the sections of a plane with the structure sets and segmentations of a study. */
export function ContourLayer(props: Props) {
  const { layers, toScreen } = props;
  const { segments, study } = layers;
  const loaded = useSegmentSets(study, segments.series);
  const traced = useTracedSets(loaded.sets);
  const isPending = loaded.isPending || traced.isPending;
  const { regions, missing } = useSections(traced.sets, props);
  const words = wordsOf({ isPending, error: loaded.error ?? traced.error }, missing);
  const { style, opacity } = segments.look;
  return (
    <>
      <MatrixLayer toScreen={toScreen} name="plane-contours" state={isPending ? 'coming' : 'there'}>
        {style !== 'outline' &&
          regions.map(({ region, section }) => (
            <g key={region.key} opacity={opacity}>
              {section.areas.map((area, at) => (
                <path key={at} d={area} fill={cssColor(region.color)} fillRule="evenodd" />
              ))}
            </g>
          ))}
        {regions
          .filter(({ section }) => style !== 'fill' || section.areas.length === 0)
          .map(({ region, section }) => (
            <path
              key={region.key}
              d={section.outline}
              fill="none"
              stroke={cssColor(region.color)}
              strokeWidth={1.75}
              vectorEffect="non-scaling-stroke"
            />
          ))}
      </MatrixLayer>
      {words && (
        <p className={segmentStyles.words} role="status" data-picture-fact={words}>
          {words}
        </p>
      )}
    </>
  );
}
