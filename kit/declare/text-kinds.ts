// What kinds of text people and programs send. Pure and without zod, for the page too.
import {
  cleanAccount,
  cleanCode,
  cleanLine,
  cleanLines,
  cleanPhone,
  cleanSearch,
  seenText,
} from '../words/cleaned.ts'

/** What a text is cleaned as, by the word that the description of an operation says. */
export const CLEANERS = {
  line: cleanLine,
  lines: cleanLines,
  code: cleanCode,
  phone: cleanPhone,
  account: cleanAccount,
  search: cleanSearch,
  /** A page with its marks, or a table: blanks, tabs and lines are its own. */
  written: seenText,
  /** Made by a program: a token, a cursor, the key of a row, bytes. */
  made: (text: string) => text,
  /** A password or the key of a service: nothing but what was typed. */
  secret: (text: string) => text,
} as const satisfies Readonly<Record<string, (text: string) => string>>
export type TextKind = keyof typeof CLEANERS
