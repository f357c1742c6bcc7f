import { expect, type Page } from '@playwright/test';
import type { Call, Endpoint, Reply } from '@radwork/contract/core/endpoint';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';

type Parts = { params?: Record<string, string>; query?: Record<string, string | number>; body?: object };

/**
 * Calls the server as the signed-in user of a page, to prepare test data. A failed call fails the test with the
 * server's message.
 */
export const callAs = async <E extends Endpoint>(page: Page, endpoint: E, call: Call<E> & Parts): Promise<Reply<E>> => {
  const { params = {}, query = {}, body } = call;
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const response = await page.request.fetch(`/api${path}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${token}` },
    params: query,
    ...(body && { data: body }),
  });
  const answer: { code: number; message: string; data: Reply<E> } = await response.json();
  expect(answer.code, `${endpoint.method} ${path}: ${answer.message}`).toBe(200);
  return answer.data;
};

type StudyRegistration = { name: string; patientId: string; description?: string; accessionNumber?: string };

/** Registers a study without images for a new patient. Its old date puts it last in the lists of other journeys. */
export const registerStudy = (page: Page, { name, patientId, ...words }: StudyRegistration): Promise<StudyDetails> =>
  callAs(page, studies.create, {
    body: {
      modality: 'CT',
      studyDate: '2001-02-03T04:05:00',
      newPatient: { patientName: name, patientId, gender: 'F', dateOfBirth: '1961-04-30' },
      ...words,
    },
  });

/** Registers another study of an existing patient. */
export const registerAnother = (
  page: Page,
  existingPatientId: string,
  words: { description?: string; accessionNumber?: string },
): Promise<StudyDetails> =>
  callAs(page, studies.create, {
    body: { modality: 'CT', studyDate: '2001-02-03T04:05:00', existingPatientId, ...words },
  });
