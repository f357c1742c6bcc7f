/**
 * SOP classes of projection radiographs. Their beam diverges, so a pixel is smaller in the patient than at the
 * detector.
 */
const projections = new Set(
  ['1', '1.1', '1.1.1', '1.2', '1.2.1', '1.3', '1.3.1', '12.1', '12.1.1', '12.2', '12.2.1', '12.3'].map(
    (end) => `1.2.840.10008.5.1.4.1.1.${end}`,
  ),
);

/** Whether images of a SOP class are projection radiographs. Only for them, Imager Pixel Spacing is a pixel size. */
export const isProjection = (sopClassUID: string): boolean => projections.has(sopClassUID);
