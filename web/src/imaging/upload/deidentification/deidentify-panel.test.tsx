import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show } from '#test/screen.tsx';
import { DeidentifyPanel } from './deidentify-panel.tsx';

// Gives the container a height, because a virtual list renders no rows without one.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => vi.restoreAllMocks());

const patientsOfNumber = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    patientKey: `${index}`,
    patientName: `Patient ${index}`,
    patientID: `P-${index}`,
  }));

const showPanel = (count: number, newIdOf: (index: number) => string) => {
  const patients = patientsOfNumber(count);
  const pseudonyms = new Map(
    patients.map(({ patientKey }, index) => [patientKey, { patientName: 'Case', patientId: newIdOf(index) }]),
  );
  show(
    <DeidentifyPanel
      state={{ isOn: true, pseudonyms, areNamesSaved: false }}
      items={[]}
      patients={patients}
      isLocked={false}
      onSwitch={() => {}}
      onRename={() => {}}
      onShowChanges={() => {}}
      onSaveNames={() => {}}
    />,
  );
};

test('the form renders only the visible fields of a thousand patients', () => {
  showPanel(1000, (index) => `CASE-${index}`);

  expect(screen.getByRole('textbox', { name: 'New ID of Patient 0' })).toBeDefined();
  expect(screen.getAllByRole('textbox').length).toBeLessThan(100);
  expect(screen.queryByText(/another new name or ID/)).toBeNull();
});

test('a message names patients with unsuitable new names whose fields are not visible', () => {
  showPanel(1000, (index) => (index < 996 ? `CASE-${index}` : 'CASE-X'));

  expect(
    screen.getByText('4 patients need another new name or ID: Patient 996; Patient 997; Patient 998; and 1 more.'),
  ).toBeDefined();
});
