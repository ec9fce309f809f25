// Every row of the table: with a valid input, with a bad one, without a token, without the rights, with another's ids, and with hostile values.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import type { Call, Step, Takes } from '#compat/call.ts'
import { CALLS, pathsOf } from '#compat/calls.ts'
import type { Office } from '#test/app.ts'
import { sampled } from '#test/lane.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { nodeId } from '#test/make-api-keys.ts'
import { startOutside } from '#test/outside.ts'
import { MARK } from '#test/walk-types.ts'
import { type Answer, type CompatClient, compatClient } from './client.ts'
import { openCompatOffice, signedIn } from './office.ts'
import { BODIES, type CompatScene, makeCompatScene, VALID } from './valid.ts'

let office: Office
let outside: Awaited<ReturnType<typeof startOutside>>
let partner: CompatClient
let staff: CompatClient
let stranger: CompatClient
let nobody: CompatClient
let scene: CompatScene

before(async () => {
  outside = await startOutside({})
  office = await openCompatOffice({ providers: outside.providers })
  const agent: MadeAgent = await makeAgent(office, { tokens: 10_000, sms: 10_000 })
  const operator = await makeAgent(office, { operator: true, tokens: 10_000, sms: 10_000 })
  const other = await makeAgent(office, { tokens: 10_000, sms: 1_000 })
  const without = await makeAccount(office, agent.id, {
    nodeIds: [nodeId('apiKeys.edit'), nodeId('messageDesk.forecast')],
  })
  partner = await signedIn(office, agent.loginName)
  staff = await signedIn(office, operator.loginName)
  stranger = await signedIn(office, other.loginName)
  nobody = await signedIn(office, without.loginName)
  await makeMerchant(office, agent.id, { shop_name: MARK })
  scene = await makeCompatScene(office, { agent, operator, partner, staff })
})
after(async () => {
  await office.stop()
  await outside.stop()
})

type Params = Record<string, unknown>
function ask(client: CompatClient, call: Call, params: Params): Promise<Answer> {
  const [path = ''] = pathsOf(call)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 'x')))
  const { does } = call
  if ('steps' in does && does.upload) return client.upload(filled, does.upload.field, scene.picture(), params)
  return call.methods.includes('POST') ? client.post(filled, params) : client.get(filled, params)
}

/** What every answer is, whatever was asked. */
function assertEnveloped(call: Call, answer: Answer): void {
  assert.ok(answer.status < 500, `${call.name} answered ${answer.status} ${answer.error}`)
  if (answer.envelope !== 'file') assert.equal(answer.envelope, call.envelope, call.name)
  if (!answer.ok) assert.match(answer.error, /\S/, call.name)
}

test('each has a valid input', () => {
  const named = CALLS.map(({ name }) => name)
  assert.deepEqual(
    named.filter(name => !Object.hasOwn(VALID, name)),
    [],
  )
  assert.deepEqual(
    Object.keys(VALID).filter(name => !named.includes(name)),
    [],
  )
})

describe('with a valid input it does what it says, and to another agent nothing is told or done', () => {
  for (const call of CALLS)
    test(call.name, async () => {
      const valid = VALID[call.name]
      assert.ok(valid)
      const params = await valid.params(scene)
      if (valid.by === 'partner' && !call.isOpen && !valid.isOnce) await assertClosed(call, params)
      const answer = await ask(valid.by === 'staff' ? staff : partner, call, params)
      assertEnveloped(call, answer)
      if (valid.refused) {
        assert.equal(answer.ok, false, `${call.name} is accepted`)
        assert.match(answer.error, valid.refused)
      } else assert.equal(answer.ok, true, `${call.name}: ${answer.error}`)
    })
})

async function assertClosed(call: Call, params: Params): Promise<void> {
  const before = await scene.fingerprint()
  const answer = await ask(stranger, call, params)
  assertEnveloped(call, answer)
  const text = answer.envelope === 'file' ? '' : JSON.stringify(answer.value)
  assert.ok(!text.includes(MARK), `${call.name} tells ${text}`)
  assert.equal(await scene.fingerprint(), before, call.name)
}

