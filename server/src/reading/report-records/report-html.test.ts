import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { keyImageAddress } from '@radwork/contract/reading/report-link-address';
import { expect, test } from 'vitest';
import { rebuildFinalHtml, rebuildHtmlForElsewhere, rebuildReportHtml, rebuildStoredHtml } from './report-html.ts';

const rebuilt = (source: string) => rebuildReportHtml(source).html;

const onePixelPng =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test.each([
  ['headings', '<h1>Report</h1><h2>Findings</h2><h3>Chest</h3>'],
  ['an empty line', '<p>First</p><p></p><p>Third</p>'],
  ['bold, italic, underlined and struck text', '<p><strong>a</strong><em>b</em><u>c</u><s>d</s></p>'],
  ['text that is bold and italic', '<p>plain <strong>bold <em>both</em></strong></p>'],
  ['subscript and superscript', '<p>CTDI<sub>vol</sub> 8 mGy, 10<sup>6</sup></p>'],
  ['a line break', '<p>one<br>two</p>'],
  ['alignment', '<p style="text-align: center">middle</p><h2 style="text-align: right">end</h2>'],
  ['a nested list', '<ul><li><p>a</p><ol start="3"><li><p>b</p></li></ol></li></ul>'],
  ['a quotation and a horizontal line', '<blockquote><p>q</p></blockquote><hr>'],
  ['a highlight', '<p><mark data-color="#ffe08a" style="background-color: #ffe08a">artery</mark></p>'],
  ['a color', '<p><span style="color: #b3261e">1.1</span></p>'],
  [
    'a table with spans, widths and shading',
    '<table><tbody><tr><th colspan="2" colwidth="120,80" style="width: 200px"><p>Structure</p></th></tr>' +
      '<tr><td rowspan="2" style="background-color: #f8c9cc; text-align: right"><p>1.1</p></td><td><p></p></td></tr></tbody></table>',
  ],
  [
    'a link',
    '<p><a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">prior</a></p>',
  ],
  ['a picture', `<img src="${onePixelPng}" alt="Series 4, image 118" width="89" height="50">`],
  ['a typed field', '<p><span data-field="Side: left|right">[Side]</span> kidney</p>'],
  ['a filled part', '<p><span data-filled="dose">5 <strong>mGy</strong></span></p>'],
  ['a hidden conditional part', '<p>a<span data-part="Size &gt; 6" data-source="b [c]"></span></p>'],
  [
    'a field in a conditional part, in color',
    '<p><span data-part="Size" data-source="b">b <span data-field="Size: number mm"><span style="color: #b3261e">8 mm</span></span></span></p>',
  ],
  ['special characters of HTML', '<p>RV/LV &lt; 1.0 &amp; &gt; 0.9&nbsp;mm &quot;</p>'],
])('keeps the HTML of the editor unchanged: %s', (_, source) => {
  expect(rebuilt(source)).toBe(source);
});

test('a task list keeps its ticks, and its boxes are disabled in a stored text', () => {
  const fromEditor =
    '<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><label><input type="checkbox" checked="checked">' +
    '<span></span></label><div><p>Compared with 2026-03-14</p></div></li></ul>';

  expect(rebuilt(fromEditor)).toBe(
    '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><input type="checkbox" disabled checked ' +
      'aria-label="Done"><div><p>Compared with 2026-03-14</p></div></li></ul>',
  );
});

