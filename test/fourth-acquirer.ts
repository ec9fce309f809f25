// An acquirer is a record: another one, which this file alone knows, works from the beginning to the hand-over.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import test, { after, before } from 'node:test'
import type { AcquirerName, AcquirerRecord } from '#kit/ports/acquirers.ts'
import type { Client, Office } from '#test/app.ts'
import type { MadeAgent } from '#test/make.ts'

const FOURTH = 'fourth' as AcquirerName
const RECORD: AcquirerRecord = {
  label: '第四收单',
  code: { max: 6, pattern: '^F[0-9]{5}$', patternWords: '为 F 加 5 位数字' },
  form: { as: 'json', fileName: 'fourth' },
  lines: [
    { name: 'title', source: 'company', required: true },
    { name: 'contact', source: 'contactName', required: true },
    { name: 'mail', source: 'email', required: false },
  ],
  pictures: [{ fileName: 'licence', paper: 'businessLicence', required: true }],
  pays: { methodId: 15, number: 'mercId', secret: null },
}

/** Puts the record first among them, as whoever adds an acquirer writes it. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/kit/ports/acquirers.ts')) return loaded
    const line = `$& ${FOURTH}: ${JSON.stringify(RECORD)},`
    return { ...loaded, source: String(loaded.source).replace('ACQUIRERS = {', line) }
  },
})

let office: Office
let staff: Client
let staffCookie: string
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  const { openOffice } = await import('#test/app.ts')
  const { makeAgent, makeMerchant } = await import('#test/make.ts')
  office = await openOffice()
  staffCookie = await office.login((await makeAgent(office, { staff: true })).loginName)
  staff = office.as(staffCookie)
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id)
})
after(() => office.stop())

test('another acquirer works from the beginning to the hand-over', async () => {
  const { makeKnown } = await import('#features/acquiring/acquirer-onboardings/walk.ts')
  await makeKnown(office, agent, shop)
  const { rows } = await office.owner.query('select account from merchants where id = $1', [shop])
  const { id } = await me.acquirerOnboardings.begin({ account: rows[0].account, channel: FOURTH })
  const at = async () => ({ id, revision: (await me.acquirerOnboardings.details({ id })).revision })
  const begun = await me.acquirerOnboardings.details({ id })
  assert.deepEqual([begun.lines.map(({ name }) => name), begun.lacking], [['title', 'contact', 'mail'], []])
  await me.acquirerOnboardings.submit(await at())
  await staff.acquirerOnboardings.approve(await at())
  const answer = await office.app.http.inject({
    url: `/api/acquirer-onboardings/${id}/package`,
    headers: { cookie: staffCookie },
  })
  const text = answer.rawPayload.toString('utf8')
  assert.ok(text.includes('"title": "老张面馆"') && text.includes('licence.jpg'))
  await staff.acquirerOnboardings.setCode({ ...(await at()), code: 'F00001' })
  await office.owner.query('insert into agent_payment_methods values ($1, 15)', [agent.id])
  await staff.acquirerOnboardings.handOver(await at())
  const paid = await me.merchants.details({ id: shop })
  assert.deepEqual([paid.paymentMethodId, paid.paymentConfig], [15, { mercId: 'F00001' }])
  const listed = await staff.acquirerOnboardings.list({ channel: FOURTH })
  assert.deepEqual(
    listed.rows.map(row => row.code),
    ['F00001'],
  )
})
