import { UNDO_COUNT } from '#features/sales/settlement/rules.ts'
import type { In } from '#kit/declare/op.ts'
import type { Client, Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import type { shopImport } from './contract.ts'
import type { Cells, ImportState } from './rules.ts'
import { sampleCells, sampleCsv } from './sample.ts'
import { workOnImports } from './server-work.ts'

let made = 0
const freshAccount = () => `16${String(++made).padStart(9, '9')}`
const FILE = '店铺.csv'

/** An import as it stands in some state, with one line that could become a shop. */
export async function makeImport(
  office: Office,
  { id: agentId, accountId }: { id: number; accountId: number },
  state: ImportState,
  fileName = FILE,
): Promise<{ id: number; row: number }> {
  const account = freshAccount()
  const cells = sampleCells(account)
  const form = {
    ...{
      shortName: cells.shortName,
      shopName: cells.shopName,
      personName: cells.personName,
      account,
      versionId: 12,
    },
    ...{
      term: 'year',
      periods: 1,
      shops: 1,
      branches: 0,
      industryId: 2,
      districtCode: '440305',
      address: '',
    },
    ...{
      shopPhone: '',
      referrer: '',
      managerId: null,
      remark: '',
      smsCount: 0,
      registeredAt: null,
      expiresAt: null,
    },
  }
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into shop_imports (agent_id, file_name, mode, state, heads, defaults, duplicates, rows, created, created_by, created_by_name, created_at, started_by, started_at)
     values ($1, $2, 'charge', $3, '[{"name": "账号", "samples": [], "column": "account"}]', '{}', '{"file": "ask", "taken": "ask"}', 1, 1, $4, '姓名', now(), $4, now())
     returning id`,
    [agentId, fileName, state, accountId],
  )
  const id = Number(rows[0]?.id)
  const line = await office.owner.query<{ id: string }>(
    `insert into shop_import_rows (import_id, agent_id, position, line, cells, faults, is_faulty, form, account, state)
     values ($1, $2, 1, 2, $3, '[]', false, $4, $5, 'pending') returning id`,
    [id, agentId, JSON.stringify({ ...cells, remark: fileName }), JSON.stringify(form), account],
  )
  return { id, row: Number(line.rows[0]?.id) }
}

/** More lines than an agency may take back alone. */
async function manyLines(office: Office, id: number): Promise<void> {
  await office.owner.query(
    `insert into shop_import_rows (import_id, agent_id, position, line, cells, faults, is_faulty, form, account, state)
     select import_id, agent_id, n, n + 1, cells, faults, is_faulty, form, account || 'x' || n, state
     from shop_import_rows, generate_series(2, $2) as n where import_id = $1`,
    [id, UNDO_COUNT.initial + 1],
  )
}

/** Waits for somebody who approves. */
export async function makeRequest(
  office: Office,
  id: number,
  { id: agentId, accountId }: { id: number; accountId: number },
): Promise<void> {
  await office.owner.query(
    `insert into shop_import_requests (import_id, agent_id, is_ahead, total_cents, shops, reason, state, requested_by, requested_by_name, requested_at)
     values ($1, $2, false, 0, 1, '表格拿错了', 'pending', $3, '姓名', now())`,
    [id, agentId, accountId],
  )
}

let accounts = 0
/** Of a shop that is to be: nobody has it. */
export const nextAccount = () => `16${String(++accounts).padStart(9, '0')}`

export async function uploadLines(
  client: Client,
  lines: readonly Cells[],
  more: Partial<In<typeof shopImport.upload>> = {},
): Promise<number> {
  const bytes = Buffer.from(sampleCsv(lines)).toString('base64')
  return (await client.shopImport.upload({ fileName: '店铺.csv', bytes, mode: 'charge', ...more })).id
}

/** Begins as it was rehearsed. */
export async function beginImport(client: Client, id: number): Promise<void> {
  const { token } = await client.shopImport.rehearse({ id })
  await client.shopImport.start({ id, token })
}

/** Works until nothing waits, so many lines at once; answers how often it did. */
export async function workThrough(office: Office, atOnce?: number): Promise<number> {
  let batches = 0
  while (await workOnImports(office.app.services, atOnce)) batches++
  return batches
}

const bytesOf = (text: string) => Buffer.from(text).toString('base64')
const NOT_FOUND = ['NOT_FOUND']

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const draft = await makeImport(office, a, 'draft', '甲方专有')
    return { shopImport: draft.id, shopImportRow: draft.row }
  },
  attempts: {
    'shopImport.list': [own(), { as: ({ a }) => ({ agentId: a.id }), expect: 'empty' }],
    'shopImport.upload': [
      {
        as: ({ a }) => ({
          fileName: FILE,
          bytes: bytesOf('账号,店铺名称\n1,店'),
          mode: 'takeover',
          agentId: a.id,
          reason: '试',
        }),
        expect: ['MODE_WRONG'],
      },
    ],
    ...Object.fromEntries(
      (
        [
          ['details', {}],
          ['rows', {}],
          ['map', { columns: [] }],
          ['setUp', { defaults: {}, duplicates: { file: 'none', taken: 'skip' } }],
          ['fix', { fix: 'symbols' }],
          ['skipFaulty', {}],
          ['rehearse', {}],
          ['start', { token: 'x' }],
          ['stop', {}],
          ['resume', {}],
          ['rollBack', { reason: '试' }],
          ['askRollBack', { reason: '试' }],
          ['decideRollBack', { approves: false, decision: '试' }],
          ['drop', {}],
          ['mark', { remark: '改' }],
        ] as const
      ).map(([name, more]) => [
        `shopImport.${name}`,
        [
          {
            as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.shopImport, ...more }),
            expect: NOT_FOUND,
          },
        ],
      ]),
    ),
    'shopImport.editRow': [
      {
        as: ({ extra }) => ({ id: extra.shopImport, rowId: extra.shopImportRow, cells: { remark: '改' } }),
        expect: NOT_FOUND,
      },
    ],
    'shopImport.template (file)': [own()],
    'shopImport.failed (file)': [{ as: ({ extra }) => ({ id: extra.shopImport }), expect: NOT_FOUND }],
    'shopImport.results (file)': [{ as: ({ extra }) => ({ id: extra.shopImport }), expect: NOT_FOUND }],
  },
  scoped: ['shopImport.list', 'shopImport.details', 'shopImport.rows'],
  reads: desk => {
    const read = async () => ({ id: (await makeImport(desk.office, desk.partner, 'draft')).id })
    return { 'shopImport.details': read, 'shopImport.rows': read, 'shopImport.rehearse': read }
  },
  changes: desk => {
    const make = (state: ImportState) => makeImport(desk.office, desk.partner, state)
    const stepped = (
      state: ImportState,
      wrong: ImportState,
      more: Record<string, unknown> = {},
      code = 'STEP_NOT_NOW',
    ) => ({
      async accepted() {
        const { id } = await make(state)
        return desk.asPartner({ id, ...more }, `${FILE} (${id})`)
      },
      refused: { input: async () => ({ id: (await make(wrong)).id, ...more }), code },
    })
    const file = (title: string) => ({
      async accepted() {
        const { id } = await make('done')
        return desk.asPartner({ id }, title)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    })
    return {
      'shopImport.upload': {
        async accepted() {
          const bytes = bytesOf(sampleCsv([sampleCells(freshAccount())]))
          return desk.asPartner({ fileName: FILE, bytes, mode: 'charge' }, FILE)
        },
        refused: { input: () => ({ fileName: FILE, bytes: '', mode: 'charge' }), code: 'FILE_EMPTY' },
      },
      'shopImport.map': stepped('draft', 'done', { columns: ['account'] }),
      'shopImport.setUp': stepped('draft', 'done', {
        defaults: {},
        duplicates: { file: 'none', taken: 'skip' },
      }),
      'shopImport.editRow': {
        async accepted() {
          const { id, row } = await make('draft')
          return desk.asPartner({ id, rowId: row, cells: { remark: '改' } }, `${FILE} (${id})`)
        },
        refused: {
          input: async () => {
            const { id, row } = await make('done')
            return { id, rowId: row, cells: {} }
          },
          code: 'STEP_NOT_NOW',
        },
      },
      'shopImport.fix': stepped('draft', 'done', { fix: 'symbols' }),
      'shopImport.skipFaulty': stepped('draft', 'done'),
      'shopImport.start': {
        async accepted() {
          const { id } = await make('draft')
          const { token } = await desk.mine().shopImport.rehearse({ id })
          return desk.asPartner({ id, token }, `${FILE} (${id})`)
        },
        refused: {
          input: async () => ({ id: (await make('draft')).id, token: 'x' }),
          code: 'REHEARSAL_STALE',
        },
      },
      'shopImport.stop': stepped('running', 'done'),
      'shopImport.resume': stepped('stopped', 'done'),
      'shopImport.rollBack': stepped('done', 'draft', { reason: '表格拿错了' }),
      'shopImport.askRollBack': {
        async accepted() {
          const { id } = await make('draft')
          await manyLines(desk.office, id)
          return desk.asPartner({ id, reason: '表格可能要换' }, `${FILE} (${id})`)
        },
        refused: {
          input: async () => ({ id: (await make('done')).id, reason: '表格可能要换' }),
          code: 'STEP_NOT_NOW',
        },
      },
      'shopImport.decideRollBack': {
        async accepted() {
          const { id } = await make('done')
          await makeRequest(desk.office, id, desk.partner)
          return desk.asOperator({ id, approves: false, decision: '先核对' }, `${FILE} (${id})`)
        },
        refused: {
          input: () => ({ id: 99_999_999, approves: false, decision: '先核对' }),
          code: 'NOT_FOUND',
        },
      },
      'shopImport.drop': stepped('draft', 'done'),
      'shopImport.mark': {
        async accepted() {
          const { id } = await make('done')
          return desk.asPartner({ id, remark: '改' }, `${FILE} (${id})`)
        },
        refused: {
          input: async () => ({ id: (await make('done')).id, remark: '长'.repeat(51) }),
          code: 'REMARK_TOO_LONG',
        },
      },
      'shopImport.template (file)': {
        accepted: async () => desk.asPartner({}, '店铺导入模板'),
        refused: { input: () => ({ nonsense: '1' }), code: 'INPUT_INVALID' },
      },
      'shopImport.failed (file)': file('未导入的店铺'),
      'shopImport.results (file)': file('店铺导入结果'),
    }
  },
}
