import { expect, test } from 'vitest';
import { dictationLanguages } from './dictation-languages.ts';
import { readUtterance } from './parse-utterance.ts';
import { fitDictatedText } from './fit-dictated-text.ts';
import type { DictationLanguage } from './dictation-languages.ts';

/** Returns the text that an utterance inserts on an empty line. */
const dictated = (utterance: string, language: DictationLanguage = 'en-US') =>
  readUtterance(utterance, language)
    .map((command) =>
      command.kind === 'text'
        ? fitDictatedText(command.text, { before: '', after: '', isHeading: false }, language).text
        : command.kind === 'section'
          ? `<${command.section}>`
          : command.kind === 'macro'
            ? `<macro ${command.name}>`
            : `<${command.kind}>`,
    )
    .join('');

test.each<[DictationLanguage, string, string]>([
  ['en-US', 'there is no pleural effusion', 'There is no pleural effusion.'],
  ['en-GB', 'there is no haemorrhage', 'There is no haemorrhage.'],
  ['en-AU', 'is this new?', 'Is this new?'],
  ['en-CA', 'no fracture!', 'No fracture!'],
  ['es-ES', 'órganos sin alteraciones', 'Órganos sin alteraciones.'],
  ['fr-FR', 'épanchement pleural gauche', 'Épanchement pleural gauche.'],
  ['de-DE', 'kein Pleuraerguss', 'Kein Pleuraerguss.'],
  ['it-IT', 'è presente versamento', 'È presente versamento.'],
  ['pt-BR', 'ausência de derrame pleural', 'Ausência de derrame pleural.'],
  ['zh-CN', '双肺未见异常', '双肺未见异常。'],
])('in %s an utterance gets its capital letter and its full stop: %s', (language, utterance, expected) => {
  expect(dictated(utterance, language)).toBe(expected);
});

const english: [string, string][] = [
  ['no effusion comma no pneumothorax', 'No effusion, no pneumothorax.'],
  ['no effusion full stop the heart is normal', 'No effusion. The heart is normal.'],
  ['no effusion period', 'No effusion.'],
  ['no effusion period The heart is normal', 'No effusion. The heart is normal.'],
  ['no effusion period new paragraph the liver is normal', 'No effusion.\n\nThe liver is normal.'],
  ['no effusion period New line the liver is normal period', 'No effusion.\nThe liver is normal.'],
  ['last menstrual period period', 'Last menstrual period.'],
  ['findings colon', 'Findings:'],
  ['is this new question mark', 'Is this new?'],
  ['nodule open bracket series 4 close bracket', 'Nodule (series 4).'],
  ['no effusion new paragraph the liver is normal', 'No effusion.\n\nThe liver is normal.'],
  ['no effusion new line the liver is normal', 'No effusion.\nThe liver is normal.'],
  ['new paragraph', '\n\n'],
  ['liver colon normal in size', 'Liver: normal in size.'],
];

test.each(
  (['en-US', 'en-GB', 'en-AU', 'en-CA'] as const).flatMap((language) =>
    english.map(([utterance, expected]): [DictationLanguage, string, string] => [language, utterance, expected]),
  ),
)('in %s the user dictates punctuation and line breaks by name: %s', (language, utterance, expected) => {
  expect(dictated(utterance, language)).toBe(expected);
});

