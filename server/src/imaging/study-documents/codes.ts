/** A coded concept (DICOM PS3.3 §8.8). */
export type Code = { CodeValue: string; CodingSchemeDesignator: string; CodeMeaning: string };

export const code =
  (CodingSchemeDesignator: string) =>
  (CodeValue: string, CodeMeaning: string): Code => ({ CodeValue, CodingSchemeDesignator, CodeMeaning });

export const dcm = code('DCM');
export const sct = code('SCT');
