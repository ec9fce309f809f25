// The outbox of a suspended agency: its campaigns wait, codes and notices go, and others are not held up.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { Client, Office } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { ageMessages, phoneFor, queueCampaign, sendAll, smsOf, statuses } from '#test/make-messages.ts'
import { sendingScene } from '#test/sending.ts'

let office: Office
const { agentWith } = sendingScene(opened => {
  office = opened.office
})

let asked: Promise<Client> | undefined
const operator = () => {
  asked ??= makeAgent(office, { operator: true }).then(async one =>
    office.as(await office.login(one.loginName)),
  )
  return asked
}
const suspend = async (id: number) => (await operator()).partners.suspend({ id, reason: '合同款逾期未付' })
const resume = async (id: number) => (await operator()).partners.resume({ id })
const HOURS = 3_600

describe('the outbox of a suspended agency', () => {
  test('keeps its campaigns until it is resumed, while codes and notices go, and those of others', async () => {
    const [agent, other] = [await agentWith(10), await agentWith(10)]
    const { ids: before } = await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    await suspend(agent.id)
    // As where a sender puts back what it had in hand.
    const { ids: meanwhile } = await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    const kinds = ['account-notice', 'hand-over', 'renewal-reminder', 'account-code'] as const
    const sentAnyway: number[] = []
    for (const kind of kinds)
      sentAnyway.push(...(await queueCampaign(office, agent.id, { phones: [phoneFor()], kind })).ids)
    const { ids: others } = await queueCampaign(office, other.id, { phones: [phoneFor()] })
    await sendAll(office)
    assert.deepEqual(await statuses(office, [...before, ...meanwhile]), ['queued', 'queued'])
    assert.deepEqual(
      await statuses(office, [...sentAnyway, ...others]),
      [...sentAnyway, ...others].map(() => 'submitted'),
    )
    await resume(agent.id)
    await sendAll(office)
    assert.deepEqual(await statuses(office, [...before, ...meanwhile]), ['submitted', 'submitted'])
  })

  test('gives back the credit of what it could not send in time', async () => {
    const agent = await agentWith(5)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor(), phoneFor()] })
    assert.equal(await smsOf(office, 'agent', agent.id), 3)
    await suspend(agent.id)
    await ageMessages(office, ids, 73 * HOURS)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['expired', 'expired'])
    assert.equal(await smsOf(office, 'agent', agent.id), 5)
    await resume(agent.id)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['expired', 'expired'])
  })
})
