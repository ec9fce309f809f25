import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'

let office: Office
let operator: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

test('a picker finds agents by number and by a part of their name, wildcards are only characters', async () => {
  const agent = await makeAgent(office)
  await office.owner.query(`update agents set company_name = '五折50%_公司' where id = $1`, [agent.id])
  for (const search of [String(agent.id), '五折', '50%', '%_'])
    assert.deepEqual(
      (await operator.agents.options({ search })).rows,
      [{ id: agent.id, companyName: '五折50%_公司' }],
      search,
    )
  for (const search of ['%%', '5_%'])
    assert.deepEqual((await operator.agents.options({ search })).rows, [], search)
})

test('a picker gets at most 20', async () => {
  for (let i = 0; i < 21; i++) await makeAgent(office)
  assert.equal((await operator.agents.options({})).rows.length, 20)
})

test('a picker is not for agents', async () => {
  const agent = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal(await refusalOf(agent.agents.options({})), 'FORBIDDEN')
})
