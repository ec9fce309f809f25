// Campaigns on what is paid from outside: shown before it is paid, kept by the payment until it ends.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { packPrice, smsPrice, tokenPrice } from '#features/sales/payments/rules.ts'
import { refusalOf } from '#test/app.ts'
import { openTill, type Till } from '#test/make-payments.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.stop())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
type New = Parameters<Till['staff']['priceDesk']['addCampaign']>[0]
const campaign = (given: Partial<New>): New => ({
  ...{ name: '充值节', book: 'recharge', items: null, part: null, levelIds: null, agentIds: null },
  ...{ basisPoints: null, cents: null, bonusBasisPoints: null, firstOf: null, startsAt: null },
  endsAt: inDays(3),
  ...given,
})
const offer = () => till.me.payments.offer()
/** What the page shows of a package. */
async function packShown(id: number) {
  const shown = await offer()
  const pack = shown.packages.find(row => row.id === id) ?? assert.fail(`no package ${id}`)
  const { discountBasisPoints } = shown
  return packPrice(pack, { discountBasisPoints, conditions: pack.conditions })
}
async function pay(queryId: string): Promise<void> {
  await till.open(queryId, 'wechat')
  await till.pay(queryId, 'wechat')
  await till.work()
}

test('what is given beside a package is shown, kept by the payment and credited, also after the campaign', async () => {
  const { id } = await till.staff.priceDesk.addCampaign(campaign({ items: [1], bonusBasisPoints: 1_000 }))
  const shown = await packShown(1)
  assert.deepEqual([shown.amountFen, shown.bonus, shown.offer], [20_000, 400, '充值节'])
  assert.equal((await packShown(2)).offer, undefined)
  const started = await till.me.payments.startSms({ packageId: 1, amountFen: 20_000, bonus: 400 })
  assert.equal(started.subject, '短信充值 4,400条（含赠送400条）')
  await till.staff.priceDesk.endCampaign({ id })
  const late = till.me.payments.startSms({ packageId: 1, amountFen: 20_000, bonus: 400 })
  assert.equal(await refusalOf(late), 'PRICE_CHANGED')
  await pay(started.queryId)
  assert.equal((await offer()).smsBalance, 4_400)
  const details = await till.me.orderDetails.find({ orderNo: started.orderNo })
  const told = [...details.bought, ...details.amounts].map(({ label, text }) => `${label} ${text}`)
  for (const fact of ['短信条数 4,400 条', '其中赠送 400 条', '优惠 充值节', '金额 200.00 元'])
    assert.ok(told.includes(fact), `${fact} in ${told.join('; ')}`)
})

test('so many pieces are given with each package, and with nothing else', async () => {
  const { id } = await till.staff.priceDesk.addCampaign(campaign({ part: 'pack', bonusPieces: 300 }))
  const row = (await till.staff.priceDesk.campaigns({})).rows.find(one => one.id === id)
  assert.deepEqual([row?.what, row?.gives], ['全部充值（每包）', '每包送 300 条'])
  for (const pack of [1, 2]) assert.equal((await packShown(pack)).bonus, 300)
  const { conditions, discountBasisPoints, smsHundredFen } = await offer()
  assert.equal(smsPrice(10_000, smsHundredFen, { discountBasisPoints, conditions }).bonus, 0)
  const before = (await offer()).smsBalance
  const hidden = till.me.payments.startSms({ packageId: 1, amountFen: 20_000, bonus: 0 })
  assert.equal(await refusalOf(hidden), 'PRICE_CHANGED')
  const started = await till.me.payments.startSms({ packageId: 1, amountFen: 20_000, bonus: 300 })
  assert.equal(started.subject, '短信充值 4,300条（含赠送300条）')
  await pay(started.queryId)
  assert.equal((await offer()).smsBalance, before + 4_300)
  const kept = await till.one(
    'select offer, pieces, bonus_pieces as bonus, total_cents::int as total from sms_orders where order_no = $1',
    [started.orderNo],
  )
  assert.deepEqual(kept, { offer: '充值节', pieces: 4_300, bonus: 300, total: 20_000 })
  await till.staff.priceDesk.endCampaign({ id })
  await till.office.verifyLedger()
})

