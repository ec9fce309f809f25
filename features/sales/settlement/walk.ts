import { makeAgent } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import {
  byAgent,
  type Desk,
  type FeatureWalk,
  MARK,
  own,
  type Prepared,
  type Scene,
  search,
} from '#test/walk-types.ts'

const MONTH = '2026-01'
const UNKNOWN_ORDER = '9'.repeat(22)
const theirs = (input: (scene: Scene) => Record<string, unknown>, code: string) => ({
  as: input,
  expect: [code],
})
const theirOrder = (more: Record<string, unknown> = {}) => [
  theirs(({ a }) => ({ kind: 'version', orderNo: a.paidOrder, ...more }), 'UNDO_UNKNOWN'),
  theirs(({ extra }) => ({ kind: 'service', orderNo: extra.serviceOrder, ...more }), 'UNDO_UNKNOWN'),
]
const theirRequest = (more: Record<string, unknown> = {}) => [
  theirs(({ extra }) => ({ id: extra.undoRequest, ...more }), 'NOT_FOUND'),
]
const theirStatement = theirs(({ a }) => ({ agentId: a.id, month: MONTH }), 'NOT_FOUND')

/** The partner's request to undo a renewal; the shop, as the log's subject. */
async function requested(desk: Desk): Promise<{ id: number; subject: string }> {
  const shop = await desk.onShop()
  const { orderNo } = await renewShop(desk.mine(), Number(shop.input.id))
  const { rows } = await desk.office.owner.query<{ id: string }>(
    `insert into undo_requests (agent_id, kind, order_no, total_cents, reason, state, requested_by, requested_by_name, requested_at)
     values ($1, 'version', $2, 1, '试', 'pending', $3, '姓名', now()) returning id`,
    [desk.partner.id, orderNo, desk.partner.accountId],
  )
  return { id: Number(rows[0]?.id), subject: shop.subject }
}

async function renewed(desk: Desk): Promise<Prepared> {
  const shop = await desk.onShop()
  const { orderNo } = await renewShop(desk.mine(), Number(shop.input.id))
  return { ...shop, input: { kind: 'version', orderNo, reason: '客户退款' } }
}

