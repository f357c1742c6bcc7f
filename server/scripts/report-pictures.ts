import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { chestInHounsfield } from '@radwork/phantom/chest';
import { axial, coronal, planeAround } from '@radwork/phantom/geometry';
import { imageOf } from '@radwork/phantom/scene';
import sharp from 'sharp';
import { printReport } from '#reading/report-delivery/pdf/print-report.ts';
import { reportDocument, signedPart } from '#test/report-document.ts';

/** Renders the pages of a sample report into docs/images. Needs pdftoppm of poppler-utils. */

const folder = resolve(import.meta.dirname, '../../docs/images');

/** Returns a chest slice of the phantom in a soft-tissue window, as a data URL. */
const slice = async (orientation: typeof axial, name: string): Promise<string> => {
  const size = 300;
  const plane = planeAround([0, 0, 0], orientation, { rows: size, columns: size, pixelSpacing: 420 / size });
  const hounsfield = imageOf(chestInHounsfield, plane, { floor: 12, share: 0 }, name);
  const gray = Uint8Array.from(hounsfield, (value) => Math.max(0, Math.min(255, ((value + 700) / 1100) * 255)));
  const png = await sharp(gray, { raw: { width: size, height: size, channels: 1 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

const signatureOf = async (name: string): Promise<string> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="110"><rect width="360" height="110" fill="#fff"/><text x="16" y="72" font-family="cursive" font-style="italic" font-size="46" fill="#10204a">${name}</text></svg>`;
  return `data:image/png;base64,${(await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64')}`;
};

const logo = async (): Promise<string> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="110"><rect width="320" height="110" fill="#fff"/><circle cx="55" cy="55" r="44" fill="none" stroke="#1f55b5" stroke-width="10"/><path d="M30 55h18l8-22 12 44 8-22h18" fill="none" stroke="#1f55b5" stroke-width="7"/><text x="118" y="70" font-family="sans-serif" font-size="44" font-weight="700" fill="#1f55b5">Elm St.</text></svg>`;
  return `data:image/png;base64,${(await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64')}`;
};

const cell = (text: string, more = '') => `<td${more}><p>${text}</p></td>`;
const head = (text: string, more = '') => `<th${more}><p>${text}</p></th>`;
const yellow = 'style="background-color: #ffe08a"';
const green = ' style="background-color: #bfe6c9"';

const content = `
<h1>CT of the chest with contrast</h1>
<h2>Clinical question</h2>
<p>Staging of a bronchial carcinoma. β-hCG negative, eGFR &gt; 60 ml/min/1.73 m<sup>2</sup>, D-dimer 0.4 × 10<sup>−3</sup> g/l, SpO<sub>2</sub> 96 %. Referred by Dr. Małgorzata Đorđević-Świątek, Łódź; prior study from клиника Жуковского, Москва; Αθήνα, Ευαγγελισμός.</p>
<h2>Technique</h2>
<p>Helical acquisition after 80 ml of contrast medium, 1 mm slices, κ = 1.2, CTDI<sub>vol</sub> 6.1 mGy, DLP 214 mGy·cm.</p>
<h2>Findings</h2>
<p>Solid nodule in the <strong>right upper lobe</strong> (右肺上叶结节), <mark data-color="#ffe08a" ${yellow}>14 × 12 mm</mark>, with spiculated margins; <span style="color: #b3261e">new since the prior study</span>. Mediastinal lymph nodes are <em>not</em> enlarged (≤ 8 mm). <u>No</u> pleural or pericardial effusion. <s>Suspicion of embolism.</s></p>
<table><tbody>
<tr>${head('Lesion')}${head('Segment')}${head('Size, mm', ' colspan="2"')}${head('Change')}</tr>
<tr>${cell('1', ' rowspan="2"')}${cell('S2, right')}${cell('14')}${cell('12')}${cell('new')}</tr>
<tr>${cell('S3, right')}${cell('6')}${cell('5')}${cell('±0 %', green)}</tr>
<tr>${cell('2')}${cell('S6, left')}${cell('4')}${cell('4')}${cell('−11 %', green)}</tr>
</tbody></table>
<ul><li><p>Airways: patent down to the segments.</p><ul><li><p>Mild bronchial wall thickening of both lower lobes.</p></li></ul></li><li><p>Heart: of normal size, Agatston score 112.</p></li></ul>
<p style="text-align: center">PICTURES</p>
<h3>Measurements over time</h3>
<table><tbody>
<tr>${head('Date')}${head('Lesion 1')}${head('Lesion 2')}${head('Volume, mm<sup>3</sup>')}</tr>
${['2025-05-12', '2025-11-20', '2026-05-18', '2026-11-20'].map((day, index) => `<tr>${cell(day)}${cell(index < 3 ? '-' : '14 mm')}${cell(`${5 - index * 0.3} mm`)}${cell(String(65 - index * 9))}</tr>`).join('')}
</tbody></table>
<ol><li><p>Compared slice by slice with 2026-05-18.</p></li><li><p>Measured in lung window, longest axis first.</p></li></ol>
<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><p>Referring physician told by phone</p></li><li data-type="taskItem" data-checked="false"><p>PET-CT booked</p></li></ul>
<blockquote><p>Fleischner Society 2017: solid nodule &gt; 8 mm, consider PET-CT or biopsy.</p></blockquote>
<hr>
<h2>Impression</h2>
<ol><li><p>New solid nodule of the right upper lobe, suspicious of malignancy: <strong>PET-CT advised</strong>.</p></li><li><p>No enlarged lymph nodes, no effusion; T1b N0 by size.</p></li></ol>`;

const [axialSlice, coronalSlice] = [await slice(axial, 'axial'), await slice(coronal, 'coronal')];
const pictures = `<table><tbody><tr><td><img src="${axialSlice}" alt="Axial" width="150"><p>Axial, lung and soft tissue</p></td><td><img src="${coronalSlice}" alt="Coronal" width="150"><p>Coronal reconstruction</p></td></tr></tbody></table>`;
const withPictures = content.replace('<p style="text-align: center">PICTURES</p>', pictures);

const signatureData = await signatureOf('Rosa Lindqvist');
const document = reportDocument(withPictures, {
  parts: [
    signedPart(withPictures, { signatureData }),
    signedPart('<p>Referring physician confirmed receipt on 2026-11-21. PET-CT on 2026-11-27.</p>', {
      number: 1,
      kind: 'ADDENDUM',
      finalizedAt: '2026-11-21T09:20:00.000Z',
    }),
  ],
  organization: {
    id: 1,
    name: 'Elm Street Radiology',
    identifierRoot: '01890000-0000-4000-8000-000000000004',
    letterhead: 'Elm Street Radiology\n12 Elm Street, 10115 Berlin',
    contact: '+49 30 1234 567, elm@example.org',
    footer: 'Elm Street Radiology GmbH, Amtsgericht Charlottenburg HRB 4711',
    logo: await logo(),
  },
});

const pdf = await printReport(document);
const { status, stderr } = spawnSync('pdftoppm', ['-r', '90', '-png', '-', `${folder}/report-pdf`], { input: pdf });
if (status !== 0) throw new Error(stderr.toString());
