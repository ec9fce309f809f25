// What tests of sending share: an agent with credit, faults of the simulated service, and what it has counted.
import { after, afterEach, before } from 'node:test'
import type { Effect } from '#providers/simulator.ts'
import { type Office, openOffice } from './app.ts'
import { credit, type MadeAgent, makeAgent } from './make.ts'
import { queueCampaign } from './make-messages.ts'
import { type Outside, startOutside } from './outside.ts'

type Opened = { office: Office; outside: Outside }

/**
 * Opens an office and its services before the tests of a file, and tells `use` of them; stops them at the end, with a sound
 * ledger. Faults and receipts end with each test.
 */
export function sendingScene(use: (opened: Opened) => void) {
  let opened: Opened | undefined
  const of = () => opened as Opened
  const service = () => of().outside.simulators.aliyun
  before(async () => {
    const outside = await startOutside()
    try {
      opened = { outside, office: await openOffice({ providers: outside.providers, listen: true }) }
    } catch (error) {
      await outside.stop()
      throw error
    }
    use(opened)
  })
  after(async () => {
    if (!opened) return
    await opened.office.verifyLedger()
    await opened.office.stop()
    await opened.outside.stop()
  })
  afterEach(() => {
    if (!opened) return
    service().control.faults.length = 0
    service().setReceiptsUrl(null)
  })
  return {
    async agentWith(pieces: number): Promise<MadeAgent> {
      const agent = await makeAgent(of().office)
      await credit(of().office, agent.id, 'sms', pieces)
      return agent
    },
    /** Queues one message to each number, each with a text of its own. Answers their ids. */
    async queueOwn(agentId: number, phones: readonly string[], shopOf = (n: number) => `店${n}`) {
      const ids: number[] = []
      for (const [n, phone] of phones.entries()) {
        const params = { shop: shopOf(n), time: '今晚23点' }
        ids.push(...(await queueCampaign(of().office, agentId, { phones: [phone], params })).ids)
      }
      return ids
    },
    fault: (effect: Effect, { match = 'SendSms', times = 1 } = {}) =>
      service().control.faults.push({ match, times, effect }),
    accepted: () => service().counts().accepted as number,
    calls: () => service().counts().calls as number,
    /** How often each of these numbers got a message, of the last thousand. */
    async gotBy(phones: readonly string[]): Promise<number[]> {
      const answer = await fetch(`${service().url}/__sim/inbox.json`)
      const { messages } = (await answer.json()) as { messages: { phone: string }[] }
      return phones.map(phone => messages.filter(message => message.phone === phone).length)
    },
    /** What these numbers got last. */
    async textsOf(phones: readonly string[]): Promise<(string | undefined)[]> {
      const answer = await fetch(`${service().url}/__sim/inbox.json`)
      const { messages } = (await answer.json()) as { messages: { phone: string; text: string }[] }
      return phones.map(phone => messages.find(message => message.phone === phone)?.text)
    },
  }
}
