// Demo data of the settlement centre: undos that needed a second person, and tokens handed to agents below.
import { demoNo, post } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoOperator, demoOwner, demoSeller, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { officeSettings } from '#features/office/reference-data/tables.ts'
import { type DemoPurchase, demoPurchases, undoPurchase } from '#features/sales/purchases/demo.ts'
import { ago, type Demo, kept, workHour } from '#server/demo.ts'
import {
  allocatedWords,
  decidedWords,
  PENDING_REQUESTS,
  REQUEST_CLOSED,
  requestedWords,
  UNDO_REQUEST_DAYS,
} from './rules.ts'
import { undoRequests } from './tables.ts'

const APPROVAL_CENTS = 110_000
const { first, below, fresh } = DEMO_AGENTS

const ALLOCATED: [days: number, agentId: number, tokens: number, remark: string][] = [
  [480, below, 3_000, '首批额度'],
  [290, below, 4_000, '季度额度'],
  [150, below, 2_500, ''],
  [100, fresh, 1_500, '开业支持'],
  [42, below, 3_000, '硬件备货'],
  [16, fresh, 800, '续拨'],
]

/** Days ago, and how they were decided. */
const REQUESTS = [
  [345, '客户要求退款', 'expired'],
  [185, '客户买错版本', 'approved'],
  [31, '客户想换按年版本', 'rejected'],
  [3, '店铺转让，新老板不需要', 'pending'],
] as const
type Decided = (typeof REQUESTS)[number][2]

export function demo(demo: Demo): void {
  const { history } = demo
  history.add(officeSettings, {
    key: 'undo-approval-cents',
    value: APPROVAL_CENTS,
    updatedBy: demoOperator(demo).id,
    updatedAt: ago(demo, 600),
  })
  for (const [days, agentId, tokens, remark] of ALLOCATED)
    history.at(workHour(demo, days), at => allocate(demo, agentId, tokens * 100, remark, at))
  for (const [days, reason, decided] of REQUESTS)
    history.at(workHour(demo, days), at => request(demo, at, reason, decided))
}

function allocate(demo: Demo, agentId: number, amount: number, remark: string, at: string): void {
  const both = {
    kind: 'allocate',
    asset: 'token',
    amount,
    document: demoNo(demo, at),
    payMethod: 'balance',
    at,
    by: demoOwner(demo, first),
    remark,
  } as const
  const clearing = { kind: 'vendor', book: 'payment-clearing' } as const
  const name = demoOwner(demo, agentId).company
  const giver = { kind: 'agent', id: first } as const
  const taker = { kind: 'agent', id: agentId } as const
  post(demo, { ...both, from: giver, to: clearing, agentId: first, description: `划拨给 ${name}` })
  post(demo, { ...both, from: clearing, to: taker, agentId, description: '上级划拨' })
  tell(demo, demoOwner(demo, agentId), at, {
    ...allocatedWords(demoOwner(demo, first).company, amount, remark),
    topic: 'Credit_Notify',
    link: `/admin/order/${both.document}`,
    args: { documentNo: both.document },
  })
}

const asked = kept(() => new Set<DemoPurchase>())

/** Of the newest purchase above the amount that nobody has asked about yet. */
function request(demo: Demo, at: string, reason: string, decided: Decided): void {
  const purchase = demoPurchases(demo).findLast(
    one =>
      one.order.agentId === first &&
      one.order.totalCents > APPROVAL_CENTS &&
      one.order.status === 'paid' &&
      !asked(demo).has(one),
  )
  if (!purchase) return
  asked(demo).add(purchase)
  const by = demoSeller(demo, first)
  const { orderNo, totalCents } = purchase.order
  const row = demo.history.add(undoRequests, {
    ...{ agentId: first, kind: 'version', orderNo, totalCents, reason, state: 'pending' },
    ...{ requestedBy: by.id, requestedByName: by.name, requestedAt: at },
  })
  const undo = { kind: 'version', orderNo, cents: totalCents } as const
  tell(demo, demoStaff(demo), at, {
    ...requestedWords(undo, { companyName: by.company, name: by.name }, reason),
    topic: 'Undo_Notify',
    link: PENDING_REQUESTS,
    args: { orderNo },
  })
  const hours = decided === 'expired' ? UNDO_REQUEST_DAYS * 24 + 1 : 26
  if (decided !== 'pending')
    demo.history.at(new Date(Date.parse(at) + hours * 3_600_000), decidedAt => {
      const state = decided === 'approved' ? 'approved' : 'rejected'
      const decision = {
        expired: REQUEST_CLOSED.expired,
        approved: '',
        rejected: '客户已开始使用，按约定不退',
      }[decided]
      Object.assign(row, { state, decision, decidedAt })
      tell(demo, by, decidedAt, {
        ...decidedWords(undo, state, decision),
        topic: 'Undo_Notify',
        link: `/admin/order/${orderNo}`,
        args: { orderNo },
      })
      if (decided === 'expired') return
      const staff = demoStaff(demo)
      Object.assign(row, { decidedBy: staff.id, decidedByName: staff.name })
      if (decided === 'approved') undoPurchase(demo, purchase, decidedAt, staff, reason)
    })
}
