import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#core/http/api.ts';
import { HiddenFilter } from '#ui/lists/hidden-filter.tsx';
import { ListNotice, OutdatedList, OutdatedItem } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { LoadFailure, LoadFailureDialog } from '#ui/feedback/load-failure.tsx';
import { ignore, longText, refused, silence } from './data.ts';
import type { Specimens } from './specimens.ts';

/** Simulates a list or record that loaded once and failed the second time. */
const useEarlier = (name: string, error: Error) =>
  useQuery({
    queryKey: ['gallery', name],
    queryFn: () => Promise.reject(error),
    initialData: [],
    initialDataUpdatedAt: Date.parse('2026-11-20T09:12:00Z'),
    staleTime: 0,
  });

function OutdatedSpecimen() {
  return <OutdatedList label="studies" result={useEarlier('list', silence)} failed="Could not load the studies" />;
}

function OutdatedRecord({ isGone }: { isGone: boolean }) {
  const error = isGone ? new ApiError(404, 'study.missing', 'Study not found') : refused;
  return <OutdatedItem result={useEarlier(`record ${isGone}`, error)} failed="Could not load the study" />;
}

/** Opens on request, because the dialog makes the rest of the page inert. */
function FailedDialog() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open dialog without code
      </Button>
      {isOpen && <LoadFailureDialog onRetry={close} onClose={close} />}
    </>
  );
}

const action = (
  <Button size="compact-xs" variant="default">
    Open study
  </Button>
);

export const specimens: Specimens = {
  Skeleton: { loading: <Skeleton />, 'many rows': <Skeleton lines={12} label="Loading studies" /> },
  EmptyState: {
    empty: <EmptyState title="No studies" detail="Studies appear here when images arrive." action={action} />,
    'title only': <EmptyState title="No studies" />,
    'long text': <EmptyState title={longText} detail={longText} action={action} />,
  },
  ErrorState: {
    error: <ErrorState failed="Could not load the studies" error={refused} onRetry={ignore} />,
    'no connection': <ErrorState failed="Could not load the studies" error={silence} onRetry={ignore} />,
    'no reason': <ErrorState failed="Could not show the document" error={new Error('internal')} />,
    'long text': <ErrorState failed={longText} error={new ApiError(500, 'x', longText)} action={action} />,
  },
  LoadFailure: {
    error: <LoadFailure onRetry={ignore} onClose={ignore} />,
    'no retry': <LoadFailure />,
  },
  LoadFailureDialog: { closed: <FailedDialog /> },
  Notice: {
    info: <Notice tone="info">The report is a draft.</Notice>,
    warning: <Notice tone="warning">Images arrived after the signature.</Notice>,
    error: (
      <Notice tone="danger" action={action} onClose={ignore}>
        Could not save. Check the connection and try again.
      </Notice>
    ),
    'long text': (
      <Notice tone="warning" action={action} onClose={ignore}>
        {longText}
      </Notice>
    ),
  },
  ListNotice: {
    info: <ListNotice tone="info">Showing the recycle bin.</ListNotice>,
    'long text': (
      <ListNotice tone="danger" action={action}>
        {longText}
      </ListNotice>
    ),
  },
  OutdatedList: { error: <OutdatedSpecimen /> },
  OutdatedItem: { error: <OutdatedRecord isGone={false} />, deleted: <OutdatedRecord isGone /> },
  HiddenFilter: {
    one: <HiddenFilter words={['Overdue']} onClear={ignore} />,
    'long text': <HiddenFilter words={['Overdue', longText]} onClear={ignore} />,
    empty: <HiddenFilter words={[]} onClear={ignore} />,
  },
  ListChangedNote: { changed: <ListChangedNote onShow={ignore} isKeyTaken /> },
};
