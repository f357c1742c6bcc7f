import { t } from '@lingui/core/macro';
import { PanTool, StackScrollTool, ZoomTool } from '@cornerstonejs/tools';
import { IconContrast, IconCurrentLocation, IconSphere } from '@tabler/icons-react';
import { type OfferedTool, tools } from '#reading/viewer/engine/tools/tools.ts';

/** Tools that only this viewer has. All other tools come from the imaging library. */
export const windowTool = 'FusionWindow';
export const pointTool = 'FusionPoint';
export const sphereTool = 'FusionSphere';

const ofTheLibrary: readonly string[] = [ZoomTool.toolName, PanTool.toolName, StackScrollTool.toolName];

export const isOfTheLibrary = (name: string): boolean => ofTheLibrary.includes(name);

export const scrollTool = StackScrollTool.toolName;

export const fusionTools: readonly OfferedTool[] = [
  { name: windowTool, label: t`Window width and level`, key: 'w', icon: IconContrast },
  ...tools.filter(({ name }) => isOfTheLibrary(name)),
  { name: pointTool, label: t`Go to a point`, key: 'g', icon: IconCurrentLocation },
  { name: sphereTool, label: t`Sphere`, key: 'e', icon: IconSphere },
];
