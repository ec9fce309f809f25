// Demo rows of demands: in each status, type and client, with shops that asked, a duplicate, relations and what was said.
import { demoOperator, demoStaff, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type DemoShop, demoShops } from '#features/sales/selling/demo.ts'
import { makeRandom } from '#kit/random.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import {
  type Client,
  DEMAND_PICTURE,
  type DemandType,
  PRIORITIES,
  type Priority,
  STATUSES,
  type Status,
  weightRank,
} from './rules.ts'
import {
  demandEvents,
  demandPictures,
  demandRelations,
  demandSources,
  demandSubscribers,
  demands,
} from './tables.ts'

type Told = {
  title: string
  path: string
  status: Status
  type: DemandType
  client: Client
  priority: Priority
  /** Days ago, and until its deadline from now. */
  days: number
  due?: number
  /** How many shops asked. */
  shops: number
  said: string
  byStaff?: true
  pictured?: true
  mergedInto?: number
  deleted?: true
}

/** What a shop says in a thread of the demo, of which the last one is made. */
const ASKED = '能不能支持一个会员绑定两个手机号'

/** In the order of their numbers. */
const TOLD: readonly Told[] = [
  {
    ...{ title: '小票打印偶尔缺最后一行', path: '收银/结账/打印小票', status: 'developing', type: 'bug' },
    ...{ client: 'pcGreen', priority: 'critical', days: 24, due: 6, shops: 5, pictured: true },
    said: '<p>58 毫米纸，商品超过 12 行时最后一行不打印。</p><ol><li>加 13 个商品</li><li>现金结账</li><li>看小票底部</li></ol>',
  },
  {
    ...{ title: '会员储值支持按门店限制', path: '会员/储值/规则', status: 'toSchedule', type: 'requirement' },
    ...{ client: 'pcWeb', priority: 'major', days: 61, due: 30, shops: 8 },
    said: '<p>连锁总部希望储值只能在<strong>本店和直营店</strong>使用，加盟店不能用。</p>',
  },
  {
    ...{ title: '盘点单导出带条码', path: '库存/盘点', status: 'feedbacked', type: 'improvement' },
    ...{ client: 'pcBlue', priority: 'normal', days: 2.2, shops: 1 },
    said: '<p>导出的盘点单没有条码列，核对不方便。</p>',
  },
  {
    ...{ title: '手持机扫码后自动对焦太慢', path: '收银/扫码', status: 'testing', type: 'improvement' },
    ...{ client: 'android', priority: 'minor', days: 33, due: -3, shops: 2 },
    said: '<p>第二次扫码要等 2 秒左右。</p>',
  },
  {
    ...{ title: 'iPad 横屏下结账按钮被遮住', path: '收银/结账', status: 'online', type: 'bug' },
    ...{ client: 'ios', priority: 'major', days: 75, due: -20, shops: 3 },
    said: '<p>横屏时底部的结账按钮只露出一半。</p>',
  },
  {
    ...{ title: '小程序点单支持备注口味', path: '小程序/点单', status: 'online', type: 'requirement' },
    ...{ client: 'miniProgram', priority: 'major', days: 96, due: -40, shops: 6 },
    said: '<p>少糖、去冰、加珍珠等，后厨小票也要打印。</p>',
  },
  {
    ...{ title: '微商城首页改版', path: '微商城/首页', status: 'postponed', type: 'improvement' },
    ...{ client: 'microMall', priority: 'normal', days: 140, shops: 1, byStaff: true },
    said: '<p>等支付页面上线后再做。</p>',
  },
  {
    ...{ title: '代理商平台批量导入商户', path: '商户管理/导入', status: 'feedbacked', type: 'requirement' },
    ...{ client: 'agentPlatform', priority: 'major', days: 9, due: 45, shops: 1, byStaff: true },
    said: '<p>代理商从别的系统带过来几百家店，一家一家加太慢。</p>',
  },
  {
    ...{ title: '官网价格页和后台价格不一致', path: '官网/价格', status: 'rejected', type: 'bug' },
    ...{ client: 'website', priority: 'minor', days: 52, shops: 1, byStaff: true },
    said: '<p>官网展示的是零售价，按设计如此。</p>',
  },
  {
    ...{ title: '新员工培训视频按岗位分', path: '商学院/课程', status: 'toSchedule', type: 'scenario' },
    ...{ client: 'academy', priority: 'normal', days: 18, shops: 1, byStaff: true },
    said: '<p>店长、收银、库管看的内容不一样，希望按岗位列出要看的课程。</p>',
  },
  {
    ...{ title: '午市高峰先点单后付款', path: '收银/桌台', status: 'feedbacked', type: 'scenario' },
    ...{ client: 'pcWeb', priority: 'minor', days: 5.4, shops: 2 },
    said: '<p>客人先吃后付，一桌会加两三次菜，希望一次结清并能拆单。</p>',
  },
  {
    ...{ title: '小票最后一行没打出来', path: '收银/打印', status: 'feedbacked', type: 'bug' },
    ...{ client: 'pcGreen', priority: 'major', days: 11, shops: 2, mergedInto: 1 },
    said: '<p>和之前反馈的一样。</p>',
  },
  {
    ...{ title: '测试需求，请忽略', path: '', status: 'feedbacked', type: 'bug' },
    ...{ client: 'pcWeb', priority: 'normal', days: 3, shops: 1, byStaff: true, deleted: true },
    said: '',
  },
  {
    ...{ title: '一个会员绑定两个手机号', path: '会员/资料', status: 'toSchedule', type: 'requirement' },
    ...{ client: 'pcWeb', priority: 'normal', days: 3.6, shops: 1, byStaff: true },
    said: `<p>${ASKED}</p>`,
  },
]

