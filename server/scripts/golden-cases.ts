/**
 * Judges the impressions of a model by the golden cases (src/reading/drafting/golden-cases.ts), next to those of the rules.
 * The model is any server with the protocol of OpenAI:
 *
 * GOLDEN_MODEL_URL=http://127.0.0.1:11434/v1 GOLDEN_MODEL=llama3.1 node server/scripts/golden-cases.ts
 *
 * GOLDEN_MODEL_KEY is the key of the server, if it needs one. The cases hold no data of patients.
 */
import type { Drafter } from '../src/reading/drafting/drafter.ts';
import { faultsOf, goldenCases } from '../src/reading/drafting/golden-cases.ts';
import { createModelDrafter } from '../src/reading/drafting/model-drafter.ts';
import { ruleDrafter } from '../src/reading/drafting/rule-drafter.ts';

/** Time limit of one answer in milliseconds. Models without a graphics card are slow. */
const patience = 120_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

const judge = async (title: string, drafter: Drafter): Promise<void> => {
  print(`${title}:`);
  let passed = 0;
  for (const golden of goldenCases) {
    const request = {
      kind: 'IMPRESSION' as const,
      text: golden.findings,
      studyDescription: '',
      clinicalInfo: '',
      sections: [],
    };
    const faults = await drafter.answer(request, new AbortController().signal).then(
      (impression) => faultsOf(golden, impression),
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    if (faults.length === 0) passed += 1;
    print(`  ${faults.length === 0 ? 'pass' : 'FAIL'}  ${golden.name}`);
    for (const fault of faults) print(`          ${fault}`);
  }
  print(`${title}: ${passed} of ${goldenCases.length} cases passed`);
};

await judge('Rules', ruleDrafter);

const { GOLDEN_MODEL_URL: baseUrl, GOLDEN_MODEL: model, GOLDEN_MODEL_KEY: key = '' } = process.env;
if (baseUrl && model) {
  const settings = { provider: 'OPENAI' as const, name: 'Model', model, baseUrl: baseUrl.replace(/\/+$/, ''), key };
  await judge(`Model ${model}`, createModelDrafter(settings, globalThis.fetch, patience));
} else {
  print('No model is configured. Set GOLDEN_MODEL_URL and GOLDEN_MODEL to judge one.');
}
