import { t } from '@lingui/core/macro';
/** Panes that show the same slice. The pane `projection` rotates instead. */
export const slicePanes = ['anatomy', 'uptake', 'fused'] as const;
export type SlicePane = (typeof slicePanes)[number];

export const paneNames = [...slicePanes, 'projection'] as const;
export type PaneName = (typeof paneNames)[number];

export const layouts = ['four', 'one'] as const;
export type Layout = (typeof layouts)[number];

/** Returns the label of a pane, such as the modality of its series. */
export const labelOf = (pane: PaneName, modalities: { anatomy: string; uptake: string }): string =>
  ({
    anatomy: modalities.anatomy,
    uptake: modalities.uptake === 'PT' ? 'PET' : modalities.uptake,
    fused: t`Fused`,
    projection: t`Projection`,
  })[pane];
