import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { day, pageOf, whole } from '#kit/declare/page.ts'
import { lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { KEY_FIELDS, KEYS } from './fields.ts'
import { KEY_REFUSALS } from './rules.ts'

const done = z.object({ done: z.literal(true) })
const id = whole(1)

/** Bounded far above what rules allow, so that the rules tell what is wrong. */
const form = {
  name: lineText.max(500),
  nodeIds: z.array(whole(1)).max(1_000),
  addresses: z.array(lineText.max(64)).max(200),
  perMinute: z.number().int(),
  expiresOn: day,
}

/** Told once, and never again. */
const Given = z.object({
  id: z.number(),
  token: z.string(),
  /** What this key can read at once, to see it work. */
  firstCall: z.string(),
})

const changes = { permission: 'apiKeys.edit', stale: ['apiKeys'], stepUp: true, forKeys: false } as const

export const apiKeys = {
  /** Of the agency for its owner, one's own for everybody else. */
  list: op(
    { permission: 'apiKeys.list', forKeys: false },
    { method: 'GET', path: '/api-keys', summary: 'API keys' },
  )
    .input(z.object(listInput(KEYS)))
    .output(pageOf(z.object(outputShape(KEY_FIELDS, 'row')).extend({ isOwn: z.boolean() }))),
  /** What a key is made of; of one that is there, with its verbs and addresses. */
  details: op(
    { permission: 'apiKeys.list', forKeys: false },
    { method: 'GET', path: '/api-keys/{id}', summary: 'Verbs and addresses of an API key' },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        nodeIds: z.array(z.number()),
        /** What of them its maker no longer holds: the key cannot do it. */
        lost: z.array(z.string()),
        addresses: z.array(z.string()),
      }),
    ),
  /** Pages, what is done on them, and the groups they stand in: what the acting account can give to a key. */
  tree: op(
    { permission: 'apiKeys.list', forKeys: false },
    { method: 'GET', path: '/api-keys-tree', summary: 'The verbs that the acting account can give to a key' },
  ).output(
    z.object({
      nodes: z.array(
        z.object({
          id: z.number(),
          parentId: z.number().nullable(),
          key: z.string(),
          name: z.string(),
          /** What it lets a program do; empty for a group. */
          says: z.string(),
          path: z.string(),
        }),
      ),
    }),
  ),
  add: op(
    { ...changes, log: '新建接口密钥' },
    { method: 'POST', path: '/api-keys', summary: 'Make an API key' },
  )
    .errors(errorsOf(KEY_REFUSALS))
    .input(z.object(form))
    .output(Given),
  edit: op(
    { ...changes, log: '修改接口密钥' },
    {
      method: 'PATCH',
      path: '/api-keys/{id}',
      summary: 'Change name, verbs, addresses, term and limit of an API key',
    },
  )
    .errors(errorsOf(KEY_REFUSALS))
    .input(z.object({ id, ...form }))
    .output(done),
  /** Another token; the one before works for a while. */
  rotate: op(
    { ...changes, log: '轮换接口密钥' },
    { method: 'POST', path: '/api-keys/{id}/rotate', summary: 'Give an API key another token' },
  )
    .errors(errorsOf(KEY_REFUSALS))
    .input(z.object({ id, overlapHours: z.number().int() }))
    .output(Given),
  endPrevious: op(
    { ...changes, log: '停用旧接口密钥' },
    { method: 'DELETE', path: '/api-keys/{id}/previous', summary: 'End the token before the last' },
  )
    .errors(errorsOf(KEY_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  end: op(
    { ...changes, log: '撤销接口密钥' },
    { method: 'DELETE', path: '/api-keys/{id}', summary: 'End an API key for good' },
  )
    .errors(errorsOf(KEY_REFUSALS))
    .input(z.object({ id }))
    .output(done),
}

export type KeyRow = Out<typeof apiKeys.list>['rows'][number]
