import type { Report } from '@radwork/contract/reading/reports';
import { identityOpenError } from '@radwork/contract/imaging/identities';
import { reports } from '@radwork/contract/reading/reports';
import { sessions } from '@radwork/contract/identity/sessions';
import { signingMeansCalls } from '@radwork/contract/identity/signing-means';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { saveSession, readSession } from '#core/state/session.ts';
import { markOf } from '#test/identities.ts';
import { answer, meansOf, refuse, type SentRequest, serve, sessionOf, show } from '#test/screen.tsx';
import { reportFor, stubCanvas } from '#test/written-report.ts';
import { FinalizeDialog } from './finalize-dialog.tsx';

const close = () => {};
const dialog = (report: Report) => <FinalizeDialog report={report} opened onClose={close} />;

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const tick = () =>
  userEvent.click(screen.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }));
const chooseTyped = () => userEvent.click(screen.getByRole('radio', { name: 'Type' }));
const nameField = () => screen.getByRole('textbox', { name: 'Full name' });
const posted = (calls: SentRequest[]) => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('the dialog warns that signing is final, and requires the confirmation and a signature', async () => {
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor()));

  await press('Finalize report');

  expect(screen.getByText(/^Finalizing cannot be undone\./)).toBeDefined();
  expect(screen.getByText('Please confirm the report accuracy')).toBeDefined();
  expect(screen.getByText('Signature is required')).toBeDefined();
  expect(posted(calls)).toEqual([]);
});

test('finalizing signs exactly the text and revision on the screen', async () => {
  stubCanvas();
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor({ content: '<p>Effusion.</p>', revision: 4 })));

  await chooseTyped();
  await tick();
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toEqual([
    {
      content: '<p>Effusion.</p>',
      revision: 4,
      signatureData: expect.stringMatching(/^data:image\/png;base64,/),
      typedName: 'Mona Haddad',
    },
  ]);
});

test('the typed signature must be the account name and accepts no other name', async () => {
  const drawnNames = stubCanvas();
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor()));

  await chooseTyped();
  expect(nameField()).toHaveProperty('value', 'Mona Haddad');
  await userEvent.type(nameField(), 'Gregory House');
  expect(nameField()).toHaveProperty('value', 'Mona Haddad');
  await tick();
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toMatchObject([{ typedName: 'Mona Haddad' }]);
  expect(new Set(drawnNames())).toEqual(new Set(['Mona Haddad']));
});

test('a signature is required again when the user switches from the typed name to an empty drawing', async () => {
  stubCanvas();
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor()));
  await chooseTyped();
  await userEvent.click(screen.getByRole('radio', { name: 'Draw' }));
  await tick();

  await press('Finalize report');

  expect(screen.getByText('Signature is required')).toBeDefined();
  expect(posted(calls)).toEqual([]);
});

test('the dialog shows the new account name when the server refuses the name on the page', async () => {
  const drawnNames = stubCanvas();
  const message = 'A typed signature must show your account name: Mona Haddad-Lind';
  const errors = [{ field: 'typedName', message }];
  const session = sessionOf();
  const renamed = { ...session, user: { ...session.user, name: 'Mona Haddad-Lind' } };
  const calls = serve(
    refuse(reports.finalize, 422, message, { errors }),
    answer(sessions.validate, () => renamed),
  );
  show(dialog(reportFor()));
  await chooseTyped();
  await tick();
  await press('Finalize report');

  expect(await screen.findAllByText(message)).not.toEqual([]);
  await waitFor(() => expect(nameField()).toHaveProperty('value', 'Mona Haddad-Lind'));
  await press('Finalize report');

  const names = () => posted(calls).flatMap((body) => (body as { typedName?: string }).typedName ?? []);
  await waitFor(() => expect(names()).toEqual(['Mona Haddad', 'Mona Haddad-Lind']));
  expect(drawnNames().at(-1)).toBe('Mona Haddad-Lind');
});

