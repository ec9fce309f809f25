// What the palette finds and does besides leading to the menu's pages; fetched with it.

import { partnerPath } from '#features/agencies/partners/desk/rules.ts'
import { ORDER_NO_LENGTH, SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { orderPath } from '#features/money/ledger/useOpenOrder.tsx'
import type { agents } from '#features/office/agents/contract.ts'
import type { orderDetails } from '#features/sales/order-details/contract.ts'
import type { paymentDesk } from '#features/sales/payments/desk/contract.ts'
import { INTENT_STATUSES } from '#features/sales/payments/rules.ts'
import type { settlement } from '#features/sales/settlement/contract.ts'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { formatCents } from '#kit/money.ts'
import { initialsOf } from '#kit/words/pinyin.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { allows, type Session } from '#web/client/session.ts'
import type { Finder, FoundThing, Palette } from '#web/shell/shell-props.ts'
import { chooseTheme, shownMode } from '#web/theme/theme-mode.ts'

const agentsApi = api<typeof agents>('agents')
const merchantsApi = api<typeof merchants>('merchants')
const orderDetailsApi = api<typeof orderDetails>('orderDetails')
const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')
const settlementApi = api<typeof settlement>('settlement')

const MOST = 8
const LONGEST_ID = 15

export function paletteOf(session: Session, signOut: () => void): Palette {
  const may = (...permissions: string[]) => permissions.every(permission => allows(session, permission))
  const people = [
    ...(may('renewals.desk') ? [findColleagues] : []),
    ...(may('agentDesk.list') ? [agentsFor(may('partnerDesk.view'))] : []),
    ...(may('settlement.subAgents') && !may('agentDesk.list') ? [findSubAgents] : []),
  ]
  return {
    finders: [
      ...(may('merchants.list', 'merchants.details') ? [SHOPS] : []),
      ...(may('merchants.list', 'purchases.buy') ? [RENEWALS] : []),
      ORDERS,
      ...(may('payments.sms') ? [paymentsOf(may('paymentDesk.manage'))] : []),
      ...(people.length > 0 ? [personsBy(people)] : []),
    ],
    actions: [
      {
        key: 'theme',
        label: shownMode() === 'dark' ? '切换到浅色' : '切换到深色',
        hint: '外观',
        words: ['外观', '主题', '夜间'],
        run: () => chooseTheme(shownMode() === 'dark' ? 'light' : 'dark'),
      },
      { key: 'sign-out', label: '退出登录', hint: '账户', words: ['注销'], run: signOut },
    ],
  }
}

const SHOPS: Finder = {
  name: '商户',
  hint: '商户ID、店铺或账号',
  asks: text => text.length <= LONGEST_ID || !isNumber(text),
  async ask(search) {
    const { rows } = await merchantsApi.find({ search })
    return rows.map(row => ({
      key: `merchant-${row.id}`,
      label: row.shopName,
      hint: `${row.id} · ${row.account}`,
      href: `/admin/merchant/merchantDetails?user_id=${row.id}`,
    }))
  },
}

/** 续费 and a shop: its renewal, by two words. */
const RENEWAL = /^续费\s*(?=\S)/

const RENEWALS: Finder = {
  name: '续费',
  hint: '续费加店名',
  asks: text => RENEWAL.test(text),
  async ask(text) {
    const { rows } = await merchantsApi.find({ search: text.replace(RENEWAL, '') })
    return rows.map(row => ({
      key: `renew-${row.id}`,
      label: `续费 ${row.shopName}`,
      hint: `${row.id} · ${row.account}`,
      href: `/admin/merchant/versionUp1?user_id=${row.id}`,
    }))
  },
}

const ORDERS: Finder = {
  name: '订单',
  hint: '订单号',
  asks: text => isNumber(text) && [SHOWN_ORDER_CHARS, ORDER_NO_LENGTH].includes(text.length),
  async ask(orderNo) {
    try {
      const order = await orderDetailsApi.find({ orderNo })
      return [
        {
          key: `order-${order.orderNo}`,
          label: order.title,
          hint: `${order.orderNo.slice(-SHOWN_ORDER_CHARS)} · ${order.state.text}`,
          href: orderPath(order.orderNo),
        },
      ]
    } catch (error) {
      // Most numbers of eight digits are a shop's.
      if (refusalOf(error)) return []
      throw error
    }
  },
}

function paymentsOf(isManager: boolean): Finder {
  return {
    name: '支付',
    hint: '支付单号',
    asks: text => /^[\w-]{10,64}$/.test(text),
    async ask(number) {
      const { rows } = await paymentDeskApi.find({ number })
      return rows.map(({ id, orderNo, subject, amountFen, status }) => ({
        key: `payment-${id}`,
        label: `${subject} ${formatCents(amountFen)} 元`,
        hint: `${id.slice(-SHOWN_ORDER_CHARS)} · ${INTENT_STATUSES[status]}`,
        href: isManager ? `/admin/operations/payments?search=${id}` : orderPath(orderNo),
      }))
    },
  }
}

function personsBy(sources: readonly ((text: string) => Promise<FoundThing[]>)[]): Finder {
  return {
    name: '人员',
    hint: '姓名或代理商',
    ask: async text => (await Promise.all(sources.map(source => source(text)))).flat().slice(0, MOST),
  }
}

/** They lead to the renewals of the shops that they look after. */
async function findColleagues(text: string): Promise<FoundThing[]> {
  const { managers } = await merchantsApi.options({})
  const wanted = text.toLowerCase()
  return managers
    .filter(({ name }) => name.toLowerCase().includes(wanted) || initialsOf(name).startsWith(wanted))
    .map(({ id, name }) => ({
      key: `account-${id}`,
      label: name,
      hint: '负责的续费',
      href: `/admin/merchant/renewals?managerId=${id}`,
    }))
}

/** To the page of each, where one may see it. */
function agentsFor(mayView: boolean) {
  return async (search: string): Promise<FoundThing[]> => {
    const { rows } = await agentsApi.options({ search })
    return rows.map(agent =>
      mayView
        ? { ...agentAt(agent, ''), href: partnerPath(agent.id) }
        : agentAt(agent, '/admin/operations/agents'),
    )
  }
}

async function findSubAgents(search: string): Promise<FoundThing[]> {
  const { rows } = await settlementApi.subAgents({ search })
  return rows.map(agent => agentAt(agent, '/admin/detail/subAgents'))
}

function agentAt({ id, companyName }: { id: number; companyName: string }, path: string): FoundThing {
  return { key: `agent-${id}`, label: companyName, hint: `代理商 ${id}`, href: `${path}?search=${id}` }
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}
