import { t } from '@lingui/core/macro';
/** Panes that show the same slice; `projection` rotates. */
export const slicePanes = ['anatomy', 'uptake', 'fused'] as const;
export type SlicePane = (typeof slicePanes)[number];

export const paneNames = [...slicePanes, 'projection'] as const;
export type PaneName = (typeof paneNames)[number];

export const layouts = ['four', 'one'] as const;
export type Layout = (typeof layouts)[number];

/** Label of a pane, by its modality. */
export const labelOf = (pane: PaneName, modalities: { anatomy: string; uptake: string }): string =>
  ({
    anatomy: modalities.anatomy,
    uptake: modalities.uptake === 'PT' ? 'PET' : modalities.uptake,
    fused: t`Fused`,
    projection: t`Projection`,
  })[pane];
