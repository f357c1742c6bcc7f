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
import { kinds } from '#viewer/measuring/drawn-annotation.ts';
import { measureInRegions } from '#viewer/measuring/region-reading.ts';
import { measuredText, probeText } from '#viewer/measuring/measurement-text.ts';
import { askAgain, askOfArrow, askOfText } from '#viewer/measuring/words-question.ts';
import { giveUpHalfDrawn, noteBeginnings } from './half-drawn.ts';
import { isHandheld } from './handheld.ts';
import { PinchTool } from './pinch.ts';
import { dragWindowsExactly } from './window-hand.ts';

/** What the first mouse button, or one finger, can do. Each has a letter; the toolbar shows them in this order. */
export const tools = [
  {
    name: WindowLevelTool.toolName,
    tool: WindowLevelTool,
    label: 'Window width and level',
    key: 'w',
    icon: IconContrast,
  },
  { name: ZoomTool.toolName, tool: ZoomTool, label: 'Zoom', key: 'z', icon: IconZoomIn },
  { name: MagnifyTool.toolName, tool: MagnifyTool, label: 'Magnifying glass', key: 'g', icon: IconZoomScan },
  { name: PanTool.toolName, tool: PanTool, label: 'Pan', key: 'p', icon: IconArrowsMove },
  { name: StackScrollTool.toolName, tool: StackScrollTool, label: 'Scroll', key: 's', icon: IconArrowsVertical },
  { name: LengthTool.toolName, tool: LengthTool, label: 'Length', key: 'l', icon: IconRuler2 },
  { name: AngleTool.toolName, tool: AngleTool, label: 'Angle', key: 'a', icon: IconAngle },
  { name: CobbAngleTool.toolName, tool: CobbAngleTool, label: 'Cobb angle', key: 'c', icon: IconVectorSpline },
  {
    name: BidirectionalTool.toolName,
    tool: BidirectionalTool,
    label: 'Bidirectional',
    key: 'b',
    icon: IconArrowsCross,
  },
  { name: EllipticalROITool.toolName, tool: EllipticalROITool, label: 'Ellipse', key: 'e', icon: IconOvalVertical },
  { name: RectangleROITool.toolName, tool: RectangleROITool, label: 'Rectangle', key: 't', icon: IconRectangle },
  {
    name: PlanarFreehandROITool.toolName,
    tool: PlanarFreehandROITool,
    label: 'Outline',
    key: 'j',
    icon: IconLassoPolygon,
  },
  { name: ProbeTool.toolName, tool: ProbeTool, label: 'Value at a point', key: 'v', icon: IconColorPicker },
  { name: ArrowAnnotateTool.toolName, tool: ArrowAnnotateTool, label: 'Arrow', key: 'y', icon: IconArrowDownLeft },
  { name: LabelTool.toolName, tool: LabelTool, label: 'Text', key: 'q', icon: IconTextSize },
] as const;

export type ToolName = string;

/** A tool as the tool bar and the keyboard help name it. */
export type OfferedTool = { name: ToolName; label: string; key: string; icon: (typeof tools)[number]['icon'] };

/** The tool in hand when a study opens: a finger scrolls, a mouse sets the window (its wheel scrolls anyway). */
export const firstTool = (isHandheld: boolean): ToolName =>
  isHandheld ? StackScrollTool.toolName : WindowLevelTool.toolName;

const looking: readonly ToolName[] = [WindowLevelTool, ZoomTool, PanTool, MagnifyTool].map(({ toolName }) => toolName);

/** Whether a tool acts on one frame, so that a film must stand still under it. */
export const holdsFrame = (tool: ToolName): boolean => !looking.includes(tool);

/** Whether a tool leaves something on the picture. */
const draws = (tool: ToolName): boolean => holdsFrame(tool) && tool !== StackScrollTool.toolName;

const { MouseBindings } = Enums;

/** What belongs to the tool in hand. */
const inHand = [{ mouseButton: MouseBindings.Primary }, { numTouchPoints: 1 }];

