import { t } from '@lingui/core/macro';
import {
  addTool,
  AngleTool,
  annotation,
  ArrowAnnotateTool,
  BidirectionalTool,
  CobbAngleTool,
  EllipticalROITool,
  Enums,
  LabelTool,
  LengthTool,
  MagnifyTool,
  PanTool,
  PlanarFreehandROITool,
  ProbeTool,
  RectangleROITool,
  StackScrollTool,
  ToolGroupManager,
  type Types,
  WindowLevelTool,
  ZoomTool,
} from '@cornerstonejs/tools';
import {
  IconAngle,
  IconArrowDownLeft,
  IconArrowsCross,
  IconArrowsMove,
  IconArrowsVertical,
  IconColorPicker,
  IconContrast,
  IconLassoPolygon,
  IconOvalVertical,
  IconRectangle,
  IconRuler2,
  IconTextSize,
  IconVectorSpline,
  IconZoomIn,
  IconZoomScan,
} from '@tabler/icons-react';
import type { HangingTool } from '@radwork/contract/reading/hanging-rules';
import { kinds } from '#reading/viewer/measuring/drawn-annotation.ts';
import { measureInRegions } from '#reading/viewer/measuring/region-reading.ts';
import { measuredText, probeText } from '#reading/viewer/measuring/measurement-text.ts';
import {
  askForNewArrowText,
  askForArrowText,
  askForLabelText,
} from '#reading/viewer/measuring/annotation-text-question.ts';
import { discardUnfinishedDrawing, trackDrawingStart } from './unfinished-drawing.ts';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';
import { PinchTool } from './pinch.ts';
import { dragWindowsExactly } from './exact-window-drag.ts';

/** Tools for the primary mouse button or one finger, with their shortcuts, in the order of the toolbar. */
export const tools = [
  {
    name: WindowLevelTool.toolName,
    tool: WindowLevelTool,
    label: t`Window width and level`,
    key: 'w',
    icon: IconContrast,
  },
  { name: ZoomTool.toolName, tool: ZoomTool, label: t`Zoom`, key: 'z', icon: IconZoomIn },
  { name: MagnifyTool.toolName, tool: MagnifyTool, label: t`Magnifying glass`, key: 'g', icon: IconZoomScan },
  { name: PanTool.toolName, tool: PanTool, label: t`Pan`, key: 'p', icon: IconArrowsMove },
  { name: StackScrollTool.toolName, tool: StackScrollTool, label: t`Scroll`, key: 's', icon: IconArrowsVertical },
  { name: LengthTool.toolName, tool: LengthTool, label: t`Length`, key: 'l', icon: IconRuler2 },
  { name: AngleTool.toolName, tool: AngleTool, label: t`Angle`, key: 'a', icon: IconAngle },
  { name: CobbAngleTool.toolName, tool: CobbAngleTool, label: t`Cobb angle`, key: 'c', icon: IconVectorSpline },
  {
    name: BidirectionalTool.toolName,
    tool: BidirectionalTool,
    label: t`Bidirectional`,
    key: 'b',
    icon: IconArrowsCross,
  },
  { name: EllipticalROITool.toolName, tool: EllipticalROITool, label: t`Ellipse`, key: 'e', icon: IconOvalVertical },
  { name: RectangleROITool.toolName, tool: RectangleROITool, label: t`Rectangle`, key: 't', icon: IconRectangle },
  {
    name: PlanarFreehandROITool.toolName,
    tool: PlanarFreehandROITool,
    label: t`Outline`,
    key: 'j',
    icon: IconLassoPolygon,
  },
  { name: ProbeTool.toolName, tool: ProbeTool, label: t`Value at a point`, key: 'v', icon: IconColorPicker },
  { name: ArrowAnnotateTool.toolName, tool: ArrowAnnotateTool, label: t`Arrow`, key: 'y', icon: IconArrowDownLeft },
  { name: LabelTool.toolName, tool: LabelTool, label: t`Text`, key: '"', icon: IconTextSize },
] as const;