/** Values that mean nothing to anybody. */
const BAD: Params = {
  user_id: 'no number',
  id: 'no number',
  sv_id: 'no number',
  order_id: 'no order',
  page: 'first',
  pagesize: 500,
  approval_status: 9,
  status: 99,
  type: 77,
  sv_is_active: 'perhaps',
  step: 8,
  Name: 'nothing',
  state: 12345,
}
/** These take nothing, or nothing that could be wrong. */
const TAKES_ANYTHING = new Set(
  CALLS.filter(
    ({ does }) => 'steps' in does && does.steps.every(({ takes = {} }) => Object.keys(takes).length === 0),
  ).map(({ name }) => name),
)

test('with a bad input each is refused, in its envelope and in words', async () => {
  const accepted: string[] = []
  for (const call of CALLS) {
    const answer = await ask(staff, call, { ...BAD })
    assertEnveloped(call, answer)
    if (answer.ok && !TAKES_ANYTHING.has(call.name)) accepted.push(call.name)
  }
  assert.deepEqual(accepted, [...HARMLESS])
})
/** What is wrong above is nothing to them: they take other names, which are not sent, or seek nothing. */
const HARMLESS: readonly string[] = [
  'CheckAddDistributorUserAccountExist',
  'PTUploadLogoFilesAjax',
  'PTGetDistributorList',
  'PTGetOrderList_File',
  'MerchantStatistics',
  'PTGetChatComponentLogs',
  'getStateCountStatistics',
  'PriceTag GetAllTemplates',
  'TicketTemplate GetSystemTemplates',
]

test('without a token, with one of nobody and with one that is over, each is refused', async () => {
  const shut = compatClient(office.url)
  const forged = compatClient(office.url)
  forged.token = `pot_${'A'.repeat(43)}`
  for (const call of CALLS.filter(({ isOpen }) => !isOpen))
    for (const client of [shut, forged]) {
      const answer = await ask(client, call, {})
      assert.deepEqual([call.name, answer.ok, answer.error], [call.name, false, '登录已失效，请重新登录'])
    }
})

/** Open to whoever signs in, as in the office: what all may read, and what is answered without asking anybody. */
const FOR_ALL = new Set([
  'AppLogin',
  'getNoticeList',
  'getManagerData',
  'PTGetIndustryType',
  'PTGteStoreVersion',
  'getConvergePayResult',
  'GetPayOrder',
])
const isAnsweredHere = ({ does }: Call) =>
  'none' in does || ('steps' in does && does.steps.length === 0 && !does.upload)

/** Something for every parameter that a row takes, so that each step is asked. */
function something({ does }: Call): Params {
  const params: Params = {}
  const take = (takes: Takes = {}): void => {
    for (const one of Object.values(takes))
      if ('from' in one) params[one.from[0] as string] = '1'
      else if ('all' in one) take(one.all)
      else if ('list' in one) take(Object.fromEntries(one.list.map((each, i) => [String(i), each])))
      else if ('each' in one) params[one.each[0] as string] = '[]'
      else if ('made' in one) Object.assign(params, BODIES)
  }
  const choose = (when: Step['when']): void => {
    if (when === undefined) return
    if ('both' in when) when.both.forEach(choose)
    if ('is' in when) params[when.sent] = when.is.find(Boolean) ?? ''
  }
  if ('file' in does) take(does.takes)
  if ('steps' in does)
    for (const { takes, only, when } of does.steps.toReversed()) {
      take(takes)
      if (only) take({ only: only.is })
      choose(when)
    }
  return params
}

test('without the right each is refused', async () => {
  for (const call of CALLS.filter(one => !FOR_ALL.has(one.name) && !isAnsweredHere(one))) {
    const answer = await ask(nobody, call, something(call))
    assertEnveloped(call, answer)
    assert.equal(answer.ok, false, `${call.name} is open to who may do nothing`)
    assert.match(
      answer.error,
      /没有操作权限|不能通过旧接口|需要本人当场验证/,
      `${call.name}: ${answer.error}`,
    )
  }
})

const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '{"a":',
  '[]',
  '{}',
  '../../etc/passwd',
  -1,
  1e21,
  '9'.repeat(40),
  true,
  null,
  [],
  ['a'],
  {},
  { $gt: '' },
  '__proto__',
]

test('hostile values are refused or mean nothing, and break nothing', async () => {
  let at = 0
  for (const call of CALLS) {
    const valid = something(call)
    const names = Object.keys(valid)
    for (const name of sampled([...names, '__proto__'], 2)) {
      const value = HOSTILE[at++ % HOSTILE.length]
      assertEnveloped(call, await ask(staff, call, { ...valid, [name]: value }))
    }
  }
})
