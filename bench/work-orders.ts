// Work orders at 100,000: one agency's list, that of all agencies and their counts through the app's role and row-level security against
// the same statements as the owner. npm run bench -- work-orders [orders]; a database of its own under DATA_DIR.
import { compare, inOwnOffice, wanted } from './office.ts'
import { recordStatements } from './statements.ts'

const ORDERS = 100_000
const CALLS = 40

const words = (list: readonly string[]) => `(array[${list.map(word => `'${word}'`).join(',')}])`
/** Every fifth is of the demo's first agent, so that one agency has many. */
const FILL = `
  insert into work_orders (agent_id, merchant_id, shop_name, kind, urgency, title, state, created_by, created_by_name, assignee_id, assignee_name,
      due_at, pressing_at, last_text, last_at, words, created_at)
    select p.agent_id, m.id, coalesce(m.shop_name, ''), ${words(['fault', 'setup', 'data', 'payment', 'hardware', 'other'])}[1 + n % 6],
      ${words(['normal', 'urgent', 'critical'])}[1 + n % 3],
      '测算工单' || n || substr('收银打印会员库存储值盘点扫码对账报表', n % 14 + 1, 5),
      ${words(['new', 'working', 'waiting', 'done', 'closed', 'closed', 'closed'])}[1 + n / 5 % 7], p.id, p.name,
      case when n % 3 > 0 then s.id end, case when n % 3 > 0 then s.name else '' end, at + interval '1 day', at + interval '1 day',
      '第' || n || '次联系', at, '联系', at
    from generate_series(1, $1::int) n
      cross join lateral (select now() - n * interval '9 minutes' as at) as timed
      cross join (select array_agg(id order by login_name <> '20001', id) as ids from accounts
        where is_owner and agent_id in (select agent_id from merchants)) as owners
      join accounts p on p.id = owners.ids[case when n % 5 = 0 then 1 else 1 + n % cardinality(owners.ids) end]
      left join lateral (select id, shop_name from merchants where agent_id = p.agent_id order by id limit 1) m on true
      cross join lateral (select id, name from accounts where login_name = '10090') s`

const OF_STAFF = [
  '/api/work-orders/all',
  '/api/work-orders/all?page=200&size=50',
  '/api/work-orders/all?state=new',
  '/api/work-orders/all?mine=true',
  '/api/work-orders/all?overdue=true',
  '/api/work-orders/all?search=测算工单777',
  '/api/work-orders/all?search=盘点扫码',
]
const OF_AGENCY = [
  '/api/work-orders',
  '/api/work-orders?state=closed',
  '/api/work-orders?search=测算工单777',
  '/api/work-orders?page=100',
]

export function measureWorkOrders(): Promise<void> {
  return inOwnOffice('work-orders', async ({ owner, logIn, ask }) => {
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from work_orders')
    if ((rows[0]?.n ?? 0) < wanted(ORDERS)) await owner.query(FILL, [wanted(ORDERS)])
    await owner.query('vacuum analyze work_orders')
    for (const [login, addresses] of [
      ['10090', OF_STAFF],
      ['20001', OF_AGENCY],
    ] as const) {
      const cookie = await logIn(login)
      for (const address of addresses) {
        const call = () => ask(encodeURI(address), cookie)
        await call()
        const { sent } = await recordStatements(call)
        const plain = async () => {
          for (const { text, values } of sent) await owner.query(text, values)
        }
        await compare(`work orders of ${login} ${address}`, CALLS, call, plain)
      }
    }
  })
}
