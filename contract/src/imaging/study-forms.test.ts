import { expect, test } from 'vitest';
import { studyForm } from './study-forms.ts';

test.each(['accessionNumber', 'orderNumber', 'procedureCode'])(
  'a backslash in the %s of an order is refused, because DICOM would read two values',
  (field) => {
    const { error } = studyForm.safeParse({ revision: 1, [field]: 'CT\\1' });

    expect(error?.issues).toMatchObject([
      { path: [field], message: expect.stringContaining('cannot contain a backslash') },
    ]);
    expect(studyForm.safeParse({ revision: 1, [field]: 'CT/1' }).success).toBe(true);
  },
);
