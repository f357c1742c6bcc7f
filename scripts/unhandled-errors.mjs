// A reporter for Vitest, whose JSON leaves out errors that no test was there to hear.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrors {
  /** Writes { file, message } of each; `file` is of the tests that ran then, or absent where a worker ended. */
  onTestRunEnd(_modules, errors) {
    const told = errors.map(({ VITEST_TEST_PATH: file, VITEST_TEST_NAME: test, type, message, stack, cause }) => ({
      file,
      message: [type, test && `during "${test}"`, stack ?? message, cause?.message].filter(Boolean).join('\n'),
    }));
    writeFileSync(process.env.UNHANDLED_ERRORS_FILE, JSON.stringify(told));
  }
}
