// A Vitest reporter for errors outside any test, which the JSON report leaves out.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrors {
  /** Writes { file, message } for each error. `file` is the test file that ran then, absent when a worker ended. */
  onTestRunEnd(_modules, errors) {
    const told = errors.map(({ VITEST_TEST_PATH: file, VITEST_TEST_NAME: test, type, message, stack, cause }) => ({
      file,
      message: [type, test && `during "${test}"`, stack ?? message, cause?.message].filter(Boolean).join('\n'),
    }));
    writeFileSync(process.env.UNHANDLED_ERRORS_FILE, JSON.stringify(told));
  }
}
