import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { SETTLEMENT_REFUSALS, UNDO_REQUEST_STATES } from '#features/sales/settlement/rules.ts'
import { VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { IMPORT_FIELDS, IMPORTS } from './fields.ts'
import {
  BODY_MOST,
  CELL_KEYS,
  type CellKey,
  DEFAULT_KEYS,
  DUPLICATES,
  FILE_DUPLICATES,
  FIX_KEYS,
  type FixKey,
  IMPORT_MODES,
  IMPORT_REFUSALS,
  ROW_STATES,
  SHOWN_ROWS,
  TAKEN_DUPLICATES,
} from './rules.ts'

const see = 'shopImport.list'
const change = 'shopImport.import'
const stale = ['shopImport'] as const
/** What shops that come or go change. */
const STALE_SHOPS = [
  'shopImport',
  'merchants',
  'ledger',
  'orders',
  'settlement',
  'renewals',
  'dashboard',
] as const
const ById = z.object({ id: whole(1) })
const keysOf = <T extends object>(words: T) => Object.keys(words) as [keyof T & string]
const column = z.enum(CELL_KEYS as unknown as [CellKey])
const text = linesText.max(500)

export const ImportRow = z.object({ id: z.number(), ...rowShape(IMPORT_FIELDS) })

const Counts = z.object({
  rows: z.number(),
  faulty: z.number(),
  duplicates: z.number(),
  undecided: z.number(),
  fine: z.number(),
  created: z.number(),
  failed: z.number(),
  kept: z.number(),
  /** How many lines each kind of fault can be mended in. */
  fixes: z.partialRecord(z.enum(FIX_KEYS), z.number()),
})

const Line = z.object({
  id: z.number(),
  position: z.number(),
  line: z.number(),
  cells: z.partialRecord(column, z.string()),
  hasPassword: z.boolean(),
  faults: z.array(z.object({ column, message: z.string(), fix: z.enum(FIX_KEYS as [FixKey]).optional() })),
  duplicate: z.enum(DUPLICATES).nullable(),
  skip: z.boolean(),
  state: z.enum(keysOf(ROW_STATES)),
  problem: z.string(),
  merchantId: z.number().nullable(),
  orderNo: z.string().nullable(),
  totalCents: z.number(),
})

/** Whether its shops can be taken back by the agency alone, and what was last asked about it. */
const Back = z.object({
  /** Why staff have to approve it; null: they do not. */
  approval: z.string().nullable(),
  request: z
    .object({
      isAhead: z.boolean(),
      totalCents: z.number(),
      shops: z.number(),
      reason: z.string(),
      state: z.enum(keysOf(UNDO_REQUEST_STATES)),
      requestedByName: z.string(),
      requestedAt: z.string(),
      decidedByName: z.string(),
      decidedAt: z.string().nullable(),
      decision: z.string(),
      /** Why this account cannot decide about it, where it waits; null: it can, with the permission to. */
      refusal: z.string().nullable(),
    })
    .nullable(),
})

const Details = ImportRow.extend({
  problem: z.string(),
  heads: z.array(
    z.object({
      name: z.string(),
      samples: z.array(z.string()),
      column: column.nullable(),
      guessed: z.boolean().default(false),
    }),
  ),
  /** What of the file was not as it seems, in words. */
  notes: z.array(z.string()),
  defaults: z.partialRecord(z.enum(DEFAULT_KEYS), z.string()),
  duplicates: z.object({
    file: z.enum(keysOf(FILE_DUPLICATES)),
    taken: z.enum(keysOf(TAKEN_DUPLICATES)),
  }),
  counts: Counts,
  startedAt: z.string().nullable(),
  startedByName: z.string(),
  rollBackAt: z.string().nullable(),
  rollBackByName: z.string(),
  rollBackReason: z.string(),
  /** Why it cannot be taken back as a whole now; null: it can. */
  rollBackRefusal: z.string().nullable(),
  back: Back,
  /** Initial passwords that the program made and that can be taken along still. */
  passwords: z.number(),
})

const Rehearsal = z.object({
  /** Names what was shown; it begins with nothing else. */
  token: madeText,
  shops: z.number(),
  skipped: z.number(),
  lines: z.array(
    z.object({
      versionName: z.string(),
      term: z.string(),
      shops: z.number(),
      unitCents: z.number(),
      unit: z.string(),
      totalCents: z.number(),
      refusal: z.string().nullable(),
    }),
  ),
  totalCents: z.number(),
  sms: z.number(),
  balanceBeforeCents: z.number(),
  /** Below 0: so much is missing. */
  balanceAfterCents: z.number(),
  smsBefore: z.number(),
  smsAfter: z.number(),
  /** Why it cannot begin, or null. */
  refusal: z.string().nullable(),
  back: Back,
})

const errors = errorsOf(IMPORT_REFUSALS)
const started = errorsOf({
  ...IMPORT_REFUSALS,
  ...LEDGER_REFUSALS,
  ...VERSION_REFUSALS,
  ...UNDO_REFUSALS,
  ...SETTLEMENT_REFUSALS,
})

export const shopImport = {
  list: op(
    { permission: see },
    { method: 'GET', path: '/shop-imports', summary: 'Files of shops that were imported, the latest first' },
  )
    .input(z.object(listInput(IMPORTS)))
    .output(pageOf(ImportRow)),
  /** Reads a file and checks every line; nothing of it is a shop before it is started. */
  upload: op(
    { permission: change, log: '上传店铺表格', detached: true, bodyMost: BODY_MOST, forKeys: false, stale },
    { method: 'POST', path: '/shop-imports', summary: 'Read a file of shops' },
  )
    .errors(errors)
    .input(
      z.object({
        fileName: lineText.min(1).max(200),
        /** Base64. */
        bytes: madeText.max(BODY_MOST),
        mode: z.enum(keysOf(IMPORT_MODES)),
        agentId: whole(1).nullable().default(null),
        reason: text.default(''),
      }),
    )
    .output(z.object({ id: z.number() })),
  details: op(
    { permission: see },
    {
      method: 'GET',
      path: '/shop-imports/{id}',
      summary: 'A file: its columns, how its lines stand, how far it is',
    },
  )
    .input(ById)
    .output(Details),
  rows: op(
    { permission: see },
    { method: 'GET', path: '/shop-imports/{id}/rows', summary: 'Lines of a file, from one on' },
  )
    .input(
      z.object({
        id: whole(1),
        only: z.enum(keysOf(SHOWN_ROWS)).default('all'),
        offset: whole(0).default(0),
        limit: whole(1, 200).default(100),
      }),
    )
    .output(z.object({ rows: z.array(Line), total: z.number() })),
  /** Which column of the file is which of ours; every line is read anew from the file. */
  map: op(
    { permission: change, log: '对应导入列', forKeys: false, stale },
    { method: 'POST', path: '/shop-imports/{id}/columns', summary: 'Say what the columns of a file are' },
  )
    .errors(errors)
    .input(z.object({ id: whole(1), columns: z.array(column.nullable()).max(100) }))
    .output(ById),
  setUp: op(
    { permission: change, log: '设置导入', forKeys: false, stale },
    {
      method: 'POST',
      path: '/shop-imports/{id}/setup',
      summary: 'Say what stands for empty cells, and what happens to accounts that stand twice',
    },
  )
    .errors(errors)
    .input(
      z.object({
        id: whole(1),
        defaults: z.partialRecord(z.enum(DEFAULT_KEYS), linesText.max(100)),
        duplicates: z.object({
          file: z.enum(keysOf(FILE_DUPLICATES)),
          taken: z.enum(keysOf(TAKEN_DUPLICATES)),
        }),
      }),
    )
    .output(ById),
  editRow: op(
    { permission: change, log: '修改导入行', forKeys: false, stale: ['shopImport.details'] },
    { method: 'PATCH', path: '/shop-imports/{id}/rows/{rowId}', summary: 'Mend a line, or leave it out' },
  )
    .errors(errors)
    .input(
      z.object({
        id: whole(1),
        rowId: whole(1),
        /** Each is cleaned as what its column is (cleanCell), and a password is among them. */
        cells: z.partialRecord(column, secretText.max(500)).default({}),
        skip: z.boolean().optional(),
      }),
    )
    .output(Line),
  fix: op(
    { permission: change, log: '批量修正导入', forKeys: false, stale },
    { method: 'POST', path: '/shop-imports/{id}/fixes', summary: 'Mend one kind of fault in every line' },
  )
    .errors(errors)
    .input(z.object({ id: whole(1), fix: z.enum(FIX_KEYS as [FixKey]) }))
    .output(z.object({ mended: z.number() })),
  skipFaulty: op(
    { permission: change, log: '跳过有误的导入行', forKeys: false, stale },
    { method: 'POST', path: '/shop-imports/{id}/skips', summary: 'Leave out every line that has a fault' },
  )
    .errors(errors)
    .input(ById)
    .output(z.object({ skipped: z.number() })),
  rehearse: op(
    { permission: see },
    {
      method: 'GET',
      path: '/shop-imports/{id}/rehearsal',
      summary: 'What an import would create and cost; writes nothing',
    },
  )
    .errors(started)
    .input(ById)
    .output(Rehearsal),
  start: op(
    { permission: change, log: '开始导入店铺', stepUp: true, stale: STALE_SHOPS },
    { method: 'POST', path: '/shop-imports/{id}/start', summary: 'Begin an import as it was rehearsed' },
  )
    .errors(started)
    .input(z.object({ id: whole(1), token: madeText.max(100) }))
    .output(ById),
  stop: op(
    { permission: change, log: '停止导入店铺', forKeys: false, stale },
    { method: 'POST', path: '/shop-imports/{id}/stop', summary: 'Create no further shops for now' },
  )
    .errors(errors)
    .input(ById)
    .output(ById),
  resume: op(
    { permission: change, log: '继续导入店铺', stepUp: true, stale },
    { method: 'POST', path: '/shop-imports/{id}/resumption', summary: 'Go on creating shops' },
  )
    .errors(errors)
    .input(ById)
    .output(ById),
  rollBack: op(
    { permission: change, log: '整批撤回导入', stepUp: true, stale: STALE_SHOPS },
    {
      method: 'POST',
      path: '/shop-imports/{id}/roll-back',
      summary:
        'Take every shop of an import back that nobody has used, or ask for it where staff have to approve',
    },
  )
    .errors(started)
    .input(z.object({ id: whole(1), reason: text }))
    .output(z.object({ id: z.number(), state: z.enum(['rolling', 'pending']) })),
  /** Of an import that did not begin. */
  askRollBack: op(
    { permission: change, log: '申请导入后可自行撤回', forKeys: false, stale },
    {
      method: 'POST',
      path: '/shop-imports/{id}/roll-back-request',
      summary: 'Ask that an import may be taken back later by whoever brings it',
    },
  )
    .errors(started)
    .input(z.object({ id: whole(1), reason: text }))
    .output(ById),
  decideRollBack: op(
    {
      permission: 'settlement.approve',
      log: '审批撤回导入',
      stepUp: true,
      forKeys: false,
      stale: [...STALE_SHOPS, 'inbox'],
    },
    {
      method: 'POST',
      path: '/shop-imports/{id}/roll-back-decision',
      summary: 'Approve or reject that an import is taken back',
    },
  )
    .errors(started)
    .input(z.object({ id: whole(1), approves: z.boolean(), decision: text }))
    .output(ById),
  drop: op(
    { permission: change, log: '作废导入', forKeys: false, stale },
    { method: 'POST', path: '/shop-imports/{id}/drop', summary: 'Give up a file that was not imported' },
  )
    .errors(errors)
    .input(ById)
    .output(ById),
  mark: op(
    { permission: change, log: '备注导入', forKeys: false, stale },
    { method: 'PATCH', path: '/shop-imports/{id}', summary: 'Remark on an import, or put it away' },
  )
    .errors(errors)
    .input(z.object({ id: whole(1), remark: text.optional(), active: z.boolean().optional() }))
    .output(ById),
}

export const shopImportDownloads = {
  template: download({
    permission: see,
    log: '下载导入模板',
    path: '/shop-imports/template.xlsx',
    fileName: '店铺导入模板',
    input: z.strictObject({}),
  }),
  /** Lines that did not become shops, with the heads of the template: mended, the file can be sent again. */
  failed: download({
    permission: change,
    log: '下载未导入的行',
    path: '/shop-imports/{id}/failed.xlsx',
    fileName: '未导入的店铺',
    input: ById,
    told: ({ id }) => [['导入编号', String(id)]],
  }),
  /** What became of each line, with the initial passwords that the program made. */
  results: download({
    permission: change,
    log: '下载导入结果',
    path: '/shop-imports/{id}/results.xlsx',
    fileName: '店铺导入结果',
    input: ById,
    stepUp: true,
    told: ({ id }) => [['导入编号', String(id)]],
  }),
}
