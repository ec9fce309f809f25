// An agency with a receiver on loopback: what tests of webhooks share.
import { after, afterEach, before, beforeEach } from 'node:test'
import { deliverWebhooks } from '#features/agencies/webhooks/server-deliver.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { type Client, type Office, openOffice } from '../app.ts'
import { type MadeAgent, makeAgent } from '../make.ts'
import { openReceiver, type Receiver } from './receiver.ts'

type Opened = { office: Office; agent: MadeAgent; other: MadeAgent; mine: Client }

/** Opens an office before the tests of a file, and before each a receiver that nobody knows of yet; what waited is given up. */
export function webhookScene(use: (opened: Opened) => void, useReceiver: (receiver: Receiver) => void) {
  let opened: Opened | undefined
  let receiver: Receiver | undefined
  const of = () => opened as Opened
  const run = (text: string, ...values: unknown[]) => of().office.owner.query(text, values)
  before(async () => {
    const office = await openOffice({ settings: { WEBHOOKS_TO_LOOPBACK: 'on' } })
    const agent = await makeAgent(office)
    const other = await makeAgent(office)
    opened = { office, agent, other, mine: office.as(await office.login(agent.loginName)) }
    use(opened)
  })
  after(() => opened?.office.stop())
  /** Changes get their numbers, and everything that is due is sent. */
  const settle = async (services = of().office.app.services) => {
    while (await sequenceChanges(services));
    while (await deliverWebhooks(services));
  }
  beforeEach(async () => {
    await run('update webhook_endpoints set enabled = false, removed_at = now() where removed_at is null')
    await run(`update webhook_deliveries set state = 'failed' where state = 'pending'`)
    await settle()
    receiver = await openReceiver()
    useReceiver(receiver)
  })
  afterEach(() => receiver?.stop())
  type Topics = Parameters<Client['webhooks']['add']>[0]['topics']
  return {
    run,
    settle,
    rename: (shop: number, name: string) =>
      run('update merchants set shop_name = $2 where id = $1', shop, name),
    /** As if the time until the next try had passed. */
    due: () =>
      run(`update webhook_deliveries set due_at = now() - make_interval(secs => 1) where state = 'pending'`),
    async listen(topics: Topics = ['shop.changed'], client = of().mine): Promise<number> {
      const { url, secrets } = receiver as Receiver
      const { id, secret } = await client.webhooks.add({ url, topics })
      secrets.push(secret)
      return id
    },
    deliveries: async (endpointId: number) =>
      (await of().mine.webhooks.deliveries({ endpointId, size: 100 })).rows,
    endpoint: async (id: number) => (await of().mine.webhooks.list({})).rows.find(row => row.id === id),
  }
}
