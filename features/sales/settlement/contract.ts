import { ASSETS, LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { UndoOffer, UndoPreview } from '#features/sales/orders/contract.ts'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { BILL_FIELDS, BILLS, REQUEST_FIELDS, SUB_AGENT_FIELDS, SUB_AGENTS, UNDO_REQUESTS } from './fields.ts'
import { MONTH_PATTERN, SETTLEMENT_REFUSALS, UNDO_KIND_KEYS } from './rules.ts'

const undoKind = z.enum(UNDO_KIND_KEYS)
const orderNo = z.string().regex(/^\w{1,40}$/)
const text = linesText.max(200)

const BillRow = z.object({
  ...outputShape(BILL_FIELDS, 'row'),
  /** A request to undo it waits for approval. */
  undoPending: z.boolean(),
  undo: UndoOffer,
})

const Undone = z.object({ state: z.enum(['undone', 'pending']), previews: z.array(UndoPreview) })

const RequestRow = z.object({ ...outputShape(REQUEST_FIELDS, 'row'), requestedBy: z.number() })

const month = z.string().regex(MONTH_PATTERN)
/** Without an agent: the acting one. */
const statementInput = { agentId: whole(1).optional(), month }

const toldOfStatement = (asked: { agentId?: number | undefined; month: string }) => [
  ['月份', asked.month] as const,
  ...(asked.agentId === undefined ? [] : [['代理商编号', String(asked.agentId)] as const]),
]

const StatementSection = z.object({
  asset: z.enum(ASSETS),
  opening: z.number(),
  closing: z.number(),
  income: z.number(),
  spent: z.number(),
  /** Opening, income and spent lead to the closing balance. */
  addsUp: z.boolean(),
  movements: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      count: z.number(),
      income: z.number(),
      spent: z.number(),
    }),
  ),
})

const SubAgentRow = z.object({
  ...outputShape(SUB_AGENT_FIELDS, 'row'),
  parentId: z.number(),
  /** The acting agent is its parent. */
  isChild: z.boolean(),
})

const undoErrors = errorsOf({ ...UNDO_REFUSALS, ...SETTLEMENT_REFUSALS, ...LEDGER_REFUSALS })