test.each<[DictationLanguage, string, string]>([
  ['es-ES', 'sin derrame coma sin neumotórax punto', 'Sin derrame, sin neumotórax.'],
  ['es-ES', 'sin derrame punto y aparte hígado normal', 'Sin derrame.\n\nHígado normal.'],
  ['es-ES', 'nódulo abrir paréntesis serie 4 cerrar paréntesis', 'Nódulo (serie 4).'],
  ['es-ES', 'hígado dos puntos normal', 'Hígado: normal.'],
  ['fr-FR', 'pas d’épanchement virgule pas de pneumothorax point', 'Pas d’épanchement, pas de pneumothorax.'],
  ['fr-FR', 'foie deux-points normal', 'Foie\u00A0: normal.'],
  ['fr-FR', 'est-ce nouveau point d’interrogation', 'Est-ce nouveau\u00A0?'],
  ['fr-FR', 'pas d’épanchement nouveau paragraphe foie normal', 'Pas d’épanchement.\n\nFoie normal.'],
  ['de-DE', 'kein Erguss Komma kein Pneumothorax Punkt', 'Kein Erguss, kein Pneumothorax.'],
  ['de-DE', 'Leber Doppelpunkt unauffällig neuer Absatz Milz normal', 'Leber: unauffällig.\n\nMilz normal.'],
  ['de-DE', 'Rundherd Klammer auf Serie 4 Klammer zu', 'Rundherd (Serie 4).'],
  ['de-DE', 'Durchmesser 3 Komma 5 Zentimeter', 'Durchmesser 3,5 Zentimeter.'],
  ['it-IT', 'assenza di versamento virgola fegato normale punto', 'Assenza di versamento, fegato normale.'],
  ['it-IT', 'fegato due punti normale a capo milza normale', 'Fegato: normale.\nMilza normale.'],
  ['pt-BR', 'sem derrame vírgula sem pneumotórax ponto final', 'Sem derrame, sem pneumotórax.'],
  ['pt-BR', 'fígado dois pontos normal novo parágrafo baço normal', 'Fígado: normal.\n\nBaço normal.'],
  ['zh-CN', '双肺清晰逗号未见结节句号', '双肺清晰，未见结节。'],
  ['zh-CN', '肝脏冒号正常新段落脾脏正常', '肝脏：正常。\n\n脾脏正常。'],
  ['zh-CN', '结节左括号系列4右括号', '结节（系列4）。'],
])('in %s punctuation and line breaks have names in that language: %s', (language, utterance, expected) => {
  expect(dictated(utterance, language)).toBe(expected);
});

test.each<[DictationLanguage, string, string]>([
  ['en-US', 'the sigmoid colon is normal', 'The sigmoid colon is normal.'],
  ['en-US', 'normal colon', 'Normal colon.'],
  ['en-US', 'colon cancer with liver metastases', 'Colon cancer with liver metastases.'],
  ['en-US', 'over a period of six months', 'Over a period of six months.'],
  ['en-US', 'the menstrual period was regular', 'The menstrual period was regular.'],
  ['en-US', 'during her menstrual period', 'During her menstrual period.'],
  ['en-US', 'in the late arterial period no leak is seen', 'In the late arterial period no leak is seen.'],
  ['en-GB', 'no fever in the postoperative period', 'No fever in the postoperative period.'],
  ['en-US', 'after a follow up period the nodule is stable', 'After a follow up period the nodule is stable.'],
  ['en-US', 'the ascending colon is dilated', 'The ascending colon is dilated.'],
  ['en-US', 'wall thickening of the ascending colon', 'Wall thickening of the ascending colon.'],
  ['en-US', 'stomach colon and small bowel are normal', 'Stomach colon and small bowel are normal.'],
  ['en-US', 'last menstrual period in May', 'Last menstrual period in May.'],
  ['en-US', 'new line in the right subclavian vein', 'New line in the right subclavian vein.'],
  ['en-US', 'comma shaped lesion', 'Comma shaped lesion.'],
  ['es-ES', 'paciente en coma', 'Paciente en coma.'],
  ['es-ES', 'en un punto de la pared', 'En un punto de la pared.'],
  ['fr-FR', 'au point de rupture', 'Au point de rupture.'],
  ['de-DE', 'Klammer auf Höhe von L4', 'Klammer auf Höhe von L4.'],
  ['de-DE', 'Druckschmerz am McBurney Punkt', 'Druckschmerz am McBurney Punkt.'],
  ['it-IT', 'in un punto della parete', 'In un punto della parete.'],
  ['pt-BR', 'em um ponto da parede', 'Em um ponto da parede.'],
])('in %s a word with a medical meaning is not read as punctuation: %s', (language, utterance, expected) => {
  expect(dictated(utterance, language)).toBe(expected);
});

