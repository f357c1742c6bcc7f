import { expect, test } from 'vitest';
import { createIdentifierMarks } from './withhold-identifiers.ts';

const known = {
  names: ['Müller-Lüdenscheid^Anna Sofía^^Dr.^MD', 'Yamada^Tarou=山田^太郎=やまだ^たろう', "O'Brien^Jack"],
  values: ['P-4711', 'A 2026/99', '42'],
  phones: ['+49 (30) 555-0199'],
  birthDates: ['1961-05-03'],
};

const take = (text: string) => createIdentifierMarks(known).replaceIdentifiers(text);

test.each([
  ['the name as stored', 'Müller-Lüdenscheid^Anna Sofía'],
  ['the name in the other order', 'Anna Sofía Müller-Lüdenscheid'],
  ['one part of the name', 'Mrs Lüdenscheid came back.', /Mrs \[NAME 1\] came back\./],
  ['the name in capitals', 'MÜLLER-LÜDENSCHEID, ANNA'],
  ['the name without its accents', 'Muller Ludenscheid, Anna Sofia'],
  ['the name with ae and ue in place of umlauts', 'Mueller-Luedenscheid'],
  ['the name in the genitive', "Anna's lung", /^\[NAME 1\] lung$/],
  ['a name with an apostrophe', 'Referred by O’Brien and OBrien', /^Referred by \[NAME 1\] and \[NAME 2\]$/],
  ['a Japanese name without spaces around it', '患者山田太郎の胸部', /^患者\[NAME 1\]\[NAME 2\]の胸部$/],
  ['the patient ID', 'p-4711 was seen', /^\[ID 1\] was seen$/],
  ['an accession number written with a space', 'no. A 2026/99.', /^no\. \[ID 1\]\.$/],
  ['a short ID, even if it may be a size', '42 mm', /^\[ID 1\] mm$/],
  ['a known telephone number', 'call +49305550199', /^call \[PHONE 1\]$/],
  ['an unknown telephone number', 'call 555-123-4567 or (030) 998 8776', /^call \[PHONE 1\] or \[PHONE 2\]$/],
  ['an e-mail address', 'to a.b+c@clinic.example.org now', /^to \[EMAIL 1\] now$/],
  ['a UID', 'see 1.2.840.10008.5.1.4.1.1.2 there', /^see \[UID 1\] there$/],
  [
    'a number that the text calls an ID',
    'MRN: 77-881 and accession no. X9912',
    /^MRN: \[ID 1\] and accession no\. \[ID 2\]$/,
  ],
  ['a long number', 'file 123456789', /^file \[ID 1\]$/],
])('withholds %s', (_, text, expected = /^(\[NAME \d\][\s^,-]*)+$/) => {
  expect(take(text)).toMatch(expected);
});

test.each([
  '2024-03-12',
  '20240312',
  '12.03.2024',
  '3/12/2024',
  '12/03/24',
  '12 March 2024',
  '12th of March 2024',
  'March 12, 2024',
  'Mar 2024',
  '03/2024',
  '12. März 2024',
  '12 de marzo de 2024',
  '12 mars 2024',
  '2024年3月12日',
])('withholds the date %s', (date) => {
  expect(take(`Compared with ${date}: no change.`)).toBe('Compared with [DATE 1]: no change.');
});

test.each([
  'geb.12.03.2024',
  'Smith,12.03.2024',
  'born/12.03.2024',
  '2024-03-12T00:00',
  '24-03-12',
  '12–03–2024',
  '12-MAR-2024',
  '12/Mar/24',
  '12 maart 2024',
  '12 marca 2024',
  '2024 Mar 12',
  '12 Mar 24',
  '12. března 2024',
])('withholds the date %s in any notation, even directly after other text', (date) => {
  expect(take(date)).toMatch(/^(geb\.|Smith,|born\/)?\[DATE 1\](T00:00)?$/);
});

test.each([
  'geb.03.05.1961',
  '03MAY1961',
  '5 3 1961',
  '05031961',
  '030561',
  '610503',
  '1961 3 May',
  'May 3rd of 1961',
  '3 mei 1961',
  '3 maja 1961',
  '3 mai 61',
  'le 1961, mai 3',
  '3 мая 1961 года',
  '3 de mayo del 1961',
  '3º mag 1961',
  '３/５/１９６１',
  '०३.०५.१९६१',
  '1961年5月3号',
  '1961년 5월 3일',
  '3 मई 1961',
  '03·05·1961',
  'maj 3,  1961',
  '3 Mayıs 1961',
])('withholds the known birth date as %s', (date) => {
  const sent = take(`Chest ${date} clear, 3 nodules since 1961`);

  expect(sent).toMatch(/^Chest [^\d]*\[DATE 1\][^\d]* clear, 3 nodules since 1961$/);
});

