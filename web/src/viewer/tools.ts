import {
  addTool,
  AngleTool,
  annotation,
  EllipticalROITool,
  Enums,
  LengthTool,
  PanTool,
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
  IconArrowsMove,
  IconArrowsVertical,
  IconColorPicker,
  IconContrast,
  IconOvalVertical,
  IconRectangle,
  IconRuler2,
  IconZoomIn,
} from '@tabler/icons-react';
import { lengthText, probeText } from './measurement-text.ts';

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
  { name: PanTool.toolName, tool: PanTool, label: 'Pan', key: 'p', icon: IconArrowsMove },
  { name: StackScrollTool.toolName, tool: StackScrollTool, label: 'Scroll', key: 's', icon: IconArrowsVertical },
  { name: LengthTool.toolName, tool: LengthTool, label: 'Length', key: 'l', icon: IconRuler2 },
  { name: AngleTool.toolName, tool: AngleTool, label: 'Angle', key: 'a', icon: IconAngle },
  { name: EllipticalROITool.toolName, tool: EllipticalROITool, label: 'Ellipse', key: 'e', icon: IconOvalVertical },
  { name: RectangleROITool.toolName, tool: RectangleROITool, label: 'Rectangle', key: 't', icon: IconRectangle },
  { name: ProbeTool.toolName, tool: ProbeTool, label: 'Value at a point', key: 'v', icon: IconColorPicker },
] as const;

export type ToolName = string;

/** The tool in hand when a study opens: a finger scrolls, a mouse sets the window (its wheel scrolls anyway). */
export const firstTool = (isHandheld: boolean): ToolName =>
  isHandheld ? StackScrollTool.toolName : WindowLevelTool.toolName;

const { MouseBindings } = Enums;

/** What belongs to the tool in hand. */
const inHand = [{ mouseButton: MouseBindings.Primary }, { numTouchPoints: 1 }];

/** What always works, whatever is in hand: middle button pans, right button or a pinch zooms, the wheel scrolls. */
const alwaysThere = [
  { name: PanTool.toolName, bindings: [{ mouseButton: MouseBindings.Auxiliary }] },
  { name: ZoomTool.toolName, bindings: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }] },
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
  const { style } = annotation.config;
  const usual = style.getDefaultToolStyles();
  style.setDefaultToolStyles({ ...usual, global: { ...usual.global, ...measurementStyle } });
};

/** A set of tools that the viewports of one page share. Whoever makes one gives it back with `releaseTools`. */
export const makeTools = (id: string): Types.IToolGroup => {
  const group = ToolGroupManager.createToolGroup(id);
  if (!group) throw new Error(`The tools ${id} exist already`);
  for (const { name } of tools) group.addTool(name);
  group.setToolConfiguration(ProbeTool.toolName, { getTextLines: probeText });
  group.setToolConfiguration(LengthTool.toolName, { getTextLines: lengthText });
  // For the reason that stands at moveBy.
  group.setToolConfiguration(StackScrollTool.toolName, { debounceIfNotLoaded: false });
  for (const { name, bindings } of alwaysThere) group.setToolActive(name, { bindings });
  return group;
};

export const releaseTools = ({ id }: Types.IToolGroup) => ToolGroupManager.destroyToolGroup(id);

/** Puts a tool in hand. What it replaces stays visible and can still be moved by its handles. */
export const takeTool = (group: Types.IToolGroup, name: ToolName) => {
  for (const { name: other } of tools) {
    if (other !== name) group.setToolPassive(other, { removeAllBindings: inHand });
  }
  group.setToolActive(name, { bindings: inHand });
};
