import { KEEP_REFUSALS } from '#features/care/documents/rules.ts'
import {
  LIMITS as MERCHANT_LIMITS,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '#features/shops/merchants/rules.ts'
import { picked } from '#kit/declare/fields.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { bytesInBase64, entered, numbered } from '#kit/declare/said.ts'
import type { TextKind } from '#kit/declare/text-kinds.ts'
import * as z from '#kit/declare/z.ts'
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import { CREDIT_CODE, REGISTRATION_NUMBER } from '#kit/words/licence-number.ts'
import { MAINLAND_MOBILE } from '#kit/words/phone.ts'
import { PLAIN_TEXT } from '#kit/words/plain-text.ts'
import { SAVE_REFUSALS, VERIFICATION_LIMITS } from './rules.ts'

const id = whole(1)
const state = z.enum(Object.keys(VERIFICATION_STATUSES) as [VerificationStatus, ...VerificationStatus[]])
const instant = z.string().describe('ISO 8601, UTC')
const filled = (most: number, more: { as?: TextKind; pattern?: string; description?: string } = {}) =>
  entered({ most, least: 1, ...more })
const NAME = { pattern: `^(?=[\\s\\S]*\\S)${PLAIN_TEXT.source.slice(1)}` }
const paper = numbered().describe('Of POST /v1/shops/{id}/papers')
/** Small letters are taken, too. */
const ANY_CASE = CREDIT_CODE.source.replace(
  /\[(.*)\]/,
  (_, signs: string) => `[${signs}${signs.toLowerCase().replace(/\d/g, '')}]`,
)
/** A picture of 10 MB in base64, and a little. */
const PICTURE_BODY = 14 * 1024 * 1024

/** No code of an SMS is asked for here, and the picture of the card comes with its number. */
const { CODE_WRONG: _, CODE_SPENT: __, ID_NUMBER_NEEDS_PAPER: ___, ...HAND_IN_REFUSALS } = SAVE_REFUSALS

export const verificationAtPos = {
  verification: op(
    { permission: 'pos.read', forKeys: 'only', unlogged: true },
    {
      method: 'GET',
      path: '/v1/shops/{id}/verification',
      summary: 'Where the verification of a shop stands',
    },
  )
    .input(z.strictObject({ id }))
    .output(
      z.object({
        state,
        /** Why it failed, and what the shop is advised to do. */
        reason: z.string(),
        advice: z.string(),
        /** What speaks against what is kept, by its key in `explanations`. */
        warnings: z.array(z.object({ key: z.string(), text: z.string() })),
        submittedAt: instant.nullable(),
        handledAt: instant.nullable(),
      }),
    ),
  /** The same picture is the same paper. */
  keepPaper: op(
    {
      permission: 'pos.write',
      forKeys: 'only',
      log: '上传证件资料',
      detached: true,
      bodyMost: PICTURE_BODY,
    },
    {
      method: 'POST',
      path: '/v1/shops/{id}/papers',
      summary: 'Keep a picture of an identity card or a licence, encrypted; answers its number',
    },
  )
    .errors(errorsOf({ ...picked(KEEP_REFUSALS, ['DOCUMENTS_TOO_MANY']), ...PICTURE_REFUSALS }))
    .input(
      z.strictObject({
        id,
        kind: z.enum(['businessLicence', 'idCardFront', 'idCardBack']),
        picture: bytesInBase64(PICTURE_BODY, 'A JPEG or PNG of up to 10 MB'),
      }),
    )
    .output(z.object({ id: z.number() })),
  /** All of it; staff of the vendor review it. */
  submitVerification: op(
    { permission: 'pos.write', forKeys: 'only', log: '提交实名资料', idempotent: true },
    {
      method: 'POST',
      path: '/v1/shops/{id}/verification',
      summary: 'Hand in the verification data of a shop',
    },
  )
    .errors(errorsOf(HAND_IN_REFUSALS))
    .input(
      z.strictObject({
        id,
        company: filled(VERIFICATION_LIMITS.company, NAME),
        creditCode: filled(VERIFICATION_LIMITS.creditCode, {
          as: 'code',
          pattern: `${REGISTRATION_NUMBER.source}|${ANY_CASE}`,
          description:
            'The 18 signs of the credit code, whose check is looked at, or a registration number of 15 digits',
        }),
        legalPerson: filled(VERIFICATION_LIMITS.legalPerson, NAME),
        personInCharge: filled(VERIFICATION_LIMITS.personInCharge, NAME),
        idNumber: filled(VERIFICATION_LIMITS.idNumber, {
          as: 'code',
          pattern: '^\\d{17}[\\dXx]$',
          description: 'Of the person in charge; place, day of birth and check are looked at',
        }),
        signature: entered({
          most: VERIFICATION_LIMITS.signature,
          least: MERCHANT_LIMITS.signatureLeast,
          pattern: '^(?!\\p{N}*$)[\\p{L}\\p{N}]*$',
        }),
        phone: filled(VERIFICATION_LIMITS.phone, { as: 'phone', pattern: MAINLAND_MOBILE.source }),
        licenceId: paper,
        idFrontId: paper,
        idBackId: paper,
        explanations: z
          .record(z.string().max(60), entered({ as: 'lines', most: VERIFICATION_LIMITS.explanation }))
          .refine(texts => Object.keys(texts).length <= VERIFICATION_LIMITS.explanations)
          .default({})
          .describe('by warning, why it may stand'),
      }),
    )
    .output(z.object({ state })),
}