test('a report with an open identity question requires a statement on how the patient was identified', async () => {
  stubCanvas();
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor({ identity: markOf() })));
  expect(screen.getByText(/Doe, Jane or Kowalski, Piotr/).textContent).toContain('differ in name, date of birth');
  await chooseTyped();
  await tick();
  await press('Finalize report');
  expect(screen.getByText('Enter how the patient was identified')).toBeDefined();
  const statement = screen.getByRole('textbox', { name: /^How was the patient identified/ });
  await userEvent.type(statement, 'Wristband');
  expect(screen.getByText('Describe how the patient was identified')).toBeDefined();
  expect(posted(calls)).toEqual([]);

  await userEvent.type(statement, ' and referral ');
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toMatchObject([{ identityStatement: 'Wristband and referral' }]);
});

test('the dialog asks for the identity statement when a question opens meanwhile, and keeps the input', async () => {
  stubCanvas();
  const message = 'Enter how the patient was identified';
  const errors = [{ field: 'identityStatement', message }];
  const calls = serve(refuse(reports.finalize, 409, message, { error: identityOpenError, errors }));
  show(dialog(reportFor()));
  expect(screen.queryByRole('textbox', { name: /^How was the patient identified/ })).toBeNull();
  await chooseTyped();
  await tick();
  await press('Finalize report');

  await userEvent.type(
    await screen.findByRole('textbox', { name: /^How was the patient identified/ }),
    'Wristband and referral',
  );
  await press('Finalize report');

  await waitFor(() => expect(posted(calls)).toHaveLength(2));
  expect(posted(calls)[1]).toMatchObject({
    identityStatement: 'Wristband and referral',
    signatureData: expect.stringMatching(/^data:/),
  });
});

test('a report is signed with a drawn signature, which is saved; a cleared drawing does not count', async () => {
  stubCanvas();
  const setPointerCapture = vi.fn<(pointer: number) => void>();
  Object.assign(HTMLElement.prototype, { setPointerCapture });
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'setPointerCapture'));
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor()));
  const paper = screen.getByRole('img', { name: 'Signature' });
  const draw = () => {
    fireEvent.pointerDown(paper);
    fireEvent.pointerMove(paper);
    fireEvent.pointerUp(paper);
  };
  await tick();

  draw();
  await press('Clear');
  await press('Finalize report');
  expect(screen.getByText('Signature is required')).toBeDefined();
  expect(posted(calls)).toEqual([]);
  draw();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Save this signature' }));
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toMatchObject([
    { signatureData: `data:image/png;base64,${btoa('signature')}`, savesSignature: true },
  ]);
});

test('a text changed by a colleague is signed only after the user has reviewed it', async () => {
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  const openedReport = reportFor({ signatureRequired: false, content: '<p>Left effusion.</p>' });
  const newer = { ...openedReport, content: '<p>Right effusion.</p>', revision: 2 };
  const news = new EventTarget();
  function Changing() {
    const [report, setReport] = useState<Report>(openedReport);
    useEffect(() => news.addEventListener('newer', () => setReport(newer)), []);
    return dialog(report);
  }
  show(<Changing />);
  await tick();
  act(() => void news.dispatchEvent(new Event('newer')));

  await press('Finalize report');
  expect(posted(calls)).toEqual([]);
  expect(screen.getByText(/^Rex Reviewer changed this report on .* Nothing was signed\.$/)).toBeDefined();
  await press('Show differences');
  expect(await screen.findByText('1 word added, 1 word removed')).toBeDefined();
  await userEvent.keyboard('{Escape}');
  await press('Sign newer text');
  await tick();
  await press('Finalize report');

  expect(posted(calls)).toEqual([{ content: '<p>Right effusion.</p>', revision: 2 }]);
});

test('the dialog asks for the password when the sign-in is too old, and keeps all input', async () => {
  stubCanvas();
  const old = {
    code: 403,
    error: 'session.reauthenticate',
    message: 'You signed in more than 15 minutes ago',
    traceId: 't',
  };
  let answers = 0;
  const calls = serve({
    ...refuse(reports.finalize, 403, ''),
    reply: () => {
      answers += 1;
      return answers === 1
        ? Response.json(old, { status: 403 })
        : Response.json({ code: 200, message: 'OK', data: reportFor({ status: 'FINALIZED' }) });
    },
  });
  show(dialog(reportFor()));
  await chooseTyped();
  await tick();
  await press('Finalize report');

  const password = await screen.findByLabelText(/^Your password/);
  expect(screen.queryByText('Password is required')).toBeNull();
  await press('Finalize report');
  expect(await screen.findByText('Password is required')).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'Full name' })).toHaveProperty('value', 'Mona Haddad');
  await userEvent.type(password, 'correct horse');
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toMatchObject([{}, { password: 'correct horse', content: '<p>Stored.</p>', revision: 1 }]);
});

