// Demo rows of threads: what shops said in the last weeks, with pictures, and what came of it, in every state.
import { DEMO_AGENTS, demoOwner, demoStaff, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { makeRandom } from '#kit/random.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { messageRow, threadRow } from './rows.ts'
import { closedText, type Resolution, type Satisfaction, THREAD_PICTURE, titleOf } from './rules.ts'
import { threadMessages, threadPictures, threads } from './tables.ts'

const screenOf = (accent: string, lines: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480"><rect width="720" height="480" fill="#eef1f6"/>
<rect width="720" height="56" fill="#263244"/><rect x="24" y="18" width="180" height="20" rx="4" fill="#8fa3bf"/>
<rect x="24" y="80" width="400" height="376" rx="8" fill="#fff"/><rect x="448" y="80" width="248" height="376" rx="8" fill="#fff"/>
${Array.from({ length: lines }, (_, i) => `<rect x="48" y="${104 + i * 44}" width="${180 + ((i * 67) % 150)}" height="18" rx="4" fill="#c9d2df"/>`).join('')}
<rect x="210" y="190" width="320" height="130" rx="10" fill="#fff" stroke="${accent}" stroke-width="4"/>
<rect x="240" y="220" width="220" height="20" rx="4" fill="${accent}"/><rect x="240" y="260" width="160" height="14" rx="4" fill="#a5b0c0"/></svg>`

type Line = {
  by: 'shop' | 'agent' | 'vendor' | 'note'
  text: string
  hours: number
  pictured?: number
}
type Told = {
  agentId: number
  shop: number
  days: number
  lines: readonly Line[]
  passed?: true
  closed?: { hours: number; rated?: readonly [Satisfaction, Resolution] }
  unread?: true
  assigned?: true
}

const { first, other, below } = DEMO_AGENTS
const TOLD: readonly Told[] = [
  {
    ...{ agentId: first, shop: 0, days: 0.1, unread: true },
    lines: [
      {
        by: 'shop',
        text: '小票打印机突然没有反应，收银台提示「打印机未连接」，客人在排队，请尽快处理',
        hours: 0,
        pictured: 2,
      },
    ],
  },
  {
    ...{ agentId: first, shop: 1, days: 1.2, unread: true, assigned: true },
    lines: [
      { by: 'shop', text: '会员充值之后余额没有增加，截图如下', hours: 0, pictured: 1 },
      { by: 'agent', text: '您好，请提供充值的时间和会员手机号后四位，我们核对一下流水。', hours: 0.6 },
      { by: 'note', text: '流水里有这一笔，可能是缓存没有刷新', hours: 0.9 },
      { by: 'shop', text: '昨天下午三点左右，尾号 8821，充值 500 元', hours: 1.4 },
    ],
  },
  {
    ...{ agentId: first, shop: 2, days: 2.4 },
    lines: [
      { by: 'shop', text: '怎么把两个收银员的交班记录分开看', hours: 0 },
      { by: 'agent', text: '「报表 - 交班记录」右上角可以按收银员筛选，选好后会记住。', hours: 1.1 },
    ],
  },
  {
    ...{ agentId: first, shop: 3, days: 3.5, passed: true },
    lines: [
      { by: 'shop', text: '升级之后收银台点结账会闪退，重启也一样', hours: 0, pictured: 1 },
      { by: 'agent', text: '已收到，正在联系软件厂商排查。', hours: 0.4 },
      { by: 'note', text: '转交厂商：两家店同样的现象，疑似新版本缺陷', hours: 0.5 },
      { by: 'vendor', text: '已定位到问题，与旧款打印机驱动冲突有关，修复版本今晚发布。', hours: 5 },
      { by: 'shop', text: '今天更新了，还是偶尔闪退', hours: 26 },
    ],
  },
  {
    ...{ agentId: first, shop: 5, days: 8, closed: { hours: 9, rated: ['satisfied', 'resolved'] } },
    lines: [
      { by: 'shop', text: '盘点单导入提示格式错误', hours: 0, pictured: 1 },
      { by: 'agent', text: '模板第一行表头被改动了，请下载最新模板后再导入。', hours: 2 },
      { by: 'shop', text: '好了，谢谢', hours: 4 },
    ],
  },
  {
    ...{ agentId: first, shop: 6, days: 15, closed: { hours: 30 } },
    lines: [
      { by: 'shop', text: '想要一个按小时统计的客流报表', hours: 0 },
      { by: 'agent', text: '感谢建议，已列入需求，上线后会通知您。', hours: 6 },
    ],
  },
  {
    ...{ agentId: other, shop: 0, days: 0.3, unread: true, passed: true },
    lines: [
      { by: 'shop', text: '微信收款到账了，但是收银台一直显示支付中', hours: 0, pictured: 1 },
      { by: 'note', text: '转交厂商：支付回调没有到，麻烦查一下', hours: 0.3 },
    ],
  },
  {
    ...{ agentId: other, shop: 1, days: 4, passed: true, assigned: true },
    lines: [
      { by: 'shop', text: '能不能支持一个会员绑定两个手机号', hours: 0 },
      { by: 'note', text: '转交厂商：产品建议', hours: 2 },
      { by: 'vendor', text: '感谢建议，产品同事会评估，有进展会在这里告诉您。', hours: 7 },
    ],
  },
  {
    ...{ agentId: other, shop: 3, days: 11, closed: { hours: 28, rated: ['average', 'unresolved'] } },
    lines: [
      { by: 'shop', text: '打印的小票字太小，老人看不清', hours: 0 },
      { by: 'agent', text: '「设置 - 小票模板」可以选择大字模板。', hours: 20 },
    ],
  },
  {
    ...{
      agentId: other,
      shop: 4,
      days: 21,
      passed: true,
      closed: { hours: 50, rated: ['unsatisfied', 'resolved'] },
    },
    lines: [
      { by: 'shop', text: '换了电脑之后离线订单没有同步上来', hours: 0 },
      { by: 'note', text: '转交厂商：需要后台补传', hours: 3 },
      { by: 'vendor', text: '已帮您补传，请核对营业额。', hours: 46 },
    ],
  },
  {
    ...{ agentId: below, shop: 0, days: 0.8 },
    lines: [
      { by: 'shop', text: '双屏广告怎么换图片', hours: 0 },
      { by: 'agent', text: '「设置 - 客显」上传 1024×768 的图片即可，最多 5 张。', hours: 0.7, pictured: 1 },
    ],
  },
]

/** Above those that older feedback is shown as. */
const FIRST_ID = 1_001

export async function demo(demo: Demo): Promise<void> {
  const drawings: (string | null)[] = []
  for (const [at, told] of TOLD.entries())
    for (const [line, { pictured = 0 }] of told.lines.entries())
      for (let n = 0; n < pictured; n++)
        drawings.push(
          await drawPicture(
            demo,
            screenOf(['#d3412f', '#2f6bd3', '#b4780b'][(at + n) % 3] as string, 4 + line + n),
            {
              ...{ agentId: told.agentId, purpose: THREAD_PICTURE },
              createdBy: demoOwner(demo, told.agentId).id,
              createdAt: ago(demo, told.days),
            },
          ),
        )
  // Of shops that are in use today.
  demo.history.at(demo.now, () => {
    let drawn = 0
    for (const [at, told] of TOLD.entries()) {
      const wanted = told.lines.reduce((sum, { pictured = 0 }) => sum + pictured, 0)
      write(demo, told, FIRST_ID + at, drawings.slice(drawn, drawn + wanted))
      drawn += wanted
    }
  })
}

const OPEN_DAYS = 60

function write(demo: Demo, told: Told, id: number, drawings: (string | null)[]): void {
  const { agentId, days } = told
  const opened = ago(demo, OPEN_DAYS)
  const shop = demoShops(demo).filter(
    one => one.agentId === agentId && one.registeredAt < opened && isInUse(one, demo.now.toISOString()),
  )[told.shop]
  if (!shop) return
  // By chance of its own, so that what else happens in the demo stays as it is.
  const createdAt = workHour({ now: demo.now, random: makeRandom(Math.round(days * 10)) }, days)
  const thread = demo.history.add(
    threads,
    threadRow({
      ...{ id, agentId, merchantId: shop.id as number, createdAt, state: 'awaiting' },
      title: titleOf(told.lines[0]?.text ?? ''),
      ...{ shopName: shop.shopName, account: shop.account, createdByName: shop.personName },
      desk: told.passed ? 'vendor' : 'agent',
      passedAt: told.passed ? later(demo, createdAt, 0.5) : null,
      words: told.lines
        .filter(({ by }) => by !== 'note')
        .map(({ text }) => text)
        .join('\u001f'),
    }),
  )
  const people = { agent: demoOwner(demo, agentId), vendor: demoStaff(demo) }
  const left = [...drawings]
  for (const line of told.lines)
    say(demo, { thread, shop, people, line, pictures: left.splice(0, line.pictured ?? 0) })
  if (told.closed) close(demo, { thread, people, closed: told.closed })
  if (!told.unread) thread.officeSeen = thread.lastShopId ?? 0
  if (told.assigned) {
    const { id: assigneeId, name: assigneeName } = told.passed ? people.vendor : people.agent
    Object.assign(thread, { assigneeId, assigneeName })
  }
}

type Thread = typeof threads.$inferInsert & { id: number }
type People = { agent: Person; vendor: Person }
type Saying = { thread: Thread; shop: DemoShop; people: People; line: Line; pictures: (string | null)[] }

function say(demo: Demo, { thread, shop, people, line, pictures }: Saying): void {
  const { by, text, hours } = line
  const author = by === 'shop' ? null : by === 'vendor' ? people.vendor : people.agent
  const createdAt = later(demo, thread.createdAt, hours)
  const { agentId, merchantId = null } = thread
  const message = demo.history.add(
    threadMessages,
    messageRow({
      ...{ agentId, merchantId, threadId: thread.id, side: by, text, createdAt },
      authorId: author?.id ?? 0,
      authorName: author?.name ?? shop.shopName,
    }),
  )
  const kept = pictures.filter(fileId => fileId !== null)
  for (const [position, fileId] of kept.entries())
    demo.history.add(threadPictures, {
      ...{ messageId: message.id, position, agentId, merchantId, threadId: thread.id, fileId },
    })
  if (by === 'note') return
  const shown = { lastText: titleOf(text), lastAt: createdAt }
  if (by === 'shop')
    Object.assign(thread, {
      ...shown,
      ...{ state: 'awaiting', lastShopId: message.id, shopSeen: thread.lastOfficeId ?? 0 },
      waitingSince: createdAt,
      pictureId: thread.pictureId ?? kept[0] ?? null,
    })
  else
    Object.assign(thread, {
      ...shown,
      ...{ state: 'replied', lastOfficeId: message.id, waitingSince: null, repliedByName: author?.name },
      revision: (thread.revision ?? 0) + 1,
      firstAnsweredAt: thread.firstAnsweredAt ?? createdAt,
    })
  if (by === 'shop') tellOf(demo, thread, people, text, createdAt)
}

function tellOf(demo: Demo, thread: Thread, people: People, text: string, at: string): void {
  const vendor = thread.desk === 'vendor' && (thread.passedAt ?? '') < at
  tell(demo, vendor ? people.vendor : demoOwner(demo, thread.agentId), at, {
    topic: 'FeedBackUserSendMsg',
    title: `${thread.shopName}${thread.lastOfficeId ? '回复' : '提交'}了反馈`,
    body: text,
    link: `/admin/help/${vendor ? 'feedbackList' : 'feedback'}?thread=${thread.id}`,
    args: { threadId: thread.id, merchantId: thread.merchantId ?? null },
  })
}

type Closing = { thread: Thread; people: People; closed: NonNullable<Told['closed']> }

function close(demo: Demo, { thread, people, closed: { hours, rated } }: Closing): void {
  const { agentId, merchantId = null } = thread
  const createdAt = later(demo, thread.createdAt, hours)
  const [satisfaction, resolution] = rated ?? [null, null]
  const message = demo.history.add(
    threadMessages,
    messageRow({
      ...{
        agentId,
        merchantId,
        threadId: thread.id,
        side: 'system',
        createdAt,
        authorName: '系统',
        rates: true,
      },
      ...{ text: closedText(true), satisfaction, resolution },
      ratedAt: rated ? later(demo, createdAt, 1) : null,
    }),
  )
  const by = thread.desk === 'vendor' ? people.vendor : people.agent
  Object.assign(thread, {
    ...{ state: 'closed', lastOfficeId: message.id, waitingSince: null, satisfaction, resolution },
    revision: (thread.revision ?? 0) + 1,
    repliedByName: by.name,
    shopSeen: rated ? message.id : thread.shopSeen,
  })
}
