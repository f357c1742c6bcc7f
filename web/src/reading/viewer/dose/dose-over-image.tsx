import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import type { Bitmap } from '#reading/viewer/file-layers/layer-bitmaps.ts';
import { LayerPicture } from '#reading/viewer/file-layers/layer-picture.tsx';
import { colorAt } from '#reading/viewer/fusion/pet/color-maps.ts';
import { type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { isLocalizer } from '#reading/viewer/images/series/reading-order.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { ToScreen } from '#reading/viewer/presentation-states/apply-state.ts';
import { isDose } from '#reading/viewer/scales/map-scale.ts';
import { ScaleBar } from '#reading/viewer/scales/scale-bar.tsx';
import type { DoseDisplay } from './dose-display.ts';
import { doseOnSlice, type DoseGrid } from './dose-grid.ts';
import styles from './dose-layer.module.css';
import { baseText, type Level, levelsOf } from './dose-levels.ts';
import { isoline } from './isodose-lines.ts';
import type { DoseFacts } from './plan-facts.ts';
import type { Dose } from './read-dose.ts';
import { useDoseGrid, useDoses } from './use-doses.ts';

type Props = {
  /** Image on the screen, or an image of the volume that a plane cuts. */
  image: SeriesImage;
  /** Slice of the patient on the screen. Undefined if it has no position. Must not change between renders. */
  slice: Slice | undefined;
  /** Converts pixels of the slice to the screen. Undefined before an image is drawn. */
  toScreen: ToScreen | undefined;
  display: DoseDisplay;
  /** Text where the slice lies outside the dose. */
  outside: string;
  /** Text about the drawn dose. */
  note?: string;
  scaleSide?: 'left' | 'right';
  /** Whether the user has hidden the scales. */
  isScaleHidden: boolean;
};

/** Lowest dose that has a color, as a share of the maximum. */
const leastShare = 0.1;

/** The map begins with black, which is left out. */
const washColor = (share: number): string => colorAt('Rainbow', 0.15 + 0.85 * share);

const notShown = (reason: string): string => t`Dose is not shown: ${reason}`;

/** Returns the reason why a dose cannot lie over an image. Positions of other frames of reference cannot be compared. */
export const whyNotOver = (dose: Dose, image: SeriesImage): string => {
  const slice = sliceOf(image);
  if (dose.lack) return notShown(dose.lack);
  // A localizer of CT is a projection, which has no depth.
  if (textOf(image.header, tag.Modality) === 'CT' && isLocalizer(image))
    return notShown(t`the image is a localizer, not a slice.`);
  if (!slice || slice.frameOfReference === '') return notShown(t`the image has no position in the patient.`);
  return slice.frameOfReference === dose.frameOfReference
    ? ''
    : notShown(t`the frame of reference differs from these images.`);
};

/** Draws a dose over a slice of its frame of reference: colors and isodose lines. Says why if it cannot. */
export function DoseOverImage(props: Props) {
  const { image, display } = props;
  const { dose, facts, isPending, error } = useDoses(display.study, display.chosen);
  const grid = useDoseGrid(dose, true);
  // If the image is a dose itself, the screen already shows its values.
  if (isDose(image.header)) return null;
  if (isPending) return <Words text={t`Loading dose…`} />;
  if (error) return <Words text={notShown(errorMessageOf(error, t`The data could not be loaded.`))} />;
  const why = dose && whyNotOver(dose, image);
  if (!dose || !facts || why) return <Words text={why ?? notShown(t`The data could not be loaded.`)} />;
  if (grid.error) return <Words text={notShown(errorMessageOf(grid.error, t`The data could not be loaded.`))} />;
  if (!grid.data) return <Words text={t`Loading dose…`} />;
  const percents = {
    reference: display.reference,
    prescription: facts.prescription,
    maximum: grid.data.maximum,
    unit: dose.unit,
  };
  const [levels, base] = [levelsOf(percents), baseText(percents)];
  return <Drawn {...props} {...{ dose, facts, levels, base }} grid={grid.data} />;
}

function Words({ text }: { text: string }) {
  return (
    <p className={styles.words} role="status" data-picture-fact={text}>
      {text}
    </p>
  );
}

type Isodose = Level & { path: string };

/** Computes lines and colors of a dose on a slice, once per slice. */
const useDoseOn = (slice: Slice | undefined, grid: DoseGrid, levels: readonly Level[], hasColors: boolean) => {
  const doses = useMemo(() => slice && doseOnSlice(grid, slice), [grid, slice]);
  const key = levels.map(({ dose }) => dose).join();
  const lines = useMemo(
    (): Isodose[] =>
      slice && doses
        ? levels
            .map((level) => ({ ...level, path: isoline(doses, slice, level.dose) }))
            .filter(({ path }) => path !== '')
        : [],
    // Each rendering creates new levels. Their doses identify them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [slice, doses, key],
  );
  const wash = useMemo(
    () => (slice && doses && hasColors ? washOf(doses, slice, grid.maximum) : undefined),
    [slice, doses, hasColors, grid],
  );
  const isAny = useMemo(() => doses?.some((dose) => !Number.isNaN(dose)) ?? false, [doses]);
  return { lines, wash, isAny };
};

/** Number of colors of the wash. */
const shades = 256;

const washOf = (doses: Float32Array, { rows, columns }: { rows: number; columns: number }, maximum: number): Bitmap => {
  const rgba = new Uint8ClampedArray(4 * rows * columns);
  const palette = Array.from({ length: shades }, (_, at) =>
    (washColor(at / (shades - 1)).match(/\d+/g) ?? []).map(Number),
  );
  const least = leastShare * maximum;
  for (const [index, dose] of doses.entries()) {
    if (!(dose >= least) || maximum <= 0) continue;
    const share = (dose - least) / (maximum - least);
    const [red = 0, green = 0, blue = 0] = palette[Math.min(Math.round(share * (shades - 1)), shades - 1)] ?? [];
    rgba.set([red, green, blue, 255], 4 * index);
  }
  return { rows, columns, rgba };
};

type DrawnProps = Props & { dose: Dose; facts: DoseFacts; grid: DoseGrid; levels: readonly Level[]; base: string };

function Drawn({ slice, toScreen, display, outside, note, scaleSide, isScaleHidden, ...drawn }: DrawnProps) {
  const { dose, facts, grid, levels, base } = drawn;
  const { style, opacity } = display;
  const hasColors = style !== 'lines';
  const { lines, wash, isAny } = useDoseOn(slice, grid, levels, hasColors);
  if (!toScreen) return null;
  const belongsTo = [...facts.plans, ...facts.structureSets].filter((label) => label);
  return (
    <>
      {wash && <LayerPicture bitmap={wash} toScreen={toScreen} name="dose-colors" layer="dose" opacity={opacity} />}
      {style !== 'colors' && <Lines lines={lines} toScreen={toScreen} />}
      {hasColors && isAny && !isScaleHidden && (
        <ScaleBar
          lower={leastShare * grid.maximum}
          upper={grid.maximum}
          colorAt={washColor}
          unit={dose.unit}
          name={t`Dose`}
          {...(scaleSide && { side: scaleSide })}
        />
      )}
      {isAny ? (
        <div className={styles.legend} data-testid="isodoses">
          <span data-picture-title>{[dose.title, ...belongsTo].join(' · ')}</span>
          {note && <span data-picture-fact={note}>{note}</span>}
          {style !== 'colors' && base && <span data-picture-fact={base}>{base}</span>}
          {style !== 'colors' && <LevelTexts levels={lines} />}
        </div>
      ) : (
        <Words text={outside} />
      )}
    </>
  );
}

const lineHeight = 17;

/** Texts of the isodose lines in their colors. Saved pictures with drawings include them. */
function LevelTexts({ levels }: { levels: readonly Level[] }) {
  return (
    <svg className={styles.levels} width={120} height={levels.length * lineHeight} data-picture-layer="scale">
      {levels.map(({ text, color }, at) => (
        <text key={text} x={120} y={at * lineHeight + 13} fill={color} textAnchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

function Lines({ lines, toScreen }: { lines: readonly Isodose[]; toScreen: ToScreen }) {
  const [origin, right, below] = [toScreen({ x: 0, y: 0 }), toScreen({ x: 1, y: 0 }), toScreen({ x: 0, y: 1 })];
  const matrix = [right.x - origin.x, right.y - origin.y, below.x - origin.x, below.y - origin.y, origin.x, origin.y];
  return (
    <svg className={styles.layer} aria-hidden data-testid="isodose-lines" data-picture-layer="dose">
      <g transform={`matrix(${matrix.join(' ')})`}>
        {lines.map(({ text, color, path }) => (
          <path key={text} d={path} fill="none" stroke={color} strokeWidth={1.75} vectorEffect="non-scaling-stroke" />
        ))}
      </g>
    </svg>
  );
}
