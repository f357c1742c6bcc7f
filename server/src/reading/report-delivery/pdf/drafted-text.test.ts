import { expect, test } from 'vitest';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { reportDocument } from '#test/report-document.ts';
import { printReport } from './print-report.ts';

const passage = 'data-ai-passage="01890000-0000-7000-8000-0000000000aa"';

test.runIf(hasPoppler)('the PDF of a draft marks text that a model proposed', async () => {
  const html = `<p>Heart normal. <del ${passage}>No effusion.</del><ins ${passage}>Large <strong>effusion.</strong></ins></p>`;

  const pdf = await printReport({ ...reportDocument(html, { parts: [] }), status: 'DRAFT' });

  expect(textOfPdf(pdf)).toContain('Heartnormal.[tobereplaced:Noeffusion.][draftedbyAI:Largeeffusion.]');
});
