import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { DocumentPane } from './document-pane.tsx';

const study = studyDetails();
const [anySeries] = study.series;
if (!anySeries) throw new Error('The study has no series');
const series = { ...anySeries, modality: 'DOC' };

const fileHeader = (mime: string, title: string, more: object = {}) => ({
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.104.2'] },
  '00080018': { vr: 'UI', Value: [`2.25.${title.length}`] },
  '00100020': { vr: 'LO', Value: [study.patient.patientId] },
  '00420010': { vr: 'ST', Value: [title] },
  '00420012': { vr: 'LO', Value: [mime] },
  '00420015': { vr: 'UL', Value: [2048] },
  ...more,
});

const showPane = (headers: object[], file: () => Response = () => new Response('nothing')) => {
  signIn();
  const calls = serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json(headers)),
    answerBytes('/api/wado-rs/studies/:study/series/:series/instances/:instance/rendered', file),
  );
  show(<DocumentPane study={study} series={series} onGoTo={() => {}} />);
  return calls;
};

const download = () => screen.findByRole('button', { name: /^Download \(2\.00 KB\)/ });

test('an encapsulated file that is no PDF is offered for download with its type, and is not opened', async () => {
  const calls = showPane([fileHeader('model/stl', 'Model of the skull')]);
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});

  expect(await screen.findByText('3D model (STL): cannot be shown')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname.endsWith('/rendered'))).toBe(false);
  await userEvent.click(await download());

  await eventually(() => expect(saved).toHaveBeenCalledOnce());
  expect(saved.mock.contexts[0]).toHaveProperty('download', 'Model of the skull.stl');
});

test('a file that claims to be a PDF but is none is not opened', async () => {
  showPane([fileHeader('application/pdf', 'Letter')], () => new Response('<html><script>window.__xss=1</script>'));

  expect(await screen.findByText('This file is not a valid PDF')).toBeDefined();
  expect(await download()).toBeDefined();
});

test('a file larger than its header says is offered for download and not drawn', async () => {
  const headers = { 'content-length': String(300 * 1024 * 1024) };
  const read = vi.spyOn(Response.prototype, 'blob');
  showPane([fileHeader('application/pdf', 'Letter')], () => new Response('%PDF-1.4', { headers }));

  expect(await screen.findByText('This document is too large to show')).toBeDefined();
  expect(read).not.toHaveBeenCalled();
  expect(await download()).toBeDefined();
});

test('a document that fails to load shows a retry', async () => {
  let requestCount = 0;
  showPane([fileHeader('application/pdf', 'Letter')], () => {
    requestCount += 1;
    return new Response('{}', { status: 503 });
  });

  expect(await screen.findByText('The document could not be loaded')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await eventually(() => expect(requestCount).toBe(2));
});

test('a document that names another patient than its study shows a warning', async () => {
  showPane([fileHeader('model/obj', 'Model', { '00100020': { vr: 'LO', Value: ['OTHER-PATIENT'] } })]);

  expect(await screen.findByText('The document names patient OTHER-PATIENT')).toBeDefined();
});

test('a series without images, documents and files shows a message', async () => {
  showPane([{ '00080018': { vr: 'UI', Value: ['2.25.5'] }, '00280010': { vr: 'US', Value: [64] } }]);

  expect(await screen.findByText('This series has no images')).toBeDefined();
});

test('if a series has several documents, one is shown, and the user can choose another', async () => {
  showPane([fileHeader('model/obj', 'Mesh'), fileHeader('model/mtl', 'Colours of it')]);

  expect(await screen.findByRole('heading', { name: 'Mesh' })).toBeDefined();
  await userEvent.click(screen.getByRole('combobox', { name: 'Document' }));
  await userEvent.click(await screen.findByRole('option', { name: '2 of 2: Colours of it' }));

  expect(await screen.findByRole('heading', { name: 'Colours of it' })).toBeDefined();
});

test('if no viewer can show an object, the pane offers its stored file', async () => {
  signIn();
  const header = {
    '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.9.1.1'] },
    '00080018': { vr: 'UI', Value: ['2.25.5'] },
    '00100020': { vr: 'LO', Value: [study.patient.patientId] },
    '0008103E': { vr: 'LO', Value: ['Rest'] },
  };
  const body = '--b\r\nContent-Type: application/dicom\r\n\r\nthe file\r\n--b--';
  const type = 'multipart/related; type="application/dicom"; boundary=b';
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json([header])),
    answerBytes(
      '/api/wado-rs/studies/:study/series/:series/instances/:instance',
      () => new Response(body, { headers: { 'content-type': type } }),
    ),
  );
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  show(<DocumentPane study={study} series={{ ...series, modality: 'ECG' }} onGoTo={() => {}} />);

  expect(await screen.findByText('This object cannot be shown')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Download' }));

  await eventually(() => expect(saved).toHaveBeenCalled());
  expect(saved.mock.contexts.at(-1)).toHaveProperty('download', 'Rest.dcm');
});
