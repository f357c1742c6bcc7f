/** The planes that show the same slice, and the projection that turns. */
export const slicePanes = ['anatomy', 'uptake', 'fused'] as const;
export type SlicePane = (typeof slicePanes)[number];

export const paneNames = [...slicePanes, 'projection'] as const;
export type PaneName = (typeof paneNames)[number];

export const layouts = ['four', 'one'] as const;
export type Layout = (typeof layouts)[number];

/** What a pane is called: by the modality it shows. */
export const labelOf = (pane: PaneName, modalities: { anatomy: string; uptake: string }): string =>
  ({
    anatomy: modalities.anatomy,
    uptake: modalities.uptake === 'PT' ? 'PET' : modalities.uptake,
    fused: 'Fused',
    projection: 'Projection',
  })[pane];
