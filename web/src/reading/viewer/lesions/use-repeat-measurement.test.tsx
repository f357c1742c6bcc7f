import { type Lesion, lesions, type PriorMeasurement } from '@radwork/contract/reading/lesions';
import type { Measurement, MeasurementTool } from '@radwork/contract/reading/measurements';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answer, answerBytes, refuse, serve, show } from '#test/screen.tsx';
import { useRepeatMeasurement } from './use-repeat-measurement.ts';

const measurement = (id: string, seriesInstanceUID = '1.2.3'): Measurement => ({
  id,
  tool: 'LENGTH',
  seriesInstanceUID,
  sopInstanceUID: '1.2.3.4',
  frame: 1,
  frameOfReferenceUID: null,
  points: [[0, 0, 0]],
  plane: null,
  label: '',
  values: [{ quantity: 'LENGTH', value: 8, unit: 'mm' }],
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-01T10:00:00Z',
  updatedDate: '2026-11-01T10:00:00Z',
  isMine: true,
});

const prior: PriorMeasurement = {
  ...measurement('m0'),
  label: 'Nodule',
  study: { studyId: 's0', studyInstanceUID: '1.1', studyDate: null, modality: 'CT', description: 'CT chest' },
  lesionId: null,
};

const lesion: Lesion = { id: 'l1', label: '', organ: '', isNode: false, kind: 'FOLLOWED', revision: 1, readings: [] };

/** A viewer with buttons instead of images: each button draws, or changes tool or series. */
function Viewer() {
  const [measured, setMeasured] = useState<Measurement[]>([]);
  const [tool, setTool] = useState<MeasurementTool>('ANGLE');
  const [seriesUid, setSeriesUid] = useState('1.2.3');
  const { pending, repeat } = useRepeatMeasurement({
    studyId: 's1',
    measured,
    current: { studyUid: '1.2', seriesUid },
    onShow: () => undefined,
    tool,
    onTool: (one) => {
      setTool(one.tool);
      return one.tool !== 'SPHERE';
    },
  });
  const draw = (series: string) => () =>
    setMeasured((before) => [...before, measurement(`m${before.length + 1}`, series)]);
  return (
    <>
      <p>{pending ? 'Waiting' : 'Idle'}</p>
      <button type="button" onClick={() => void repeat(prior)}>
        Repeat
      </button>
      <button type="button" onClick={() => void repeat({ ...prior, tool: 'SPHERE' })}>
        Repeat sphere
      </button>
      <button type="button" onClick={draw('1.2.3')}>
        Draw
      </button>
      <button type="button" onClick={draw('1.2.9')}>
        Draw in another pane
      </button>
      <button type="button" onClick={() => setTool('ELLIPSE')}>
        Other tool
      </button>
      <button type="button" onClick={() => setSeriesUid('1.2.9')}>
        Other series
      </button>
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const open = (...answers: Parameters<typeof serve>) => {
  const images = answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json([]));
  const calls = serve(images, ...answers);
  show(<Viewer />);
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url.pathname}`);
};
const linking = answer(lesions.link, () => lesion);
const failing = refuse(lesions.link, 404, 'The measurement was not found');
const linkOf = (id: string) => `/api/lesions/for-study/s1/links/${id}`;

test('the measurement that is drawn next is linked, and Undo separates it', async () => {
  const changes = open(
    linking,
    answer(lesions.unlink, () => undefined),
  );

  await press('Repeat');
  expect(screen.getByText('Waiting')).toBeDefined();
  await press('Draw');
  expect(await screen.findByText('Measurement linked with Nodule')).toBeDefined();
  expect(screen.getByText('Idle')).toBeDefined();
  await press('Undo');

  expect(await screen.findByText('Measurement separated')).toBeDefined();
  expect(changes()).toEqual([`PUT ${linkOf('m1')}`, `DELETE ${linkOf('m1')}`]);
});

test.each(['Other tool', 'Other series'])(
  '"%s" cancels a pending repeat, and the next measurement is not linked',
  async (name) => {
    const changes = open(linking);

    await press('Repeat');
    await press(name);
    expect(await screen.findByText('Tool or series changed. The measurement is not repeated.')).toBeDefined();
    expect(screen.getByText('Idle')).toBeDefined();
    await press('Draw');

    expect(changes()).toEqual([]);
  },
);

test('Escape cancels a pending repeat', async () => {
  const changes = open(linking);

  await press('Repeat');
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('Idle')).toBeDefined();
  await press('Draw');

  expect(changes()).toEqual([]);
});

test('a measurement on another series is not linked, and the repeat keeps waiting', async () => {
  const changes = open(linking);

  await press('Repeat');
  await press('Draw in another pane');
  expect(screen.getByText('Waiting')).toBeDefined();
  await press('Draw');

  expect(await screen.findByText('Measurement linked with Nodule')).toBeDefined();
  expect(changes()).toEqual([`PUT ${linkOf('m2')}`]);
});

test('after a link has failed, the next measurement is linked', async () => {
  let count = 0;
  const changes = open({
    ...linking,
    reply: (sent) => {
      count += 1;
      return count === 1 ? failing.reply(sent) : linking.reply(sent);
    },
  });

  await press('Repeat');
  await press('Draw');
  expect(await screen.findByText(/not found/i)).toBeDefined();
  expect(screen.getByText('Waiting')).toBeDefined();
  await press('Draw');

  expect(await screen.findByText('Measurement linked with Nodule')).toBeDefined();
  expect(changes()).toEqual([`PUT ${linkOf('m1')}`, `PUT ${linkOf('m2')}`]);
});

test('a message says that the viewer does not have the tool, and no measurement is pending', async () => {
  open();

  await press('Repeat sphere');

  expect(await screen.findByText('This viewer does not have the tool of this measurement.')).toBeDefined();
  expect(screen.getByText('Idle')).toBeDefined();
});
