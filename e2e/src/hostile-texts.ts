import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Texts that would run if a page used them as markup. Each then sets `window.__xss`, opens a dialog or sends a request.
 */
export const hostileWords: readonly string[] = [
  '<img src=x onerror=window.__xss=1>',
  '"><svg onload=window.__xss=1>',
  `' onmouseover='window.__xss=1' autofocus onfocus='window.__xss=1`,
  '</script><script>window.__xss=1</script>',
  '<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>',
  'javascript:window.__xss=1',
  '<img src=//127.0.0.1:9/x.png>',
  '{{constructor.constructor("window.__xss=1")()}} ${alert(1)}',
  '\u202eEHT^EODREVER <b onclick=alert(1)>',
];

const wellKnown = resolve(import.meta.dirname, '../../../../shared/security/xss.json');

/** A larger collection, stored outside the repository; undefined if it is not there. */
export const wellKnownWords = (): string[] | undefined => {
  if (!existsSync(wellKnown)) return undefined;
  const { html, text, url }: { html: { html: string }[]; text: string[]; url: string[] } = JSON.parse(
    readFileSync(wellKnown, 'utf8'),
  );
  // The longest texts test parsers for slowness. No field accepts so many characters.
  return [...html.map((one) => one.html), ...text, ...url].filter((words) => words.length < 4000);
};
