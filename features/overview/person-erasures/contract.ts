import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, type Out, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText, madeText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ERASURE_FIELDS, ERASURES } from './fields.ts'
import {
  BLOCKS,
  type Block,
  CHANNELS,
  type Channel,
  FATE_KEYS,
  KIND_KEYS,
  LOOK_REFUSALS,
  MATCH_KEYS,
  REASONS,
  type Reason,
  STEP_REFUSALS,
} from './rules.ts'

const manage = 'personErasures.manage'
const stale = ['personErasures', 'inbox']
const ById = z.object({ id: whole(1) })
const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as [K, ...K[]]

const ErasureRow = z.object({ id: z.number(), ...outputShape(ERASURE_FIELDS, 'row') })

const Item = z.object({
  key: z.string(),
  kind: z.enum(KIND_KEYS),
  /** What the table's rows are, in words. */
  what: z.string(),
  /** Null: of many rows. */
  rowId: z.string().nullable(),
  /** The item that it goes with. */
  hangsOn: z.string().nullable(),
  agentId: z.number().nullable(),
  agentName: z.string().nullable(),
  merchantId: z.number().nullable(),
  shopName: z.string().nullable(),
  matched: z.array(z.enum(MATCH_KEYS)),
  rows: z.number(),
  fate: z.enum(FATE_KEYS),
  reason: z.enum(keysOf<Reason>(REASONS)).nullable(),
  block: z.enum(keysOf<Block>(BLOCKS)).nullable(),
  chosen: z.boolean(),
  choosable: z.boolean(),
  done: z.number().nullable(),
})

export const personErasures = {
  list: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/person-erasures', summary: 'Who asked to be forgotten, the latest first' },
  )
    .input(z.object(listInput(ERASURES)))
    .output(pageOf(ErasureRow)),
  details: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/person-erasures/{id}', summary: 'What is known of a person, and how far it is' },
  )
    .input(ById)
    .output(
      ErasureRow.extend({
        idNumberMasked: z.string(),
        requestedAt: z.string().nullable(),
        approvedAt: z.string().nullable(),
        answer: z.string(),
        problem: z.string(),
        /** Asked for by whoever looks. */
        isOwn: z.boolean(),
        /** There is another operator, who has to agree. */
        hasSecond: z.boolean(),
        items: z.array(Item),
        /** As it was signed, for `npm run person:erase -- --check`. */
        certificate: z.object({ text: z.string(), signature: z.string() }).nullable(),
      }),
    ),
  look: op(
    { permission: manage, log: '查找个人信息', stepUp: 'always', stale },
    { method: 'POST', path: '/person-erasures', summary: 'Look for what is known of a person' },
  )
    .errors(errorsOf(LOOK_REFUSALS))
    .input(
      z.object({
        phone: phoneText.max(100),
        name: lineText.max(200).default(''),
        idNumber: codeText.max(100).default(''),
      }),
    )
    .output(z.object({ id: z.number() })),
  choose: op(
    { permission: manage, log: '勾选个人信息记录', stale },
    { method: 'POST', path: '/person-erasures/{id}/choice', summary: 'Say which rows are the person’s' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(ById.extend({ keys: z.array(madeText.min(1).max(200)).min(1).max(500), chosen: flag() }))
    .output(z.object({ id: z.number() })),
  ask: op(
    { permission: manage, log: '提交个人信息删除', stepUp: 'always', stale },
    { method: 'POST', path: '/person-erasures/{id}/request', summary: 'Ask for it to be erased' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(
      ById.extend({
        reason: linesText.max(1_000),
        askedOn: z.iso.date().nullable(),
        channel: z.enum(keysOf<Channel>(CHANNELS)).nullable(),
      }),
    )
    .output(z.object({ id: z.number() })),
  /** By another than who asked. */
  approve: op(
    { permission: manage, log: '复核个人信息删除', stepUp: 'always', stale },
    { method: 'POST', path: '/person-erasures/{id}/approval', summary: 'Agree that it is erased' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(ById)
    .output(z.object({ id: z.number() })),
  reject: op(
    { permission: manage, log: '退回个人信息删除', stale },
    { method: 'POST', path: '/person-erasures/{id}/rejection', summary: 'Give a request back' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(ById.extend({ reason: linesText.max(1_000) }))
    .output(z.object({ id: z.number() })),
  withdraw: op(
    { permission: manage, log: '取消个人信息删除', stale },
    { method: 'POST', path: '/person-erasures/{id}/withdrawal', summary: 'Call a request off' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(ById)
    .output(z.object({ id: z.number() })),
}

export const personErasureDownloads = {
  /** For the person, who may ask what is known (个人信息保护法, article 45). */
  known: download({
    permission: manage,
    log: '下载个人信息清单',
    path: '/person-erasures/{id}/known',
    fileName: '个人信息清单',
    format: 'pdf',
    stepUp: true,
    input: ById,
  }),
  certificate: download({
    permission: manage,
    log: '下载个人信息删除证明',
    path: '/person-erasures/{id}/certificate',
    fileName: '个人信息删除证明',
    format: 'pdf',
    input: ById,
  }),
}

export type ErasureData = Out<typeof personErasures.details>
export type ItemData = ErasureData['items'][number]