test('the dialog shows the error for a wrong password at the password field', async () => {
  const errors = [{ field: 'password', message: 'The password is wrong' }];
  serve(refuse(reports.finalize, 422, 'The password is wrong', { errors }));
  const report = reportFor({ signatureRequired: false });
  show(dialog(report));
  await tick();

  await press('Finalize report');

  expect(await screen.findAllByText('The password is wrong')).not.toEqual([]);
});

test('a failed signature shows a default message if the server gives none', async () => {
  serve({ ...refuse(reports.finalize, 500, ''), reply: () => new Response('<html>', { status: 500 }) });
  show(dialog(reportFor({ signatureRequired: false })));
  await tick();

  await press('Finalize report');

  expect(await screen.findByText('Error finalizing report')).toBeDefined();
});

test('the dialog does not sign a text with an undecided passage', async () => {
  const passage = '<ins data-ai-passage="0197c0de-0000-7000-8000-0000000000aa">Normal.</ins>';
  const calls = serve(answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })));
  show(dialog(reportFor({ signatureRequired: false, content: `<p>${passage}</p>` })));
  await tick();

  expect(screen.getByRole('button', { name: 'Finalize report' })).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByRole('checkbox'), '{Enter}');
  expect(posted(calls)).toEqual([]);
});

test('a user of single sign-on signs in again at the provider and needs no password', async () => {
  stubCanvas();
  let answers = 0;
  const calls = serve(
    answer(singleSignOn.offer, ({ url }) => ({
      isOn: true,
      subdomain: url.searchParams.get('organization') ?? '',
      label: 'Clinic account',
    })),
    {
      ...refuse(reports.finalize, 403, ''),
      reply: () => {
        answers += 1;
        return answers === 1
          ? Response.json(
              { code: 403, error: 'session.reauthenticate', message: 'Long ago', traceId: 't' },
              { status: 403 },
            )
          : Response.json({ code: 200, message: 'OK', data: reportFor({ status: 'FINALIZED' }) });
      },
    },
  );
  show(dialog(reportFor()));
  await chooseTyped();
  await tick();
  expect(screen.queryByRole('link', { name: /Sign in again/ })).toBeNull();
  await press('Finalize report');

  const way = await screen.findByRole('link', { name: 'Sign in again with Clinic account' });
  const organization = readSession()?.tenant.subdomain;
  expect(way.getAttribute('href')).toBe(`/api/auth/sso/${organization}/start?again=1`);
  expect(way.getAttribute('target')).toBe('_blank');
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toHaveLength(2);
  expect(posted(calls).at(-1)).not.toHaveProperty('password');
});

test('a user with a second factor can type its code instead of the password', async () => {
  stubCanvas();
  let answers = 0;
  const old = { code: 403, error: 'session.reauthenticate', message: 'You signed in long ago', traceId: 't' };
  const calls = serve({
    ...refuse(reports.finalize, 403, ''),
    reply: () => {
      answers += 1;
      return answers === 1
        ? Response.json(old, { status: 403 })
        : Response.json({ code: 200, message: 'OK', data: reportFor({ status: 'FINALIZED' }) });
    },
  });
  show(dialog(reportFor()));
  const session = readSession();
  if (session) act(() => saveSession({ ...session, user: { ...session.user, secondFactor: 'SET' } }));
  await chooseTyped();
  await tick();
  await press('Finalize report');

  await userEvent.type(await screen.findByLabelText(/^Your password or authenticator code/), '123 456');
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls).at(-1)).toMatchObject({ code: '123456' });
  expect(posted(calls).at(-1)).not.toHaveProperty('password');
});

const picture = `data:image/png;base64,${btoa('saved')}`;

