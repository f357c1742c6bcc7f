import type { ReportLanguage } from '@radwork/contract/reading/report-sections';

/** Punctuation mark or break, dictated by name. */
export type SpokenSign = {
  says: readonly string[];
  sign: string;
  /** Neighboring words that make the name of the mark an ordinary word: "a period of time". */
  notAfter?: readonly string[];
  notBefore?: readonly string[];
  /** True if the name is a mark only at the end of an utterance, before another mark or before a capitalized word. */
  onlyBeforePause?: boolean;
  /** True if the name is a mark only after the name of a report section or body part. */
  onlyAfterLabel?: boolean;
};

/** Dictation commands of one language. Matching ignores case. */
export type DictationCommands = {
  signs: readonly SpokenSign[];
  deleteThat: readonly string[];
  nextField: readonly string[];
  stopDictation: readonly string[];
  /** Phrases that come before the name of a macro. */
  insertMacro: readonly string[];
};

const determiners = ['a', 'the', 'this', 'that', 'same', 'any', 'each', 'every', 'no', 'her', 'his', 'its', 'their'];

/** Words after which "period" means a time, also at the end of an utterance: "in the postoperative period". */
const periodsOfMedicine = (
  'time short long brief prolonged interim intervening initial early late day week month year hour ' +
  'minute days weeks months years hours minutes menstrual menopausal gestational embryonic fetal foetal ' +
  'prenatal antenatal perinatal neonatal newborn postnatal postpartum puerperal lactation growth missed ' +
  'last preoperative perioperative intraoperative postoperative operative recovery healing refractory ' +
  'ejection filling isovolumic latent latency incubation infectious follow-up followup up waiting ' +
  'observation surveillance monitoring study reporting washout treatment therapy exposure ischemic ' +
  'ischaemic acute subacute chronic free'
).split(' ');

/**
 * Names of marks are limited, because some of them usually mean something else in reports: colon (organ), coma (state),
 * line (catheter), period (time). A missing mark is visible and easy to type. An organ turned into a mark changes the
 * meaning, so doubtful names stay words.
 */
