// Every place where tokens or SMS credit can be missing: what it offers, and what goes on once it is paid.
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { CampaignEditor } from '#features/care/campaigns/CampaignEditor.tsx'
import { campaigns } from '#features/care/campaigns/contract.ts'
import { ledger } from '#features/money/ledger/contract.ts'
import { regions } from '#features/office/regions/contract.ts'
import { CartPanel } from '#features/sales/hardware/CartPanel.tsx'
import { hardware } from '#features/sales/hardware/contract.ts'
import { PRODUCT } from '#features/sales/hardware/fields.ts'
import { cartQuery } from '#features/sales/hardware/HardwareCart.tsx'
import BulkRenewal from '#features/sales/purchases/BulkRenewal.tsx'
import { purchases } from '#features/sales/purchases/contract.ts'
import { PurchaseConfirm } from '#features/sales/purchases/PurchaseConfirm.tsx'
import { AddMerchantConfirm } from '#features/sales/selling/AddMerchantConfirm.tsx'
import AddedServicesPage from '#features/sales/services/AddedServicesPage.tsx'
import { services } from '#features/sales/services/contract.ts'
import AllocateDialog from '#features/sales/settlement/AllocateDialog.tsx'
import { settlement } from '#features/sales/settlement/contract.ts'
import { sms } from '#features/sales/sms/contract.ts'
import SmsGiftDialog from '#features/sales/sms/SmsGiftDialog.tsx'
import SmsPackageDialog from '#features/sales/sms/SmsPackageDialog.tsx'
import { merchants } from '#features/shops/merchants/contract.ts'
import { messageDesk } from '#features/shops/messages/desk/contract.ts'
import type { SentRow } from '#features/shops/messages/desk/messageCells.tsx'
import ResendDialog from '#features/shops/messages/desk/ResendDialog.tsx'
import { versions } from '#features/shops/versions/contract.ts'
import { meantBy, typedOf } from '#kit/declare/form.ts'
import { answer, refusal } from '#test/components/answers.tsx'
import { noOffer, offer, takePayments } from '#test/components/paying.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { fillSlots } from './slots-filled.tsx'

beforeAll(fillSlots)

const MAY = ['payments.tokens', 'payments.sms', 'services.buy', 'campaigns.send', 'ledger.wallet']
const ORDER = '2'.repeat(22)
const SHOP = { id: 7, shopName: '南山面馆', status: 'normal' as const, smsBalance: 10 }
const NO_CONDITIONS = { minimums: {}, offers: [] }

/** What the agent has; a payment adds to it. */
const held = { token: 0, sms: 0 }
const done: string[] = []
const goOn = () => void done.push('goes on')

const versionQuote = () => ({
  orderNo: ORDER,
  code: 1,
  codeName: '续费',
  salesType: 'renew' as const,
  versionName: '高级版',
  unit: '年' as const,
  unitCents: 15_000,
  periods: 1,
  shops: 1,
  originalCents: 15_000,
  discountBasisPoints: 10_000,
  totalCents: 15_000,
  balanceBeforeCents: held.token,
  balanceAfterCents: held.token - 15_000,
  remainingDays: null,
  convertedDays: null,
  forfeit: null,
  effects: [],
})

type Place = {
  has: Partial<typeof held>
  draws: () => ReactNode
  /** What a person does until it is missing. */
  until?: (person: UserEvent) => Promise<void>
  offers: string[]
  /** What goes on: a question that is asked, or what is done. */
  goesOn: (person: UserEvent) => Promise<void>
}

const press = (name: string) => async (person: UserEvent) =>
  person.click(await screen.findByRole('button', { name }))
const wentOn = async () => waitFor(() => expect(done).toEqual(['goes on']))

/** The question, said yes to, is what was begun. */
const asked = (title: RegExp, yes: string, said: string) => async (person: UserEvent) => {
  await screen.findByRole('alertdialog', { name: title })
  await press(yes)(person)
  await toasted(said)
}

