import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { communicationOf, findingOf } from '#test/critical-findings.ts';
import { answer, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { CriticalFindingsNotice } from './critical-findings-notice.tsx';

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');

const payloadsIn = (): string[] => {
  const { html, text } = JSON.parse(readFileSync(payloadFile, 'utf8'));
  return [...html.map((payload: { html: string }) => payload.html), ...text];
};

test.runIf(existsSync(payloadFile))(
  'HTML in a finding, a recipient, a note or a reason never creates a page element',
  async () => {
    const findings = payloadsIn().map((words, index) =>
      findingOf({
        id: `f${index}`,
        finding: words,
        communications: [communicationOf({ id: `c${index}`, recipient: null, recipientName: words, note: words })],
        withdrawnReason: words,
      }),
    );
    serve(answer(criticalFindings.ofStudy, () => findings));
    show(<CriticalFindingsNotice report={reportFor({ hasCriticalFindings: true, criticalFindings: findings })} />);
    const buttons = await screen.findAllByText('Record communication');

    const alert = screen.getByRole('alert');
    const elements = new Set(Array.from(alert.querySelectorAll('*'), ({ tagName }) => tagName.toLowerCase()));
    const handlers = Array.from(alert.querySelectorAll('*')).flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    );

    expect(buttons).toHaveLength(findings.length);
    expect([...elements].filter((name) => !known.has(name))).toEqual([]);
    expect(handlers).toEqual([]);
    expect(findings.every(({ finding }) => alert.textContent.includes(finding))).toBe(true);
  },
);

/** HTML elements that the notice itself creates. */
const known = new Set('strong p ul li div span time svg path button'.split(' '));
