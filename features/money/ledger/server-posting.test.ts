import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { copyQuotes } from '#test/faults/quotes.ts'
import { times } from '#test/lane.ts'
import { credit, type MadeAgent, makeAgent, newMerchantForm } from '#test/make.ts'

const PRICE_CENTS = 29_800
const LAST_TOKEN_ROUNDS = times(100, 1_000)
const BUYERS = 64

let office: Office
/** Many connections as the owner, who may move anybody's money. */
let crowd: pg.Pool

before(async () => {
  office = await openOffice()
  crowd = new pg.Pool({
    connectionString: office.ownerUrl,
    max: BUYERS,
    options: '-c timezone=UTC -c app.scope=all',
  })
})
after(async () => {
  await crowd.end()
  await office.stop()
})

async function makeBuyer(tokens: number): Promise<{ agent: MadeAgent; client: Client }> {
  const agent = await makeAgent(office, { tokens })
  return { agent, client: office.as(await office.login(agent.loginName)) }
}

async function countsOf(agentId: number): Promise<Record<string, number>> {
  const { rows } = await office.owner.query<Record<string, string>>(
    `select (select count(*) from merchants where agent_id = $1) as shops,
       (select count(*) from version_orders where agent_id = $1 and status = 'paid') as paid,
       (select count(*) from ledger_transfers where agent_id = $1 and kind = 'version-new') as transfers,
       (select count(*) from operation_logs where agent_id = $1 and title = '新增商户') as logs,
       (select count(*) from idempotency_keys k join accounts a on a.id = k.account_id where a.agent_id = $1) as keys`,
    [agentId],
  )
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]))
}

type Move = { from: number; to: number; amount: number }

/** Posts movements between agents' token accounts in one call. */
function move(...moves: Move[]) {
  const movements = moves.map(({ from, to, amount }) => ({
    kind: 'credit',
    asset: 'token',
    amount,
    from: { kind: 'agent', id: from },
    to: { kind: 'agent', id: to },
    document: 'MOVE',
    payMethod: 'gift',
    agentId: from,
    actorId: 1,
    actorName: '测试',
    description: '互转',
  }))
  return crowd.query('select ledger_post($1::jsonb)', [JSON.stringify(movements)])
}

async function tokensOf(agentId: number): Promise<number> {
  const { rows } = await office.owner.query(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token'`,
    [agentId],
  )
  return Number(rows[0]?.balance)
}

test('a purchase is two entries that sum to zero, with the balance before and after and the hash before', async () => {
  const { agent, client } = await makeBuyer(1_000)
  const quote = await client.selling.quote(newMerchantForm())
  await client.selling.add({ orderNo: quote.orderNo })
  const { rows } = await office.owner.query(
    `select e.amount::int, a.owner_kind, e.sequence::int, e.balance_before::int, e.balance_after::int
     from ledger_entries e join ledger_transfers t on t.id = e.transfer_id join ledger_accounts a on a.id = e.account_id
     where t.document = $1 order by e.amount`,
    [quote.orderNo],
  )
  assert.deepEqual(rows, [
    {
      amount: -PRICE_CENTS,
      owner_kind: 'agent',
      sequence: 2,
      balance_before: 100_000,
      balance_after: 70_200,
    },
    { amount: PRICE_CENTS, owner_kind: 'vendor', sequence: null, balance_before: null, balance_after: null },
  ])
  assert.equal(await tokensOf(agent.id), 70_200)
  assert.match(await office.verifyLedger(), /^ledger sound /)
})

test(`two buyers and one last token: one buys, the other is refused and writes nothing, ${LAST_TOKEN_ROUNDS} times`, async () => {
  const { agent, client } = await makeBuyer(0)
  const quote = await client.selling.quote(newMerchantForm())
  const orders = await copyQuotes(office.owner, quote.orderNo, 2 * LAST_TOKEN_ROUNDS)
  for (let round = 0; round < LAST_TOKEN_ROUNDS; round++) {
    await credit(office, agent.id, 'token', PRICE_CENTS)
    const pair = orders.slice(2 * round, 2 * round + 2)
    const answers = await Promise.all(pair.map(orderNo => refusalOf(client.selling.add({ orderNo }))))
    assert.deepEqual(answers.sort(), ['INSUFFICIENT', 'accepted'], `round ${round}`)
  }
  assert.equal(await tokensOf(agent.id), 0)
  assert.deepEqual(await countsOf(agent.id), {
    shops: LAST_TOKEN_ROUNDS,
    paid: LAST_TOKEN_ROUNDS,
    transfers: LAST_TOKEN_ROUNDS,
    logs: LAST_TOKEN_ROUNDS,
    keys: LAST_TOKEN_ROUNDS,
  })
  await office.verifyLedger()
})

