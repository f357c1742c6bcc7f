import {
  between,
  cross,
  dot,
  normalOf,
  plus,
  times,
  type Vector,
} from '#reading/viewer/images/geometry/image-plane.ts';
import { pixelAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { directionOf } from '#reading/viewer/segments/contour-planes.ts';
import { fillsOf } from '#reading/viewer/segments/contour-fills.ts';
import {
  type Contour,
  countOf,
  type Outline,
  pointOf,
  type TracedFrames,
} from '#reading/viewer/segments/segment-set.ts';

/**
 * Section of a region with a plane, as SVG paths in pixels of the plane. The center of the first pixel is 0.5, 0.5. Each
 * area is filled by the even-odd rule.
 */
export type Section = { areas: readonly string[]; outline: string };

/** Contours of a region in one plane, and the depths to which they reach, along the normal of the contours. */
type Level = { depth: number; from: number; to: number; contours: readonly Contour[] };

/** Largest distance between contours of one level, in mm. Smaller distances come from rounding. */
const oneLevel = 0.1;

/** Distance to which a contour reaches without a neighbor, in mm. */
const alone = 1;

/** Contours farther apart than this many usual distances leave a gap. */
const gapFrom = 1.5;

/** Sine of one degree. Planes within one degree count as parallel. */
const nearlyParallel = Math.sin(Math.PI / 180);

/** Half the size of the cross that shows a point, in mm. */
const arm = 2;

const depthOf = (contour: Contour, normal: Vector): number => {
  let sum = 0;
  for (let index = 0; index < countOf(contour); index += 1) sum += dot(pointOf(contour, index), normal);
  return sum / Math.max(1, countOf(contour));
};

/** Depths between which a level reaches halfway, in order, and the usual distance between them, in mm. */
type Steps = { depths: readonly number[]; usual: number };

/** Returns the depths of all frames, so that a level does not reach into a frame without pixels. */
const stepsOfFrames = ({ points, thickness }: TracedFrames, normal: Vector): Steps => ({
  depths: points.map((point) => dot(point, normal)).toSorted((one, other) => one - other),
  usual: thickness,
});

/** Returns the depths of contours. Of two usual distances, the smaller counts, so that a gap stays empty. */
const stepsOfContours = (depths: readonly number[]): Steps => {
  const gaps = depths
    .slice(1)
    .map((depth, index) => depth - (depths[index] ?? depth))
    .toSorted((one, other) => one - other);
  return { depths, usual: gaps[Math.floor((gaps.length - 1) / 2)] ?? 2 * alone };
};

/**
 * Groups contours by their depth. A level reaches halfway to the next frame or contour, or half the usual distance if the
 * next is missing.
 */
const levelsOf = (contours: readonly Contour[], normal: Vector, frames: TracedFrames | undefined): Level[] => {
  const inOrder = contours
    .map((contour) => ({ contour, depth: depthOf(contour, normal) }))
    .toSorted((one, other) => one.depth - other.depth);
  const groups: { depth: number; contours: Contour[] }[] = [];
  for (const { contour, depth } of inOrder) {
    const last = groups.at(-1);
    if (last && depth - last.depth <= oneLevel) last.contours.push(contour);
    else groups.push({ depth, contours: [contour] });
  }
  const { depths, usual } = frames ? stepsOfFrames(frames, normal) : stepsOfContours(groups.map(({ depth }) => depth));
  const reachTo = (next: number | undefined, depth: number) => {
    const away = next === undefined ? Infinity : Math.abs(next - depth);
    return (away > gapFrom * usual ? usual : away) / 2;
  };
  return groups.map(({ depth, contours: own }) => {
    const before = depths.findLast((other) => other < depth - oneLevel / 2);
    const after = depths.find((other) => other > depth + oneLevel / 2);
    return { depth, contours: own, from: depth - reachTo(before, depth), to: depth + reachTo(after, depth) };
  });
};

type Point = readonly [x: number, y: number];

const toPath = (points: readonly Point[], isClosed: boolean): string =>
  points.length === 0
    ? ''
    : `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}${isClosed ? 'Z' : ''}`;

const onPlane = (plane: Slice, point: Vector): Point => {
  const { row, column } = pixelAt(plane, point);
  return [column + 0.5, row + 0.5];
};

const outlineOf = (contour: Contour, plane: Slice): string =>
  toPath(
    Array.from({ length: countOf(contour) }, (_, index) => onPlane(plane, pointOf(contour, index))),
    contour.kind === 'closed',
  );

const markOf = (point: Vector, plane: Slice): string => {
  const [x, y] = onPlane(plane, point);
  const [across, down] = [arm / plane.columnSpacing, arm / plane.rowSpacing];
  return (
    toPath(
      [
        [x - across, y],
        [x + across, y],
      ],
      false,
    ) +
    toPath(
      [
        [x, y - down],
        [x, y + down],
      ],
      false,
    )
  );
};

/** Interval on the line in which a plane cuts the plane of a contour, in mm. */
type Interval = readonly [from: number, to: number];

/** Returns where a contour crosses a plane, as places along `axis`. Works on numbers, because a region has many points. */
const crossingsOf = ({ kind, points }: Contour, plane: Slice, axis: Vector): number[] => {
  const [[x, y, z], [u, v, w], [a, b, c]] = [plane.position, normalOf(plane), axis];
  const away = (at: number) =>
    ((points[at] ?? 0) - x) * u + ((points[at + 1] ?? 0) - y) * v + ((points[at + 2] ?? 0) - z) * w;
  const along = (at: number) =>
    ((points[at] ?? 0) - x) * a + ((points[at + 1] ?? 0) - y) * b + ((points[at + 2] ?? 0) - z) * c;
  const places: number[] = [];
  const first = kind === 'closed' ? points.length - 3 : 0;
  let before = away(first);
  for (let at = kind === 'closed' ? 0 : 3, last = first; at < points.length; last = at, at += 3) {
    const after = away(at);
    if (before > 0 !== after > 0) {
      const start = along(last);
      places.push(start + ((along(at) - start) * before) / (before - after));
    }
    before = after;
  }
  return places;
};

/** Returns the intervals inside contours that are filled together: an odd number of crossings lies before them. */
const intervalsOf = (contours: readonly Contour[], plane: Slice, axis: Vector): Interval[] => {
  const places = contours.flatMap((contour) => crossingsOf(contour, plane, axis)).toSorted((one, other) => one - other);
  return places.flatMap((place, index): Interval[] => {
    const end = places[index + 1];
    return index % 2 === 0 && end !== undefined ? [[place, end]] : [];
  });
};

const merged = (intervals: readonly Interval[]): Interval[] => {
  const result: [number, number][] = [];
  for (const [from, to] of intervals.toSorted(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
};

/** Returns the parts that belong to exactly one of two lists of intervals. */
const differenceOf = (one: readonly Interval[], other: readonly Interval[]): Interval[] => {
  const places = [...one, ...other].flat().toSorted((first, second) => first - second);
  return places.flatMap((place, index): Interval[] => {
    const end = places[index + 1];
    return index % 2 === 0 && end !== undefined && end > place ? [[place, end]] : [];
  });
};

/** Returns the slice of a level, in which its contours lie. */
const sliceOfLevel = ({ contours }: Level, normal: Vector, plane: Slice): Slice => {
  const [first] = contours;
  const position = first ? pointOf(first, 0) : plane.position;
  const lateral: Vector = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const upright = cross(normal, lateral);
  const down = times(upright, 1 / Math.hypot(...upright));
  return { ...plane, position, along: cross(down, normal), down };
};

/** Returns the section with a plane across the contours. Each contour is as thick as the distance to its neighbors. */
const sectionAcross = (levels: readonly Level[], normal: Vector, plane: Slice): Section => {
  const direction = cross(normal, normalOf(plane));
  const axis = times(direction, 1 / Math.hypot(...direction));
  const upward = cross(normalOf(plane), axis);
  const steepness = dot(upward, normal);
  const origin = dot(plane.position, normal);
  const pointAt = (along: number, depth: number): Point =>
    onPlane(plane, plus(plane.position, plus(times(axis, along), times(upward, (depth - origin) / steepness))));
  const cut = levels.map((level) => {
    const closed = level.contours.filter(({ kind }) => kind === 'closed');
    const groups = closed.length > 0 ? fillsOf(closed, sliceOfLevel(level, normal, plane)) : [];
    return { level, intervals: merged(groups.flatMap((group) => intervalsOf(group, plane, axis))) };
  });
  const areas: string[] = [];
  const lines: string[] = [];
  for (const [index, { level, intervals }] of cut.entries()) {
    const next = cut[index + 1];
    const isJoined = next !== undefined && next.level.from - level.to < oneLevel;
    const before = cut[index - 1];
    const isBegun = before !== undefined && level.from - before.level.to < oneLevel;
    for (const [from, to] of intervals) {
      areas.push(
        toPath(
          [pointAt(from, level.from), pointAt(to, level.from), pointAt(to, level.to), pointAt(from, level.to)],
          true,
        ),
      );
      for (const end of [from, to]) lines.push(toPath([pointAt(end, level.from), pointAt(end, level.to)], false));
    }
    const edge = (all: readonly Interval[], depth: number) => {
      for (const [from, to] of all) lines.push(toPath([pointAt(from, depth), pointAt(to, depth)], false));
    };
    if (!isBegun) edge(intervals, level.from);
    edge(isJoined ? differenceOf(intervals, next.intervals) : intervals, level.to);
    for (const contour of level.contours.filter(({ kind }) => kind === 'open'))
      for (const place of crossingsOf(contour, plane, axis))
        lines.push(toPath([pointAt(place, level.from), pointAt(place, level.to)], false));
  }
  return { areas: areas.length > 0 ? [areas.join('')] : [], outline: lines.join('') };
};

/** Returns the section with a plane parallel to the contours: the contours of the level in which the plane lies. */
const sectionAlong = (levels: readonly Level[], normal: Vector, plane: Slice): Section => {
  const depth = dot(plane.position, normal);
  const level = levels.find(({ from, to }) => depth >= from && depth < to);
  if (!level) return { areas: [], outline: '' };
  const closed = level.contours.filter(({ kind }) => kind === 'closed');
  const groups = closed.length > 0 ? fillsOf(closed, sliceOfLevel(level, normal, plane)) : [];
  return {
    areas: groups.map((group) => group.map((contour) => outlineOf(contour, plane)).join('')),
    outline: level.contours.map((contour) => outlineOf(contour, plane)).join(''),
  };
};

/** Levels of a region, and the normal of its contours. */
type Levels = { normal: Vector; levels: readonly Level[] };

/** Area in mm² from which a contour has a direction. */
const leastArea = 0.01;

const known = new WeakMap<readonly Contour[], Levels | undefined>();

/** The part of an outline that determines the section of its region. */
type Cut = Pick<Outline, 'contours' | 'frames'>;

/** Finds the levels of a region once. Undefined without a contour that encloses an area. */
const levelsIn = ({ contours, frames }: Cut): Levels | undefined => {
  if (known.has(contours)) return known.get(contours);
  const flat = contours.filter(({ kind }) => kind !== 'point');
  const normal = directionOf(flat, leastArea);
  const found = normal && { normal, levels: levelsOf(flat, normal, frames) };
  known.set(contours, found);
  return found;
};

/** Whether a region has contours that no plane can show, because they enclose no area: straight open lines. */
export const isWithoutSection = (outline: Cut): boolean =>
  levelsIn(outline) === undefined && outline.contours.some(({ kind }) => kind !== 'point');

const none: Section = { areas: [], outline: '' };

/**
 * Returns the section of a plane with a region of a structure set (PS3.3 §C.8.8.6) or with the traced frames of a segment.
 * Contours are thick: each reaches halfway to the next contour or frame. Points are marked on planes within 1 mm. The contours must be the same list for each plane.
 */
export const sectionOf = (outline: Cut, plane: Slice): Section => {
  const found = levelsIn(outline);
  const isAlong = found && Math.hypot(...cross(found.normal, normalOf(plane))) < nearlyParallel;
  const section = found ? (isAlong ? sectionAlong : sectionAcross)(found.levels, found.normal, plane) : none;
  const marks = outline.contours
    .filter(({ kind }) => kind === 'point')
    .map((contour) => pointOf(contour, 0))
    .filter((point) => Math.abs(dot(between(plane.position, point), normalOf(plane))) <= alone)
    .map((point) => markOf(point, plane));
  return { areas: section.areas, outline: [section.outline, ...marks].join('') };
};
