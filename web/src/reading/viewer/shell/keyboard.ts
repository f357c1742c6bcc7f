import { t } from '@lingui/core/macro';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { hasPhases, moveByPhase } from '#reading/viewer/engine/stack/move-by-phase.ts';
import { cancelDrawing, goToImage, moveBy } from '#reading/viewer/engine/stack/view-commands.ts';
import type { ViewerBarProps } from './viewer-bar-props.ts';

/** Step of Page Up and Page Down, in images. */
const page = 10;

/** Shortcut to show or hide the report. */
export const reportKey = 'n';

/** Shortcut to show or hide the list of measurements. */
export const measurementsKey = 'k';
export const undoKey = 'Backspace';

/** Shortcut to save a picture of the current pane. */
export const pictureKey = ';';

type PaneDirection = 'left' | 'right' | 'up' | 'down';

const paneDirections = [
  ['left', 'Alt+ArrowLeft'],
  ['right', 'Alt+ArrowRight'],
  ['up', 'Alt+ArrowUp'],
  ['down', 'Alt+ArrowDown'],
] as const;

/** Returns the shortcuts to move between panes, which are the same in each viewer. */
export const keysBetweenPanes = (onPane: (way: PaneDirection) => void): Shortcut[] =>
  paneDirections.map(([way, keys]) => ({ keys, does: t`Go to the adjacent viewport`, run: () => onPane(way) }));

type BarHands = Pick<
  ViewerBarProps,
  'offered' | 'onTool' | 'presets' | 'onPreset' | 'actions' | 'onReport' | 'onPicture' | 'onMeasurements' | 'onUndo'
> & { onFullScreen: () => void; onHelp: () => void };

/** Returns the shortcuts that all viewers have. Digits choose the window presets of the current image. */
export const barShortcuts = (hands: BarHands): Shortcut[] => [
  ...hands.offered.map(({ key, label, name }) => ({ keys: key, does: label, run: () => hands.onTool(name) })),
  ...hands.presets.map((preset, index) => {
    const { label } = preset;
    return { keys: String(index + 1), does: t`Window: ${label}`, run: () => hands.onPreset(preset) };
  }),
  ...hands.actions.map(({ keys, label, run }) => ({ keys, does: label, run })),
  ...(hands.onReport ? [{ keys: reportKey, does: t`Show or hide the report`, run: hands.onReport }] : []),
  { keys: measurementsKey, does: t`Show or hide the measurements`, run: hands.onMeasurements },
  { keys: undoKey, does: t`Undo measurement change`, run: hands.onUndo },
  ...(hands.onPicture ? [{ keys: pictureKey, does: t`Save image`, run: hands.onPicture }] : []),
  { keys: 'm', does: t`Full screen`, run: hands.onFullScreen },
  { keys: '?', does: t`Keyboard shortcuts`, run: hands.onHelp },
];

type StackHands = {
  view: View | undefined;
  onStep: (step: 1 | -1) => void;
  /** Kind of items through which `onStep` moves. */
  stepsThrough: 'series' | 'clip';
  onNextLayout: () => void;
};

/** Returns the shortcuts of a viewer with image stacks, in addition to those of all viewers. */
export const stackShortcuts = ({ view, onStep, stepsThrough, onNextLayout }: StackHands): Shortcut[] => {
  const isClips = stepsThrough === 'clip';
  const move = (images: number) => () => view && moveBy(view.viewport, images);
  const phase = (by: 1 | -1) => () => view && moveByPhase(view, by);
  return [
    { keys: 'ArrowDown', does: t`Next image`, run: move(1) },
    { keys: 'ArrowUp', does: t`Previous image`, run: move(-1) },
    { keys: 'PageDown', does: t`${page} images forward`, run: move(page) },
    { keys: 'PageUp', does: t`${page} images back`, run: move(-page) },
    { keys: 'Home', does: t`First image`, run: () => view && goToImage(view.viewport, 0) },
    { keys: 'End', does: t`Last image`, run: () => view && goToImage(view.viewport, view.images.length - 1) },
    ...(hasPhases(view)
      ? [
          { keys: 'Shift+ArrowDown', does: t`Next phase at this position (Shift and wheel)`, run: phase(1) },
          { keys: 'Shift+ArrowUp', does: t`Previous phase at this position (Shift and wheel)`, run: phase(-1) },
        ]
      : []),
    { keys: 'ArrowRight', does: isClips ? t`Next clip` : t`Next series`, run: () => onStep(1) },
    { keys: 'ArrowLeft', does: isClips ? t`Previous clip` : t`Previous series`, run: () => onStep(-1) },
    { keys: 'Escape', does: t`Cancel measurement`, run: () => view && cancelDrawing(view.viewport) },
    { keys: 'd', does: t`Next layout`, run: onNextLayout },
  ];
};