test.each([
  ['DOE_JOHN', 'John Doe'],
  ['SMITH^JOHN(JOHNNY)', 'John Smith, Johnny'],
  ['MÜLLER^ANNA (GEB. SCHMIDT)', 'Anna Müller, Schmidt'],
  ['Doe^Robert "Bob"', 'Bob Doe'],
  ['DOE^JOHN*', 'John Doe'],
  ['DOE1^JOHN', 'John Doe'],
  ['KOWALCZYK^PAWEL', 'Paweł Kowalczyk'],
  ['Wałęsa^Lech', 'Lech Walesa'],
  ['YILMAZ^AYSE', 'Ayşe Yılmaz, Yılmaz’ın'],
  ['ÖZIL^IŞIK', 'Işık Özil'],
  ['Đặng^Thị', 'Dang Thi'],
  ['ΠΑΠΑΔΟΠΟΥΛΟΣ^ΗΛΙΑΣ', 'Ηλίας Παπαδόπουλος, ΗΛΙΑΣ, ηλιασ παπαδοπουλοσ'],
  ['Иванов^Иван', 'Иванова Ивана, Ивановым'],
  ['Kowalczyk^Jan', 'Kowalczyka, Kowalczykowi'],
  ['Петрова^Анна', 'Петровой, Анне'],
  ["O'Brien^Mary", 'Mary O’Brien, Brien'],
  ['Dupont^Jean-Luc', 'Jean Luc Dupont, Jean‑Luc'],
])('withholds every part of %s in any spelling: %s', (name, text) => {
  const sent = createIdentifierMarks({ names: [name], values: [], phones: [], birthDates: [] }).replaceIdentifiers(
    text,
  );

  expect(sent.replaceAll(/\[NAME \d+\]/g, '')).toMatch(/^[^\p{L}\p{N}]*$/u);
});

test.each([
  ['王小明(急診)', '患者王小明有結節', '患者[NAME 1]有結節'],
  ['王小明', '小明有結節', '[NAME 1]有結節'],
  ['Wang^Xiaodong=王^小東', '王小東有結節', '[NAME 1][NAME 2]有結節'],
  ['홍길동(M)', '홍길동(M) 흉부', '[NAME 1](M) 흉부'],
  ['홍길동', `${'홍길동'.normalize('NFD')}님`, '[NAME 1]님'],
  ['Yamada=やまだ^たろう', 'ヤマダ タロウ', '[NAME 1] [NAME 2]'],
  ['がく', 'が く がくさん', 'が く [NAME 1]さん'],
])('withholds a name even if no spaces surround it: %s in %s', (name, text, expected) => {
  const withheld = createIdentifierMarks({ names: [name], values: [], phones: [], birthDates: [] });

  const sent = withheld.replaceIdentifiers(text);

  expect(sent).toBe(expected);
  expect(withheld.restoreIdentifiers(sent)).toBe(text);
});

test.each(['王|(a+)+$', '王[', '王)', '王*', '王\\', '(.*)', '.^.', '|'])(
  'searches for a name literally, never as a pattern: %s',
  (name) => {
    const text = `${'a'.repeat(200)}! The chest is clear.`;

    expect(
      createIdentifierMarks({ names: [name], values: [name], phones: [name], birthDates: [name] }).replaceIdentifiers(
        text,
      ),
    ).toBe(text);
  },
);

test.each([
  ['ID12345, #12345x and 12 345', 'ID[ID 1], #[ID 1]x and [ID 2]'],
  ['acc1234/56 and ACC-1234-56', '[ID 1] and [ID 2]'],
  ['123456 and 0.12345', '123456 and 0.[ID 1]'],
])('withholds a known Patient ID in any grouping: %s', (text, expected) => {
  const values = ['12345', 'ACC-1234 56'];

  expect(createIdentifierMarks({ names: [], values, phones: [], birthDates: [] }).replaceIdentifiers(text)).toBe(
    expected,
  );
});

test.each([
  'A 6 x 5 mm nodule in the right upper lobe (series 4, image 123), SUV 3.2.',
  'Masses of 10/12/15 mm and 3.5 x 2.2 x 1.8 cm at L4/5, T2 and C3-4. 5/5 strength, BI-RADS 4a.',
  'Attenuation of -12 to 45 HU in 2024; CTDIvol 12.5 mGy, DLP 450.75. PI-RADS v2.1 on 1.5 T.',
  'May be seen. Marked stenosis of 50-70 %. Second lesion, 120/80 mmHg.',
])('does not change measurements: %s', (text) => {
  expect(take(text)).toBe(text);
});

test("restores withheld text in the answer, in the reader's spelling", () => {
  const withheld = createIdentifierMarks(known);
  const text = 'ANNA on 12.03.2024: 42 mm, Anna on 12.03.2024';

  const sent = withheld.replaceIdentifiers(text);

  expect(sent).toBe('[NAME 1] on [DATE 2]: [ID 3] mm, [NAME 4] on [DATE 2]');
  expect(withheld.restoreIdentifiers(sent)).toBe(text);
  expect(withheld.restoreIdentifiers('[Date 2] and [DATE 9]')).toBe('12.03.2024 and [DATE 9]');
});

test('text that only looks like a placeholder stays unchanged', () => {
  const withheld = createIdentifierMarks(known);

  const sent = withheld.replaceIdentifiers('Name: [NAME 1], Anna');

  expect(withheld.restoreIdentifiers(sent)).toBe('Name: [NAME 1], Anna');
});

test('restores withheld text in an answer that arrives in pieces of any size', async () => {
  const withheld = createIdentifierMarks(known);
  const text = 'On 12.03.2024 [see below] Anna';
  const sent = withheld.replaceIdentifiers(text);

  for (const size of [1, 2, 3, 5, 8, 100]) {
    const received: string[] = [];
    for await (const chunk of withheld.restoreIdentifiersInStream(inPieces(sent, size))) received.push(chunk);
    expect(received.join('')).toBe(text);
  }
});

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