const RECEIPT = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="520"><rect width="360" height="520" fill="#f4f6fa"/>
  <rect x="48" y="24" width="264" height="440" fill="#fff"/>${[0, 1, 2, 3, 4, 5, 6, 7, 8]
    .map(i => `<rect x="72" y="${56 + i * 40}" width="${120 + ((i * 31) % 60)}" height="12" fill="#39424e"/>`)
    .join(
      '',
    )}<rect x="72" y="416" width="216" height="20" fill="none" stroke="#c5282f" stroke-width="4"/></svg>`

export async function demo(demo: Demo): Promise<void> {
  const staff = demoStaff(demo)
  const pictureId = await drawPicture(demo, RECEIPT, {
    ...{ agentId: staff.agentId, purpose: DEMAND_PICTURE, createdBy: staff.id },
    createdAt: ago(demo, 24),
  })
  demo.history.at(demo.now, () => {
    const shops = demoShops(demo)
    for (const [at, told] of TOLD.entries()) add(demo, { told, at, shops, pictureId })
    demo.history.add(demandRelations, { demandId: 2, otherId: 8, kind: 'blocks' })
    demo.history.add(demandRelations, { demandId: 3, otherId: 2, kind: 'partOf' })
    // What the demo's partners told begins with 1.
    demo.history.add(demandSources, {
      ...{ demandId: 8, kind: 'feedback', feedbackId: 1, createdByName: staff.name },
      askedAt: worked(demo, 10),
    })
  })
}

/** In working hours, by chance of its own, so that what else happens in the demo stays as it is. */
const worked = ({ now }: Demo, days: number) =>
  workHour({ now, random: makeRandom(Math.round(days * 10)) }, days)

type Made = { told: Told; at: number; shops: readonly DemoShop[]; pictureId: string | null }

function add(demo: Demo, { told, at, shops, pictureId }: Made): void {
  const by = told.byStaff ? demoStaff(demo) : demoOperator(demo)
  const owner = at % 4 === 3 ? demoOperator(demo) : demoStaff(demo)
  const asking = Array.from({ length: told.shops }, (_, n) => shops[(at * 7 + n * 5) % shops.length]).filter(
    (shop, n, all): shop is DemoShop => shop !== undefined && all.indexOf(shop) === n,
  )
  const [first] = asking
  if (!first) return
  const createdAt = worked(demo, told.days)
  const picture = told.pictured && pictureId ? `<img src="/api/files/${pictureId}" alt="小票">` : ''
  const weighed = { shops: asking.length, renewalCents: 0, oldestAskedAt: createdAt }
  const demand = demo.history.add(demands, {
    ...{ title: told.title, path: told.path, status: told.status, type: told.type, client: told.client },
    ...{ priority: told.priority, merchantId: first.id, ownerId: owner.id, industryId: first.industryId },
    ...{ createdAt, createdBy: by.id, createdByName: by.name },
    ...{ ...weighed, weightRank: weightRank({ ...weighed, status: told.status }) },
    deadline: told.due === undefined ? null : ago(demo, -told.due),
    description: told.said + picture,
    descriptionText: told.said.replace(/<[^>]+>/g, ' ').trim(),
    mergedIntoId: told.mergedInto ?? null,
    ...(told.mergedInto && { mergedAt: later(demo, createdAt, 20), mergedByName: owner.name }),
    deletedAt: told.deleted ? later(demo, createdAt, 3) : null,
    deletedByName: told.deleted ? by.name : '',
  })
  const { id } = demand
  if (picture && pictureId) demo.history.add(demandPictures, { demandId: id, fileId: pictureId })
  const ask = (demandId: number) =>
    asking.map(
      (shop, n) =>
        demo.history.add(demandSources, {
          ...{ demandId, kind: 'shop', merchantId: shop.id, createdByName: by.name },
          askedAt: n === 0 ? createdAt : worked(demo, Math.max(0, told.days - n * 2)),
          toldAt: told.status === 'online' ? later(demo, createdAt, 30 * 24) : null,
        }).id,
    )
  ask(id)
  if (told.mergedInto)
    demand.mergeUndo = {
      ...{ sources: ask(told.mergedInto), asked: [], followers: [], relations: { left: [], came: [] } },
    }
  for (const person of new Set([by, owner]))
    demo.history.add(demandSubscribers, { demandId: id, accountId: person.id })
  talk(demo, { id, told, by, owner, createdAt })
}

type Talk = { id: number; told: Told; by: Person; owner: Person; createdAt: string }

function talk(demo: Demo, { id, told, by, owner, createdAt }: Talk): void {
  const event = (who: Person, hours: number, more: object) =>
    demo.history.add(demandEvents, {
      ...{
        demandId: id,
        createdBy: who.id,
        createdByName: who.name,
        createdAt: later(demo, createdAt, hours),
      },
      ...more,
    })
  event(by, 0, {
    title: '新建了需求',
    changes: [
      { name: '任务标题', before: null, after: told.title },
      { name: '优先级', before: null, after: PRIORITIES[told.priority] },
    ],
  })
  if (told.status === 'feedbacked') return
  const other =
    by === owner ? (owner.id === demoStaff(demo).id ? demoOperator(demo) : demoStaff(demo)) : owner
  event(other, 26, { text: `@${by.name} 已和商户确认过，可以复现。` })
  event(owner, 48, {
    title: '修改了需求',
    changes: [{ name: '进度', before: STATUSES.feedbacked, after: STATUSES[told.status] }],
  })
  tell(demo, by, later(demo, createdAt, 48), {
    topic: 'Demand_Notify',
    title: `需求${STATUSES[told.status]}`,
    body: `「${told.title}」由${STATUSES.feedbacked}改为${STATUSES[told.status]}`,
    link: `/admin/demandForm?id=${id}`,
    args: { demandId: id },
  })
}

/** The thread and the demand that staff made of it say so of each other; the shop of the one is the other's. */
const MADE_OF_THREAD = `
  with thread as (
    select t.id, t.agent_id, t.merchant_id, t.created_at, t.last_at, m.industry_id, d.id as demand_id, d.title as demand_title,
      d.created_at as made_at, d.created_by, d.created_by_name
    from threads t join merchants m on m.id = t.merchant_id, demands d
    where t.title = $1 and t.kind = 'shop' and d.id = (select max(id) from demands)),
  of_shop as (
    update demands d set merchant_id = t.merchant_id, industry_id = t.industry_id from thread t where d.id = t.demand_id),
  asked as (
    update demand_sources s set merchant_id = t.merchant_id from thread t where s.demand_id = t.demand_id),
  said as (
    insert into demand_sources (demand_id, kind, thread_id, merchant_id, asked_at, created_by_name)
    select demand_id, 'thread', id, merchant_id, created_at, created_by_name from thread)
  insert into thread_messages (agent_id, merchant_id, thread_id, side, text, author_id, author_name, created_at)
  select agent_id, merchant_id, id, 'note', '已转为需求「' || demand_title || ' (' || demand_id || ')」', created_by, created_by_name,
    greatest(made_at, last_at) from thread`

/** What the shops that asked are worth is known once all shops are there. */
export async function afterwards({ client }: Demo): Promise<void> {
  await client.query(MADE_OF_THREAD, [ASKED])
  const { rows } = await client.query<{
    id: string
    shops: number
    cents: string
    oldest: Date
    status: Status
  }>(
    `select d.id, d.status, count(distinct s.merchant_id)::int as shops, min(s.asked_at) as oldest,
       coalesce(sum(price_at('version', m.version_id, 'year', now()) * greatest(1, m.shops_bought
           - (select count(*) from merchants branch where branch.head_id = m.id and branch.agent_id = m.agent_id))
         * discount_at(a.id, a.level_id, 'version', now()) / 10000)
         filter (where m.expires_at between now() and now() + interval '12 months'), 0)::bigint as cents
     from demands d join demand_sources s on s.demand_id = d.id left join merchants m on m.id = s.merchant_id and s.kind = 'shop'
       left join agents a on a.id = m.agent_id group by d.id`,
  )
  for (const { id, shops, cents, oldest, status } of rows) {
    const weighed = { shops, renewalCents: Number(cents), oldestAskedAt: oldest.toISOString() }
    await client.query(
      'update demands set shops = $2, renewal_cents = $3, oldest_asked_at = $4, weight_rank = $5 where id = $1',
      [id, shops, cents, weighed.oldestAskedAt, weightRank({ ...weighed, status })],
    )
  }
}
