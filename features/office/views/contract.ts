import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN } from '#kit/declare/columns.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { REFUSALS } from './rules.ts'

/** The stable name of a list, such as merchants.list. */
const list = z
  .string()
  .regex(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/)
  .max(60)

const columns = z
  .array(
    z.object({
      key: madeText.min(1).max(40),
      hidden: z.boolean().optional(),
      width: whole(COLUMN_WIDTH_MIN, COLUMN_WIDTH_MAX).optional(),
    }),
  )
  .max(60)

const PARAMS_MAX = 40
const params = z
  .record(z.string().min(1).max(40), madeText.max(200))
  .refine(all => Object.keys(all).length <= PARAMS_MAX)

const name = lineText.max(100)

const View = z.object({
  id: z.number(),
  name: z.string(),
  params: z.record(z.string(), z.string()),
  columns: columns.nullable(),
  isShared: z.boolean(),
  /** The acting account may rename and delete it. */
  mayChange: z.boolean(),
})

const id = whole(1)

export const views = {
  /** All lists at once: there are few, and a page asks once. */
  columns: op(
    { permission: 'session' },
    { method: 'GET', path: '/columns', summary: "The account's columns by list" },
  ).output(z.object({ rows: z.array(z.object({ list: z.string(), columns })) })),
  setColumns: op(
    {
      unshown: 'the page holds what was set',
      permission: 'session',
      log: '保存列设置',
      whileSuspended: true,
    },
    {
      method: 'PUT',
      path: '/columns/{list}',
      summary: 'Arrange the columns of a list; none means as the list has them',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ list, columns }))
    .output(z.object({ list: z.string(), columns })),
  list: op(
    { permission: 'session' },
    { method: 'GET', path: '/views', summary: 'Own and shared views of a list' },
  )
    .input(z.object({ list }))
    .output(z.object({ rows: z.array(View) })),
  save: op(
    { permission: 'session', log: '保存视图', stale: ['views.list'], whileSuspended: true },
    { method: 'POST', path: '/views', summary: 'Save filters, sort and columns under a name' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ list, name, params, columns: columns.nullable(), isShared: z.boolean() }))
    .output(View),
  change: op(
    { permission: 'session', log: '修改视图', stale: ['views.list'], whileSuspended: true },
    { method: 'PATCH', path: '/views/{id}', summary: 'Rename a view, or give it other filters and columns' },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        id,
        name: name.optional(),
        params: params.optional(),
        columns: columns.nullable().optional(),
        isShared: z.boolean().optional(),
      }),
    )
    .output(View),
  remove: op(
    { permission: 'session', log: '删除视图', stale: ['views.list'], whileSuspended: true },
    { method: 'DELETE', path: '/views/{id}', summary: 'Delete a view' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id }))
    .output(z.object({ id: z.number() })),
}
