// Demo rows of imports: one that is being checked, one that stands still, some that are done, taken back or given up.
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { insertRows } from '#server/insert-rows.ts'
import { COLUMNS } from './fields.ts'
import { CELL_KEYS, type Cells, type Fault, type Head, type ImportForm, UNDECIDED } from './rules.ts'
import { sampleCells } from './sample.ts'
import { shopImportRows, shopImports } from './tables.ts'

type Import = typeof shopImports.$inferInsert
type Line = typeof shopImportRows.$inferInsert
type Brought = Pick<Line, 'cells'> & Partial<Line>

const HEADS: readonly [name: string, column: Head['column'], ...samples: string[]][] = [
  ['门店名称', 'shopName', '深圳阿婆糖水', '宝安好又多超市'],
  ['简称', 'shortName', '阿婆糖水', '好又多'],
  ['老板', 'personName', '陈阿婆', '刘大伟'],
  ['手机号码', 'account', '18600010001', '18600010002'],
  ['套餐', 'version', '高级版'],
  ['开通年限', 'term', '1年', '2年'],
  ['业态', 'industry', '餐饮美食', '商超零售'],
  ['省份', 'province', '广东省'],
  ['城市', 'city', '深圳市'],
  ['区', 'district', '南山区', '宝安区'],
  ['地址', 'address', '蛇口老街12号'],
  ['会员数', null, '328', '1204'],
]
const heads: Head[] = HEADS.map(([name, column, ...samples]) => ({ name, column, samples }))

/** What a check makes of the sample's cells. */
function formOf(cells: Cells): ImportForm {
  return {
    shortName: cells.shortName ?? '',
    shopName: cells.shopName ?? '',
    personName: cells.personName ?? '',
    account: cells.account ?? '',
    versionId: 12,
    term: 'year',
    periods: 1,
    shops: 1,
    branches: 0,
    industryId: 2,
    districtCode: '440305',
    address: cells.address ?? '',
    shopPhone: '',
    referrer: '',
    managerId: null,
    remark: '',
    smsCount: 0,
    registeredAt: null,
    expiresAt: null,
  }
}

const NAMES = [
  ['阿婆糖水', '陈阿婆'],
  ['粤来茶餐厅', '刘大伟'],
  ['蛇口渔家', '林海生'],
  ['华强数码', '周强'],
  ['西丽烘焙', '何敏'],
  ['后海轻食', '许佳'],
] as const
const account = (place: number) => `186${String(place).padStart(8, '0')}`
const shop = (place: number, changes: Cells = {}): Cells => {
  const [shortName, personName] = NAMES[place % NAMES.length] ?? NAMES[0]
  return sampleCells(account(10_001 + place), {
    shortName,
    shopName: `深圳${shortName}`,
    personName,
    ...changes,
  })
}
const fine = (place: number): Brought => ({ cells: shop(place), form: formOf(shop(place)) })
const wrong = (place: number, changes: Cells, ...faults: Fault[]): Brought => ({
  cells: shop(place, changes),
  faults,
})

const DRAFT: readonly Brought[] = [
  fine(0),
  fine(1),
  wrong(2, { account: '1860010000.0' }, { column: 'account', message: '账号格式不对' }),
  wrong(
    3,
    { province: '广东', city: '深圳', district: '福田' },
    { column: 'district', message: '没有找到「广东深圳福田」，请写全省、市、区', fix: 'region' },
  ),
  wrong(
    4,
    { industry: '奶茶', shopName: '深圳★西丽烘焙' },
    { column: 'industry', message: '没有名为「奶茶」的行业类型' },
    { column: 'shopName', message: '店铺名称请勿输入特殊字符', fix: 'symbols' },
  ),
  wrong(5, { account: '186 0001' }, { column: 'account', message: '账号格式不对' }),
  { ...fine(6), duplicate: 'first' },
  {
    cells: shop(7, { account: account(10_007) }),
    form: { ...formOf(shop(7)), account: account(10_007) },
    duplicate: 'file',
  },
  fine(8),
]

type Shop = {
  id: string
  shop_name: string
  person_name: string
  account: string
  order_no: string
  total_cents: string
  registered_at: Date
  by_id: string
  by_name: string
}

/** Shops that came by a file, as the demo of sales has opened them, with their orders. */
async function broughtShops(
  { client }: Demo,
  agentId: number,
  status: string,
  most: number,
): Promise<Shop[]> {
  const { rows } = await client.query<Shop>(
    `select m.id, m.shop_name, m.person_name, m.account, o.order_no, o.total_cents, m.registered_at, a.id as by_id, a.name as by_name
     from merchants m join version_orders o on o.merchant_id = m.id and o.sales_type = 'new' join accounts a on a.id = o.created_by
     where m.agent_id = $1 and m.source = 'import' and m.status = $2 order by m.registered_at desc limit $3`,
    [agentId, status, most],
  )
  return rows
}