const PLACES: Record<string, Place> = {
  'a version': {
    has: { token: 10_001 },
    draws: () => (
      <PurchaseConfirm
        quote={versionQuote()}
        shop={SHOP_NOW}
        offer={undefined}
        what="续费"
        form={{
          merchantId: 7,
          versionId: 1,
          scope: 'head',
          branchIds: [],
          term: 'year',
          periods: 1,
          shops: 1,
          remark: '',
        }}
        stale={false}
        lost={false}
        busy={false}
        onConfirm={goOn}
        onCancel={() => undefined}
      />
    ),
    offers: ['49.99 代币'],
    goesOn: wentOn,
  },
  'a new merchant, for whom tokens and SMS credit are missing': {
    has: { token: 777, sms: 3 },
    draws: () => (
      <AddMerchantConfirm
        quote={{ ...versionQuote(), smsCount: 50, smsBefore: held.sms, expiresAt: null }}
        shopName={SHOP.shopName}
        account="13900007001"
        term="year"
        stale={false}
        lost={false}
        busy={false}
        onConfirm={goOn}
        onCancel={() => undefined}
      />
    ),
    offers: ['142.23 代币', '47 条短信'],
    goesOn: wentOn,
  },
  'value-added services, from their list to the question': {
    has: { token: 1 },
    draws: () => <AddedServicesPage />,
    until: press('增加 微商城 年数'),
    offers: ['299.99 代币'],
    goesOn: async () => {
      await screen.findByRole('dialog', { name: '确认购买增值服务' })
    },
  },
  'the renewal of many shops': {
    has: { token: 5_003 },
    draws: () => (
      <BulkRenewal shops={[{ id: 7, versionId: 1 }]} onClose={() => undefined} onDone={() => undefined} />
    ),
    offers: ['99.97 代币'],
    goesOn: async () => {
      await toasted('购买成功！')
      await screen.findByRole('dialog', { name: '续费结果' })
    },
  },
  'an SMS package': {
    has: { token: 33 },
    draws: () => <SmsPackageDialog merchant={SHOP} onClose={() => undefined} />,
    until: async person => person.click(await screen.findByRole('radio', { name: /^500 条/ })),
    offers: ['39.67 代币'],
    goesOn: asked(/购买五百条/, '确认购买', '购买成功'),
  },
  'a gift of SMS': {
    has: { sms: 7 },
    draws: () => <SmsGiftDialog merchant={SHOP} onClose={() => undefined} />,
    until: async person => person.type(await screen.findByRole('textbox', { name: /赠送条数/ }), '60'),
    offers: ['53 条短信'],
    goesOn: asked(/赠送 60 条短信/, '确认赠送', '赠送成功'),
  },
  'a message to many shops': {
    has: { sms: 1 },
    draws: () => (
      <CampaignEditor
        row={null}
        copy={
          { name: '年末续费', templateKey: 'renew', params: {}, audience: {}, scheduledAt: null } as never
        }
        templates={{
          signature: '海岸',
          rows: [{ key: 'renew', name: '续费', text: '快到期了', variables: [], forCampaigns: true }],
        }}
        dirty={{ current: false }}
        onOpen={() => undefined}
        onClose={() => undefined}
      />
    ),
    offers: ['8 条短信'],
    goesOn: asked(/发送短信/, '确认发送', '已提交发送'),
  },
  'failed messages that are sent again': {
    has: { sms: 1 },
    draws: () => <ResendDialog rows={FAILED} onSent={() => undefined} onClose={() => undefined} />,
    until: press('重发 1 条'),
    offers: ['2 条短信'],
    goesOn: async () => {
      await screen.findByRole('dialog', { name: '重发结果' })
    },
  },
  'tokens for an agent below': {
    has: { token: 1_001 },
    draws: () => (
      <AllocateDialog
        receiver={{ id: 103, companyName: '湾区科技', tokenCents: 0 }}
        onClose={() => undefined}
      />
    ),
    until: async person => person.type(await screen.findByRole('textbox', { name: /划拨数额/ }), '50'),
    offers: ['39.99 代币'],
    goesOn: asked(/划拨 50.00 代币/, '确认划拨', '划拨成功'),
  },
  'a cart of hardware': {
    has: { token: 800 },
    draws: () => <CartPlace />,
    offers: ['72.00 代币'],
    goesOn: wentOn,
  },
}

const SHOP_NOW = {
  merchantId: 7,
  shopName: SHOP.shopName,
  storeKind: 'head' as const,
  status: 'normal' as const,
  versionId: 1,
  versionName: '高级版',
  expiresAt: null,
  termDay: null,
  shopsBought: 1,
  branchCount: 0,
  branchNames: [],
  rest: { yearCents: null, shops: 1 },
  discountBasisPoints: 10_000,
  balanceCents: 0,
  refusal: null,
  offers: [],
}

const FAILED = [
  { id: 5, phone: '13900007001', payer: 'agent', agentId: 101, segments: 3, resendRefusal: null },
] as SentRow[]

const CART_LINE = {
  ...meantBy(PRODUCT, typedOf(PRODUCT)),
  productId: 1,
  name: '钱箱',
  unitCents: 8_000,
  stock: 9,
  discountBasisPoints: 10_000,
  conditions: NO_CONDITIONS,
  quantity: 1,
}

