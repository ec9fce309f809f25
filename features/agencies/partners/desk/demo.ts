// Demo rows of what staff wrote about partners and keep of theirs. The papers are drawn here and say that they are examples.
import { DEMO_AGENTS, demoOperator, demoOwner, demoStaff } from '#features/office/access/demo.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo, drawPdf, drawPicture } from '#server/demo.ts'
import { PAPER_FILE, type PaperKind } from './rules.ts'
import { partnerNotes, partnerPapers } from './tables.ts'

const NOTES: readonly [agentId: number, days: number, text: string][] = [
  [DEMO_AGENTS.first, 90, '季度回访：主要做餐饮和烘焙，计划明年在东莞再开一个网点。'],
  [DEMO_AGENTS.first, 21, '反馈续费提醒短信很有用，希望可以自定义文字。已转产品。'],
  [DEMO_AGENTS.other, 6, '合同下月到期，已电话沟通续签，对方在走内部审批。'],
]

/** Of the partners' demo: it is suspended. */
const SUSPENDED = 106

/** A licence without a word on it, as a picture taken with a phone. */
const LICENCE = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="510"><rect width="720" height="510" fill="#fbf8ee"/>
<rect x="18" y="18" width="684" height="474" fill="none" stroke="#b8945a" stroke-width="6"/>
<rect x="240" y="64" width="240" height="36" fill="#8a6d3b"/>${[140, 184, 228, 272, 316]
  .map((y, i) => `<rect x="84" y="${y}" width="${500 - i * 44}" height="14" fill="#d8cfb8"/>`)
  .join('')}<circle cx="560" cy="398" r="54" fill="none" stroke="#c0392b" stroke-width="7"/></svg>`

export async function demo(demo: Demo): Promise<void> {
  const by = demoStaff(demo)
  for (const [agentId, days, text] of NOTES)
    demo.history.add(partnerNotes, {
      agentId,
      text,
      createdBy: by.id,
      createdByName: by.name,
      createdAt: ago(demo, days),
    })
  const paper = async (
    of: { agentId: number; kind: PaperKind; name: string; days: number },
    term?: string,
  ) => {
    const { days, ...row } = of
    const createdAt = ago(demo, days)
    const sealed = true as const
    const uploaded = { agentId: by.agentId, purpose: PAPER_FILE, createdBy: by.id, createdAt, sealed }
    const fileId =
      term === undefined
        ? await drawPicture(demo, LICENCE, uploaded)
        : await drawPdf(demo, contractOf(demo, of, term), uploaded)
    if (fileId !== null)
      demo.history.add(partnerPapers, { ...row, fileId, createdBy: by.id, createdByName: by.name, createdAt })
  }
  const year = `${formatDay(ago(demo, 345))} 至 ${formatDay(ago(demo, -20))}`
  await paper({ agentId: DEMO_AGENTS.first, kind: 'licence', name: '营业执照（示例）', days: 890 })
  await paper({ agentId: SUSPENDED, kind: 'licence', name: '营业执照（示例）', days: 299 })
  await paper({ agentId: DEMO_AGENTS.first, kind: 'contract', name: '合作协议（示例）', days: 889 }, '长期')
  await paper({ agentId: DEMO_AGENTS.other, kind: 'contract', name: '合作协议（示例）', days: 344 }, year)
}

/** A contract that cannot be taken for one. */
function contractOf(demo: Demo, { agentId, days }: { agentId: number; days: number }, term: string) {
  const clauses = [
    '乙方在约定的期限内销售甲方的软件版本和增值服务。',
    '乙方按甲方公布的价格和等级折扣，用预存的代币支付。',
    '乙方为其商户提供安装、培训和日常服务。',
    '任一方提前 30 天书面通知，可终止合作。',
  ]
  return {
    title: '合作协议（示例文件）',
    facts: [
      ['甲方', demoOperator(demo).company],
      ['乙方', demoOwner(demo, agentId).company],
      ['合同编号', `示例-${agentId}`],
      ['签订日期', formatDay(ago(demo, days))],
      ['合作期限', term],
      ['用途', '演示数据，不具有法律效力'],
    ] as const,
    tables: [
      {
        title: '条款',
        columns: [
          { header: '条', width: 1 },
          { header: '内容', width: 9 },
        ],
        rows: clauses.map((text, index) => ({ cells: [String(index + 1), text] })),
        note: '本文件由演示程序生成，公司、编号和条款均为虚构。',
      },
    ],
  }
}
