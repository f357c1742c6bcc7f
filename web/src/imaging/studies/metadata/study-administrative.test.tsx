import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { StudyAdministrative } from './study-administrative.tsx';

const scheduled = (scheduledDateTime: string) => {
  const study = studyDetails({});
  show(<StudyAdministrative study={{ ...study, order: { ...study.order, scheduledDateTime } }} />);
};

test('an order that is scheduled for a day without a time shows the day alone', () => {
  scheduled('2026-11-21T00:00:00');

  expect(screen.getByText('2026-11-21')).toBeDefined();
});

test('an order that is scheduled for a time shows day and time', () => {
  scheduled('2026-11-21T08:30:00');

  expect(screen.getByText('2026-11-21 08:30')).toBeDefined();
});
