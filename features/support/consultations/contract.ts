import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CONSULTATION_FIELDS, CONSULTATIONS } from './fields.ts'
import { CONSULTATION_REFUSALS, CONTACT_REFUSALS } from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(2_000)

export const ConsultationRow = z.object({ id: z.number(), ...rowShape(CONSULTATION_FIELDS) })

export const consultations = {
  submit: op(
    { unshown: 'is sent by people without an account', permission: 'public', log: '官网咨询' },
    { method: 'POST', path: '/consultations', summary: 'Ask to be called, from the public website' },
  )
    .errors(errorsOf({ ...CONSULTATION_REFUSALS, ...PASS_REFUSALS }))
    .input(
      z.object({
        name: lineText.max(2_000),
        mobile: phoneText.max(2_000),
        address: lineText.max(2_000).default(''),
        content: text.default(''),
        captcha: passToken,
      }),
    )
    .output(z.object({ received: z.literal(true) })),
  list: op(
    { permission: 'consultations.list' },
    { method: 'GET', path: '/consultations', summary: 'Who asked to be called, the latest first' },
  )
    .input(z.object(listInput(CONSULTATIONS)))
    .output(pageOf(ConsultationRow)),
  count: op(
    { permission: 'consultations.list' },
    { method: 'GET', path: '/consultations/count', summary: 'How many wait to be called' },
  ).output(z.object({ waiting: z.number(), capped: z.boolean() })),
  /** Also takes the mark back. */
  contact: op(
    { permission: 'consultations.list', log: '标记官网咨询', stale: ['consultations'] },
    { method: 'POST', path: '/consultations/{id}/contacted', summary: 'Mark that somebody was called' },
  )
    .errors(errorsOf(CONTACT_REFUSALS))
    .input(z.object({ id: whole(1), contacted: flag().default(true) }))
    .output(z.object({ id: z.number(), contacted: z.boolean() })),
}