export type ToolName = string;

/** Tool as shown in the toolbar and the list of shortcuts. */
export type OfferedTool = { name: ToolName; label: string; key: string; icon: (typeof tools)[number]['icon'] };

/**
 * Returns the tool that is active when a study opens. A finger scrolls; a mouse sets the window, because its wheel
 * scrolls anyway.
 */
export const firstTool = (isHandheld: boolean): ToolName =>
  isHandheld ? StackScrollTool.toolName : WindowLevelTool.toolName;

/** Tools of hanging rules. */
const toolOfRule: Record<HangingTool, ToolName> = {
  window: WindowLevelTool.toolName,
  zoom: ZoomTool.toolName,
  magnify: MagnifyTool.toolName,
  pan: PanTool.toolName,
  scroll: StackScrollTool.toolName,
  length: LengthTool.toolName,
  angle: AngleTool.toolName,
  cobbAngle: CobbAngleTool.toolName,
  bidirectional: BidirectionalTool.toolName,
  ellipse: EllipticalROITool.toolName,
  rectangle: RectangleROITool.toolName,
  outline: PlanarFreehandROITool.toolName,
  probe: ProbeTool.toolName,
  arrow: ArrowAnnotateTool.toolName,
  text: LabelTool.toolName,
};

/**
 * Returns the tool that is active after a study was hung: that of its rule, or else the first tool. A rule names the
 * tool of a mouse button. A finger always scrolls first, because nothing else would scroll.
 */
export const toolAfterHanging = (ofRule: HangingTool | null | undefined, isHandheldDevice: boolean): ToolName =>
  ofRule && !isHandheldDevice ? toolOfRule[ofRule] : firstTool(isHandheldDevice);

const looking: readonly ToolName[] = [WindowLevelTool, ZoomTool, PanTool, MagnifyTool].map(({ toolName }) => toolName);

/** Whether a tool works on a single frame and needs the cine paused. */
export const holdsFrame = (tool: ToolName): boolean => !looking.includes(tool);

/** Whether a tool draws on the image. */
const draws = (tool: ToolName): boolean => holdsFrame(tool) && tool !== StackScrollTool.toolName;

const { MouseBindings } = Enums;

/** Mouse button and number of fingers that use the active tool. */
const inHand = [{ mouseButton: MouseBindings.Primary }, { numTouchPoints: 1 }];

/**
 * Bindings that work with every active tool. The middle button pans, the right button zooms, two fingers do both, the
 * wheel scrolls.
 */
const alwaysThere = [
  { name: PanTool.toolName, bindings: [{ mouseButton: MouseBindings.Auxiliary }] },
  { name: ZoomTool.toolName, bindings: [{ mouseButton: MouseBindings.Secondary }] },
  { name: PinchTool.toolName, bindings: [{ numTouchPoints: 2 }] },
  { name: StackScrollTool.toolName, bindings: [{ mouseButton: MouseBindings.Wheel }] },
];

const measurementStyle = {
  color: '#e8d44d',
  colorHighlighted: '#7db0ff',
  colorSelected: '#7db0ff',
  textBoxColor: '#e8d44d',
  textBoxColorHighlighted: '#7db0ff',
  textBoxColorSelected: '#7db0ff',
  textBoxFontFamily: 'Inter Variable, Inter, system-ui, sans-serif',
  textBoxFontSize: '13px',
  lineWidth: '1.5',
};

/** Registers the tools with the imaging library, once per page. */
export const registerTools = () => {
  for (const { tool } of tools) addTool(tool);
  addTool(PinchTool);
  const { style } = annotation.config;
  const usual = style.getDefaultToolStyles();
  style.setDefaultToolStyles({ ...usual, global: { ...usual.global, ...measurementStyle } });
};

/**
 * Ends the drawing of a text when the user has entered its words. The imaging library (5.14.0) does not end it. A later
 * cancel, or leaving the image, would then delete the text.
 */
