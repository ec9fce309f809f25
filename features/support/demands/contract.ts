import { fileOf, filterShape, listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText, soughtText, writtenText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { RICH_LIMITS } from '#kit/words/rich.ts'
import { DEMAND_FIELDS, DEMANDS } from './fields.ts'
import {
  CLIENTS,
  type Client,
  DEMAND_LIMITS,
  DEMAND_REFUSALS,
  type DemandType,
  LINK_REFUSALS,
  PRIORITIES,
  type Priority,
  RELATIONS,
  type RelationKind,
  SOURCE_KINDS,
  STATUS_KEYS,
  TYPES,
  UNMERGE_REFUSALS,
} from './rules.ts'

const keys = <K extends string>(words: Readonly<Record<K, string>>) => Object.keys(words) as [K, ...K[]]
const priority = z.enum(keys<Priority>(PRIORITIES))
const type = z.enum(keys<DemandType>(TYPES))
const client = z.enum(keys<Client>(CLIENTS))
const status = z.enum(STATUS_KEYS as [(typeof STATUS_KEYS)[number], ...typeof STATUS_KEYS])
const instant = z.iso.datetime({ offset: true })
/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(2_000)
const id = whole(1)
const done = z.object({ id: z.number() })

export const DemandRow = z.object(outputShape(DEMAND_FIELDS, 'row'))

const Person = z.object({ id: z.number(), name: z.string() })
const Change = z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })

const Source = z.object({
  id: z.number(),
  kind: z.enum(keys(SOURCE_KINDS)),
  merchantId: z.number().nullable(),
  feedbackId: z.number().nullable(),
  threadId: z.number().nullable(),
  /** Of the shop, or the partner that wrote. */
  name: z.string(),
  /** What was written. */
  text: z.string(),
  agentName: z.string(),
  renewalCents: z.number().nullable(),
  askedAt: z.string(),
  /** The last time that it went online. */
  toldAt: z.string().nullable(),
  /** It is the demand's own shop. */
  isOwn: z.boolean(),
  /** The thread lies where whoever asks may look at it. */
  opens: z.boolean(),
})

const Other = z.object({ id: z.number(), title: z.string(), status })

const Details = DemandRow.extend({
  industryId: z.number(),
  description: z.string(),
  revision: z.number(),
  mergedIntoId: z.number().nullable(),
  mergedAt: z.string().nullable(),
  mergedByName: z.string(),
  deletedByName: z.string(),
  subscribed: z.boolean(),
  subscribers: z.array(Person),
  sources: z.array(Source),
  /** `inverse`: the other one blocks this, or belongs to it. */
  relations: z.array(Other.extend({ kind: z.enum(keys(RELATIONS)), inverse: z.boolean() })),
  /** Those that were merged into it. */
  merged: z.array(Other),
  files: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      isPdf: z.boolean(),
      createdByName: z.string(),
      createdAt: z.string(),
    }),
  ),
})

const { page: _page, size: _size, sort: _sort, order: _order, ...conditions } = listInput(DEMANDS)
const { status: _status, ...withoutStatus } = filterShape(DEMANDS)

const read = 'demands.list'
const edit = 'demands.edit'
/** What is linked to a thread leaves a note there. */
const STALE = ['demands', 'threads.details']