/** What always works, whatever is in hand: middle button pans, right button zooms, two fingers do both, the wheel scrolls. */
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

/** Makes the tools known to the library; once for the page. */
export const registerTools = () => {
  for (const { tool } of tools) addTool(tool);
  addTool(PinchTool);
  const { style } = annotation.config;
  const usual = style.getDefaultToolStyles();
  style.setDefaultToolStyles({ ...usual, global: { ...usual.global, ...measurementStyle } });
};

/**
 * The library (5.14.0) goes on as if a text were being drawn when its words are there: whoever gave drawing up then, or left
 * the picture, would take the text away.
 */
const endTextsWithTheirWords = (group: Types.IToolGroup) => {
  const tool: object = group.getToolInstance(LabelTool.toolName);
  const getTextCallback = (done: (words: string) => void) =>
    askOfText((words) => {
      done(words);
      Object.assign(tool, { isDrawing: false, editData: null });
    });
  group.setToolConfiguration(LabelTool.toolName, { getTextCallback });
};

/** A set of tools that the viewports of one page share. Whoever makes one gives it back with `releaseTools`. */
export const makeTools = (id: string): Types.IToolGroup => {
  const group = ToolGroupManager.createToolGroup(id);
  if (!group) throw new Error(`The tools ${id} exist already`);
  // With one finger it would pan.
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
  group.setToolConfiguration(ArrowAnnotateTool.toolName, { getTextCallback: askOfArrow, changeTextCallback: askAgain });
  endTextsWithTheirWords(group);
  dragWindowsExactly(group);
  for (const [kind, toolName] of kinds) {
    if (!group.hasTool(toolName)) continue;
    measureInRegions(group, kind, toolName);
    noteBeginnings(group, toolName);
  }
  // For the reason that stands at moveBy.
  group.setToolConfiguration(StackScrollTool.toolName, { debounceIfNotLoaded: false });
  for (const { name, bindings } of alwaysThere) group.setToolActive(name, { bindings });
  return group;
};

export const releaseTools = ({ id }: Types.IToolGroup) => ToolGroupManager.destroyToolGroup(id);

/**
 * Puts a tool in hand, and gives up what is half drawn with another. What it replaces stays visible and can still be moved by its handles; but under a finger, which
 * covers so much, only beside a tool that draws: whoever scrolls or pans would move what lies there.
 */
export const takeTool = (group: Types.IToolGroup, name: ToolName) => {
  giveUpHalfDrawn();
  const liesStill = isHandheld() && !draws(name);
  for (const { name: other } of tools) {
    if (other === name) continue;
    group.setToolPassive(other, { removeAllBindings: inHand });
    if (liesStill && draws(other)) group.setToolEnabled(other);
  }
  group.setToolActive(name, { bindings: inHand });
};

/** Puts the tool in hand away, for a viewer whose own hands do the work. What always works goes on. */
const emptyHands = (group: Types.IToolGroup) => {
  giveUpHalfDrawn();
  for (const { name } of tools) group.setToolPassive(name, { removeAllBindings: inHand });
};

const drawing = tools.filter(({ name }) => !alwaysThere.some((one) => one.name === name));

/** Lays every tool down: what is drawn is seen and lies still. */
export const holdNoTool = (group: Types.IToolGroup) => {
  emptyHands(group);
  for (const { name } of drawing) group.setToolEnabled(name);
};

/**
 * Lays every tool down, and shows nothing that is drawn on images: on planes of a fusion the library would work its words
 * out anew from whichever volume lies below, and write those of a PET in Hounsfield units.
 */
export const hideDrawn = (group: Types.IToolGroup) => {
  emptyHands(group);
  for (const { name } of drawing) group.setToolDisabled(name);
};

/** Puts a tool in hand that draws nothing, and hides what is drawn. */
export const takeOnly = (group: Types.IToolGroup, name: ToolName) => {
  hideDrawn(group);
  group.setToolActive(name, { bindings: inHand });
};