test('a package for less is paid at what was shown', async () => {
  const { id } = await till.staff.priceDesk.addCampaign(
    campaign({ items: [2, 3], part: 'pack', cents: 45_000 }),
  )
  const shown = await packShown(2)
  assert.deepEqual([shown.originalFen, shown.amountFen, shown.offer], [50_000, 45_000, '充值节'])
  assert.equal(
    await refusalOf(till.me.payments.startSms({ packageId: 2, amountFen: 50_000, bonus: 0 })),
    'PRICE_CHANGED',
  )
  const { orderNo, amountFen } = await till.me.payments.startSms({
    packageId: 2,
    amountFen: 45_000,
    bonus: 0,
  })
  assert.equal(amountFen, 45_000)
  const row = await till.one(
    `select original_cents::int as original, total_cents::int as total, offer, pieces, recharge_package_id as pack
     from sms_orders where order_no = $1`,
    [orderNo],
  )
  assert.deepEqual(row, { original: 50_000, total: 45_000, offer: '充值节', pieces: 10_500, pack: 2 })
  await till.staff.priceDesk.endCampaign({ id })
})

test('so are numbers of one’s own, for those whom the campaign names', async () => {
  const { id } = await till.staff.priceDesk.addCampaign(
    campaign({ items: [0], bonusBasisPoints: 500, agentIds: [till.agent.id] }),
  )
  const { conditions, discountBasisPoints, tokenFen, smsHundredFen } = await offer()
  const terms = { discountBasisPoints, conditions }
  assert.deepEqual(
    [smsPrice(1_010, smsHundredFen, terms).bonus, tokenPrice(20_000, tokenFen, terms).bonus],
    [50, 1_000],
  )
  const before = (await offer()).balanceCents
  const { queryId, orderNo } = await till.me.payments.startTokens({
    ...{ tokenCents: 20_000, amountFen: 20_000, bonus: 1_000 },
  })
  await pay(queryId)
  assert.equal((await offer()).balanceCents, before + 21_000)
  const details = await till.me.orderDetails.find({ orderNo })
  assert.ok(details.bought.some(({ text }) => text === '10.00 代币'))
  await till.staff.paymentDesk.refund({ id: queryId, reason: '测试' })
  assert.equal((await offer()).balanceCents, before)
  await till.staff.priceDesk.endCampaign({ id })
  await till.office.verifyLedger()
})

const REFUSED: [given: Partial<New>, code: string][] = [
  [{ bonusBasisPoints: 0 }, 'BONUS_FORMAT'],
  [{ bonusBasisPoints: 10_100 }, 'BONUS_FORMAT'],
  [{ bonusBasisPoints: 1_000, book: 'sms' }, 'BONUS_NOT_GIVEN'],
  [{ bonusBasisPoints: 1_000, basisPoints: 9_000 }, 'GIVES_ONE'],
  [{}, 'GIVES_ONE'],
  [{ part: 'pack', bonusPieces: 0 }, 'BONUS_PIECES_FORMAT'],
  [{ part: 'pack', bonusPieces: 1_000_001 }, 'BONUS_PIECES_FORMAT'],
  [{ part: 'pack', bonusPieces: 300, book: 'sms' }, 'BONUS_NOT_GIVEN'],
  [{ part: 'pack', bonusPieces: 300, bonusBasisPoints: 1_000 }, 'GIVES_ONE'],
  [{ bonusPieces: 300 }, 'PACKS_ALONE'],
  [{ items: [0], part: 'token', bonusPieces: 300 }, 'PACKS_ALONE'],
  [{ items: [0], part: 'pack', bonusPieces: 300 }, 'ITEM_UNKNOWN'],
  [{ items: [1], part: 'pack', cents: 0 }, 'PRICE_ZERO'],
  [{ bonusBasisPoints: 1_000, firstOf: 'agent' }, 'FIRST_NOT_SOLD'],
  [{ bonusBasisPoints: 1_000, endsAt: null }, 'END_REQUIRED'],
  [{ bonusBasisPoints: 1_000, items: [99] }, 'ITEM_UNKNOWN'],
]
for (const [given, code] of REFUSED)
  test(`a campaign on recharge is refused: ${code} ${JSON.stringify(given)}`, async () => {
    assert.equal(await refusalOf(till.staff.priceDesk.addCampaign(campaign(given))), code)
  })