export const spoken: Record<ReportLanguage, DictationCommands> = {
  en: {
    signs: [
      { says: ['new paragraph'], sign: '\n\n' },
      {
        says: ['new line'],
        sign: '\n',
        notAfter: ['a', 'the', 'this', 'another', 'any', 'no'],
        notBefore: [
          'in',
          'is',
          'was',
          'has',
          'of',
          'with',
          'tip',
          'via',
          'placed',
          'placement',
          'terminates',
          'projects',
        ],
      },
      { says: ['full stop'], sign: '.', notAfter: ['a', 'the', 'this', 'that'] },
      {
        says: ['period'],
        sign: '.',
        onlyBeforePause: true,
        notAfter: [...determiners, ...periodsOfMedicine],
        notBefore: ['of', 'between', 'since'],
      },
      { says: ['comma'], sign: ',', notBefore: ['shaped'] },
      { says: ['semicolon'], sign: ';' },
      {
        says: ['colon'],
        sign: ':',
        onlyAfterLabel: true,
        // "Stomach colon and small bowel" lists organs.
        notBefore: ['and', 'or', 'is', 'are', 'was', 'were', 'has', 'cancer', 'carcinoma', 'polyp', 'wall', 'loops'],
      },
      { says: ['question mark'], sign: '?' },
      { says: ['open bracket', 'open parenthesis'], sign: '(' },
      { says: ['close bracket', 'close parenthesis'], sign: ')' },
    ],
    deleteThat: ['delete that', 'scratch that'],
    nextField: ['next field'],
    stopDictation: ['stop dictation'],
    insertMacro: ['insert macro', 'macro'],
  },
  es: {
    signs: [
      { says: ['punto y aparte'], sign: '.\n\n' },
      { says: ['punto y coma'], sign: ';' },
      { says: ['nuevo párrafo'], sign: '\n\n' },
      { says: ['nueva línea'], sign: '\n' },
      {
        says: ['punto y seguido', 'punto'],
        sign: '.',
        notAfter: ['el', 'un', 'este', 'ese', 'al', 'del', 'ningún', 'algún', 'cada', 'mismo'],
        notBefore: ['de', 'en', 'del', 'más', 'donde'],
      },
      { says: ['dos puntos'], sign: ':', notAfter: ['los', 'en', 'estos'], notBefore: ['de', 'del', 'en'] },
      {
        says: ['coma'],
        sign: ',',
        notAfter: ['en', 'de', 'el', 'un', 'al', 'del', 'su', 'estado'],
        notBefore: ['inducido', 'vigil', 'profundo', 'hepático', 'urémico', 'barbitúrico'],
      },
      { says: ['abrir interrogación'], sign: '¿' },
      { says: ['cerrar interrogación', 'signo de interrogación'], sign: '?' },
      { says: ['abrir paréntesis'], sign: '(' },
      { says: ['cerrar paréntesis'], sign: ')' },
    ],
    deleteThat: ['borra eso', 'borrar eso'],
    nextField: ['siguiente campo', 'campo siguiente'],
    stopDictation: ['detener dictado', 'terminar dictado'],
    insertMacro: ['insertar macro'],
  },
  fr: {
    signs: [
      { says: ['nouveau paragraphe'], sign: '\n\n' },
      { says: ['à la ligne', 'nouvelle ligne'], sign: '\n' },
      { says: ['point-virgule', 'point virgule'], sign: ';' },
      { says: ["point d'interrogation", 'point d’interrogation'], sign: '?' },
      {
        says: ['deux-points', 'deux points'],
        sign: ':',
        notAfter: ['les', 'ces', 'en', 'sur'],
        notBefore: ['de', 'en'],
      },
      {
        says: ['point'],
        sign: '.',
        notAfter: ['le', 'un', 'ce', 'au', 'du', 'aucun', 'chaque', 'quel', 'même'],
        notBefore: ['de', 'du', 'en', 'où'],
      },
      { says: ['virgule'], sign: ',' },
      { says: ['ouvrir la parenthèse', 'ouvrez la parenthèse'], sign: '(' },
      { says: ['fermer la parenthèse', 'fermez la parenthèse'], sign: ')' },
    ],
    deleteThat: ['efface ça', 'supprime ça', 'effacer cela'],
    nextField: ['champ suivant'],
    stopDictation: ['arrêter la dictée', 'fin de la dictée'],
    insertMacro: ['insérer la macro', 'insérer macro'],
  },
  de: {
    signs: [
      { says: ['neuer Absatz'], sign: '\n\n' },
      { says: ['neue Zeile'], sign: '\n' },
      {
        says: ['Punkt'],
        sign: '.',
        notAfter: [
          'der',
          'dem',
          'den',
          'ein',
          'einem',
          'einen',
          'dieser',
          'diesem',
          'diesen',
          'am',
          'zum',
          'vom',
          'mcburney',
        ],
      },
      { says: ['Komma'], sign: ',', notAfter: ['das', 'ein'] },
      { says: ['Semikolon', 'Strichpunkt'], sign: ';' },
      { says: ['Doppelpunkt'], sign: ':' },
      { says: ['Fragezeichen'], sign: '?' },
      // "Klammer" can also mean a clip, and "auf Höhe" means "level with".
      {
        says: ['Klammer auf'],
        sign: '(',
        notAfter: ['der', 'die', 'eine', 'einer'],
        notBefore: ['höhe', 'niveau', 'dem', 'der', 'den'],
      },
      { says: ['Klammer zu'], sign: ')', notAfter: ['der', 'die', 'eine', 'einer'] },
    ],
    deleteThat: ['lösche das', 'streich das'],
    nextField: ['nächstes Feld'],
    stopDictation: ['Diktat beenden', 'Diktat stopp'],
    insertMacro: ['Makro einfügen', 'Makro'],
  },
  it: {
    signs: [
      { says: ['punto e a capo'], sign: '.\n\n' },
      { says: ['punto e virgola'], sign: ';' },
      { says: ['punto interrogativo'], sign: '?' },
      { says: ['nuovo paragrafo'], sign: '\n\n' },
      { says: ['nuova riga', 'a capo'], sign: '\n' },
      {
        says: ['punto'],
        sign: '.',
        notAfter: ['il', 'un', 'questo', 'al', 'del', 'nel', 'alcun', 'ogni'],
        notBefore: ['di', 'del', 'in', 'più', 'dove'],
      },
      { says: ['due punti'], sign: ':', notAfter: ['i', 'in', 'questi'], notBefore: ['di', 'in'] },
      { says: ['virgola'], sign: ',' },
      { says: ['apri parentesi', 'aperta parentesi'], sign: '(' },
      { says: ['chiudi parentesi', 'chiusa parentesi'], sign: ')' },
    ],
    deleteThat: ['cancella questo', 'elimina questo'],
    nextField: ['campo successivo', 'prossimo campo'],
    stopDictation: ['termina dettatura', 'ferma dettatura'],
    insertMacro: ['inserisci macro'],
  },
  pt: {
    signs: [
      { says: ['ponto e vírgula'], sign: ';' },
      { says: ['ponto de interrogação'], sign: '?' },
      { says: ['novo parágrafo'], sign: '\n\n' },
      { says: ['nova linha'], sign: '\n' },
      {
        says: ['ponto final', 'ponto'],
        sign: '.',
        notAfter: ['o', 'um', 'este', 'esse', 'ao', 'do', 'no', 'nenhum', 'algum', 'cada'],
        notBefore: ['de', 'do', 'em', 'mais', 'onde'],
      },
      { says: ['dois pontos', 'dois-pontos'], sign: ':', notAfter: ['os', 'em', 'nos'], notBefore: ['de', 'em'] },
      { says: ['vírgula'], sign: ',' },
      { says: ['abre parênteses', 'abrir parênteses'], sign: '(' },
      { says: ['fecha parênteses', 'fechar parênteses'], sign: ')' },
    ],
    deleteThat: ['apagar isso', 'apaga isso'],
    nextField: ['próximo campo'],
    stopDictation: ['parar ditado', 'encerrar ditado'],
    insertMacro: ['inserir macro'],
  },
  zh: {
    signs: [
      { says: ['新段落', '另起一段'], sign: '\n\n' },
      { says: ['换行', '新的一行'], sign: '\n' },
      { says: ['句号'], sign: '。' },
      { says: ['逗号'], sign: '，' },
      { says: ['分号'], sign: '；' },
      { says: ['冒号'], sign: '：' },
      { says: ['问号'], sign: '？' },
      { says: ['左括号'], sign: '（' },
      { says: ['右括号'], sign: '）' },
    ],
    deleteThat: ['删除这句', '撤销这句'],
    nextField: ['下一个字段', '下一栏'],
    stopDictation: ['停止听写', '结束听写'],
    insertMacro: ['插入宏'],
  },
};

/**
 * Words after which "colon" means the mark, in addition to section names. After other words, "colon" means the organ.
 */
export const labelsBeforeColon: readonly string[] = [
  'addendum',
  'adrenals',
  'aorta',
  'bile ducts',
  'bladder',
  'bones',
  'brain',
  'chest wall',
  'gallbladder',
  'heart',
  'kidneys',
  'lines and tubes',
  'liver',
  'lower chest',
  'lungs',
  'lymph nodes',
  'mediastinum',
  'note',
  'pancreas',
  'peritoneum',
  'pleura',
  'sinuses',
  'skull',
  'soft tissues',
  'spleen',
  'stomach',
  'thyroid',
  'vessels',
];
