import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { z } from 'zod';
import type { Server } from '../server.ts';

export const sentence = 'The lungs are clear, without consolidation, effusion or pneumothorax on either side. ';

const paragraph = `<p>${sentence.repeat(6)}</p>`;
const row = '<tr><th><p>Lesion</p></th><td><p>12 mm</p></td></tr>';

/** 9,400 visible characters with a table in the middle. The limit leaves room for typing. */
export const longReport = [
  '<h2>Findings</h2>',
  paragraph.repeat(9),
  `<table><tbody>${row.repeat(20)}</tbody></table>`,
  paragraph.repeat(9),
].join('');

const draftResponse = z.object({
  message: z.string(),
  data: z.object({ id: z.string(), patient: z.object({ id: z.string() }).optional() }).nullish(),
});

/** Creates a study of this minute, the first in the list, with a draft report. Returns its id. */
export const draftReport = async (
  { address, token }: Pick<Server, 'address' | 'token'>,
  patientName: string,
  content: string,
): Promise<string> => {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data, message } = draftResponse.parse(await response.json());
    if (!data) throw new Error(message);
    return data;
  };
  const newPatient = { patientName, patientId: patientName, gender: 'F', dateOfBirth: '1961-04-30' };
  const studyDate = new Date().toISOString().slice(0, 19);
  const { id, patient } = await post(studies.create.path, { modality: 'CT', studyDate, newPatient });
  await post(reports.create.path.replace(':id', id), { content, patientId: patient?.id });
  return id;
};
