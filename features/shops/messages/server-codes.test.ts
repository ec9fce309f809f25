// The whole life of a code, seen through the change of a shop's phone, which asks for one (D1 §2, §4; D2 §5).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { ageCodes, codeInput, codeSentTo, freshCode, sendCode } from '#test/make-codes.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let shop: number
let phones = 0
const freshPhone = () => `139${String(++phones).padStart(8, '0')}`

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  mine = office.as(await office.login(agent.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  shop = await makeMerchant(office, agent.id)
})

const change = (code: string, id = shop, phone = freshPhone()) =>
  refusalOf(mine.shopAccess.changePhone({ id, phone, code }))
/** Six digits that are not the code. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const codesOf = async (id: number) =>
  (await office.owner.query('select * from verification_codes where merchant_id = $1 order by id', [id])).rows

describe('a code that was sent', () => {
  test('is in the outbox for the present phone, is kept as a hash, and opens once', async () => {
    const { account } = await mine.merchants.details({ id: shop })
    const sent = await sendCode(office, mine, shop)
    assert.deepEqual(sent, {
      phone: `${account.slice(0, 3)}****${account.slice(-4)}`,
      secondsLeft: 60,
      inboxUrl: null,
    })
    const code = await codeSentTo(office, shop)
    const { rows } = await office.owner.query('select * from outbox_messages where merchant_id = $1', [shop])
    assert.equal(rows.length, 1)
    assert.deepEqual(
      [rows[0].phone, rows[0].kind, rows[0].status, rows[0].created_by_name],
      [account, 'phone-code', 'queued', '姓名'],
    )
    const [kept] = await codesOf(shop)
    assert.equal(kept.code_hash.length, 32)
    assert.ok(!JSON.stringify(kept).includes(code))
    assert.equal(await change(code), 'accepted')
    assert.equal(await change(code), 'CODE_WRONG')
  })

  test('may be typed wrongly, and then rightly', async () => {
    const code = await freshCode(office, mine, shop)
    assert.equal(await change(''), 'PHONE_CODE_REQUIRED')
    assert.equal(await change('12'), 'CODE_WRONG')
    for (let i = 0; i < 4; i++) assert.equal(await change(wrong(code)), 'CODE_WRONG')
    assert.equal((await codesOf(shop))[0].failures, 4)
    assert.equal(await change(code), 'accepted')
  })

  test('is spent after five wrong tries, though each was refused', async () => {
    const code = await freshCode(office, mine, shop)
    const answers = []
    for (let i = 0; i < 5; i++) answers.push(await change(wrong(code)))
    assert.deepEqual(answers, [...Array(4).fill('CODE_WRONG'), 'CODE_SPENT'])
    assert.equal(await change(code), 'CODE_SPENT')
  })

  test('leaves a row in the operation log for each wrong try, without what was typed', async () => {
    const code = await freshCode(office, mine, shop)
    for (let i = 0; i < 2; i++) await change(wrong(code))
    const { rows } = await office.owner.query(
      `select title, subject, changes, account_id from operation_logs
         where merchant_id = $1 and title = '验证码错误' order by id`,
      [shop],
    )
    assert.deepEqual(
      rows.map(row => [row.subject, row.changes, Number(row.account_id)]),
      [1, 2].map(times => [
        `测试店铺 (${shop})`,
        [
          { name: '用途', before: null, after: '修改手机号' },
          { name: '错误次数', before: null, after: `${times} 次` },
        ],
        agent.accountId,
      ]),
    )
  })

  test('is spent after five wrong tries at once too', async () => {
    const code = await freshCode(office, mine, shop)
    const answers = await Promise.all(Array.from({ length: 12 }, () => change(wrong(code))))
    assert.equal(answers.filter(answer => answer === 'CODE_WRONG').length, 4)
    assert.equal((await codesOf(shop))[0].failures, 5)
    assert.equal(await change(code), 'CODE_SPENT')
  })

  test('used by two at once serves one', async () => {
    const code = await freshCode(office, mine, shop)
    const answers = await Promise.all([change(code), change(code)])
    assert.deepEqual(answers.sort(), ['CODE_WRONG', 'accepted'])
  })

  test('is valid for ten minutes', async () => {
    const code = await freshCode(office, mine, shop)
    await ageCodes(office, shop, 9 * 60 + 50)
    const other = await makeMerchant(office, agent.id)
    const late = await freshCode(office, mine, other)
    await ageCodes(office, other, 10 * 60)
    assert.equal(await change(late, other), 'CODE_WRONG')
    assert.equal(await change(code), 'accepted')
  })

  test('ends the one before it', async () => {
    const first = await freshCode(office, mine, shop)
    await ageCodes(office, shop, 60)
    const second = await freshCode(office, mine, shop)
    if (first !== second) assert.equal(await change(first), 'CODE_WRONG')
    assert.equal(await change(second), 'accepted')
  })

  test('serves its own purpose and shop only, and the phone it was sent to', async () => {
    const recovery = await freshCode(office, mine, shop, 'recovery')
    assert.equal(await change(recovery), 'CODE_WRONG')
    await ageCodes(office, shop, 60)
    const other = await makeMerchant(office, agent.id)
    const others = await freshCode(office, mine, other)
    await freshCode(office, mine, shop)
    const own = await codeSentTo(office, shop)
    if (own !== others) assert.equal(await change(others), 'CODE_WRONG')
    await office.owner.query('update merchants set account = $2 where id = $1', [shop, freshPhone()])
    assert.equal(await change(own), 'CODE_WRONG')
  })

  test('is not used up when the change is refused for another reason', async () => {
    const code = await freshCode(office, mine, shop)
    const taken = await mine.merchants.details({ id: await makeMerchant(office, agent.id) })
    assert.equal(await change(code, shop, taken.account), 'ACCOUNT_TAKEN')
    assert.equal(await change(code, shop, '12345'), 'ACCOUNT_MOBILE')
    assert.equal(await change(code), 'accepted')
  })
})

describe('sending', () => {
  test('is refused in words where no service sends it, and keeps nothing', async () => {
    const input = await codeInput(office, shop, 'phone')
    const { services } = office.app
    services.providers = { ...services.providers, sms: null }
    await assert.rejects(mine.messages.sendCode(input), {
      code: 'CODES_UNCONNECTED',
      message: '没有接入短信服务，收不到验证码',
    })
    assert.deepEqual(await codesOf(shop), [])
  })

  test('again to a phone is refused for 60 seconds, with the seconds that are left, whatever it is for', async () => {
    await sendCode(office, mine, shop)
    await ageCodes(office, shop, 20)
    await assert.rejects(sendCode(office, mine, shop), {
      code: 'CODE_TOO_SOON',
      data: { secondsLeft: 40 },
    })
    assert.equal(await refusalOf(sendCode(office, mine, shop, 'recovery')), 'CODE_TOO_SOON')
    await ageCodes(office, shop, 40)
    assert.equal(await refusalOf(sendCode(office, mine, shop, 'recovery')), 'accepted')
    await ageCodes(office, shop, 60)
    assert.equal(await refusalOf(sendCode(office, mine, shop)), 'accepted')
  })

  test('by eight at once sends one', async () => {
    const inputs = []
    for (let i = 0; i < 8; i++) inputs.push(await codeInput(office, shop, 'phone'))
    const answers = await Promise.all(inputs.map(input => refusalOf(mine.messages.sendCode(input))))
    assert.deepEqual(answers.sort(), [...Array(7).fill('CAPTCHA_TOO_SOON'), 'accepted'])
    assert.equal((await codesOf(shop)).length, 1)
  })

  test('ends after ten codes to a phone on one day, whatever they are for', async () => {
    await office.owner.query(
      `insert into verification_codes (agent_id, merchant_id, purpose, phone, code_hash, created_at, expires_at)
         select agent_id, id, 'recovery', account, 'x', now(), now() from merchants, generate_series(1, 10) where id = $1`,
      [shop],
    )
    assert.equal(await refusalOf(sendCode(office, mine, shop)), 'CODE_TOO_MANY')
    await ageCodes(office, shop, 24 * 3_600)
    assert.equal(await refusalOf(sendCode(office, mine, shop)), 'accepted')
  })

  test('counts what other agents sent to the phone', async () => {
    const { account } = await mine.merchants.details({ id: shop })
    const other = await makeAgent(office)
    const theirShop = await makeMerchant(office, other.id)
    const sentByOther = (purpose: string, times: number, ago: string) =>
      office.owner.query(
        `insert into verification_codes (agent_id, merchant_id, purpose, phone, code_hash, created_at, expires_at)
           select $1, $2, $3, $4, 'x', now() - $6::interval, now() from generate_series(1, $5)`,
        [other.id, theirShop, purpose, account, times, ago],
      )
    const send = () => refusalOf(sendCode(office, mine, shop))
    await sentByOther('phone', 1, '10 s')
    assert.equal(await send(), 'CODE_TOO_SOON')
    await ageCodes(office, theirShop, 3 * 24 * 3_600)
    await sentByOther('recovery', 10, '0 s')
    assert.equal(await send(), 'CODE_TOO_MANY')
    await ageCodes(office, theirShop, 24 * 3_600)
    await sentByOther('recovery', 5, '50 min')
    assert.equal(await send(), 'CODE_TOO_MANY_NOW')
    await ageCodes(office, theirShop, 15 * 60)
    assert.equal(await send(), 'accepted')
  })

  test('is refused for a disabled shop, an account that is no mobile number, and what is not there', async () => {
    const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
    const landline = await makeMerchant(office, agent.id, { account: '07551234567' })
    const stranger = await makeMerchant(office, (await makeAgent(office)).id)
    const cases: [number, string][] = [
      [disabled, 'MERCHANT_DISABLED'],
      [landline, 'PHONE_NOT_MOBILE'],
      [stranger, 'NOT_FOUND'],
      [99_999_999, 'NOT_FOUND'],
    ]
    for (const [merchantId, code] of cases)
      assert.equal(await refusalOf(sendCode(office, mine, merchantId)), code)
    assert.equal((await codesOf(stranger)).length, 0)
  })

  test('asks for the permission of the purpose', async () => {
    const as = async (nodeIds: number[]) =>
      office.as(await office.login((await makeAccount(office, agent.id, { nodeIds })).loginName))
    const [phone, recall] = [await as([227]), await as([229])]
    const send = (who: Client, purpose: 'phone' | 'recovery') =>
      refusalOf(sendCode(office, who, shop, purpose))
    assert.deepEqual([await send(phone, 'recovery'), await send(recall, 'phone')], ['FORBIDDEN', 'FORBIDDEN'])
    assert.equal(await send(phone, 'phone'), 'accepted')
    await ageCodes(office, shop, 60)
    assert.equal(await send(recall, 'recovery'), 'accepted')
  })
})
