import { templates } from '@radwork/contract/reading/templates';
import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { readMrrt } from './mrrt.ts';

/**
 * Our own example of IHE's profile MRRT (RAD TF-3, 4.x): metadata, coded attributes, sections and all kinds of fields.
 */
const file = `<!DOCTYPE html>
<html>
  <head>
    <title>CT Urogram</title>
    <meta charset="UTF-8" />
    <meta name="dcterms.title" content="CT urogram" />
    <meta name="dcterms.description" content="Three phases of kidneys and ureters" />
    <meta name="dcterms.identifier" content="urn:example:ct-urogram" />
    <meta name="dcterms.type" content="IMAGE_REPORT_TEMPLATE" />
    <meta name="dcterms.language" content="en" />
    <style>p { color: red }</style>
    <script type="text/xml">
      <template_attributes>
        <term type="modality"><code meaning="Computed Tomography" value="CT" scheme="DCM"></code></term>
        <term type="anatomy"><code meaning="Kidney" value="RID205" scheme="RADLEX"></code></term>
      </template_attributes>
    </script>
    <script>document.title = 'changed'</script>
  </head>
  <body>
    <p>Reported for the urology board.</p>
    <section id="s1" class="level1" data-section-name="Technique">
      <header class="level1">Technique</header>
      <p><label for="T1">Protocol:</label>
        <textarea id="T1" data-field-type="TEXTAREA" data-field-completion-action="NONE">Three phases.</textarea></p>
      <p><label for="N1">Dose:</label>
        <input id="N1" type="number" data-field-type="NUMBER" data-field-units="mGy*cm" /></p>
      <p><label for="M1">Referrer</label>
        <input id="M1" type="text" data-field-type="TEXT" data-field-merge-flag="true" value="" /></p>
    </section>
    <section id="s2" class="level1" data-section-name="Findings">
      <header class="level1">Findings</header>
      <section id="s21" class="level2" data-section-name="Kidneys">
        <header class="level2">Kidneys</header>
        <p><label for="L1">Size:</label>
          <select id="L1" data-field-type="SELECTION_LIST" data-field-completion-action="ALERT">
            <option value="n">normal</option><option value="e" selected>enlarged</option></select></p>
        <p><label for="L2">Stones:</label>
          <select id="L2" data-field-type="SELECTION_LIST"><option>none</option><option>right</option><option>left</option></select></p>
        <p>Side: <input type="radio" name="side" value="right" />right <input type="radio" name="side" value="left" />left</p>
        <p>Phases: <input type="checkbox" name="phase" value="native" checked />native
          <input type="checkbox" name="phase" value="venous" checked />venous
          <input type="checkbox" name="phase" value="late" />late</p>
        <ul><li><strong>Ureters</strong> [course]</li></ul>
        <img src="kidney.png" alt="" onclick="alert(1)" />
      </section>
    </section>
    <section id="s3" class="level1"><header>Impression</header><p><input id="I" type="text" title="impression" /></p></section>
    <embed type="text/html" src="other.html" />
  </body>
</html>`;

test('an MRRT file becomes a template with metadata, sections, default texts and unfilled fields', () => {
  const { form } = readMrrt(file);

  expect(form).toEqual({
    name: 'CT urogram',
    description: 'Three phases of kidneys and ureters',
    modality: 'CT',
    bodyPart: 'KIDNEY',
    isActive: true,
    content: '<p>Reported for the urology board.</p>',
    sections: [
      {
        name: 'Technique',
        content: '<p>Protocol: Three phases.</p><p>Dose: [Dose] mGy*cm</p><p>Referrer [Referrer]</p>',
        order: 1,
      },
      {
        name: 'Findings',
        content:
          '<h3>Kidneys</h3><p>Size: enlarged</p><p>Stones: [none / right / left]</p><p>Side: [right / left]</p>' +
          '<p>Phases: native, venous</p><ul><li><p><strong>Ureters</strong> [course]</p></li></ul>',
        order: 2,
      },
      { name: 'Impression', content: '<p>[impression]</p>', order: 3 },
    ],
    normalFindings: [],
  });
});

test('names the features of an MRRT file that a template does not support', () => {
  const { leftOut } = readMrrt(file);

  expect(leftOut).toEqual([
    'Automatic filling of the field "Referrer" by other systems',
    'Rule ALERT of the field "Size"',
    'Script',
    'Images',
    'Content of other files',
  ]);
});

