import { PAY_TYPE_KEYS } from '#features/acquiring/payment-applications/rules.ts'
import { DOCUMENT_STATES, type DocumentState } from '#features/care/documents/rules.ts'
import { READ_PROBLEMS, type ReadProblem } from '#features/care/verification/rules.ts'
import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { CODE_REFUSALS, SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import {
  GUEST_REFUSALS,
  LIMITS,
  OWNER_PAPER_NAMES,
  OWNER_PAPERS_REFUSALS,
  OWNER_PAPERS_STATES,
  type OwnerPapersState,
  REASON_FIELD_KEYS,
} from './rules.ts'

const id = whole(1)
const merchantId = whole(1)
const revision = whole(1)
const state = z.enum(Object.keys(OWNER_PAPERS_STATES) as [OwnerPapersState, ...OwnerPapersState[]])
const reasons = z.partialRecord(z.enum(REASON_FIELD_KEYS), linesText.max(300))
/** Unguessable; an unknown one and one that has ended are answered alike. */
const code = z.string().regex(/^[\w-]{32}$/)
const payType = z.enum(PAY_TYPE_KEYS)
const paperName = z.enum(OWNER_PAPER_NAMES)
/** As the phone calls a picture: the same that is sent again is kept once. */
const upload = z.string().regex(/^[\w-]{16,64}$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const line = lineText.max(300)
const base64Of = (bytes: number) => z.base64().max(Math.ceil((bytes * 4) / 3) + 4)
const documentState = z.enum(Object.keys(DOCUMENT_STATES) as [DocumentState, ...DocumentState[]])

const texts = {
  company: z.string(),
  creditCode: z.string(),
  legalPerson: z.string(),
  personInCharge: z.string(),
  email: z.string(),
  bankName: z.string(),
  branchName: z.string(),
}
const Given = z.object({
  payType,
  ...texts,
  phone: z.string(),
  idNumberMasked: z.string(),
  accountNumberMasked: z.string(),
})

const Link = z.object({
  id: z.number(),
  state,
  createdByName: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  endedByName: z.string(),
  endedAt: z.string().nullable(),
})
const Details = Link.extend({
  revision: z.number(),
  merchantId: z.number(),
  shopName: z.string(),
  given: Given,
  /** The number of its pictures, those of the account's type. */
  papers: z.array(
    z.object({
      name: paperName,
      id: z.number(),
      state: documentState,
      width: z.number(),
      height: z.number(),
    }),
  ),
  reasons,
  signedText: z.string(),
  signedHash: z.string(),
  submittedAt: z.string().nullable(),
  seenByName: z.string(),
  seenAt: z.string().nullable(),
  handledByName: z.string(),
  handledAt: z.string().nullable(),
  outcome: z.string(),
})

const STALE = ['ownerPapers', 'inbox']
const TAKEN = [...STALE, 'documents', 'verification', 'paymentApplications', 'onboardings', 'merchants']
const view = 'ownerPapers.view'
const invite = 'ownerPapers.invite'
const decide = 'ownerPapers.decide'
const unshown = 'a page without an account asks again by itself'
const LINKED = errorsOf(OWNER_PAPERS_REFUSALS)
const { CODE_WRONG, CODE_SPENT, PHONE_CODE_REQUIRED } = CODE_REFUSALS
const { CODE_TOO_SOON, CODE_TOO_MANY, CODE_TOO_MANY_NOW } = SEND_REFUSALS
const SIGNED_OUT = errorsOf({ SIGNED_OUT: GUEST_REFUSALS.SIGNED_OUT })
const OPENED = errorsOf({
  PAGE_CLOSED: GUEST_REFUSALS.PAGE_CLOSED,
  LINK_EXPIRED: GUEST_REFUSALS.LINK_EXPIRED,
})
const INSIDE = {
  ...OPENED,
  ...SIGNED_OUT,
  ...errorsOf({ HANDED_IN: GUEST_REFUSALS.HANDED_IN }),
}

export const ownerPapers = {
  /** What stands now, and the links of before. */
  ofShop: op(
    { permission: view },
    { method: 'GET', path: '/owner-papers/of-shop', summary: "What a shop's owner handed in by phone" },
  )
    .input(z.object({ merchantId }))
    .output(
      z.object({
        standing: Details.nullable(),
        history: z.array(Link),
        /** The phone that the link may be sent to, masked; empty: none. */
        messagePhone: z.string(),
        /** Why it cannot be sent there. */
        messageRefusal: z.string().nullable(),
        /** Why no link can be made now. */
        linkRefusal: z.string().nullable(),
      }),
    ),
  details: op(
    { permission: view },
    { method: 'GET', path: '/owner-papers/handed-in/{id}', summary: 'What was handed in by one link' },
  )
    .input(z.object({ id }))
    .output(Details),
  /** Ends the one that stood. Its address is told this once. */
  makeLink: op(
    { permission: invite, log: '生成店主资料链接', stale: STALE },
    { method: 'POST', path: '/owner-papers/links', summary: "Make a link for a shop's owner" },
  )
    .errors(LINKED)
    .input(z.object({ merchantId }))
    .output(z.object({ id: z.number(), code: z.string(), url: z.string(), expiresAt: z.string() })),
  /** To the phone of the shop's account. `code`: of the address, which the office does not keep. */
  sendLink: op(
    { permission: invite, log: '短信发送店主资料链接', stale: STALE },
    { method: 'POST', path: '/owner-papers/links/{id}/message', summary: 'Send the link by SMS' },
  )
    .errors(LINKED)
    .input(z.object({ id, code }))
    .output(z.object({ phone: z.string() })),
  callOff: op(
    { permission: invite, log: '作废店主资料链接', stale: STALE },
    { method: 'POST', path: '/owner-papers/links/{id}/end', summary: 'Call a link off' },
  )
    .errors(LINKED)
    .input(z.object({ id }))
    .output(z.object({ id: z.number() })),
  /** Tells the owner that somebody looks. */
  see: op(
    { permission: view, ephemeral: true, stale: STALE },
    { method: 'POST', path: '/owner-papers/handed-in/{id}/seen', summary: 'Mark as looked at' },
  )
    .input(z.object({ id }))
    .output(z.object({ id: z.number() })),
  /** Opens the link again for another seven days. */
  sendBack: op(
    { permission: decide, log: '退回店主资料', stale: STALE },
    {
      method: 'POST',
      path: '/owner-papers/handed-in/{id}/return',
      summary: 'Send back what the owner handed in, with a reason for each field',
    },
  )
    .errors(LINKED)
    .input(z.object({ id, revision, reasons }))
    .output(
      z.object({
        id: z.number(),
        state,
        /** An SMS to the owner was queued; false: the office has no service for it. */
        isTold: z.boolean(),
      }),
    ),
  /** Into the shop's papers, its verification data and its application for payments, as far as the caller may change each. */
  adopt: op(
    { permission: decide, log: '采用店主资料', stale: TAKEN },
    {
      method: 'POST',
      path: '/owner-papers/handed-in/{id}/adoption',
      summary: 'Take over what the owner handed in',
    },
  )
    .errors(LINKED)
    .input(z.object({ id, revision }))
    .output(z.object({ id: z.number(), outcome: z.string() })),

  /** Public. Whose link it is; what was entered only to a phone that has proven itself. */
  page: op(
    { permission: 'public' },
    { method: 'GET', path: '/owner-papers/{code}', summary: "The owner's page" },
  )
    .errors(OPENED)
    .input(z.object({ code }))
    .output(
      z.object({
        shopName: z.string(),
        agentName: z.string(),
        expiresAt: z.string(),
        /** A phone was given before: the code goes there and nowhere else. */
        hasPhone: z.boolean(),
        /** Null: this phone has not proven itself. */
        form: z
          .object({
            state,
            given: Given,
            papers: z.array(paperName),
            /** What the shop’s line of business is asked for beside them, in words, and whether it is refused without any. */
            permits: z.object({ words: z.string(), areRequired: z.boolean() }),
            reasons,
            /** Whether papers are read here. */
            isRead: z.boolean(),
            statement: z.string(),
            statementHash: z.string(),
            submittedAt: z.string().nullable(),
            isSeen: z.boolean(),
          })
          .nullable(),
      }),
    ),
  /** Public. After a puzzle (scene `owner`, the code of the address as its subject). `phone` counts while none was given. */
  sendCode: op(
    { unshown: 'a code is read on a phone', permission: 'public', log: '店主资料发送验证码' },
    { method: 'POST', path: '/owner-papers/{code}/codes', summary: "Send a code to the owner's phone" },
  )
    .errors({
      ...OPENED,
      ...SIGNED_OUT,
      ...errorsOf({
        PHONE_WRONG: GUEST_REFUSALS.PHONE_WRONG,
        CODES_NONE: GUEST_REFUSALS.CODES_NONE,
        CODES_TOO_MANY: GUEST_REFUSALS.CODES_TOO_MANY,
        ...{ CODE_TOO_SOON, CODE_TOO_MANY, CODE_TOO_MANY_NOW },
        ...PASS_REFUSALS,
      }),
    })
    .input(
      z.object({
        code,
        purpose: z.enum(['ownerEntry', 'ownerSignature']),
        phone: phoneText.max(40).default(''),
        captcha: passToken,
      }),
    )
    .output(z.object({ secondsLeft: z.number(), inboxUrl: z.string().nullable() })),
  enter: op(
    { unshown, permission: 'public', log: '店主验证手机' },
    { method: 'POST', path: '/owner-papers/{code}/session', summary: 'Prove the phone with a code' },
  )
    .errors({
      ...OPENED,
      ...errorsOf({
        PHONE_WRONG: GUEST_REFUSALS.PHONE_WRONG,
        ...{ CODE_WRONG, CODE_SPENT, PHONE_CODE_REQUIRED },
      }),
    })
    .input(z.object({ code, phone: phoneText.max(40).default(''), typed: codeText.max(20) }))
    .output(z.object({ expiresAt: z.string() })),
  /** Public. Keeps what was typed, whole or not. */
  save: op(
    { permission: 'public', ephemeral: true },
    { method: 'PATCH', path: '/owner-papers/{code}', summary: 'Keep what the owner typed' },
  )
    .errors({
      ...INSIDE,
      ...errorsOf({
        TEXT_TOO_LONG: GUEST_REFUSALS.TEXT_TOO_LONG,
        NUMBER_WRONG: GUEST_REFUSALS.NUMBER_WRONG,
      }),
    })
    .input(
      z.object({
        code,
        payType: payType.optional(),
        company: line.optional(),
        creditCode: codeText.max(300).optional(),
        legalPerson: line.optional(),
        personInCharge: line.optional(),
        email: line.optional(),
        bankName: line.optional(),
        branchName: line.optional(),
        idNumber: codeText.max(100).optional(),
        accountNumber: codeText.max(100).optional(),
      }),
    )
    .output(z.object({ idNumberMasked: z.string(), accountNumberMasked: z.string() })),
  /** Public. One part of a picture; sent again it changes nothing. */
  sendPart: op(
    { permission: 'public', ephemeral: true },
    { method: 'POST', path: '/owner-papers/{code}/parts', summary: 'Send a part of a picture' },
  )
    .errors({
      ...INSIDE,
      ...errorsOf({
        PICTURES_TOO_MANY: GUEST_REFUSALS.PICTURES_TOO_MANY,
        PART_WRONG: GUEST_REFUSALS.PART_WRONG,
      }),
    })
    .input(
      z.object({
        code,
        paper: paperName,
        upload,
        part: whole(0),
        body: base64Of(LIMITS.partBytes),
      }),
    )
    .output(z.object({ part: z.number() })),
  /** Public. Puts the parts together and keeps the picture. */
  keepPicture: op(
    { unshown, permission: 'public', log: '店主上传资料图片', detached: true },
    { method: 'POST', path: '/owner-papers/{code}/pictures', summary: 'Keep a picture that is whole' },
  )
    .errors({
      ...INSIDE,
      ...errorsOf({
        PICTURES_TOO_MANY: GUEST_REFUSALS.PICTURES_TOO_MANY,
        PART_WRONG: GUEST_REFUSALS.PART_WRONG,
        ...PICTURE_REFUSALS,
      }),
    })
    .input(z.object({ code, paper: paperName, upload, parts: whole(1) }))
    .output(z.object({ paper: paperName })),
  /** Public. What a paper says fills fields that are empty. */
  read: op(
    { permission: 'public', ephemeral: true, detached: true },
    { method: 'POST', path: '/owner-papers/{code}/readings', summary: "Have one of the owner's papers read" },
  )
    .errors(INSIDE)
    .input(z.object({ code, paper: paperName }))
    .output(
      z.object({
        filled: z.array(z.string()),
        /** What is wrong with the picture; null: nothing. */
        problem: z.enum(Object.keys(READ_PROBLEMS) as [ReadProblem, ...ReadProblem[]]).nullable(),
      }),
    ),
  /** Public. Signed with a finger and a code to the phone. `hash`: of the text that was signed. */
  submit: op(
    { unshown, permission: 'public', log: '店主提交资料', detached: true },
    { method: 'POST', path: '/owner-papers/{code}/submission', summary: 'Sign and hand in' },
  )
    .errors({
      ...INSIDE,
      ...errorsOf({
        ...GUEST_REFUSALS,
        ...{ CODE_WRONG, CODE_SPENT, PHONE_CODE_REQUIRED },
        ...PICTURE_REFUSALS,
      }),
      ...SIGNED_OUT,
    })
    .input(
      z.object({
        code,
        typed: codeText.max(20),
        hash: sha256,
        /** A PNG. */
        signature: base64Of(LIMITS.signatureBytes).or(z.literal('')),
      }),
    )
    .output(z.object({ state })),
}

export const ownerPapersDownloads = {
  /** The signature, with a mark of who looks; each look is logged. */
  signature: download({
    permission: view,
    log: '查看店主签名',
    path: '/owner-papers/handed-in/{id}/signature',
    fileName: '店主签名',
    format: 'png',
    input: z.object({ id }),
  }),
}
