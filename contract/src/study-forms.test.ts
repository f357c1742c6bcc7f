import { expect, test } from 'vitest';
import { studyForm } from './study-forms.ts';

test.each(['accessionNumber', 'orderNumber', 'procedureCode'])(
  'the %s of an order is one value in DICOM: a backslash would make two of it',
  (field) => {
    const { error } = studyForm.safeParse({ revision: 1, [field]: 'CT\\1' });

    expect(error?.issues).toMatchObject([
      { path: [field], message: expect.stringContaining('must not have a backslash') },
    ]);
    expect(studyForm.safeParse({ revision: 1, [field]: 'CT/1' }).success).toBe(true);
  },
);
