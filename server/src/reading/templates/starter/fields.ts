/**
 * Fields that several starter templates share (contract/src/reading/template-fields.ts). Each line of the findings is a
 * label with fields only, so that a drafted section replaces it (web/src/reading/editor/drafting/draft-sections.ts).
 */

/** Pleural effusion with its side, and pneumothorax. */
export const pleura =
  '[Effusion: No effusion|Small|Moderate|Large][if Effusion is Small|Moderate|Large] [Effusion side: laterality] effusion[end]. ' +
  '[Pneumothorax: No pneumothorax|Right pneumothorax|Left pneumothorax|Bilateral pneumothorax].';

export const heartSize = 'Heart size: [Heart size: normal|borderline|increased].';

export const pericardialEffusion =
  '[Pericardial effusion: No|Small|Moderate|Large][if Pericardial effusion] pericardial effusion[end].';

/** Enlarged lymph nodes with station and short axis. */
export const lymphNodes =
  '[Lymph nodes: None enlarged|Enlarged][if Lymph nodes is Enlarged], [station], short axis up to [Short axis: number mm 1-150][end].';

/** Diameter of the abdominal aorta. The reader names an aneurysm, because a conditional part is easily overlooked. */
export const abdominalAorta = 'Aortic diameter: [Aortic diameter: number mm 5-150].';

/** Dilatation of one urinary tract. `side` is "Right" or "Left". */
export const hydronephrosis = (side: string): string =>
  `[${side} hydronephrosis: No|Mild|Moderate|Severe][if ${side} hydronephrosis] ${side.toLowerCase()} hydronephrosis[end].`;

/** Assessment categories of BI-RADS (ACR, 5th edition), for one breast or both. */
export const biRads = (name: string): string => `[${name}: 0|1|2|3|4|4A|4B|4C|5|6]`;

/** Assessment categories of PI-RADS (version 2.1). */
export const piRads = (name: string): string => `[${name}: 1|2|3|4|5]`;

/** Grades of a stenosis or regurgitation. */
export const grade = (name: string): string => `[${name}: none|trace|mild|moderate|severe]`;