test.each([
  ['plain text becomes a paragraph', 'No acute finding.', '<p>No acute finding.</p>'],
  ['div elements become separate paragraphs', '<div>one</div><div>two</div>three', '<p>one</p><p>two</p><p>three</p>'],
  ['text after a div element in a heading becomes a paragraph', '<h1><div>a</div>b</h1>', '<h1>a</h1><p>b</p>'],
  ['a paragraph inside bold text stays bold', '<b>a<p>b</p></b>', '<p><strong>a</strong></p><p><strong>b</strong></p>'],
  ['text directly in a list', '<ul>a<li>b</li></ul>', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['a list directly in a list', '<ul><ul><li>a</li></ul></ul>', '<ul><li><ul><li><p>a</p></li></ul></li></ul>'],
  ['list items without a list', '<li>a</li><li>b</li>', '<p>a</p><p>b</p>'],
  ['text directly in a table cell', '<table><tr><td>1', '<table><tbody><tr><td><p>1</p></td></tr></tbody></table>'],
  ['a list without items', '<ul></ul><p>a</p>', '<p>a</p>'],
  ['a heading of level 4', '<h4>a</h4>', '<h3>a</h3>'],
  ['an unknown element', '<p><o:p>a</o:p> <font size=7>b</font></p>', '<p>a b</p>'],
  ['an image within text', `<p>a<img src="${onePixelPng}">b</p>`, `<p>a</p><img src="${onePixelPng}" alt=""><p>b</p>`],
  ['a color that reports do not allow', '<p><span style="color: #ffffff">hidden?</span></p>', '<p>hidden?</p>'],
  [
    'a color as a browser writes it',
    '<p><span style="color: rgb(179, 38, 30)">x</span></p>',
    '<p><span style="color: #b3261e">x</span></p>',
  ],
  [
    'nested links',
    '<a href="https://a.example/">a<a href="https://b.example/">b</a></a>',
    expect.stringMatching(/^<p><a [^>]+>a<\/a><a [^>]+>b<\/a><\/p>$/),
  ],
])('keeps the text of pasted or sent HTML: %s', (_, source, expected) => {
  expect(rebuilt(source)).toEqual(expected);
});

test.each([
  ['a script', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['an event handler', '<p onclick="alert(1)" id="x" class="y">a</p>', '<p>a</p>'],
  ['a link to a script', '<a href="java\nscript:alert(1)">a</a>', '<p>a</p>'],
  ['a link with credentials', '<a href="https://you:me@example.org/">a</a>', '<p>a</p>'],
  ['an image of another server', '<img src="https://example.org/track.png" onerror="alert(1)"><p>a</p>', '<p>a</p>'],
  [
    'an HTML page with the media type of an image',
    `<img src="data:image/png;base64,${btoa('<html>'.repeat(9))}"><p>a</p>`,
    '<p>a</p>',
  ],
  ['an SVG image', '<svg onload=alert(1)><text>inside</text></svg><p>a</p>', '<p>a</p>'],
  ['a form', '<form action="https://example.org"><input name=q><button>b</button>a</form>', '<p>a</p>'],
  ['unusual line and page breaks', '<p>5\u000b12\u000c8 mm,\u0085none</p>', '<p>5 12 8 mm, none</p>'],
  ['a control character that reverses text', '<p>left \u202elung\u0000</p>', '<p>left lung</p>'],
  ['half of a surrogate pair', '<p>a\ud83d</p>', '<p>a</p>'],
])('removes content that may not be in a report: %s', (_, source, expected) => {
  expect(rebuilt(source)).toBe(expected);
});

test('returns the text of a report as a reader sees it', () => {
  expect(rebuildReportHtml('<h1>A &amp; B</h1><p>c<br>d</p><script>e</script>').text).toBe('A & Bcd');
});

test.each([
  ['half a megabyte of formatting', '<p><strong>x</strong></p>'.repeat(20_000)],
  ['thousands of nested levels', `${'<blockquote>'.repeat(5000)}x`],
  [
    'formatting that the parser would multiply',
    `<p>${Array.from({ length: 300 }, (_, n) => `<b a${n}>`).join('')}x${'<p>x'.repeat(300)}`,
  ],
  ['a hundred thousand elements', '<br>x'.repeat(100_000)],
])('refuses a text that is too complex, without parsing it: %s', (_, source) => {
  expect(() => rebuilt(source)).toThrow('The report is too complex');
});

test.each([
  ['cells', (count: number) => `<table>${`<tr>${'<td>1'.repeat(10)}`.repeat(count / 10)}</table>`],
  ['task list items', (count: number) => `<ul data-type="taskList">${'<li>x'.repeat(count)}</ul>`],
  ['list items', (count: number) => `<ul>${'<li>x'.repeat(count)}</ul>`],
  ['links', (count: number) => '<p><a href=//a.b>x</a></p><p><a href=https://a.b>x</a></p>'.repeat(count / 2)],
  ['nested levels', (count: number) => `${'<ul>'.repeat(count / 500)}x`],
])(
  'a text with the maximum of %s is read again as it was stored, and a larger text is refused immediately',
  (_, sourceOf) => {
    const isAccepted = (source: string) => {
      try {
        return rebuilt(source);
      } catch {
        return undefined;
      }
    };

    const accepted = Array.from({ length: 40 }, (__, at) => isAccepted(sourceOf(500 * (at + 1))));

    expect(accepted[0]).toBeDefined();
    expect(accepted.at(-1)).toBeUndefined();
    const unreadable = accepted.filter((html) => html !== undefined && isAccepted(html) !== html);
    expect(unreadable).toEqual([]);
  },
);

test('accepts a report with images up to 5 MB', () => {
  const picture = (bytes: number) => `<img src="${onePixelPng.slice(0, 80)}${'A'.repeat(bytes)}"><p>a</p>`;

  expect(rebuilt(picture(4_800_000))).toContain('<img');
  expect(() => rebuilt(picture(5_100_000))).toThrow('The report is larger than 5 MB');
});

const tags =
  'p div h1 h4 ul ol li table tr td th caption b em a span font blockquote foo svg button label details'.split(' ');

/** Pieces of valid and invalid HTML. Combined at random, they give texts that no author of a test would write. */
const fragments = tags
  .flatMap((tag) => [`<${tag}>`, `</${tag}>`])
  .concat('<br>', '<hr>', '<ul data-type="taskList">', '<li data-checked="true">', '<a href="https://a.example">')
  .concat('<span style="color:#b3261e">', '<mark data-color="#ffe08a">', `<img src="${onePixelPng}">`, '<td colspan=2>')
  .concat('<!--', '-->', 'x', ' ', '\n', 'two words', '&amp;', '&nbsp;', '<', '"', '\u202e', 'é', '🩻');

/** A random generator whose numbers can be repeated (mulberry32). */
const chance = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
};

test('sanitizing a sanitized text again changes nothing', () => {
  const random = chance(20_261_121);
  const pick = () => fragments[Math.floor(random() * fragments.length)] ?? '';

  const sources = Array.from({ length: 10_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 24) }, pick).join(''),
  );

  const changed = sources.filter((source) => rebuilt(rebuilt(source)) !== rebuilt(source));

  expect(changed).toEqual([]);
});

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');
const payloads: { id: string; class: string; html: string }[] = existsSync(payloadFile)
  ? JSON.parse(readFileSync(payloadFile, 'utf8')).html
  : [];

