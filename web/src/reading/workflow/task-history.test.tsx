import { MantineProvider } from '@mantine/core';
import { workflow } from '@radwork/contract/reading/workflow';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { eventOf, historyOf, studyId } from '#test/study-work.ts';
import { TaskHistory } from './task-history.tsx';

afterEach(() => vi.restoreAllMocks());

const open = (...answers: Parameters<typeof serve>) => {
  const calls = serve(...answers);
  show(<TaskHistory studyId={studyId} />);
  return calls;
};

const events = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('the history shows type, time and user of each event, newest first', async () => {
  const calls = open(
    answer(workflow.history, () =>
      historyOf([
        eventOf(9, { displayValue: 'ASSIGNED', details: 'The study was assigned', user: { username: 'system' } }),
        eventOf(8, { type: 'CRITICAL_FINDING', typeDescription: 'Critical finding', displayValue: 'URGENT' }),
        eventOf(7, { type: 'REPORT_STATUS', typeDescription: 'Report', displayValue: 'NEWLY_INVENTED' }),
      ]),
    ),
  );

  await screen.findByText('The study was assigned');

  expect(events()).toEqual([
    'Study status AssignedThe study was assignedNov 21, 2026 14:09 · system',
    'Critical finding UrgentNov 21, 2026 14:08 · rex',
    'Report NEWLY_INVENTEDNov 21, 2026 14:07 · rex',
  ]);
  expect(calls[0]?.url.search).toBe('?page=0&size=10&sort=timestamp%2Cdesc');
});

test('older events load on request, each once, even if new events arrive meanwhile', async () => {
  const all = Array.from({ length: 13 }, (_, index) => eventOf(40 - index));
  open(
    answer(workflow.history, ({ url }) => {
      const number = Number(url.searchParams.get('page'));
      return historyOf(number === 0 ? all.slice(0, 10) : all.slice(9), { number, totalElements: 13 });
    }),
  );
  await screen.findByText('Nov 21, 2026 14:40');

  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));

  await screen.findByText('Nov 21, 2026 14:28');
  expect(events()).toHaveLength(13);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('an empty history shows a message and disables the export', async () => {
  open(answer(workflow.history, () => historyOf([])));

  expect(await screen.findByText('No history available')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Export history as CSV' })).toHaveProperty('disabled', true);
});

test('a history that fails to load shows the reason and a retry', async () => {
  let isBroken = true;
  const calls = serve({
    method: 'GET',
    path: /history$/,
    reply: () =>
      isBroken
        ? Response.json({ code: 500, error: 'x', message: 'Server error occurred' }, { status: 500 })
        : Response.json({ code: 200, message: 'OK', data: historyOf([eventOf(5)]) }),
  });
  show(<TaskHistory studyId={studyId} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('History error: Server error occurred');

  isBroken = false;
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('Nov 21, 2026 14:05')).toBeDefined();
  expect(screen.queryByText(/History error/)).toBeNull();
  expect(calls.length).toBe(2);
});

test('a history that fails to load shows a default message if the server gives none', async () => {
  open({ method: 'GET', path: /history$/, reply: () => new Response('<html>', { status: 502 }) });

  expect(await screen.findByText(/^History error: Error fetching task history/)).toBeDefined();
});

test('the history is downloaded with the file name from the server', async () => {
  const downloads: { name: string; content: Blob }[] = [];
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const makeUrl = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:history');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const [content] = makeUrl.mock.lastCall ?? [];
    if (content instanceof Blob) downloads.push({ name: this.download, content });
  });
  open(
    answer(workflow.history, () => historyOf([eventOf(1)])),
    answerBytes(
      '/api/workflow/studies/:id/history/export',
      () =>
        new Response('"Time (UTC)"\r\n', {
          headers: { 'content-disposition': 'attachment; filename="task-history-A1.csv"' },
        }),
    ),
  );
  await screen.findByText('Nov 21, 2026 14:01');

  await userEvent.click(screen.getByRole('button', { name: 'Export history as CSV' }));

  expect(await screen.findByText('History exported successfully')).toBeDefined();
  expect(downloads.map(({ name }) => name)).toEqual(['task-history-A1.csv']);
  expect(await downloads[0]?.content.text()).toBe('"Time (UTC)"\r\n');
});

test('a failed export of the history shows a message that stays', async () => {
  open(
    answer(workflow.history, () => historyOf([eventOf(1)])),
    answerBytes('/api/workflow/studies/:id/history/export', () => new Response('<html>', { status: 502 })),
  );
  await screen.findByText('Nov 21, 2026 14:01');

  await userEvent.click(screen.getByRole('button', { name: 'Export history as CSV' }));

  expect(await screen.findByText('Failed to export history')).toBeDefined();
  expect(await screen.findByText('Error exporting assignment history')).toBeDefined();
});

test('several changes within a short time cause only one request for the history', async () => {
  const calls = serve(answer(workflow.history, () => historyOf([eventOf(1)])));
  const client = new QueryClient();
  signIn();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <TaskHistory studyId={studyId} />
      </QueryClientProvider>
    </MantineProvider>,
  );

  for (let change = 0; change < 4; change++) void client.invalidateQueries({ queryKey: ['workflow'] });
  await screen.findByText('Nov 21, 2026 14:01');

  expect(calls).toHaveLength(1);
});
