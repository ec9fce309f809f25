import type { Effect } from '#providers/simulator.ts'
import type { Services } from '#server/ctx.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { startOutside } from '#test/outside.ts'
import { type Change, type Desk, type FeatureWalk, own } from '#test/walk-types.ts'
import type { ClearingState } from './rules.ts'
import { workOnClearings } from './server-work.ts'

const reason = '客户要求'

type Made = {
  id: number
  shop: number
}

/** A clearing as it stands in some state; asked for by account 0, so that anybody may decide. */
export async function makeClearing(
  office: Office,
  agentId: number,
  state: ClearingState,
  more: { shopName?: string; shop?: number } = {},
): Promise<Made> {
  const { shopName = '测试店铺' } = more
  const shop = more.shop ?? (await makeMerchant(office, agentId, { shop_name: shopName }))
  const isEmptied = state === 'emptied'
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into table_clearings (agent_id, merchant_id, shop_name, table_key, table_name, state, rows, reason, asked_by, asked_by_name,
       asked_at, waiting_since, look_at, backup_id, expires_at)
     values ($1, $2, $3, 'members', '会员', $4, 1200, $5, 0, $3, now(), $6, now() + interval '1 hour', $7, $8) returning id`,
    [
      ...[agentId, shop, shopName, state, reason],
      state === 'waiting' ? new Date().toISOString() : null,
      isEmptied ? 'bk_of_a_test' : null,
      isEmptied ? new Date(Date.now() + 86_400_000).toISOString() : null,
    ],
  )
  return { id: Number(rows[0]?.id), shop }
}

/** A step that the operator takes with a clearing in this state, and that is refused in another. */
function step(
  desk: Desk,
  state: ClearingState,
  wrong: ClearingState,
  more: Record<string, unknown> = {},
): Change {
  return {
    async accepted() {
      const { id, shop } = await makeClearing(desk.office, desk.partner.id, state)
      return desk.asOperator({ id, ...more }, `测试店铺 (${shop})`)
    },
    refused: {
      input: async () => ({ id: (await makeClearing(desk.office, desk.partner.id, wrong)).id, ...more }),
      code: 'STEP_NOT_NOW',
    },
  }
}

const NOT_FOUND = ['NOT_FOUND']
const theirs = (more: Record<string, unknown> = {}) => [
  {
    as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.tableClearing, ...more }),
    expect: NOT_FOUND,
  },
]

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const shop = a.shops[0] ?? 0
    const { id } = await makeClearing(office, a.id, 'waiting', { shopName: '甲方专有', shop })
    return { tableClearing: id }
  },
  attempts: {
    'tableClearing.find': [
      { as: ({ a }) => ({ search: String(a.shops[0]) }), expect: 'own' },
      { as: ({ a }) => ({ search: String(a.shop.account) }), expect: 'own' },
    ],
    'tableClearing.tables': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: NOT_FOUND }],
    'tableClearing.list': [own(), { as: ({ a }) => ({ agentId: a.id }), expect: 'empty' }],
    'tableClearing.list (file)': [own()],
    'tableClearing.details': theirs(),
    'tableClearing.ask': [
      {
        as: ({ a }) => ({
          merchantId: a.shops[0],
          table: 'products',
          tableName: '商品',
          rows: 5,
          shopName: a.shop.shopName,
          reason,
        }),
        expect: NOT_FOUND,
      },
    ],
    'tableClearing.approve': theirs({ rows: 1_200 }),
    'tableClearing.reject': theirs({ decision: reason }),
    'tableClearing.cancel': theirs(),
    'tableClearing.restore': theirs({ reason }),
  },
  scoped: [
    'tableClearing.find',
    'tableClearing.list',
    'tableClearing.details',
    'tableClearing.ask',
    'tableClearing.approve',
    'tableClearing.reject',
    'tableClearing.cancel',
    'tableClearing.restore',
  ],
  withoutService: { 'tableClearing.tables': 'POS_NOT_CONNECTED' },
  reads: desk => ({
    'tableClearing.details': async () => ({
      id: (await makeClearing(desk.office, desk.partner.id, 'waiting')).id,
    }),
  }),
  changes: desk => {
    const asked = async (typed = '测试店铺') => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const table = { table: 'products', tableName: '商品', rows: 5 }
      return desk.asOperator({ merchantId, ...table, shopName: typed, reason }, `测试店铺 (${merchantId})`)
    }
    return {
      'tableClearing.ask': {
        accepted: () => asked(),
        refused: { input: async () => (await asked('另一家店铺')).input, code: 'NAME_WRONG' },
      },
      'tableClearing.approve': step(desk, 'waiting', 'refused', { rows: 1_200 }),
      'tableClearing.reject': step(desk, 'waiting', 'emptied', { decision: reason }),
      'tableClearing.cancel': step(desk, 'waiting', 'emptied'),
      'tableClearing.restore': step(desk, 'emptied', 'restored', { reason }),
      'tableClearing.list (file)': {
        accepted: async () => desk.asOperator({}, '清空记录'),
        refused: { input: () => ({ state: '状态' }), code: 'INPUT_INVALID' },
      },
    }
  },
}

export const SHOP_NAME = '深圳老张面馆'
export type ShopTable = 'members' | 'products' | 'sales' | 'storedValue'

export type ClearingDesk = Awaited<ReturnType<typeof openClearingDesk>>

/** `first` and `second` (李四) are of the staff, `partner` has the shops. */
export async function openClearingDesk() {
  const outside = await startOutside()
  const office = await openOffice({ providers: outside.providers })
  const staff = await makeAgent(office, { staff: true })
  const colleague = await makeAccount(office, staff.id, { isOwner: true })
  await office.owner.query(`update accounts set name = '李四' where id = $1`, [colleague.accountId])
  const agent = await makeAgent(office)
  const [first, second, partner] = [
    office.as(await office.login(staff.loginName)),
    office.as(await office.login(colleague.loginName)),
    office.as(await office.login(agent.loginName)),
  ]
  const { pos } = outside.simulators
  const details = (id: number) => first.tableClearing.details({ id })
  const shop = () => makeMerchant(office, agent.id, { shop_name: SHOP_NAME })

  /** One step of whatever waits, also of what would be asked again later. */
  async function look(services: Services = office.app.services): Promise<boolean> {
    await office.owner.query('update table_clearings set look_at = now() - make_interval(secs => 1)')
    return workOnClearings(services)
  }

  async function work(looks = 40): Promise<void> {
    for (let done = 0; done < looks; done++) if (!(await look())) return
  }

  async function ask(who: Client, merchantId: number, table: ShopTable, more: object = {}) {
    const { tables } = await who.tableClearing.tables({ merchantId })
    const { name, rows } = tables.find(({ key }) => key === table) ?? { name: '', rows: 0 }
    const input = { merchantId, table, tableName: name, rows, shopName: SHOP_NAME, reason: '客户要求' }
    return who.tableClearing.ask({ ...input, ...more })
  }

  return {
    ...{ outside, office, staff, first, second, partner, shop, details, look, work, ask },
    books: pos.books,
    fault: (match: string, effect: Effect, times = 1) => pos.control.faults.push({ match, times, effect }),
    noFaults: () => {
      pos.control.faults.length = 0
    },
    rows: <R>(sql: string, ...values: unknown[]) =>
      office.owner.query<R & Record<string, unknown>>(sql, values).then(answer => answer.rows),

    /** Asked for and done; a shop's members are fewer than a second person is asked for. */
    async emptied(table: ShopTable = 'members') {
      const merchantId = await shop()
      const count = pos.books.countOf(merchantId, table)
      const { id } = await ask(first, merchantId, table)
      await work()
      return { id, merchantId, count }
    },

    async stepTo(id: number, state: string): Promise<void> {
      while ((await details(id)).state !== state)
        if (!(await look())) throw new Error(`clearing ${id} never is ${state}`)
    },

    async stop() {
      await office.stop()
      await outside.stop()
    },
  }
}