function CartPlace() {
  const cart = useQuery(cartQuery())
  return cart.data && <CartPanel cart={cart.data} onSet={() => undefined} onCheckout={goOn} />
}

function answerBalances(): void {
  answer(ledger.wallet, () => ({ tokenCents: held.token, sms: held.sms }))
  answer(hardware.cart, () => ({ rows: [CART_LINE], balanceCents: held.token, lastDelivery: null }))
  answer(sms.packages, () => ({
    rows: [{ id: 1, name: '五百条', pieces: 500, priceCents: 4_000, totalCents: 4_000 }],
    discountBasisPoints: 10_000,
    balanceCents: held.token,
    credit: 10,
    refusal: null,
  }))
  answer(services.ofMerchant, () => ({
    merchant: { id: 7, shopName: SHOP.shopName, status: 'normal', storeKind: 'head', expiresAt: null },
    groups: [{ id: 1, code: 'a', name: '营销', remark: '', services: [SERVICE] }],
    discountBasisPoints: 10_000,
    balanceCents: held.token,
    buyOperatorNumber: 0,
    refusal: null,
    now: '2026-11-28T01:00:00Z',
  }))
  answer(campaigns.preview, () => ({
    shops: 9,
    disabled: 0,
    notMobile: 0,
    segments: 9,
    segmentsMin: 1,
    segmentsMax: 1,
    balance: held.sms,
    reserved: 0,
    missing: Math.max(0, 9 - held.sms),
    samples: [],
  }))
}

const SERVICE = {
  id: 1,
  code: 'mall',
  name: '微商城',
  remark: '',
  unit: 'year' as const,
  unitCents: 30_000,
  headOnly: false,
  enabled: true,
  renewUntil: null,
  conditions: NO_CONDITIONS,
  quantity: 0,
  expiresAt: null,
  termDay: null,
  refusal: null,
}

function answerSales(): void {
  answer(versions.list, { rows: [] })
  answer(merchants.options, { cityCode: '', versions: [], industries: [], paymentMethods: [], managers: [] })
  answer(regions.changes, { source: '', changes: [] })
  answer(purchases.bulkQuote, () => ({
    batchNo: ORDER,
    lines: [],
    payable: 1,
    refused: 0,
    originalCents: 15_000,
    discountBasisPoints: 10_000,
    totalCents: 15_000,
    balanceBeforeCents: held.token,
    balanceAfterCents: held.token - 15_000,
  }))
  answer(purchases.bulkConfirm, { batchNo: ORDER, totalCents: 15_000, paid: 1, refused: 0, receipts: [] })
  answer(sms.buy, { orderNo: ORDER, totalCents: 4_000, smsBefore: 10, smsAfter: 510, balanceAfterCents: 0 })
  answer(sms.gift, { orderNo: ORDER, smsBefore: 10, smsAfter: 70, agentSms: 0 })
  answer(settlement.allocate, { documentNo: ORDER, balanceAfterCents: 0 })
  answer(campaigns.save, { id: 1, revision: 1 })
  answer(campaigns.send, { id: 1, status: 'sending' })
  answer(messageDesk.resend, () => {
    if (held.sms < 3)
      throw refusal(messageDesk.resend, 'SMS_INSUFFICIENT', { owner: 'agent', missing: 3 - held.sms })
    return { rows: [{ id: 5, phone: '13900007001', refusal: null, resentAs: 6 }], queued: 1 }
  })
}

test.each(Object.entries(PLACES))('%s: paid exactly, and it goes on', async (_name, place) => {
  Object.assign(held, { token: 0, sms: 0 }, place.has)
  done.length = 0
  answerBalances()
  answerSales()
  const { orders, onCredited } = takePayments({ atOnce: true })
  onCredited(({ asset, amount }) => {
    held[asset] += amount
  })
  const person = show(place.draws(), { may: MAY, at: '/admin/test?user_id=7' })
  await place.until?.(person)
  for (const words of place.offers) {
    await person.click(await offer(words))
    await waitFor(() => expect(screen.queryByRole('button', { name: `扫码补足 ${words}` })).toBeNull())
  }
  await place.goesOn(person)
  expect(noOffer()).toBeNull()
  expect(orders).toHaveLength(place.offers.length)
})

test('messages of another agency cannot be sent again with one’s own credit', async () => {
  held.sms = 0
  answerSales()
  const rows = FAILED.map(row => ({ ...row, agentId: 103 }))
  const person = show(<ResendDialog rows={rows} onSent={() => undefined} onClose={() => undefined} />, {
    may: MAY,
  })
  await press('重发 1 条')(person)
  await screen.findByRole('alert')
  expect(noOffer()).toBeNull()
})
