// Texts that an operation takes, as zod shapes: each is cleaned as what it is before anything measures it. What no shape cleans is
// still without marks that nobody sees: the doors see to that (seenIn).
import { z } from 'zod'
import { cleanAccount, cleanCode, cleanLine, cleanSearch } from '../words/cleaned.ts'

export const lineText = z.string().overwrite(cleanLine)
/** Numbers, accounts of the office and codes: digits and letters without blanks. */
export const codeText = z.string().overwrite(cleanCode)
/** The account of a shop or of whoever signs in: mostly a phone. */
export const accountText = z.string().overwrite(cleanAccount)
/** What is looked for. */
export const soughtText = z.string().overwrite(cleanSearch)
