// Demo rows of the help centre beside the articles that every office has: what changed, a draft, who read what, and how useful it was.
import { DEMO_AGENTS, demoOwner, demoStaff } from '#features/office/access/demo.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo, workHour } from '#server/demo.ts'
import { insertRows } from '#server/insert-rows.ts'
import { article, HELP_ARTICLES, type Part } from './reference.ts'
import { SHIPPED_MOST } from './rules.ts'
import { helpArticles, helpReads, helpVotes } from './tables.ts'

const DRAFT = {
  title: '店铺转给另一家服务商之前要做什么',
  body: '<p>草稿：等流程确定后发布。</p><ul><li><p>核对未用完的短信</p></li><li><p>通知店主新的联系人</p></li></ul>',
  bodyText: '草稿：等流程确定后发布。\n核对未用完的短信\n通知店主新的联系人',
}

const VIDEO = {
  title: '三分钟看懂续费工作台',
  videoUrl: 'https://video.example.com/renewals',
  body: '<p>从今天要联系的商户开始，到批量续费结束。视频里的步骤与「用续费工作台跟进到期商户」一致。</p>',
  bodyText: '从今天要联系的商户开始，到批量续费结束。视频里的步骤与「用续费工作台跟进到期商户」一致。',
}

type Voted = readonly [articleId: number, agentId: number, useful: boolean, days: number, comment: string]
const { first, other, below } = DEMO_AGENTS
const VOTES: readonly Voted[] = [
  [2, first, true, 12, ''],
  [2, other, true, 30, '按步骤一次办好了'],
  [8, first, true, 5, ''],
  [8, below, false, 9, '审批要等多久没有写'],
  [7, other, true, 21, ''],
  [11, first, false, 3, '希望配图'],
  [15, other, true, 17, ''],
]

const release = (id: number, version: string, releasedOn: string, title: string, parts: readonly Part[]) =>
  article(
    { id, kind: 'release', version, releasedOn, title, publishedAt: `${releasedOn}T02:00:00.000Z` },
    parts,
  )

/** A fresh office has none: it tells of its own. */
export const RELEASES = [
  release(21, '2026.3', '2026-03-02', '收款与短信', [
    '新增：短信余额扫码充值，二维码过期自动刷新。',
    '新增：短信发送记录、异常短信与余量预测。',
    '新增：首页图表与消息中心，到账、审核结果即时提醒。',
  ]),
  release(22, '2026.2', '2026-02-02', '订单与结算', [
    '新增：批量续费、硬件商城、月度对账单。',
    '改进：列表支持自定义列、保存视图与后台导出。',
  ]),
  release(23, '2026.1', '2026-01-05', '商户管理', [
    '新增：新增商户、版本购买、增值服务与短信套餐。',
    '改进：商户列表支持高级筛选和双击复制。',
  ]),
]

export async function demo(demo: Demo): Promise<void> {
  const staff = demoStaff(demo)
  demo.history.at(ago(demo, 4), updatedAt => {
    demo.history.add(helpArticles, {
      id: SHIPPED_MOST + 1,
      ...{ kind: 'flow', state: 'draft', categoryId: 1, ...DRAFT, updatedAt },
      createdByName: staff.name,
      updatedByName: staff.name,
    })
  })
  demo.history.at(ago(demo, 25), updatedAt => {
    demo.history.add(helpArticles, {
      id: SHIPPED_MOST + 2,
      ...{ kind: 'video', state: 'published', categoryId: 1, ...VIDEO, updatedAt },
      publishedAt: updatedAt,
      createdByName: staff.name,
      updatedByName: staff.name,
    })
  })
  for (const [articleId, agentId, useful, days, comment] of VOTES) {
    const { id: accountId, name: accountName } = demoOwner(demo, agentId)
    demo.history.at(workHour(demo, days), votedAt => {
      demo.history.add(helpVotes, { articleId, agentId, accountId, accountName, useful, comment, votedAt })
    })
  }
  for (const agentId of [first, other, below])
    for (const { id, kind } of HELP_ARTICLES) {
      const days = 2 + demo.random.next() * 60
      if (kind === 'release' || demo.random.next() < 0.4 || id === undefined) continue
      const { id: accountId } = demoOwner(demo, agentId)
      demo.history.at(ago(demo, days), at => {
        demo.history.add(helpReads, { articleId: id, agentId, accountId, lastOn: formatDay(at) })
      })
    }
}

/** What is counted of them. */
export async function afterwards({ client }: Demo): Promise<void> {
  await insertRows(client, helpArticles, RELEASES)
  await client.query(
    `update help_articles a set
       views = (select count(*) from help_reads r where r.article_id = a.id),
       useful_votes = (select count(*) from help_votes v where v.article_id = a.id and useful),
       useless_votes = (select count(*) from help_votes v where v.article_id = a.id and not useful)`,
  )
}
