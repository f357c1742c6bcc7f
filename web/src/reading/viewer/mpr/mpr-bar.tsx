import { t } from '@lingui/core/macro';
import { PanTool, StackScrollTool, WindowLevelTool, ZoomTool } from '@cornerstonejs/tools';
import { IconArrowsMaximize, IconCircleHalf2, IconLayoutGrid, IconRestore, IconTrash } from '@tabler/icons-react';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { keysBetweenPanes } from '#reading/viewer/shell/keyboard.ts';
import { ViewerBar } from '#reading/viewer/shell/viewer-bar.tsx';
import type { PanelControls, ToolbarAction } from '#reading/viewer/shell/viewer-bar-props.ts';
import { cancelDrawingOn, fitPlane, goToSlice, scrollPlane } from '#reading/viewer/volumes/plane-commands.ts';
import { useShownPlane } from '#reading/viewer/volumes/shown-plane.ts';
import { neighborPane } from '#reading/viewer/hanging/layouts.ts';
import { orientations } from '#reading/viewer/volumes/plane-viewport.tsx';
import { nextThickness, type Slab, slabKinds } from '#reading/viewer/volumes/slab.ts';
import { crosshairs, turnOthers } from './crosshairs.ts';
import { isSeenOn } from './drawings-on-plane.ts';
import { measuring } from './plane-surface.ts';
import { removeDrawings } from './remove-drawings.ts';
import { PlaneLayerButtons } from '#reading/viewer/plane-layers/plane-layer-buttons.tsx';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import { SlabControl } from './slab-control.tsx';
import type { MprState } from './use-mpr-state.ts';

const usable: readonly string[] = [
  ...[WindowLevelTool, ZoomTool, PanTool, StackScrollTool].map(({ toolName }) => toolName),
  ...measuring.map(([, name]) => name),
];

const offered = [crosshairs, ...tools.filter(({ name }) => usable.includes(name))];

/** Step of Page Up and Page Down, in slices. */
const page = 10;

/** Rotation of the other planes per key press, in radians: five degrees. */
const turnStep = Math.PI / 36;

/** Initial thickness of a slab, in mm. It is large enough that the user sees a difference. */
const firstThickness = 10;

const nextKind = ({ kind, thickness }: Slab): Slab => ({
  kind: slabKinds[(slabKinds.indexOf(kind) + 1) % slabKinds.length] ?? kind,
  thickness: thickness || firstThickness,
});

type Props = PanelControls & {
  desk: MprState;
  layers: PlaneLayersShown;
  /** Returns the IDs of the measurements in the order of drawing. */
  drawnInOrder: () => string[];
};

/** Removes measurements on the visible planes. An enlarged plane hides the others. */
const removeOnScreen = ({ all, large }: MprState, inOrder: readonly string[]) => {
  const onScreen = large ? all.filter(({ orientation }) => orientation === large) : all;
  removeDrawings({ isSeen: (one) => onScreen.some(({ viewport }) => isSeenOn(viewport, one)), inOrder });
  for (const { viewport } of all) viewport.render();
};

/** Toolbar and shortcuts of the planes. Give each current plane its own React key. */
export function MprBar({ desk, layers, drawnInOrder, ...beside }: Props) {
  const { plane, slab } = desk;
  const shownPlane = useShownPlane(plane);
  const isDisabled = !desk.areThere;
  const actions: ToolbarAction[] = [
    {
      label: t`Invert`,
      keys: 'i',
      icon: IconCircleHalf2,
      isDisabled,
      run: () => shownPlane && desk.invert(!shownPlane.isInverted),
    },
    { label: t`Fit to window`, keys: 'f', icon: IconArrowsMaximize, isDisabled, run: () => plane && fitPlane(plane) },
    { label: t`Reset view`, keys: 'r', icon: IconRestore, isDisabled, run: desk.reset },
    {
      label: t`Remove measurement`,
      keys: 'Delete',
      icon: IconTrash,
      isDisabled,
      run: () => removeOnScreen(desk, drawnInOrder()),
    },
    {
      label: t`Show one plane or all`,
      keys: 'd',
      icon: IconLayoutGrid,
      isDisabled,
      run: () => desk.toggleLarge(desk.current),
    },
  ];
  return (
    <ViewerBar
      {...beside}
      tool={desk.tool}
      onTool={desk.setTool}
      offered={offered}
      presets={shownPlane?.presets ?? []}
      onPreset={({ range }) => desk.setWindow(range)}
      actions={actions}
      picture={plane?.viewport.element}
      keys={keysOf(desk)}
    >
      <SlabControl slab={slab} onSlab={desk.setSlab} />
      <PlaneLayerButtons layers={layers} />
    </ViewerBar>
  );
}

const keysOf = (desk: MprState): Shortcut[] => {
  const { plane, all, slab, setSlab, toggleRendering, toggleCropping } = desk;
  const move = (slices: number) => () => plane && scrollPlane(plane, slices);
  const turn = (direction: 1 | -1) => () => plane && turnOthers(all, plane, direction * turnStep);
  const grow = (direction: 1 | -1) => () => setSlab({ ...slab, thickness: nextThickness(slab.thickness, direction) });
  return [
    { keys: 'ArrowDown', does: t`Next slice`, run: move(1) },
    { keys: 'ArrowUp', does: t`Previous slice`, run: move(-1) },
    { keys: 'PageDown', does: t`${page} slices forward`, run: move(page) },
    { keys: 'PageUp', does: t`${page} slices back`, run: move(-page) },
    { keys: 'Home', does: t`First slice`, run: () => plane && goToSlice(plane, 0) },
    { keys: 'End', does: t`Last slice`, run: () => plane && goToSlice(plane, Number.MAX_SAFE_INTEGER) },
    ...keysBetweenPanes((way) => {
      const beside = orientations[neighborPane('2x2', orientations.indexOf(desk.current), way)];
      if (beside) desk.goTo(beside);
    }),
    { keys: '+', does: t`Thicker slab`, run: grow(1) },
    { keys: '-', does: t`Thinner slab`, run: grow(-1) },
    { keys: ',', does: t`Rotate the other planes left`, run: turn(-1) },
    { keys: '.', does: t`Rotate the other planes right`, run: turn(1) },
    { keys: 'g', does: t`Next slab mode: MIP, MinIP, average`, run: () => setSlab(nextKind(slab)) },
    { keys: '0', does: t`Volume rendering`, run: toggleRendering },
    { keys: 'c', does: t`Crop the volume rendering`, run: toggleCropping },
    { keys: 'Escape', does: t`Cancel measurement`, run: () => plane && cancelDrawingOn(plane) },
  ];
};
