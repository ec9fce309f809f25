import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { linesText, lineText, madeText, writtenText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  CONFIGURATION_FORMAT,
  FILE_BYTES_MOST,
  LINES_LIMITS,
  REASON_KIND_KEYS,
  REFERENCE_REFUSALS,
  ROWS_MOST,
  TABLE_BODY_MOST,
  TABLE_REFUSALS,
} from './rules.ts'

const tableKey = madeText.min(1).max(40)
const rowId = madeText.min(1).max(64)
const text = linesText.max(2_000)
const Line = z.record(z.string().max(40), z.union([text, z.boolean()]))
const Values = z.record(
  z.string().max(40),
  z.union([text, z.number(), z.boolean(), z.null(), z.array(Line).max(50)]),
)
const Words = z.record(z.string(), z.string())

const Field = z.object({
  label: z.string(),
  kind: z.enum(['text', 'count', 'flag', 'word', 'day']),
  words: Words.optional(),
  unit: z.string().optional(),
  max: z.number().optional(),
  required: z.literal(true).optional(),
  hint: z.string().optional(),
  rows: z.number().optional(),
  shown: z.literal(true).optional(),
  placeholders: z.string().optional(),
  fixed: z.literal(true).optional(),
  lines: z
    .object({
      by: z.string(),
      most: z.number(),
      fields: z.record(
        z.string(),
        z.object({
          label: z.string(),
          kind: z.enum(['text', 'flag']),
          max: z.number().optional(),
          pattern: z.string().optional(),
          patternWords: z.string().optional(),
        }),
      ),
    })
    .optional(),
})

const Table = z.object({
  key: z.string(),
  title: z.string(),
  about: z.string(),
  named: z.string(),
  within: z.string().optional(),
  fields: z.record(z.string(), Field),
  adds: z.boolean(),
  orders: z.boolean(),
  imports: z.literal(true).optional(),
  retires: z.boolean(),
})

const Row = z.object({
  id: z.string(),
  values: Values,
  /** From then on it is offered no more; null: nobody has retired it. */
  retiredAt: z.string().nullable(),
})

const permission = 'referenceData.manage'
const errors = errorsOf(REFERENCE_REFUSALS)
/** What chooses among the rows asks for them again. */
const stale = ['referenceData', 'merchants'] as const
const ofRow = z.object({ table: tableKey, id: rowId })

const configure = 'referenceData.configure'

const Configuration = z.object({
  format: z.literal(CONFIGURATION_FORMAT),
  version: z.number(),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  settings: z.record(z.string(), z.number()),
  /** What stays behind, in words. */
  left: z.array(z.string()),
})
/** As it was chosen; what is wrong with it is told in words. */
const Given = z.record(z.string().max(40), z.unknown())

/** Parted by tabs or commas; each value is cleaned as its field. */
const Lines = writtenText.min(1).max(LINES_LIMITS.chars)
const Touched = z.array(z.object({ name: z.string(), what: z.string() }))
export const LinesRehearsal = z.object({
  token: madeText,
  added: Touched,
  changed: Touched,
  /** Offered no more; `what` says who has it. */
  removed: Touched,
  same: z.number(),
  errors: z.array(z.object({ line: z.number(), message: z.string() })),
  errorCount: z.number(),
})

const Rehearsal = z.object({
  token: madeText,
  /** What no file carries, in words. */
  left: z.array(z.string()),
  tables: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      added: z.array(z.string()),
      changed: z.array(z.object({ name: z.string(), what: z.string() })),
      removed: z.array(z.string()),
      retired: z.array(z.string()),
      /** Rows that the file does not have and that stay all the same. */
      kept: z.array(z.string()),
      refused: z.array(z.string()),
    }),
  ),
})

