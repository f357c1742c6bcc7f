import { ApiError } from '#core/http/api.ts';

/** Static data with names from the phantom (phantom/src/patients.ts). */
export const names = ['Müller, Jörg', 'García López, María José', 'الخطيب, ليلى', 'Yamada, Tarō'] as const;

export const longName = 'dos Santos Silva e Albuquerque de Vasconcelos, João Sebastião Filho';
export const longText =
  'CT chest, abdomen and pelvis with intravenous contrast in arterial, portal venous and late phase, with comparison to three earlier studies from another hospital';

/** Callback for values that the gallery does not store. */
export const ignore = () => undefined;

/** Result of a call that never answers. */
export const never = new Promise<never>(ignore);

export const refused = new ApiError(409, 'study.changed', 'Another user changed this study. Reload it and try again.', {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
});
export const silence = new ApiError(0, 'no.answer', 'The server cannot be reached');

export const mark = { otherName: names[1], contradictions: ['NAME', 'BIRTH_DATE'] as ('NAME' | 'BIRTH_DATE')[] };

export type Study = { id: string; patient: string; modality: string; description: string; date: string };

const modalities = ['CT', 'MR', 'US', 'XA'] as const;

export const studies = (count: number): Study[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `study-${at}`,
    patient: names[at % names.length] ?? '',
    modality: modalities[at % modalities.length] ?? '',
    description: ['Chest', 'Knee left', 'Abdomen', 'Coronary angiography'][at % 4] ?? '',
    date: `2026-11-${String((at % 28) + 1).padStart(2, '0')}`,
  }));
