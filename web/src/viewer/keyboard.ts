import type { Shortcut } from '#ui/shortcuts.ts';
import type { ShownImage, View } from './shown-image.ts';
import { type ToolName, tools } from './tools.ts';
import { viewActions } from './view-actions.ts';
import { cancelDrawing, goToImage, moveBy, setWindow } from './view-commands.ts';

/** How far Page Up and Page Down go, in images. */
const page = 10;

type Hands = {
  view: View | undefined;
  shown: ShownImage | undefined;
  onTool: (tool: ToolName) => void;
  onSeries: (step: 1 | -1) => void;
  onLayout: () => void;
  onFullScreen: () => void;
  onHelp: () => void;
  onReport?: (() => void) | undefined;
};

/** Opens and closes the report beside the pictures. */
export const reportKey = 'n';

/** Every key of the viewer. */
export const viewerShortcuts = (hands: Hands): Shortcut[] => [
  ...scrolling(hands),
  ...tools.map(({ key, label, name }) => ({ keys: key, does: label, run: () => hands.onTool(name) })),
  ...windows(hands),
  ...viewActions.map(({ keys, label, run }) => ({
    keys,
    does: label,
    run: () => hands.view && hands.shown && run(hands.view.viewport, hands.shown),
  })),
  {
    keys: 'Escape',
    does: 'Give up the measurement in hand',
    run: () => hands.view && cancelDrawing(hands.view.viewport),
  },
  { keys: 'd', does: 'Next layout', run: hands.onLayout },
  ...(hands.onReport ? [{ keys: reportKey, does: 'Show or hide the report', run: hands.onReport }] : []),
  { keys: 'm', does: 'Full screen', run: hands.onFullScreen },
  { keys: '?', does: 'Keyboard shortcuts', run: hands.onHelp },
];

const scrolling = ({ view, onSeries }: Hands): Shortcut[] => {
  const move = (images: number) => () => view && moveBy(view.viewport, images);
  return [
    { keys: 'ArrowDown', does: 'Next image', run: move(1) },
    { keys: 'ArrowUp', does: 'Previous image', run: move(-1) },
    { keys: 'PageDown', does: `${page} images on`, run: move(page) },
    { keys: 'PageUp', does: `${page} images back`, run: move(-page) },
    { keys: 'Home', does: 'First image', run: () => view && goToImage(view.viewport, 0) },
    { keys: 'End', does: 'Last image', run: () => view && goToImage(view.viewport, view.images.length - 1) },
    { keys: 'ArrowRight', does: 'Next series', run: () => onSeries(1) },
    { keys: 'ArrowLeft', does: 'Previous series', run: () => onSeries(-1) },
  ];
};

/** The digits stand for the window presets of the picture on the screen. */
const windows = ({ view, shown }: Hands): Shortcut[] =>
  (shown?.presets ?? []).map(({ label, range }, index) => ({
    keys: String(index + 1),
    does: `Window: ${label}`,
    run: () => view && setWindow(view.viewport, range),
  }));