/** All attributes that a report may contain. The values of href, src and style are checked separately. */
const harmless = new Set(
  'data-type data-checked data-color type disabled checked aria-label start colspan rowspan colwidth alt width height target rel style src href'.split(
    ' ',
  ),
);

const dangersIn = (html: string): string[] => {
  const elements: DefaultTreeAdapterTypes.ChildNode[] = [...parseFragment(html).childNodes];
  const dangers: string[] = [];
  for (const node of elements) {
    if (!('tagName' in node)) continue;
    elements.push(...node.childNodes);
    if (
      !/^(p|h[1-3]|ul|ol|li|div|blockquote|table|tbody|t[rdh]|hr|br|img|input|a|mark|span|strong|em|u|s|su[bp])$/.test(
        node.tagName,
      )
    )
      dangers.push(node.tagName);
    for (const { name, value } of node.attrs) {
      if (!harmless.has(name)) dangers.push(name);
      if (name === 'href' && !/^(https?|mailto|tel):|^\/viewer\/[\da-f-]{36}\?image=[\da-f-]{36}$/.test(value))
        dangers.push(value);
      if (name === 'src' && !/^data:image\/(png|jpeg|gif|webp);base64,[\w+/=]+$/.test(value)) dangers.push(value);
      if (name === 'style' && !/^((color|background-color|text-align|width): [#\w]+(; )?)+$/.test(value))
        dangers.push(value);
    }
  }
  return dangers;
};

test.each([
  ['<script>1</script>', 'script'],
  ['<p><svg></svg></p>', 'svg'],
  ['<p onclick="1">x</p>', 'onclick'],
  ['<a href="javascript:1">x</a>', 'javascript:1'],
  ['<img src="https://example.org/x.png">', 'https://example.org/x.png'],
  ['<p style="position: fixed">x</p>', 'position: fixed'],
])('the check of this test detects %s', (html, danger) => {
  expect(dangersIn(html)).toContain(danger);
});

test.skipIf(payloads.length === 0)(
  'removes every known HTML attack (skipped where ../shared/security/xss.json is absent)',
  () => {
    const survivors = payloads.flatMap(({ id, html }) => {
      try {
        const once = rebuilt(html);
        return rebuilt(once) === once ? dangersIn(once).map((danger) => `${id}: ${danger}`) : [`${id}: not stable`];
      } catch (error) {
        return error instanceof Error && error.message.startsWith('The report is') ? [] : [`${id}: ${String(error)}`];
      }
    });

    expect(survivors).toEqual([]);
  },
);

test('http links are removed from a new text, except for their words, and kept in a stored text', () => {
  const link = (address: string) =>
    `<p><a href="${address}" target="_blank" rel="noopener noreferrer nofollow">prior</a></p>`;

  expect(rebuilt(link('http://example.org/'))).toBe('<p>prior</p>');
  expect(rebuilt(link('HTTP://example.org/'))).toBe('<p>prior</p>');
  expect(rebuilt(link('https://example.org/'))).toBe(link('https://example.org/'));
  expect(rebuilt(link('mailto:reader@example.org'))).toBe(link('mailto:reader@example.org'));
  expect(rebuildStoredHtml(link('http://example.org/')).html).toBe(link('http://example.org/'));
  expect(rebuildStoredHtml(link('javascript:alert(1)')).html).toBe('<p>prior</p>');
});

const [study, keyImage] = ['0193d4a0-0000-7000-8000-000000000001', '0193d4a0-0000-7000-8000-000000000002'];
const linkTo = (address: string) =>
  `<p><a href="${address}" target="_blank" rel="noopener noreferrer nofollow">Nodule</a></p>`;

test('the only links to this server that stay are links to key images', () => {
  const link = linkTo(keyImageAddress(study, keyImage));

  expect(rebuilt(link)).toBe(link);
  expect(rebuildStoredHtml(link).html).toBe(link);
  expect(rebuildHtmlForElsewhere(link).html).toBe('<p>Nodule</p>');
  expect(rebuildHtmlForElsewhere(linkTo('https://example.org/')).html).toBe(linkTo('https://example.org/'));
});

test.each([
  `/viewer/${study}`,
  `/viewer/${study}?image=${keyImage}&amp;next=https://evil.example`,
  `/viewer/${study}?image=${keyImage}#x`,
  `/viewer/../api/users?image=${keyImage}`,
  `//viewer/${study}?image=${keyImage}`,
  `/viewer/${study}/..//evil.example?image=${keyImage}`,
  `/\\viewer/${study}?image=${keyImage}`,
  `viewer/${study}?image=${keyImage}`,
  `/studies/${study}?image=${keyImage}`,
  `/viewer/1.2.840?image=${keyImage}`,
])('removes a link to the address %s on this server', (address) => {
  expect(rebuilt(linkTo(address))).toBe('<p>Nodule</p>');
});

test('a signed text has the values of its fields as ordinary text, and no hidden parts', () => {
  const draft =
    '<p>A <span data-field="Size: number mm">8 mm</span> nodule.<span data-part="Size &gt; 9" data-source="Biopsy."></span></p>' +
    '<p><span data-filled="dose">5 mGy</span></p><p><span data-part="Side" data-source="b"></span></p>' +
    '<ul><li><p><span data-part="Side" data-source="b"></span></p></li></ul><p></p>';

  expect(rebuildFinalHtml(draft).html).toBe('<p>A 8 mm nodule.</p><p>5 mGy</p><p></p>');
});

test.each([
  ['a field without a type', '<span data-field="Side">a</span>'],
  ['a part without a condition', '<span data-part="" data-source="a">a</span>'],
  ['a filled part without a name', '<span data-filled=" ">a</span>'],
])('the mark of %s is removed', (_, source) => {
  expect(rebuilt(source)).toBe('<p>a</p>');
});