export const walk: FeatureWalk = {
  ofAgency: [
    'ledger.credit',
    'ledger.changes (file)',
    'ledger.changeActors',
    'settlement.subAgents',
    'settlement.allocate',
    'settlement.statement',
    'settlement.statementPdf (file)',
  ],
  sessionOnly: [],
  movesMoney: ['settlement.undo', 'settlement.approveUndo', 'settlement.allocate'],
  scene: async ({ office, a }) => {
    const { rows } = await office.owner.query<{ id: string }>(
      `insert into undo_requests (agent_id, kind, order_no, total_cents, reason, state, requested_by, requested_by_name, requested_at)
       values ($1, 'version', $2, 100, $3, 'pending', $4, $3, now()) returning id`,
      [a.id, a.paidOrder, MARK, a.accountId],
    )
    const child = await makeAgent(office, { parentId: a.id, tokens: 10 })
    await office.owner.query('update agents set company_name = $2 where id = $1', [child.id, `${MARK}下级`])
    return { undoRequest: Number(rows[0]?.id), childOfA: child.id }
  },
  attempts: {
    'settlement.bills': [
      own(),
      byAgent,
      own({ salesType: 'new', status: 'paid' }),
      search(() => MARK),
      search(({ a }) => a.shops[0]),
      search(({ a }) => a.paidOrder),
      // The end of an order number may stand in the account of a shop of B's.
      { as: ({ a }) => ({ search: a.paidOrder.slice(-8) }), expect: 'own' },
    ],
    'settlement.bills (file)': [own(), byAgent, search(() => MARK), search(({ a }) => a.paidOrder)],
    'settlement.undoPreview': theirOrder(),
    'settlement.undo': theirOrder({ reason: '试' }),
    'settlement.undoRequests': [own(), own({ state: 'pending' }), byAgent],
    'settlement.requestPreview': theirRequest(),
    'settlement.approveUndo': theirRequest({ decision: '试' }),
    'settlement.rejectUndo': theirRequest({ decision: '试' }),
    'settlement.undoSettings': [own()],
    'settlement.setUndoSettings': [own({ approvalCents: null })],
    'settlement.statement': [own(), own({ month: MONTH }), theirStatement],
    'settlement.statement (file)': [
      own({ month: MONTH }),
      { as: ({ a }) => ({ agentId: a.id, month: MONTH }), expect: 'empty' },
    ],
    'settlement.statementPdf (file)': [own({ month: MONTH }), theirStatement],
    'settlement.subAgents': [own(), search(() => MARK), search(({ extra }) => extra.childOfA)],
    'settlement.allocate': [
      theirs(({ a }) => ({ agentId: a.id, amountCents: 100, remark: '' }), 'ALLOCATE_NOT_CHILD'),
      theirs(
        ({ extra }) => ({ agentId: extra.childOfA, amountCents: 100, remark: '' }),
        'ALLOCATE_NOT_CHILD',
      ),
    ],
  },
  scoped: [
    'settlement.bills',
    'settlement.bills (file)',
    'settlement.undoPreview',
    'settlement.undo',
    'settlement.undoRequests',
    'settlement.requestPreview',
    'settlement.approveUndo',
    'settlement.rejectUndo',
    'settlement.statement',
    'settlement.statement (file)',
    'settlement.statementPdf (file)',
    'settlement.subAgents',
  ],
  reads: desk => ({
    'settlement.undoPreview': async () => {
      const { kind, orderNo } = (await renewed(desk)).input
      return { kind, orderNo }
    },
    'settlement.requestPreview': async () => ({ id: (await requested(desk)).id }),
  }),
  changes: desk => ({
    'settlement.undo': {
      accepted: () => renewed(desk),
      refused: {
        input: () => ({ kind: 'version', orderNo: UNKNOWN_ORDER, reason: '试' }),
        code: 'UNDO_UNKNOWN',
      },
    },
    'settlement.approveUndo': {
      accepted: async () => {
        const { id, subject } = await requested(desk)
        return desk.asOperator({ id, decision: '' }, subject)
      },
      refused: { input: () => ({ id: 99_999_999, decision: '' }), code: 'NOT_FOUND' },
    },
    'settlement.rejectUndo': {
      accepted: async () => {
        const { id } = await requested(desk)
        return desk.asOperator({ id, decision: '不同意' }, `代理商${desk.partner.id}`)
      },
      refused: {
        input: async () => ({ id: (await requested(desk)).id, decision: '' }),
        code: 'DECISION_REQUIRED',
      },
    },
    'settlement.setUndoSettings': {
      accepted: async () => desk.asOperator({ approvalCents: 100_000_000_000 }, '撤销审批'),
      refused: { input: () => ({ approvalCents: -1 }), code: 'APPROVAL_AMOUNT' },
    },
    'settlement.allocate': {
      accepted: async () => {
        const child = await makeAgent(desk.office, { parentId: desk.partner.id })
        return desk.asPartner({ agentId: child.id, amountCents: 100, remark: '' }, `代理商${child.id}`)
      },
      refused: {
        input: () => ({ agentId: 99_999_999, amountCents: 100, remark: '' }),
        code: 'ALLOCATE_NOT_CHILD',
      },
    },
    'settlement.bills (file)': {
      accepted: async () => desk.asPartner({ status: 'paid' }, '账单明细'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'settlement.statement (file)': {
      accepted: async () => desk.asPartner({ month: MONTH }, '月度对账单'),
      refused: { input: () => ({ month: '2026-13' }), code: 'INPUT_INVALID' },
    },
    'settlement.statementPdf (file)': {
      accepted: async () => desk.asPartner({ month: MONTH }, '月度对账单'),
      refused: { input: () => ({ month: '2026-13' }), code: 'INPUT_INVALID' },
    },
  }),
}
