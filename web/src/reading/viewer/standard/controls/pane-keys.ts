import { t } from '@lingui/core/macro';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { keysBetweenPanes } from '#reading/viewer/shell/keyboard.ts';
import { doseKeys } from '#reading/viewer/dose/dose-display.ts';
import { segmentKeys } from '#reading/viewer/segments/segment-display.ts';
import { type Layout, layoutDigits, layoutLabel, layoutNames, neighborPane } from '#reading/viewer/hanging/layouts.ts';

/** Returns the shortcut of a layout: a comma, then its digit. */
export const layoutKey = (layout: Layout): string => `, ${layoutDigits[layout]}`;

/** Shortcuts of the standard viewer that act on its panes. */
export const paneKeys = {
  again: '0',
  enlarge: 'Enter',
  linkScroll: '.',
  compare: '-',
  keyImage: '*',
  // Starts with a comma, because single letters are reserved for tools.
  linkLooks: ', z',
  lines: ', r',
  tags: ', t',
  layers: ', o',
  colors: ', c',
  segments: segmentKeys,
  dose: doseKeys,
} as const;

/** Actions of the pane shortcuts and buttons. */
export type PaneHands = {
  layout: Layout;
  current: number;
  onLayout: (layout: Layout) => void;
  onPane: (pane: number) => void;
  onEnlarge: () => void;
  onAgain: () => void;
  onLinkScroll: () => void;
  onLinkLooks: () => void;
  onLines: () => void;
  onCompare: () => void;
  onTags: () => void;
  onKeyImage: () => void;
  /** Undefined if the study has no segmentation. */
  onSegments?: (() => void) | undefined;
  /** Undefined if the study has no dose. */
  onDose?: (() => void) | undefined;
  /** Undefined if no image is a map. */
  onColors?: (() => void) | undefined;
  /** Undefined if no image has overlay planes, shutters or a scale. */
  onLayers?: (() => void) | undefined;
};

/** Returns the shortcuts for panes, layouts and links. */
export const paneShortcuts = (hands: PaneHands): Shortcut[] => {
  const { layout, current, onLayout, onPane } = hands;
  return [
    ...keysBetweenPanes((way) => onPane(neighborPane(layout, current, way))),
    { keys: paneKeys.enlarge, does: t`Enlarge or restore the viewport`, run: hands.onEnlarge },
    ...layoutNames.map((name) => {
      const label = layoutLabel(name);
      return { keys: layoutKey(name), does: t`Layout: ${label}`, run: () => onLayout(name) };
    }),
    { keys: paneKeys.again, does: t`Reset hanging`, run: hands.onAgain },
    { keys: paneKeys.linkScroll, does: t`Link scrolling`, run: hands.onLinkScroll },
    { keys: paneKeys.linkLooks, does: t`Link zoom, position and window`, run: hands.onLinkLooks },
    { keys: paneKeys.lines, does: t`Reference lines`, run: hands.onLines },
    { keys: paneKeys.compare, does: t`Compare with the most similar prior`, run: hands.onCompare },
    { keys: paneKeys.keyImage, does: t`Toggle key image`, run: hands.onKeyImage },
    ...(hands.onSegments
      ? [{ keys: paneKeys.segments, does: t`Show or hide the segments`, run: hands.onSegments }]
      : []),
    ...(hands.onDose ? [{ keys: paneKeys.dose, does: t`Show or hide the dose`, run: hands.onDose }] : []),
    ...(hands.onColors ? [{ keys: paneKeys.colors, does: t`Next color map`, run: hands.onColors }] : []),
    ...(hands.onLayers
      ? [{ keys: paneKeys.layers, does: t`Show or hide overlays, shutters and scales`, run: hands.onLayers }]
      : []),
    { keys: paneKeys.tags, does: t`DICOM tags of the image`, run: hands.onTags },
  ];
};
