import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { begin } = reportSteps(world);
const { add, communicate, withdraw } = findingSteps(world);

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');

/**
 * Attack texts for names and notes, as far as a finding can store them: PostgreSQL stores no NUL, and UTF-8 no lone
 * surrogate.
 */
const payloadsIn = (): string[] => {
  const { text }: { text: string[] } = JSON.parse(readFileSync(payloadFile, 'utf8'));
  return text
    .map((payload) => payload.trim())
    .filter((payload) => payload !== '' && payload.length <= 4000 && payload.isWellFormed() && !payload.includes('\0'));
};

test.runIf(existsSync(payloadFile))(
  'stores the texts of a finding, a recipient and a note exactly as typed',
  async () => {
    const author = await world.signIn();
    const { id: reportId } = await begin(author);
    const payloads = payloadsIn();

    for (const words of payloads) {
      const finding = await add(author, reportId, 'URGENT', words);
      const recipientName = words.slice(0, 200).trim();
      const communication = await communicate(author, finding.id, { recipientName, method: 'OTHER', note: words });
      const { data } = await withdraw(author, finding.id, words);

      expect(finding.finding).toBe(words);
      expect(communication.data.communications).toMatchObject([{ recipientName, note: words }]);
      expect(data.withdrawnReason).toBe(words);
    }
    expect(payloads.length).toBeGreaterThan(20);
  },
);
