import { Trans as Sentence } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { priorities } from '@radwork/contract/core/priorities';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { criticalStates } from '@radwork/contract/imaging/study-marks';
import { CriticalMark } from '#ui/marks/critical-mark.tsx';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { IdentityDifference } from '#ui/marks/identity-difference.tsx';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { DueClock } from '#ui/marks/due-clock.tsx';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { ProductLogo } from '#ui/layout/product-logo.tsx';
import { ReadingMark } from '#ui/marks/reading-mark.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { StudyProgress } from '#ui/marks/study-progress.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import { longName, longText, mark, names } from './data.ts';
import type { Specimens } from './specimens.ts';

const reading = {
  username: 'h.weiss',
  name: 'Hannah Weiss',
  since: '2026-11-20T09:12:00Z',
  isMe: false,
  expiresAt: '2026-11-20T09:14:00Z',
};

const each = <Value extends string, Shown>(values: readonly Value[], show: (value: Value) => Shown) =>
  Object.fromEntries(values.map((value) => [value, show(value)]));

export const specimens: Specimens = {
  StatusPill: {
    ...each(['primary', 'info', 'success', 'warning', 'danger', 'secondary'], (tone) => (
      <StatusPill tone={tone} label={tone} />
    )),
    ...each(['dot', 'ring', 'half', 'diamond'], (shape) => <StatusPill tone="info" shape={shape} label={shape} />),
    'long text': <StatusPill tone="warning" label={longText} />,
  },
  StudyStatusPill: each(studyStatuses, (status) => <StudyStatusPill status={status} />),
  StudyProgress: {
    ...each(studyStatuses, (status) => <StudyProgress status={status} />),
    wide: <StudyProgress status="IN_PROGRESS" isWide />,
  },
  PriorityMark: each(priorities, (priority) => <PriorityMark priority={priority} />),
  DueClock: {
    calm: <DueClock dueDate="2126-11-22T10:00:00Z" since="2026-11-22T09:00:00Z" />,
    over: <DueClock dueDate="2026-11-22T10:00:00Z" since="2026-11-22T09:00:00Z" />,
    none: <DueClock dueDate={null} since="2026-11-22T09:00:00Z" />,
  },
  ModalityTag: {
    one: <ModalityTag modality="CT" />,
    many: <ModalityTag modality="PT" all={['PT', 'CT', 'SR', 'SEG', 'RTSTRUCT']} />,
  },
  CriticalMark: {
    ...each(criticalStates, (state) => <CriticalMark state={state} />),
    short: <CriticalMark state="OPEN" isShort />,
    none: <CriticalMark state={null} />,
  },
  ReadingMark: {
    'other user': <ReadingMark reading={reading} />,
    'same user': <ReadingMark reading={{ ...reading, isMe: true }} />,
    'long text': <ReadingMark reading={{ ...reading, name: longName }} />,
    none: <ReadingMark reading={null} />,
  },
  IdentityPill: {
    open: <IdentityPill mark={mark} patientName={names[0]} />,
    none: <IdentityPill mark={null} patientName={names[0]} />,
  },
  IdentityDifference: {
    open: <IdentityDifference mark={mark} patientName={names[0]} />,
    'other name hidden': <IdentityDifference mark={{ ...mark, otherName: '' }} patientName="" />,
    'long text': <IdentityDifference mark={{ ...mark, otherName: longName }} patientName={longName} />,
  },
  ProductLogo: { named: <ProductLogo />, nameless: <ProductLogo nameless size={32} /> },
  CommandTooltip: {
    one: (
      <CommandTooltip command={{ id: 'gallery', group: 'Report', does: 'Finalize report', keys: 'q f' }}>
        <Button>Finalize</Button>
      </CommandTooltip>
    ),
  },
  KeyCaps: { one: <KeyCaps keys="r" />, combination: <KeyCaps keys="Ctrl+Shift+K" /> },
  Trans: {
    sentence: (
      <Sentence>
        Signed by <strong>{names[2]}</strong>
      </Sentence>
    ),
  },
};