const endTextsWithTheirWords = (group: Types.IToolGroup) => {
  const tool: object = group.getToolInstance(LabelTool.toolName);
  const getTextCallback = (done: (words: string) => void) =>
    askForLabelText((words) => {
      done(words);
      Object.assign(tool, { isDrawing: false, editData: null });
    });
  group.setToolConfiguration(LabelTool.toolName, { getTextCallback });
};

/** Creates the tool group shared by the viewports of a page. Release it with `releaseTools`. */
export const makeTools = (id: string): Types.IToolGroup => {
  const group = ToolGroupManager.createToolGroup(id);
  if (!group) throw new Error(`The tools ${id} exist already`);
  // By default, one finger would pan.
  for (const { name } of tools) group.addTool(name, name === ZoomTool.toolName ? { pinchToZoom: false } : {});
  group.addTool(PinchTool.toolName);
  group.setToolConfiguration(ProbeTool.toolName, { getTextLines: probeText });
  for (const { toolName } of [
    LengthTool,
    AngleTool,
    CobbAngleTool,
    BidirectionalTool,
    EllipticalROITool,
    RectangleROITool,
  ]) {
    group.setToolConfiguration(toolName, { getTextLines: measuredText });
  }
  group.setToolConfiguration(PlanarFreehandROITool.toolName, { getTextLines: measuredText, allowOpenContours: false });
  group.setToolConfiguration(ArrowAnnotateTool.toolName, {
    getTextCallback: askForArrowText,
    changeTextCallback: askForNewArrowText,
  });
  endTextsWithTheirWords(group);
  dragWindowsExactly(group);
  for (const [kind, toolName] of kinds) {
    if (!group.hasTool(toolName)) continue;
    measureInRegions(group, kind, toolName);
    trackDrawingStart(group, toolName);
  }
  // Avoids the delay of the imaging library. Its timer could return to the image before a step (see `moveBy`).
  group.setToolConfiguration(StackScrollTool.toolName, { debounceIfNotLoaded: false });
  for (const { name, bindings } of alwaysThere) group.setToolActive(name, { bindings });
  return group;
};

export const releaseTools = ({ id }: Types.IToolGroup) => ToolGroupManager.destroyToolGroup(id);

/**
 * Activates a tool and cancels an unfinished annotation. Other annotations stay visible, and the user can move their
 * handles. On touch screens, handles move only with a drawing tool, because a finger that scrolls or pans would hit
 * them.
 */
export const activateTool = (group: Types.IToolGroup, name: ToolName) => {
  discardUnfinishedDrawing();
  const liesStill = isHandheld() && !draws(name);
  for (const { name: other } of tools) {
    if (other === name) continue;
    group.setToolPassive(other, { removeAllBindings: inHand });
    if (liesStill && draws(other)) group.setToolEnabled(other);
  }
  group.setToolActive(name, { bindings: inHand });
};

/** Deactivates the active tool, for a viewer with its own interaction. Bindings that work with every tool stay. */
const emptyHands = (group: Types.IToolGroup) => {
  discardUnfinishedDrawing();
  for (const { name } of tools) group.setToolPassive(name, { removeAllBindings: inHand });
};

const drawing = tools.filter(({ name }) => !alwaysThere.some((one) => one.name === name));

/** Deactivates all tools. Annotations stay visible but cannot be moved. */
export const deactivateAllTools = (group: Types.IToolGroup) => {
  emptyHands(group);
  for (const { name } of drawing) group.setToolEnabled(name);
};

/**
 * Deactivates all tools and hides all annotations. On the planes of a fusion, the imaging library would compute the
 * texts of annotations from the lowest volume. PET values would then appear in Hounsfield units.
 */
export const hideDrawn = (group: Types.IToolGroup) => {
  emptyHands(group);
  for (const { name } of drawing) group.setToolDisabled(name);
};

/** Activates a tool that draws nothing, and hides all annotations. */
export const activateOnly = (group: Types.IToolGroup, name: ToolName) => {
  hideDrawn(group);
  group.setToolActive(name, { bindings: inHand });
};
