import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { UndoPreview } from '#features/sales/orders/contract.ts'
import { ORDER_STATUS_KEYS, SALES_TYPE_KEYS, UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { SETTLEMENT_REFUSALS } from '#features/sales/settlement/rules.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageInput, pageOf, searchText, whole } from '#kit/declare/page.ts'
import { codeText, linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { TOOL_KIND_KEYS, TOOL_REFUSALS } from './rules.ts'

const reason = linesText.max(500)
const orderNo = codeText.max(40)
/** The revision of the shop that was shown, so that what is confirmed is what was seen. */
const seen = { id: whole(1), revision: z.number().int() }
const toolErrors = errorsOf(TOOL_REFUSALS)

export const ToolShop = z.object({
  id: z.number(),
  agentId: z.number(),
  agentName: z.string(),
  shopName: z.string(),
  personName: z.string(),
  account: z.string(),
  storeKind: z.enum(['head', 'branch']),
  headId: z.number().nullable(),
  status: z.enum(['normal', 'disabled']),
  versionId: z.number(),
  versionName: z.string(),
  shopsBought: z.number(),
  branches: z.number(),
  registeredAt: z.string(),
  expiresAt: z.string().nullable(),
  revision: z.number(),
})

/** Null: no shop of this id or account. */
const FoundShop = z.object({ shop: ToolShop.nullable() })

export const ToolAction = z.object({
  id: z.number(),
  kind: z.enum(TOOL_KIND_KEYS),
  merchantId: z.number(),
  shopName: z.string(),
  changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  reason: z.string(),
  createdByName: z.string(),
  createdAt: z.string(),
})

const Provider = z.object({
  id: z.number(),
  companyName: z.string(),
  levelName: z.string(),
  discountBasisPoints: z.number(),
  tokenCents: z.number(),
  sms: z.number(),
  enabled: z.boolean(),
})

const FoundOrder = z.object({
  orderNo: z.string(),
  merchantId: z.number().nullable(),
  shopName: z.string().nullable(),
  account: z.string().nullable(),
  agentId: z.number(),
  agentName: z.string(),
  content: z.string(),
  salesType: z.enum(SALES_TYPE_KEYS),
  status: z.enum(ORDER_STATUS_KEYS),
  totalCents: z.number(),
  paidAt: z.string().nullable(),
})

/** What a tool did lately, newest first. */
function actionsOf(permission: string, path: `/${string}`) {
  return op({ permission }, { method: 'GET', path, summary: 'What the tool did lately' })
    .input(z.object(pageInput))
    .output(pageOf(ToolAction))
}

function findShop(permission: string, path: `/${string}`) {
  return op({ permission }, { method: 'GET', path, summary: 'The shop of an id or account' })
    .errors(toolErrors)
    .input(z.object({ search: searchText }))
}

export const aftersales = {
  /** Paid version orders by order number, shop id, account or name, newest first; at most 20. */
  cancelFind: op(
    { permission: 'aftersales.cancel' },
    { method: 'GET', path: '/tools/cancel/orders', summary: 'Paid version orders to cancel' },
  )
    .errors(errorsOf({ ...TOOL_REFUSALS, SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(FoundOrder), more: z.boolean() })),
  /** Null: no such order. */
  cancelPreview: op(
    { permission: 'aftersales.cancel' },
    { method: 'GET', path: '/tools/cancel/preview', summary: 'What cancelling an order would do' },
  )
    .errors(errorsOf(UNDO_REFUSALS))
    .input(z.object({ orderNo: orderNo.optional() }))
    .output(
      z.object({
        preview: z
          .object({
            lines: z.array(UndoPreview),
            tokensBackCents: z.number(),
            needsApproval: z.boolean(),
            isPending: z.boolean(),
          })
          .nullable(),
      }),
    ),
  /** Undoes a paid order, or asks a second person where its amount needs one. */
  cancel: op(
    {
      permission: 'aftersales.cancel',
      log: '撤销订单',
      stepUp: true,
      idempotent: true,
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    { method: 'POST', path: '/tools/cancel', summary: 'Cancel a paid version order' },
  )
    .errors(errorsOf({ ...TOOL_REFUSALS, ...UNDO_REFUSALS, ...SETTLEMENT_REFUSALS, ...LEDGER_REFUSALS }))
    .input(z.object({ orderNo, reason }))
    .output(z.object({ state: z.enum(['undone', 'pending']), tokensBackCents: z.number() })),
  cancelActions: actionsOf('aftersales.cancel', '/tools/cancel/actions'),

  /** The shop, and the chain that it is head or branch of. */
  chainFind: findShop('aftersales.chain', '/tools/chain/group').output(
    FoundShop.extend({ head: ToolShop.nullable(), branches: z.array(ToolShop) }),
  ),
  associate: op(
    {
      permission: 'aftersales.chain',
      log: '关联连锁',
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    { method: 'POST', path: '/tools/chain/associate', summary: 'Make a shop a branch of a head' },
  )
    .errors(toolErrors)
    .input(z.object({ ...seen, headId: whole(1), reason }))
    .output(z.object({ id: z.number(), headId: z.number() })),
  dissolve: op(
    {
      permission: 'aftersales.chain',
      log: '解除连锁',
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    { method: 'POST', path: '/tools/chain/dissolve', summary: 'Make a branch a head again' },
  )
    .errors(toolErrors)
    .input(z.object({ ...seen, reason }))
    .output(z.object({ id: z.number() })),
  chainActions: actionsOf('aftersales.chain', '/tools/chain/actions'),

  providerFind: findShop('aftersales.provider', '/tools/provider/shop').output(FoundShop),
  /** For the picker: at most 20 enabled agents. */
  providers: op(
    { permission: 'aftersales.provider' },
    { method: 'GET', path: '/tools/provider/agents', summary: 'Agents that a shop can go to' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
  movePreview: op(
    { permission: 'aftersales.provider' },
    { method: 'GET', path: '/tools/provider/preview', summary: 'What moving a shop to an agent changes' },
  )
    .errors(toolErrors)
    .input(z.object({ id: whole(1), agentId: whole(1).optional() }))
    .output(
      z.object({
        shop: ToolShop,
        /** They move along. */
        branches: z.array(ToolShop),
        from: Provider,
        to: Provider.nullable(),
        /** SMS credit of the shop and its branches; it moves along. */
        smsBalance: z.number(),
        services: z.number(),
        /** Quotes of the present agent that can no longer be confirmed. */
        openOrders: z.array(
          z.object({
            orderNo: z.string(),
            content: z.string(),
            totalCents: z.number(),
            createdAt: z.string(),
          }),
        ),
        refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  move: op(
    {
      permission: 'aftersales.provider',
      log: '调整服务商',
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    {
      method: 'POST',
      path: '/tools/provider/moves',
      summary: 'Move a shop and its branches to another agent',
    },
  )
    .errors(toolErrors)
    .input(z.object({ ...seen, agentId: whole(1), reason }))
    .output(z.object({ id: z.number(), agentId: z.number(), moved: z.number() })),

  /** The shop, and the versions that its version may become. */
  versionFind: findShop('aftersales.adjust', '/tools/version/shop').output(
    FoundShop.extend({ targets: z.array(z.object({ id: z.number(), name: z.string() })) }),
  ),
  adjustVersion: op(
    {
      permission: 'aftersales.adjust',
      log: '调整版本',
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    { method: 'POST', path: '/tools/version/adjustments', summary: 'Change the version of a shop' },
  )
    .errors(toolErrors)
    .input(z.object({ ...seen, versionId: whole(1), reason }))
    .output(z.object({ id: z.number(), versionId: z.number() })),
  adjustActions: actionsOf('aftersales.adjust', '/tools/version/actions'),

  extendFind: findShop('aftersales.extend', '/tools/extend/shop').output(FoundShop),
  extend: op(
    {
      permission: 'aftersales.extend',
      log: '账户延期',
      stale: ['aftersales', 'merchants', 'orders', 'orderDetails', 'settlement', 'ledger', 'renewals'],
    },
    { method: 'POST', path: '/tools/extend', summary: 'Give a shop more days' },
  )
    .errors(toolErrors)
    .input(z.object({ ...seen, days: z.number(), reason }))
    .output(z.object({ id: z.number(), expiresAt: z.string() })),
  extendActions: actionsOf('aftersales.extend', '/tools/extend/actions'),
}