export const settlement = {
  /** Paid and undone version orders, last paid first; vendor staff see every agent's. Sums cover what is counted. */
  bills: op(
    { permission: 'settlement.bills' },
    { method: 'GET', path: '/settlement/bills', summary: 'Billing details' },
  )
    .errors(errorsOf(MERCHANT_REFUSALS))
    .input(z.object(listInput(BILLS)))
    .output(
      pageOf(BillRow).extend({
        originalCents: z.number(),
        totalCents: z.number(),
        /** What of the settlement was given back. */
        refundedCents: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
  /** What an undo gives back and takes away, and whether it waits for approval. */
  undoPreview: op(
    { permission: 'settlement.undo' },
    { method: 'GET', path: '/settlement/undo-preview', summary: 'What an undo would do' },
  )
    .errors(undoErrors)
    .input(z.object({ kind: undoKind, orderNo }))
    .output(
      z.object({
        previews: z.array(UndoPreview),
        tokensBackCents: z.number(),
        needsApproval: z.boolean(),
        isPending: z.boolean(),
      }),
    ),
  /** Undoes an order, or asks for approval where its amount needs one. */
  undo: op(
    {
      permission: 'settlement.undo',
      log: '撤销订单',
      idempotent: true,
      stale: [
        'settlement',
        'ledger',
        'orders',
        'orderDetails',
        'services',
        'smsDesk',
        'merchants',
        'renewals',
        'purchases',
        'dashboard',
      ],
    },
    { method: 'POST', path: '/settlement/undos', summary: 'Undo an order' },
  )
    .errors(undoErrors)
    .input(z.object({ kind: undoKind, orderNo, reason: text }))
    .output(Undone),
  /** Requests to undo, newest first; vendor staff see every agent's. */
  undoRequests: op(
    { permission: 'settlement.bills' },
    { method: 'GET', path: '/settlement/undo-requests', summary: 'Requests to undo' },
  )
    .input(z.object({ ...listInput(UNDO_REQUESTS), agentId: whole(1).optional() }))
    .output(pageOf(RequestRow)),
  /** What the request would do if it were approved now. */
  requestPreview: op(
    { permission: 'settlement.approve' },
    { method: 'GET', path: '/settlement/undo-requests/{id}', summary: 'What approving a request would do' },
  )
    .errors(undoErrors)
    .input(z.object({ id: whole(1) }))
    .output(RequestRow.extend({ previews: z.array(UndoPreview) })),
  approveUndo: op(
    {
      permission: 'settlement.approve',
      log: '通过撤销申请',
      stepUp: true,
      idempotent: true,
      stale: [
        'settlement',
        'ledger',
        'orders',
        'orderDetails',
        'services',
        'smsDesk',
        'merchants',
        'renewals',
        'purchases',
        'dashboard',
      ],
    },
    { method: 'POST', path: '/settlement/undo-requests/{id}/approval', summary: 'Approve a request' },
  )
    .errors(undoErrors)
    .input(z.object({ id: whole(1), decision: text }))
    .output(Undone),
  rejectUndo: op(
    {
      permission: 'settlement.approve',
      log: '驳回撤销申请',
      stale: ['settlement', 'orderDetails'],
      stepUp: true,
    },
    { method: 'POST', path: '/settlement/undo-requests/{id}/rejection', summary: 'Reject a request' },
  )
    .errors(errorsOf(SETTLEMENT_REFUSALS))
    .input(z.object({ id: whole(1), decision: text }))
    .output(z.object({ id: z.number() })),
  /** Above this an undo waits for approval, 1/100 token; null: never. */
  undoSettings: op(
    { permission: 'settlement.settings' },
    { method: 'GET', path: '/settlement/undo-settings', summary: 'When an undo needs approval' },
  ).output(z.object({ approvalCents: z.number().nullable() })),
  setUndoSettings: op(
    { permission: 'settlement.settings', log: '撤销审批设置', stale: ['settlement'], stepUp: true },
    { method: 'PUT', path: '/settlement/undo-settings', summary: 'Set when an undo needs approval' },
  )
    .errors(errorsOf(SETTLEMENT_REFUSALS))
    .input(z.object({ approvalCents: z.number().nullable() }))
    .output(z.object({ approvalCents: z.number().nullable() })),
  /** What moved on an agent's accounts in a month, and its sales of a year. Without a month: the last one. */
  statement: op(
    { permission: 'settlement.statement' },
    { method: 'GET', path: '/settlement/statement', summary: 'Monthly statement' },
  )
    .input(z.object({ ...statementInput, month: month.optional() }))
    .output(
      z.object({
        agentId: z.number(),
        companyName: z.string(),
        logoId: z.string().nullable(),
        levelName: z.string(),
        month: z.string(),
        from: z.string(),
        to: z.string(),
        createdAt: z.string(),
        sections: z.array(StatementSection),
        /** 销售额 of CHART_MONTHS months, 1/100 token, by kind in the order of ORDER_KINDS. */
        sales: z.array(z.object({ month: z.string(), cents: z.array(z.number()) })),
      }),
    ),
  /** Agents below the acting one; vendor staff see all that have a parent. */
  subAgents: op(
    { permission: 'settlement.subAgents' },
    { method: 'GET', path: '/settlement/sub-agents', summary: 'Agents below' },
  )
    .input(z.object(listInput(SUB_AGENTS)))
    .output(pageOf(SubAgentRow)),
  /** Hands prepaid tokens to an agent of one's own, 1/100 token. */
  allocate: op(
    {
      permission: 'settlement.allocate',
      log: '下级划拨',
      idempotent: true,
      stale: ['settlement', 'ledger'],
      stepUp: true,
    },
    {
      method: 'POST',
      path: '/settlement/sub-agents/{agentId}/allocations',
      summary: 'Allocate tokens to an agent below',
    },
  )
    .errors(errorsOf({ ...SETTLEMENT_REFUSALS, ...LEDGER_REFUSALS }))
    .input(z.object({ agentId: whole(1), amountCents: z.number(), remark: text }))
    .output(z.object({ documentNo: z.string(), balanceAfterCents: z.number() })),
}

export const settlementDownloads = {
  bills: fileOf(BILLS),
  statement: download({
    permission: 'settlement.statement',
    log: '导出月度对账单',
    path: '/settlement/statement.xlsx',
    fileName: '月度对账单',
    calledAfter: 'month',
    input: z.object(statementInput),
    told: toldOfStatement,
  }),
  statementPdf: download({
    permission: 'settlement.statement',
    log: '导出月度对账单（PDF）',
    path: '/settlement/statement.pdf',
    format: 'pdf',
    fileName: '月度对账单',
    calledAfter: 'month',
    input: z.object(statementInput),
    told: toldOfStatement,
  }),
}
