import type { Stretch } from './withheld.ts';

/** The months in the languages that reports are dictated in, as far as letters tell them apart. */
const monthNames =
  'jan(?:uary|uar|eiro)? feb(?:ruary|ruar)? mar(?:ch|zo|ço)? märz apr(?:il|ile)? may mai jun(?:e|i|io|ho)? jul(?:y|i|io|ho)? aug(?:ust)? sep(?:t|tember|tiembre)? oct(?:ober|obre|ubre)? okt(?:ober)? nov(?:ember|embre|iembre|embro)? dec(?:ember)? dez(?:ember|embro)? enero ene febrero feb abril abr mayo agosto ago octubre diciembre dic janvier janv février févr fév mars avril avr juin juillet juil août septembre novembre décembre déc gennaio gen febbraio maggio mag giugno giu luglio lug settembre set ottobre ott dicembre fevereiro fev maio mai outubro out января февраля марта апреля мая июня июля августа сентября октября ноября декабря'
    .split(' ')
    .join('|');

const year = String.raw`(?:1[89]|20)\d\d`;
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const month = String.raw`(?:0?[1-9]|1[0-2])`;
const begins = String.raw`(?<![\p{L}\p{N}.,/])`;
/** Three numbers before a unit are a size. */
const ends = String.raw`(?![\p{L}\p{N}]|[.,/]\d|\s*(?:mm|cm|ml)\b)`;
const named = String.raw`(?:${monthNames})\.?`;
const ordinal = String.raw`(?:st|nd|rd|th|\.|º|er)?`;

const forms = [
  // 2026-11-22, 2026/11/22, 2026.11.22, and as DICOM writes it.
  `${begins}${year}[-/.]${month}[-/.]${day}${ends}`,
  `${begins}${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])${ends}`,
  // 22.11.2026, 22/11/26, 11-22-2026.
  `${begins}${day}\\s?[-/.]\\s?${day}\\s?[-/.]\\s?(?:${year}|\\d\\d)${ends}`,
  // 11/2026, 11.2026.
  `${begins}${month}[/.]${year}${ends}`,
  // 22 November 2026, 22. Nov., November 22nd, 2026, 22 de noviembre de 2026, November 2026.
  `${begins}${day}${ordinal}\\s*(?:of |de )?${named}(?:,?\\s*(?:de )?${year})?${ends}`,
  `${begins}${named}\\s+${day}${ordinal}(?:,?\\s+${year})?${ends}`,
  `${begins}${named}\\s+(?:de )?${year}${ends}`,
  // 2026年11月22日
  `${year}\\s*年\\s*${month}\\s*月(?:\\s*${day}\\s*日)?`,
].map((form) => new RegExp(form, 'giu'));

/** Where dates stand in a text, however they are written. A year alone tells nobody apart, and is none. */
export const datesIn = (text: string): Stretch[] =>
  forms.flatMap((form) =>
    Array.from(text.matchAll(form), ({ index, 0: date }) => ({ from: index, to: index + date.length })),
  );
