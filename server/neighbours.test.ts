// One agent cannot take what is everybody's: its requests wait in a line of their own, whose end is told with when to come again.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { until } from '#test/patience.ts'

let office: Office
before(async () => {
  office = await openOffice({ settings: { POOL_SIZE: '6' } })
})
after(() => office.stop())

/** As many as wait at most, and those that are at work. */
const MANY = 130

test('what one agent sends waits for its own; another is served beside it, and too many are told when to come again', async () => {
  const loud = await makeAgent(office)
  const quiet = await makeAgent(office)
  const shop = await makeMerchant(office, loud.id)
  const [loudly, quietly] = [await office.login(loud.loginName), await office.login(quiet.loginName)]
  const look = () =>
    office.app.http.inject({ method: 'GET', url: '/api/merchants', headers: { cookie: quietly } })
  const holder = await office.owner.connect()
  await holder.query('begin')
  await holder.query('select 1 from merchants where id = $1 for update', [shop])
  let answered = 0
  const changes = Array.from({ length: MANY }, async (_, n) => {
    const answer = await office.app.http.inject({
      method: 'PATCH',
      url: `/api/merchants/${shop}/remark`,
      headers: { cookie: loudly, 'x-requested-with': 'partner-office' },
      payload: { remark: `老客户${n}` },
    })
    answered++
    return answer
  })
  try {
    // Refused for a full line alone: all others wait for the row.
    await until(() => answered > 0)
    for (let n = 0; n < 3; n++) assert.equal((await look()).statusCode, 200)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  const answers = await Promise.all(changes)
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  assert.ok(refused.length > 0)
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, MANY - refused.length)
  for (const answer of refused) {
    assert.equal(answer.json().code, 'TOO_MANY_AT_ONCE')
    assert.equal(answer.json().message, '同时进行的操作过多，请稍后再试')
    assert.equal(answer.headers['retry-after'], '1')
  }
})