test(`${BUYERS} buyers at once on one rich wallet are all served: contention is no want of balance`, async () => {
  const { agent, client } = await makeBuyer(1_000_000)
  const quote = await client.selling.quote(newMerchantForm({ smsCount: 1 }))
  await credit(office, agent.id, 'sms', 10_000)
  const orders = await copyQuotes(office.owner, quote.orderNo, BUYERS * 4)
  const answers: string[] = []
  await Promise.all(
    Array.from({ length: BUYERS }, async (_, buyer) => {
      for (const orderNo of orders.slice(buyer * 4, buyer * 4 + 4))
        answers.push(await refusalOf(client.selling.add({ orderNo })))
    }),
  )
  assert.deepEqual([...new Set(answers)], ['accepted'])
  const { shops, transfers } = await countsOf(agent.id)
  assert.deepEqual([shops, transfers], [orders.length, orders.length])
  assert.equal(await tokensOf(agent.id), 100_000_000 - orders.length * PRICE_CENTS)
  await office.verifyLedger()
})

test('money that moves crosswise between accounts meets no deadlock', async () => {
  const ids: number[] = []
  for (let i = 0; i < 4; i++) ids.push((await makeAgent(office, { tokens: 10_000 })).id)
  const pick = (round: number, step: number) =>
    ids[(round * 7 + step * 3 + (round % step)) % ids.length] as number
  await Promise.all(
    Array.from({ length: 400 }, (_, round) => {
      const [a, b, c] = [pick(round, 1), pick(round, 2), pick(round, 3)]
      const moves = [
        { from: a, to: b, amount: 1 + (round % 5) },
        { from: b, to: c, amount: 1 + (round % 3) },
        { from: c, to: a, amount: 1 },
      ].filter(({ from, to }) => from !== to)
      return moves.length > 0 ? move(...moves) : null
    }),
  )
  const total = (await Promise.all(ids.map(tokensOf))).reduce((sum, tokens) => sum + tokens, 0)
  assert.equal(total, 4 * 1_000_000)
  await office.verifyLedger()
})

test('a post that fails in its last movement moves nothing', async () => {
  const [rich, poor] = [await makeAgent(office, { tokens: 100 }), await makeAgent(office)]
  await assert.rejects(
    move({ from: rich.id, to: poor.id, amount: 60 }, { from: poor.id, to: rich.id, amount: 61 }),
    { code: 'PO001' },
  )
  assert.equal(await tokensOf(rich.id), 10_000)
  await move({ from: rich.id, to: poor.id, amount: 60 }, { from: poor.id, to: rich.id, amount: 60 })
  assert.deepEqual([await tokensOf(rich.id), await tokensOf(poor.id)], [10_000, 0])
  for (const amount of [0, -1])
    await assert.rejects(move({ from: rich.id, to: poor.id, amount }), { code: '23514' })
  await assert.rejects(move({ from: rich.id, to: rich.id, amount: 1 }), { code: '23514' })
  await office.verifyLedger()
})

test('who sets up an office may post at moments that have been, in their order alone', async () => {
  const agent = await makeAgent(office)
  const postAt = (...moments: string[]) => {
    const movement = {
      kind: 'credit',
      asset: 'token',
      amount: 100,
      from: { kind: 'vendor', book: 'issued' },
      to: { kind: 'agent', id: agent.id },
      document: 'PAST',
      payMethod: 'gift',
      agentId: agent.id,
      actorId: 1,
      actorName: '测试',
      description: '期初',
    }
    return crowd.query('select ledger_post_at($1::jsonb, $2::timestamptz[])', [
      JSON.stringify(moments.map(() => movement)),
      moments,
    ])
  }
  await postAt('2026-03-31T15:59:59.999Z', '2026-03-31T16:00:00.000Z')
  await postAt('2026-04-02T01:00:00.000Z')
  await assert.rejects(postAt('2026-04-01T01:00:00.000Z'), { message: 'ledger movement out of its time' })
  await assert.rejects(postAt('2999-01-01T00:00:00.000Z'), { message: 'ledger movement out of its time' })
  const { rows } = await office.owner.query(
    'select day::text, transfers::int, income::int from ledger_days where agent_id = $1 order by day',
    [agent.id],
  )
  assert.deepEqual(rows, [
    { day: '2026-03-31', transfers: 1, income: 100 },
    { day: '2026-04-01', transfers: 1, income: 100 },
    { day: '2026-04-02', transfers: 1, income: 100 },
  ])
  await office.verifyLedger()
})