test('the saved signature is shown and then used, unless the user chooses another way', async () => {
  const calls = serve(
    answer(signingMeansCalls.read, () => meansOf({ savedSignature: picture })),
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
  );
  show(dialog(reportFor()));

  expect((await screen.findByRole('img', { name: 'Your saved signature' })).getAttribute('src')).toBe(picture);
  expect(screen.getByRole('radio', { name: 'Saved' })).toHaveProperty('checked', true);
  await tick();
  await press('Finalize report');

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(posted(calls)).toEqual([{ content: '<p>Stored.</p>', revision: 1, usesSavedSignature: true }]);
});

test('a typed signature consists of name and credentials when the account has both', async () => {
  const drawnNames = stubCanvas();
  const signer = { name: 'Mona Haddad', credentials: 'MD, FACR' };
  const calls = serve(
    answer(signingMeansCalls.read, () => meansOf({ signer })),
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
  );
  show(dialog(reportFor()));

  expect(await screen.findByText('Mona Haddad, MD, FACR')).toBeDefined();
  await chooseTyped();
  expect(nameField()).toHaveProperty('value', 'Mona Haddad, MD, FACR');
  await tick();
  await press('Finalize report');

  await waitFor(() => expect(posted(calls)).toMatchObject([{ typedName: 'Mona Haddad, MD, FACR' }]));
  expect(drawnNames().at(-1)).toBe('Mona Haddad, MD, FACR');
});

test('the dialog asks for the PIN at once when the organization requires it at each signature', async () => {
  const calls = serve(
    answer(signingMeansCalls.read, () => meansOf({ proof: 'PIN', pinSince: '2026-11-20T09:00:00Z' })),
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
  );
  show(dialog(reportFor({ signatureRequired: false })));
  const field = await screen.findByLabelText(/^Signing PIN/);
  await tick();
  await press('Finalize report');
  expect(await screen.findByText('PIN is required')).toBeDefined();
  expect(posted(calls)).toEqual([]);

  await userEvent.type(field, '190482');
  await press('Finalize report');

  await waitFor(() => expect(posted(calls)).toMatchObject([{ pin: '190482' }]));
});

test("the dialog shows the server's error for a PIN at the PIN field", async () => {
  const errors = [{ field: 'pin', message: 'The PIN is wrong' }];
  serve(
    answer(signingMeansCalls.read, () => meansOf({ proof: 'PIN', pinSince: '2026-11-20T09:00:00Z' })),
    refuse(reports.finalize, 422, 'The PIN is wrong', { errors }),
  );
  show(dialog(reportFor({ signatureRequired: false })));
  const field = await screen.findByLabelText(/^Signing PIN/);
  await userEvent.type(field, '190483');
  await tick();

  await press('Finalize report');

  const errorText = () => field.closest('.mantine-PasswordInput-root')?.textContent;
  await waitFor(() => expect(errorText()).toContain('The PIN is wrong'));
});

test('the dialog says where to set up a missing PIN or second factor, and does not sign', async () => {
  let proof: 'PIN' | 'CODE' = 'PIN';
  const calls = serve(answer(signingMeansCalls.read, () => meansOf({ proof })));
  const first = show(dialog(reportFor({ signatureRequired: false })));

  expect(await screen.findByText(/^You need a signing PIN\./)).toBeDefined();
  const link = screen.getByRole('link', { name: 'Set it up on your account page' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/account', '_blank']);
  await tick();
  await press('Finalize report');
  first.unmount();
  proof = 'CODE';
  show(dialog(reportFor({ signatureRequired: false })));

  expect(await screen.findByText(/^You need an authenticator app/)).toBeDefined();
  expect(posted(calls)).toEqual([]);
});

test('a user without a password is asked at once to sign in again at the provider', async () => {
  const calls = serve(
    answer(signingMeansCalls.read, () => meansOf({ proof: 'PASSWORD', hasPassword: false })),
    answer(singleSignOn.offer, () => ({ isOn: true, subdomain: 'north', label: 'Clinic account' })),
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
  );
  show(dialog(reportFor({ signatureRequired: false })));

  expect(await screen.findByRole('link', { name: 'Sign in again with Clinic account' })).toBeDefined();
  expect(screen.queryByLabelText(/^Your password/)).toBeNull();
  await tick();
  await press('Finalize report');

  await waitFor(() => expect(posted(calls)).toEqual([{ content: '<p>Stored.</p>', revision: 1 }]));
});