test.each<[DictationLanguage, string, string]>([
  ['en-US', 'Delete that.', '<deleteThat>'],
  ['en-US', 'scratch that', '<deleteThat>'],
  ['en-US', 'next field', '<nextField>'],
  ['en-US', 'stop dictation', '<stopDictation>'],
  ['en-US', 'no effusion stop dictation', 'No effusion.<stopDictation>'],
  ['en-US', 'small left effusion scratch that', ''],
  ['en-US', 'Impression', '<impression>'],
  ['en-US', 'findings.', '<findings>'],
  ['en-US', 'the impression is unchanged', 'The impression is unchanged.'],
  ['en-US', 'insert macro normal chest', '<macro normal chest>'],
  ['en-US', 'macro chest normal', '<macro chest normal>'],
  ['es-ES', 'borra eso', '<deleteThat>'],
  ['es-ES', 'siguiente campo', '<nextField>'],
  ['es-ES', 'Hallazgos', '<findings>'],
  ['es-ES', 'insertar macro tórax normal', '<macro tórax normal>'],
  ['fr-FR', 'efface ça', '<deleteThat>'],
  ['fr-FR', 'champ suivant', '<nextField>'],
  ['fr-FR', 'conclusion', '<impression>'],
  ['de-DE', 'Lösche das', '<deleteThat>'],
  ['de-DE', 'nächstes Feld', '<nextField>'],
  ['de-DE', 'Beurteilung', '<impression>'],
  ['de-DE', 'Makro Thorax normal', '<macro thorax normal>'],
  ['de-DE', 'Diktat beenden', '<stopDictation>'],
  ['it-IT', 'cancella questo', '<deleteThat>'],
  ['it-IT', 'conclusioni', '<impression>'],
  ['pt-BR', 'apagar isso', '<deleteThat>'],
  ['pt-BR', 'achados', '<findings>'],
  ['zh-CN', '删除这句', '<deleteThat>'],
  ['zh-CN', '下一个字段', '<nextField>'],
  ['zh-CN', '停止听写', '<stopDictation>'],
  ['zh-CN', '诊断意见', '<impression>'],
  ['zh-CN', '插入宏胸部正常', '<macro 胸部正常>'],
])('in %s a command is executed and not inserted as text: %s', (language, utterance, expected) => {
  expect(dictated(utterance, language)).toBe(expected);
});

test.each<[string, string, string, string]>([
  ['There is ', 'a small nodule', ' in the left lobe.', 'There is a small nodule in the left lobe.'],
  ['There is', 'a small nodule', '', 'There is a small nodule.'],
  ['No effusion.', 'the heart is normal', '', 'No effusion. The heart is normal.'],
  ['', 'no effusion', 'The heart is normal.', 'No effusion. The heart is normal.'],
  ['', 'the liver', ' is normal.', 'The liver is normal.'],
  ['No effusion,', 'no pneumothorax', '', 'No effusion, no pneumothorax.'],
  ['No effusion.', 'comma no pneumothorax', '', 'No effusion, no pneumothorax.'],
  ['No effusion.', 'full stop', '', 'No effusion.'],
  ['Nodule (', 'series 4', ')', 'Nodule (series 4)'],
  ['A cyst of the', 'Baker type', '', 'A cyst of the Baker type.'],
  ['Lungs:', 'clear', '', 'Lungs: Clear.'],
])(
  'after "%s", the utterance "%s" joins the text before and after it to a sentence',
  (before, utterance, after, expected) => {
    const [command] = readUtterance(utterance, 'en-US');
    const { text, eats } = fitDictatedText(
      command?.kind === 'text' ? command.text : '',
      { before, after, isHeading: false },
      'en-US',
    );

    expect(before.slice(0, before.length - eats) + text + after).toBe(expected);
  },
);

test('dictation offers ten languages, and American English is the default', () => {
  expect(dictationLanguages).toEqual([
    'en-US',
    'en-GB',
    'en-AU',
    'en-CA',
    'es-ES',
    'fr-FR',
    'de-DE',
    'it-IT',
    'pt-BR',
    'zh-CN',
  ]);
});

test.each([
  ['No effusion. New paragraph. The heart is normal.', 'No effusion.\n\nThe heart is normal.'],
  ['No effusion, comma, no pneumothorax.', 'No effusion, no pneumothorax.'],
])('punctuation that a recognizer adds around a spoken mark is dropped: %j', (utterance, text) => {
  expect(readUtterance(utterance, 'en-US')).toEqual([{ kind: 'text', text }]);
});