test.each([
  ['MRI of the knee', 'MR'],
  ['CT Head', 'CT'],
  ['Renal ultrasound', 'US'],
  ['Chest X-ray', 'XR'],
  ['Something else', ''],
])('reads the modality from the title when attributes are missing: %s', (title, modality) => {
  const { form, leftOut } = readMrrt(`<title>${title}</title><section data-section-name="A"><p>a</p></section>`);

  expect(form.modality).toBe(modality);
  expect(leftOut).toEqual(modality ? [] : ['Modality: the file names none']);
});

test('reads the modality from the metadata, but not from an unknown coding scheme', () => {
  const modalityOf = (head: string) =>
    readMrrt(`<head>${head}</head><section data-section-name="A"><p>a</p></section>`).form.modality;
  const code = (scheme: string) =>
    `<script type="text/xml"><term type="modality"><code value="MR" scheme="${scheme}"></code></term></script>`;

  expect(modalityOf('<meta name="dcterms.modality" content="mr" />')).toBe('MR');
  expect(modalityOf(code('DCM'))).toBe('MR');
  expect(modalityOf(code('LOCAL'))).toBe('');
});

test('removes hidden fields and event handlers, and names the removed event handlers', () => {
  const { form, leftOut } = readMrrt(
    '<title>CT</title><section data-section-name="A"><p onclick="run()">a<input type="hidden" value="b" /></p></section>',
  );

  expect(form.sections).toMatchObject([{ name: 'A', content: '<p>a</p>' }]);
  expect(leftOut).toEqual(['Script']);
});

test('cuts a long list of options after a whole option, and reports it', () => {
  const options = Array.from({ length: 12 }, (_, number) => `<option>finding number ${number} of the liver</option>`);

  const { form, leftOut } = readMrrt(
    `<title>CT</title><section data-section-name="A"><p><label for="L">Liver:</label> <select id="L">${options.join('')}</select></p></section>`,
  );

  expect(form.sections[0]?.content).toMatch(
    /^<p>Liver: \[finding number 0 of the liver \/ .* finding number 5 of the liver\]<\/p>$/,
  );
  expect(leftOut).toEqual(['Options of the field "Liver" after the first 6 of 12']);
});

test('removes a text only if it repeats an option', () => {
  const { form } = readMrrt(
    '<title>CT</title><section data-section-name="Kidneys"><p>Side: <input type="radio" name="s" id="r" value="Right"><label for="r">Right</label>' +
      '<input type="radio" name="s" value="Left"> Left</p><p><input type="checkbox" id="c"><label for="c">Stone</label></p>' +
      '<table><tr><th>Right</th><th>Left</th></tr><tr><td>[mm]</td><td>[mm]</td></tr></table>' +
      '<p><b>No</b> <i>stone</i></p></section>',
  );

  expect(form.sections[0]?.content).toBe(
    '<p>Side: [Right / Left]</p><p>[Stone]</p><table><tbody><tr><th><p>Right</p></th><th><p>Left</p></th></tr>' +
      '<tr><td><p>[mm]</p></td><td><p>[mm]</p></td></tr></tbody></table>' +
      '<p><strong>No</strong> <em>stone</em></p>',
  );
});

test.each([
  ['a file that is not HTML', '\u0000\u0001'],
  ['a page without sections and text', '<html><body><p> </p></body></html>'],
  ['a file with more nested levels than a report may have', `<section>${'<div>'.repeat(500)}a`],
  ['a file with more elements than a report may have', `<section>${'<i>a</i>'.repeat(30_000)}`],
])('refuses %s as an MRRT file with a message', (_, source) => {
  expect(() => readMrrt(source)).toThrow(/^(Add at least one section or some content|The report is too complex)/);
});

test('refuses a file with too many sections before reading any section', () => {
  const sections = (count: number) => `<title>CT</title>${'<section data-section-name="A">a</section>'.repeat(count)}`;

  expect(readMrrt(sections(40)).form.sections).toHaveLength(40);
  expect(() => readMrrt(sections(41))).toThrow('Use at most 40 sections');
});

const world = await createWorld();

test('reading an MRRT file saves nothing and requires the permission to manage templates', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);

  const read = await admin.send(templates.readMrrt, { body: { html: file } });
  const refused = await reader.send(templates.readMrrt, { body: { html: file } });
  const tooLarge = await admin.send(templates.readMrrt, { body: { html: 'x'.repeat(512 * 1024 + 1) } });
  const saved = await admin.send(templates.create, { body: read.data.form });

  expect(read.data.form.name).toBe('CT urogram');
  expect(refused.code).toBe(403);
  expect(tooLarge).toMatchObject({ code: 422, message: 'The file is larger than 512 KB' });
  expect((await admin.send(templates.list)).data.content).toEqual([saved.data]);
});
