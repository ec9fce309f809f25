import { newPartner, TakenOn } from '#features/agencies/partners/contract.ts'
import { PARTNER_REFUSALS } from '#features/agencies/partners/rules.ts'
import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { CODE_REFUSALS, SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import { APPLICATION_FIELDS, APPLICATIONS } from './fields.ts'
import { APPLICATION_REFUSALS, DECISION_REFUSALS, LICENCE_LIMITS } from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(2_000)
const line = lineText.max(2_000)
const { CODE_WRONG, CODE_SPENT } = CODE_REFUSALS
const { CODES_UNCONNECTED, CODE_TOO_SOON, CODE_TOO_MANY, CODE_TOO_MANY_NOW } = SEND_REFUSALS

export const ApplicationRow = z.object({ id: z.number(), ...rowShape(APPLICATION_FIELDS) })

export const partnerApplications = {
  /** Public. A code to a phone, after a puzzle (scene `partner`, the phone as its subject); whoever asks is answered alike. */
  sendCode: op(
    { unshown: 'a code is read on a phone', permission: 'public', log: '合作申请验证码' },
    {
      method: 'POST',
      path: '/partner-applications/codes',
      summary: 'Send a code to the phone of whoever applies to become a partner',
    },
  )
    .errors(
      errorsOf({
        MOBILE_REQUIRED: APPLICATION_REFUSALS.MOBILE_REQUIRED,
        MOBILE_INVALID: APPLICATION_REFUSALS.MOBILE_INVALID,
        ...{ CODES_UNCONNECTED, CODE_TOO_SOON, CODE_TOO_MANY, CODE_TOO_MANY_NOW },
        ...PASS_REFUSALS,
      }),
    )
    .input(z.object({ mobile: phoneText.max(2_000), captcha: passToken }))
    .output(z.object({ secondsLeft: z.number(), inboxUrl: z.string().nullable() })),
  submit: op(
    {
      unshown: 'is sent by people without an account',
      permission: 'public',
      log: '提交合作申请',
      detached: true,
    },
    { method: 'POST', path: '/partner-applications', summary: 'Apply to become a partner' },
  )
    .errors(errorsOf({ ...APPLICATION_REFUSALS, CODE_WRONG, CODE_SPENT, ...PICTURE_REFUSALS }))
    .input(
      z.object({
        companyName: line,
        contactName: line,
        mobile: phoneText.max(2_000),
        code: codeText.max(2_000),
        districtCode: codeText.max(2_000),
        address: line.default(''),
        sells: text,
        remark: text.default(''),
        /** The licence as JPEG or PNG in base64; none where it is empty. */
        licence: z
          .base64()
          .max(Math.ceil((LICENCE_LIMITS.maxBytes * 4) / 3) + 1_024)
          .or(z.literal(''))
          .default(''),
      }),
    )
    .output(z.object({ received: z.literal(true), /** Until when somebody calls. */ dueOn: z.string() })),
  list: op(
    { permission: 'partnerApplications.list', forKeys: false },
    {
      method: 'GET',
      path: '/partner-applications',
      summary: 'Who wants to become a partner, the latest first',
    },
  )
    .input(z.object(listInput(APPLICATIONS)))
    .output(pageOf(ApplicationRow)),
  count: op(
    { permission: 'partnerApplications.list', forKeys: false },
    {
      method: 'GET',
      path: '/partner-applications/count',
      summary: 'How many applications wait to be called',
    },
  ).output(z.object({ waiting: z.number() })),
  details: op(
    { permission: 'partnerApplications.list', forKeys: false },
    {
      method: 'GET',
      path: '/partner-applications/{id}',
      summary: 'An application with what was written about it',
    },
  )
    .input(z.object({ id: whole(1) }))
    .output(
      ApplicationRow.extend({
        districtCode: z.string(),
        hasLicence: z.boolean(),
        agentId: z.number().nullable(),
        notes: z.array(
          z.object({ id: z.number(), text: z.string(), createdByName: z.string(), createdAt: z.string() }),
        ),
      }),
    ),
  contact: op(
    {
      permission: 'partnerApplications.decide',
      log: '联系合作申请人',
      stale: ['partnerApplications'],
      forKeys: false,
    },
    {
      method: 'POST',
      path: '/partner-applications/{id}/contact',
      summary: 'Somebody speaks with the applicant',
    },
  )
    .errors(errorsOf(DECISION_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ id: z.number() })),
  note: op(
    {
      permission: 'partnerApplications.decide',
      log: '记录合作申请跟进',
      stale: ['partnerApplications'],
      forKeys: false,
    },
    { method: 'POST', path: '/partner-applications/{id}/notes', summary: 'Write down what was said' },
  )
    .errors(errorsOf(DECISION_REFUSALS))
    .input(z.object({ id: whole(1), text }))
    .output(z.object({ id: z.number() })),
  refuse: op(
    {
      permission: 'partnerApplications.decide',
      log: '婉拒合作申请',
      stale: ['partnerApplications'],
      forKeys: false,
    },
    {
      method: 'POST',
      path: '/partner-applications/{id}/refusal',
      summary: 'Refuse an application; the applicant is told by SMS',
    },
  )
    .errors(errorsOf(DECISION_REFUSALS))
    .input(z.object({ id: whole(1), reason: text }))
    .output(z.object({ id: z.number() })),
  /** The applicant becomes a partner as `partners.takeOn` makes one, and the application is accepted, or neither. */
  accept: op(
    {
      permission: 'partners.manage',
      log: '申请人成为合作伙伴',
      idempotent: true,
      stepUp: true,
      stale: ['partnerApplications', 'partners', 'partnerDesk', 'agents', 'ledger'],
    },
    {
      method: 'POST',
      path: '/partner-applications/{id}/acceptance',
      summary: 'Take an applicant on as a partner',
    },
  )
    .errors(errorsOf({ ...DECISION_REFUSALS, ...PARTNER_REFUSALS }))
    .input(z.object({ id: whole(1), ...newPartner }))
    .output(TakenOn),
}

export const partnerApplicationDownloads = {
  /** The licence with a mark of who looks in its pixels; each look is logged. */
  licence: download({
    permission: 'partnerApplications.list',
    log: '查看申请人营业执照',
    path: '/partner-applications/{id}/licence',
    fileName: '营业执照',
    format: 'png',
    input: z.object({ id: whole(1) }),
  }),
}
