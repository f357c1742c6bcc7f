import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('in a browser with Trusted Types, a sink receives the value made by the policy, never the plain text', async () => {
  const policyNames: string[] = [];
  class Trusted {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
    toString = () => this.text;
  }
  const createPolicy = (name: string, rules: { createHTML?: (html: string) => string }) => {
    policyNames.push(name);
    return { createHTML: (html: string) => new Trusted(rules.createHTML?.(html) ?? '') };
  };
  vi.stubGlobal('trustedTypes', { createPolicy });
  const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
  const { inertDocument } = await import('./inert-document.ts');

  expect(inertDocument('<p>a</p>').body.innerHTML).toBe('<p>a</p>');
  expect(parse).toHaveBeenCalledWith(expect.any(Trusted), 'text/html');
  expect(policyNames).toEqual(['radwork-inert']);
});

test('in a browser without Trusted Types, a sink receives the plain text', async () => {
  const started: unknown[] = [];
  vi.stubGlobal(
    'Worker',
    class {
      constructor(...how: unknown[]) {
        started.push(how);
      }
    },
  );
  const [{ inertDocument }, { startWorker }] = [await import('./inert-document.ts'), await import('./start-worker.ts')];

  expect('trustedTypes' in globalThis).toBe(false);
  expect(inertDocument('<p>a</p>').body.innerHTML).toBe('<p>a</p>');
  startWorker('/assets/pdf-worker-ClT6UGn4.js');
  expect(started).toEqual([['/assets/pdf-worker-ClT6UGn4.js', { type: 'module' }]]);
});