export const referenceData = {
  tables: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/tables', summary: 'The tables of reference data and their fields' },
  ).output(z.object({ tables: z.array(Table) })),
  rows: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/rows', summary: 'The rows of a table, retired ones too' },
  )
    .input(z.object({ table: tableKey }))
    .output(z.object({ rows: z.array(Row) })),
  /** What uses a row; counted up to 10,000. */
  uses: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/uses', summary: 'What uses a row' },
  )
    .input(ofRow)
    .output(
      z.object({
        uses: z.array(
          z.object({ what: z.string(), counted: z.string(), count: z.number(), capped: z.boolean() }),
        ),
      }),
    ),
  /** `seen`: the row as it was edited; null for a new one. */
  save: op(
    { permission, log: '编辑基础数据', idempotent: true, forKeys: false, stale },
    { method: 'POST', path: '/reference/rows', summary: 'Add a row, or change one' },
  )
    .errors(errors)
    .input(z.object({ table: tableKey, id: rowId.nullable(), seen: Values.nullable(), values: Values }))
    .output(Row),
  /** `from`: when it begins; null: now. */
  retire: op(
    { permission, log: '停用基础数据', forKeys: false, stale },
    { method: 'POST', path: '/reference/rows/retire', summary: 'Offer a row no more' },
  )
    .errors(errors)
    .input(ofRow.extend({ from: z.iso.datetime().nullable() }))
    .output(Row),
  restore: op(
    { permission, log: '恢复基础数据', forKeys: false, stale },
    { method: 'POST', path: '/reference/rows/restore', summary: 'Offer a retired row again' },
  )
    .errors(errors)
    .input(ofRow)
    .output(Row),
  remove: op(
    { permission, log: '删除基础数据', forKeys: false, stale },
    { method: 'POST', path: '/reference/rows/remove', summary: 'Delete a row that nothing uses' },
  )
    .errors(errors)
    .input(ofRow)
    .output(z.object({ removed: z.literal(true) })),
  reorder: op(
    { permission, log: '基础数据排序', forKeys: false, stale },
    { method: 'POST', path: '/reference/rows/order', summary: 'Put the rows in order' },
  )
    .errors(errors)
    .input(z.object({ table: tableKey, ids: z.array(rowId).min(1).max(ROWS_MOST) }))
    .output(z.object({ ids: z.array(z.string()) })),
  /** Nothing of the file is kept. `table`: what it is for; null: the divisions. */
  readTable: op(
    { permission, ephemeral: true, detached: true, forKeys: false, bodyMost: TABLE_BODY_MOST },
    { method: 'POST', path: '/reference/tables/read', summary: 'A table of any kind as lines of text' },
  )
    .errors(errorsOf({ ...REFERENCE_REFUSALS, ...TABLE_REFUSALS }))
    /** Base64. */
    .input(z.object({ table: tableKey.nullable(), bytes: madeText.max(TABLE_BODY_MOST) }))
    /** `notes`: what of the file was not as it seems, in words. */
    .output(z.object({ text: z.string(), notes: z.array(z.string()) })),
  /** Says what lines of text would do to a table; of what is wrong the first errors, each at its line. */
  rehearseRows: op(
    { permission, ephemeral: true, forKeys: false, bodyMost: LINES_LIMITS.bytes },
    { method: 'POST', path: '/reference/rows/rehearse', summary: 'What an import of rows would change' },
  )
    .errors(errors)
    .input(z.object({ table: tableKey, text: Lines }))
    .output(LinesRehearsal),
  /** `token`: of the rehearsal. Rows that the text does not have stay. */
  importRows: op(
    {
      permission,
      log: '导入基础数据',
      idempotent: true,
      forKeys: false,
      bodyMost: LINES_LIMITS.bytes,
      stale,
    },
    { method: 'POST', path: '/reference/rows/import', summary: 'Add and change rows by lines of text' },
  )
    .errors(errors)
    .input(z.object({ table: tableKey, text: Lines, token: madeText.min(1).max(100) }))
    .output(LinesRehearsal),
  /** The edition of the administrative divisions that holds. */
  regions: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/regions', summary: 'Which divisions can be chosen, and since when' },
  ).output(
    z.object({
      source: z.string(),
      /** Null: it came with the program. */
      changedAt: z.string().nullable(),
      changedByName: z.string(),
      districts: z.number(),
    }),
  ),
  regionsText: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/regions/text', summary: 'The divisions as lines of text' },
  ).output(z.object({ text: z.string() })),
  rehearseRegions: op(
    { permission, ephemeral: true, forKeys: false, bodyMost: LINES_LIMITS.bytes },
    {
      method: 'POST',
      path: '/reference/regions/rehearse',
      summary: 'What another edition of the divisions would change, and who has what it has no more',
    },
  )
    .errors(errors)
    .input(z.object({ text: Lines }))
    .output(LinesRehearsal),
  importRegions: op(
    {
      permission,
      log: '导入行政区划',
      stepUp: true,
      idempotent: true,
      forKeys: false,
      bodyMost: LINES_LIMITS.bytes,
      stale: ['referenceData', 'regions', 'merchants', 'agentProfile'],
    },
    {
      method: 'POST',
      path: '/reference/regions/import',
      summary: 'Take over another edition of the divisions',
    },
  )
    .errors(errors)
    .input(z.object({ source: lineText.max(100), text: Lines, token: madeText.min(1).max(100) }))
    .output(LinesRehearsal),
  /** For the forms that ask for one. */
  reasons: op(
    { permission: 'session', forKeys: false },
    { method: 'GET', path: '/reference/reasons', summary: 'The reasons that forms offer' },
  ).output(z.object({ reasons: z.array(z.object({ kind: z.enum(REASON_KIND_KEYS), name: z.string() })) })),
  /** The numbers that the operator can set, with what holds now. */
  settings: op(
    { permission, forKeys: false },
    { method: 'GET', path: '/reference/settings', summary: 'Limits and terms of the whole office' },
  ).output(
    z.object({
      settings: z.array(
        z.object({
          key: z.string(),
          group: z.string(),
          label: z.string(),
          unit: z.string(),
          initial: z.number(),
          min: z.number(),
          max: z.number(),
          hint: z.string().optional(),
          value: z.number(),
        }),
      ),
    }),
  ),
  setSetting: op(
    { permission, log: '修改规则与限额', stepUp: true, stale: ['referenceData'] },
    { method: 'PUT', path: '/reference/settings/{key}', summary: 'Set a limit or a term' },
  )
    .errors(errors)
    .input(z.object({ key: madeText.min(1).max(60), seen: z.number(), value: z.number() }))
    .output(z.object({ key: z.string(), value: z.number() })),
  /** By key, for the pages that tell them. */
  limits: op(
    { permission: 'session', forKeys: false },
    { method: 'GET', path: '/reference/limits', summary: 'The limits and terms that pages tell' },
  ).output(z.object({ values: z.record(z.string(), z.number()) })),
  /** Reference data, settings and what other features declare; nothing secret, nothing of one agent. */
  exportConfiguration: op(
    { unshown: 'its answer is the file', permission: configure, log: '导出配置', stepUp: true },
    {
      method: 'POST',
      path: '/reference/configuration/export',
      summary: 'The whole configuration as one file',
    },
  ).output(Configuration),
  /** Says what an import would do. */
  rehearse: op(
    { permission: configure, ephemeral: true, forKeys: false, bodyMost: FILE_BYTES_MOST },
    { method: 'POST', path: '/reference/configuration/rehearse', summary: 'What an import would change' },
  )
    .errors(errors)
    .input(z.object({ file: Given }))
    .output(Rehearsal),
  /** `token`: of the rehearsal; refuses where the office has changed since. */
  importConfiguration: op(
    {
      permission: configure,
      log: '导入配置',
      stepUp: true,
      idempotent: true,
      bodyMost: FILE_BYTES_MOST,
      stale: [
        'referenceData',
        'merchants',
        'versions',
        'services',
        'sms',
        'hardware',
        'content',
        'catalogue',
        'priceDesk',
      ],
    },
    { method: 'POST', path: '/reference/configuration/import', summary: 'Take over a configuration' },
  )
    .errors(errors)
    .input(z.object({ file: Given, token: madeText.min(1).max(100) }))
    .output(Rehearsal),
}

export type ShownTable = Out<typeof referenceData.tables>['tables'][number]

export type ShownRow = Out<typeof referenceData.rows>['rows'][number]
