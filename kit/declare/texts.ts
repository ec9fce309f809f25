// Texts that an operation takes, as zod shapes: each is cleaned as what it is before anything measures it. test/house/texts.test.ts refuses
// an input that is none of these, no format and no enumeration.

import { CLEANERS, type TextKind } from './text-kinds.ts'
import * as z from './z.ts'

export const textOf = (kind: TextKind) => z.string().overwrite(CLEANERS[kind])

export const lineText = textOf('line')
export const linesText = textOf('lines')
/** Numbers, accounts of the office and codes: digits and letters without blanks. */
export const codeText = textOf('code')
export const phoneText = textOf('phone')
/** The account of a shop or of whoever signs in: mostly a phone. */
export const accountText = textOf('account')
/** What is looked for. */
export const soughtText = textOf('search')
export const writtenText = textOf('written')
export const madeText = textOf('made')
export const secretText = textOf('secret')
