import type { TestCause } from '@radwork/contract/remote-configurations';

/** Why another system could not be used: a name for programs and words for people. Holds no path and no secret. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly remoteCause: TestCause;

  constructor(remoteCause: TestCause, message: string) {
    super(message);
    this.remoteCause = remoteCause;
  }
}