export const demands = {
  list: op(
    { permission: read },
    { method: 'GET', path: '/demands', summary: 'What shops want of the software' },
  )
    .input(z.object(listInput(DEMANDS)))
    .output(pageOf(DemandRow)),
  /** How many stand where, of what is filtered by anything but the status. */
  counts: op(
    { permission: read },
    { method: 'GET', path: '/demands/counts', summary: 'How many demands stand in each status' },
  )
    .input(z.object(withoutStatus))
    .output(z.object({ rows: z.array(z.object({ status, count: z.number() })) })),
  /** Those that weigh most of each status. */
  board: op(
    { permission: read },
    { method: 'GET', path: '/demands/board', summary: 'Demands by their status, the heaviest first' },
  )
    .input(z.object(conditions))
    .output(z.object({ rows: z.array(DemandRow), counts: z.array(z.object({ status, count: z.number() })) })),
  options: op(
    { permission: read },
    { method: 'GET', path: '/demands/options', summary: 'Who may own a demand, and the industries' },
  ).output(
    z.object({
      owners: z.array(Person),
      industries: z.array(Person.extend({ offered: z.boolean() })),
    }),
  ),
  /** Whose number this is; null: no shop's. */
  shop: op({ permission: read }, { method: 'GET', path: '/demands/shop', summary: 'The shop of a number' })
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        shop: z.object({ id: z.number(), shopName: z.string(), industryId: z.number() }).nullable(),
      }),
    ),
  /** What a feedback says, to begin a demand with it. */
  feedback: op(
    { permission: edit },
    { method: 'GET', path: '/demands/feedback', summary: 'A feedback that becomes a demand' },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        id: z.number(),
        content: z.string(),
        agentName: z.string(),
        demandIds: z.array(z.number()),
      }),
    ),
  /** What a demand begins with that is made of a thread, and those that it has led to. */
  thread: op(
    { permission: read },
    {
      method: 'GET',
      path: '/demands/threads/{id}',
      summary: 'The demands of a thread, and what one begins with',
    },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        id: z.number(),
        /** An older feedback, whose demands are made of that. */
        feedbackId: z.number().nullable(),
        merchantId: z.number().nullable(),
        /** Or who wrote it. */
        shopName: z.string(),
        industryId: z.number().nullable(),
        agentName: z.string(),
        text: z.string(),
        newTitle: z.string(),
        /** How many pictures stand in it. */
        pictures: z.number(),
        demands: z.array(Other.extend({ sourceId: z.number() })),
      }),
    ),
  /** Of up to 20 pictures; uploads that a description may show, each logged as one. */
  copyPictures: op(
    { permission: edit, ephemeral: true, detached: true, forKeys: false },
    {
      method: 'POST',
      path: '/demands/threads/{id}/pictures',
      summary: 'Copy the pictures of a thread for a demand',
    },
  )
    .input(z.object({ id }))
    .output(z.object({ pictures: z.array(z.string()) })),
  /** By number or a part of the title, at most 20. */
  find: op(
    { permission: read },
    { method: 'GET', path: '/demands/find', summary: 'Demands by number or title' },
  )
    .input(z.object({ search: soughtText.max(50).default('') }))
    .output(z.object({ rows: z.array(Other) })),
  details: op(
    { permission: read },
    { method: 'GET', path: '/demands/{id}', summary: 'One demand with all that belongs to it' },
  )
    .input(z.object({ id }))
    .output(Details),
  /** Without an id a new one, which `feedbackId` or `threadId` may be a source of. */
  save: op(
    { permission: edit, log: '保存需求', idempotent: true, stale: STALE },
    { method: 'POST', path: '/demands', summary: 'Create or edit a demand' },
  )
    .errors(errorsOf(DEMAND_REFUSALS))
    .input(
      z.object({
        id: id.nullable().default(null),
        revision: whole(1).nullable().default(null),
        title: lineText.max(500),
        path: lineText.max(500),
        merchantId: codeText.max(500),
        ownerId: whole(1).nullable(),
        priority: priority.nullable(),
        type: type.nullable(),
        client: client.nullable(),
        industryId: whole(1).nullable(),
        deadline: instant.nullable(),
        status: status.default('feedbacked'),
        description: writtenText.max(RICH_LIMITS.html),
        feedbackId: whole(1).nullable().default(null),
        threadId: whole(1).nullable().default(null),
      }),
    )
    .output(done),
  /** Sets the same for each of these; what is absent stays. */
  change: op(
    { permission: edit, log: '修改需求', stale: STALE },
    { method: 'POST', path: '/demands/changes', summary: 'Change one or many demands' },
  )
    .errors(errorsOf(DEMAND_REFUSALS))
    .input(
      z.object({
        ids: z.array(id).min(1).max(DEMAND_LIMITS.rows),
        status: status.optional(),
        ownerId: id.optional(),
        priority: priority.optional(),
        type: type.optional(),
        client: client.optional(),
        deadline: instant.nullable().optional(),
      }),
    )
    .output(
      z.object({
        rows: z.array(z.object({ id: z.number(), title: z.string(), refusal: z.string().nullable() })),
      }),
    ),
  remove: op(
    { permission: 'demands.remove', log: '删除需求', stale: STALE },
    {
      method: 'POST',
      path: '/demands/{id}/removal',
      summary: 'Delete a demand; it can be brought back for 30 days',
    },
  )
    .errors(errorsOf(DEMAND_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  restore: op(
    { permission: 'demands.remove', log: '恢复需求', stale: STALE },
    { method: 'POST', path: '/demands/{id}/restoration', summary: 'Bring a deleted demand back' },
  )
    .input(z.object({ id }))
    .output(done),
  /** What happened to it and what was said, the latest first. `before`: where the last page ended. */
  events: op(
    { permission: read },
    { method: 'GET', path: '/demands/{id}/events', summary: 'The log of one demand with its comments' },
  )
    .input(z.object({ id, before: whole(1).optional() }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            title: z.string(),
            text: z.string(),
            changes: z.array(Change),
            createdByName: z.string(),
            createdAt: z.string(),
          }),
        ),
        more: z.boolean(),
      }),
    ),
  /** @name tells whoever is called so among the vendor's staff. */
  comment: op(
    { permission: read, log: '评论需求', idempotent: true, stale: ['demands.events'] },
    { method: 'POST', path: '/demands/{id}/comments', summary: 'Say something about a demand' },
  )
    .input(z.object({ id, text }))
    .output(done),
  subscribe: op(
    { permission: read, log: '关注需求', stale: ['demands.details'] },
    { method: 'PUT', path: '/demands/{id}/subscription', summary: 'Be told of a demand, or no more' },
  )
    .input(z.object({ id, on: z.boolean() }))
    .output(done),
  /** Its sources, subscribers and relations go along. */
  merge: op(
    { permission: edit, log: '合并需求', stale: STALE },
    { method: 'POST', path: '/demands/{id}/merge', summary: 'Merge a duplicate into another demand' },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ id, intoId: id }))
    .output(done),
  /** What came by the merge goes back; what was added since stays. */
  unmerge: op(
    { permission: edit, log: '撤销合并需求', stale: STALE },
    { method: 'POST', path: '/demands/{id}/separation', summary: 'Undo the merge of a demand, for 30 days' },
  )
    .errors(errorsOf(UNMERGE_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  relate: op(
    { permission: edit, log: '关联需求', stale: STALE },
    {
      method: 'POST',
      path: '/demands/{id}/relations',
      summary: 'Say that a demand blocks another or belongs to it',
    },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(
      z.object({
        id,
        otherId: id,
        kind: z.enum(keys<RelationKind>(RELATIONS)),
        on: z.boolean().default(true),
      }),
    )
    .output(done),
  /** A shop that asks for it too, a thread of one, or what a partner wrote. */
  addSource: op(
    { permission: edit, log: '新增需求来源', stale: STALE },
    { method: 'POST', path: '/demands/{id}/sources', summary: 'Note who asked for a demand' },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(
      z.object({
        id,
        merchantId: codeText.max(500).optional(),
        feedbackId: whole(1).optional(),
        threadId: whole(1).optional(),
      }),
    )
    .output(done),
  removeSource: op(
    { permission: edit, log: '移除需求来源', stale: STALE },
    { method: 'POST', path: '/demands/{id}/sources/{sourceId}/removal', summary: 'Take a source away' },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ id, sourceId: id }))
    .output(done),
  addFile: op(
    { permission: edit, log: '新增需求附件', stale: ['demands.details', 'demands.events'], forKeys: false },
    { method: 'POST', path: '/demands/{id}/files', summary: 'Attach a picture or PDF to a demand' },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ id, fileId: z.uuid(), name: lineText.max(2_000) }))
    .output(done),
  removeFile: op(
    { permission: edit, log: '移除需求附件', stale: ['demands.details', 'demands.events'] },
    { method: 'POST', path: '/demands/{id}/files/{fileId}/removal', summary: 'Remove an attachment' },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ id, fileId: id }))
    .output(done),
}

export const demandsDownloads = {
  list: fileOf(DEMANDS),
  file: download({
    permission: read,
    log: '下载需求附件',
    path: '/demands/{id}/files/{fileId}/file',
    fileName: '需求附件',
    input: z.object({ id: whole(1), fileId: whole(1) }),
    told: ({ id, fileId }) => [
      ['需求', String(id)],
      ['附件编号', String(fileId)],
    ],
  }),
}