/** After all rows of the demo: of what has come by a file the files are told. */
export async function afterwards(demo: Demo): Promise<void> {
  const { client } = demo
  const { rows: people } = await client.query<{ id: string; name: string; agent_id: string }>(
    `select distinct on (agent_id) id, name, agent_id from accounts where is_owner and id > 0 order by agent_id, id`,
  )
  const ownerOf = (agentId: number) => people.find(one => Number(one.agent_id) === agentId)
  let made = 0
  let written = 0
  const write = async (
    of: Partial<Import> & Pick<Import, 'agentId' | 'state' | 'createdAt'>,
    brought: readonly Brought[],
  ) => {
    const by = ownerOf(of.agentId)
    const id = ++made
    const row: Import = {
      id,
      fileName: '店铺.xlsx',
      mode: 'charge',
      heads,
      defaults: {},
      duplicates: UNDECIDED,
      rows: brought.length,
      createdBy: Number(by?.id ?? 0),
      createdByName: by?.name ?? '',
      ...of,
    }
    await insertRows(client, shopImports, [row])
    const lines = brought.map(
      (line, at): Line => ({
        id: ++written,
        importId: id,
        agentId: of.agentId,
        position: at + 1,
        line: at + 2,
        faults: [],
        isFaulty: (line.faults ?? []).length > 0,
        account: line.cells.account ?? '',
        state: 'pending',
        ...line,
      }),
    )
    await insertRows(client, shopImportRows, lines)
  }
  const { first, other } = DEMO_AGENTS
  await write(
    { agentId: first, state: 'dropped', active: false, fileName: '测试导入.csv', createdAt: ago(demo, 210) },
    [fine(20)],
  )
  for (const brought of await broughtShops(demo, first, 'normal', 2)) await write(...doneWith(first, brought))
  for (const brought of await broughtShops(demo, other, 'normal', 1)) await write(...doneWith(other, brought))
  for (const brought of await broughtShops(demo, first, 'normal', 1))
    await write(...takenBack(first, brought))
  const stoppedAt = ago(demo, 3)
  await write(
    {
      agentId: first,
      state: 'stopped',
      fileName: '龙岗二批.csv',
      remark: '等老板确认后继续',
      createdAt: stoppedAt,
      startedAt: stoppedAt,
      startedBy: Number(ownerOf(first)?.id ?? 0),
      startedByName: ownerOf(first)?.name ?? '',
    },
    [fine(30), fine(31), fine(32)],
  )
  await write(
    { agentId: first, state: 'draft', fileName: '旧系统导出-南山.xlsx', createdAt: ago(demo, 0.2) },
    DRAFT,
  )
  await client.query(`select setval(pg_get_serial_sequence('shop_imports', 'id'), max(id)) from shop_imports`)
  await client.query(
    `select setval(pg_get_serial_sequence('shop_import_rows', 'id'), max(id)) from shop_import_rows`,
  )
}

function doneWith(
  agentId: number,
  brought: Shop,
): [Partial<Import> & Pick<Import, 'agentId' | 'state' | 'createdAt'>, Brought[]] {
  const at = brought.registered_at.toISOString()
  const cells = cellsOf(brought)
  return [
    {
      agentId,
      state: 'done',
      fileName: `${brought.shop_name}等.xlsx`,
      createdBy: Number(brought.by_id),
      createdByName: brought.by_name,
      createdAt: at,
      startedBy: Number(brought.by_id),
      startedByName: brought.by_name,
      startedAt: at,
      finishedAt: at,
      created: 1,
      failed: 1,
      skipped: 1,
      totalCents: Number(brought.total_cents),
    },
    [
      {
        cells,
        form: formOf(cells),
        state: 'created',
        merchantId: Number(brought.id),
        orderNo: brought.order_no,
        totalCents: Number(brought.total_cents),
      },
      { ...fine(40), state: 'failed', problem: '账号已存在' },
      {
        ...wrong(41, { account: '' }, { column: 'account', message: '请输入账号' }),
        skip: true,
        state: 'skipped',
      },
    ],
  ]
}

/** One that was wrong: its shop is nowhere any more. */
function takenBack(agentId: number, brought: Shop): ReturnType<typeof doneWith> {
  const [done] = doneWith(agentId, brought)
  return [
    {
      ...done,
      state: 'rolledBack',
      active: false,
      fileName: '旧表格.xlsx',
      failed: 0,
      skipped: 0,
      takenBack: 1,
      rollBackBy: done.createdBy ?? null,
      rollBackByName: done.createdByName ?? '',
      rollBackReason: '表格拿错了',
      rollBackAt: done.createdAt,
    },
    [{ ...fine(42), state: 'rolledBack', totalCents: done.totalCents ?? 0 }],
  ]
}

function cellsOf(brought: Shop): Cells {
  const known: Cells = {
    shopName: brought.shop_name,
    shortName: [...brought.shop_name].slice(0, 8).join(''),
    personName: brought.person_name,
    account: brought.account,
  }
  return Object.fromEntries(
    CELL_KEYS.filter(key => key in known || COLUMNS[key].required).map(key => [
      key,
      known[key] ?? COLUMNS[key].example,
    ]),
  )
}
