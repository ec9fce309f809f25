import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { type Out, op } from '#kit/declare/op.ts'
import { pageOf } from '#kit/declare/page.ts'
import { madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { LOG_FIELDS, OPERATION_LOG } from './fields.ts'
import { OBJECT_KINDS, type ObjectKind } from './rules.ts'

const LogRow = z.object({
  ...outputShape(LOG_FIELDS, 'row'),
  /** In people's words, with their units; secrets are never among them. */
  changes: z.array(
    z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})

const kind = z.enum(Object.keys(OBJECT_KINDS) as [ObjectKind, ...ObjectKind[]])

export const operationLog = {
  /** What people of the acting agent did, and what others did with its data; of all agents for vendor staff. */
  list: op(
    { permission: 'operationLog.list', mayLag: true },
    { method: 'GET', path: '/operation-log', summary: 'Who did what, the latest first' },
  )
    .input(z.object(listInput(OPERATION_LOG)))
    .output(pageOf(LogRow)),
  /** The same of one object. `before` is where the last page ended. */
  history: op(
    { permission: 'operationLog.list' },
    { method: 'GET', path: '/operation-log/objects', summary: 'What was done with one object' },
  )
    .input(z.object({ kind, id: madeText.min(1).max(64), before: madeText.max(64).optional() }))
    .output(z.object({ rows: z.array(LogRow), next: z.string().nullable() })),
  people: op(
    { permission: 'operationLog.list' },
    { method: 'GET', path: '/operation-log/people', summary: 'Whose rows can be chosen' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
}

export const operationLogDownloads = { list: fileOf(OPERATION_LOG) }

export type LogRow = Out<typeof operationLog.list>['rows'][number]
