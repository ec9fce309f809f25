// Payments in tests: an office whose channels are the simulators, an agent that tops up, and payers with phones.
import { randomBytes } from 'node:crypto'
import { workOnCallbacks } from '#features/sales/payments/server-callbacks.ts'
import { workOnPayments } from '#features/sales/payments/server-work.ts'
import { channelOf, OWN_SETTINGS, type PayChannelName } from '#kit/ports/channels.ts'
import type { Providers } from '#kit/ports/providers.ts'
import { type Client, type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAgent } from './make.ts'
import { type Outside, startOutside } from './outside.ts'
import { until } from './patience.ts'

export type Till = {
  office: Office
  outside: Outside
  agent: MadeAgent
  operator: MadeAgent
  me: Client
  staff: Client
  /** Everything that waits is done: channels asked, callbacks recorded. */
  work(): Promise<void>
  /** The cashier is opened with this channel, and its code is there. */
  open(queryId: string, channel: PayChannelName): Promise<string>
  /** A payer pays, and the callback has been kept where `isTold`. */
  pay(queryId: string, channel: PayChannelName, options?: { late?: boolean; isTold?: boolean }): Promise<void>
  token(queryId: string): Promise<string>
  /** The order's time is over by the database's clock. */
  end(queryId: string): Promise<void>
  /** What waits for its time is due now. */
  hurry(): Promise<void>
  /** Works until every refund has ended. */
  refunded(): Promise<void>
  one<Row extends Record<string, unknown>>(query: string, values?: unknown[]): Promise<Row>
  stop(): Promise<void>
}

export const outTradeNo = (queryId: string, channel: PayChannelName) =>
  `${queryId}${channelOf(channel).suffix}`

/** `around` wraps the channels, such as with what a test wants to have happen to their calls. */
export async function openTill(
  options: { loops?: boolean; timeoutMs?: number; around?: (providers: Providers) => Providers } = {},
): Promise<Till> {
  const outside = await startOutside(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs })
  const office = await openOffice({
    providers: (options.around ?? (same => same))(outside.providers),
    listen: true,
    loops: options.loops ?? false,
  })
  const agent = await makeAgent(office)
  const operator = await makeAgent(office, { operator: true })
  const one: Till['one'] = async (query, values = []) => (await office.owner.query(query, values)).rows[0]
  const eventsOf = async (no: string) =>
    (
      await one<{ count: number }>(
        'select coalesce(sum(times), 0)::int as count from provider_events where out_trade_no = $1',
        [no],
      )
    ).count
  const till: Till = {
    office,
    outside,
    agent,
    operator,
    me: office.as(await office.login(agent.loginName)),
    staff: office.as(await office.login(operator.loginName)),
    async work() {
      await workOnPayments(office.app.services)
      await workOnCallbacks(office.app.services)
    },
    async open(queryId, channel) {
      await office.as(null).payments.cashierAttempt({ token: await till.token(queryId), channel })
      await till.work()
      const row = await one<{ code_url: string | null }>(
        'select code_url from payment_attempts where out_trade_no = $1',
        [outTradeNo(queryId, channel)],
      )
      if (row?.code_url == null) throw new Error(`${queryId} has no code of ${channel}`)
      return row.code_url
    },
    async pay(queryId, channel, { late = false, isTold = true } = {}) {
      const no = outTradeNo(queryId, channel)
      const before = await eventsOf(no)
      const { code_url: code } = await one<{ code_url: string }>(
        'select code_url from payment_attempts where out_trade_no = $1',
        [no],
      )
      outside.simulators.paying(channel).payCode(code, { late })
      if (isTold) await until(async () => (await eventsOf(no)) !== before, `${no} is told of by no callback`)
    },
    async token(queryId) {
      return (await one<{ token: string }>('select token from payment_intents where id = $1', [queryId]))
        .token
    },
    async end(queryId) {
      await office.owner.query(
        `update payment_intents set expires_at = now() - interval '1 second', display_until = now() - interval '1 second' where id = $1`,
        [queryId],
      )
    },
    async hurry() {
      // What the program has in hand just now is left to it.
      for (const table of ['payment_attempts', 'payment_refunds', 'payment_reconciliations'])
        await office.owner.query(
          `update ${table} set ask_at = now() - make_interval(secs => 1) where id = any(array(
             select id from ${table} where ask_at is not null for update skip locked))`,
        )
    },
    async refunded() {
      const open = () =>
        one<{ count: number }>(
          `select count(*)::int as count from payment_refunds where status in ('wanted', 'processing')`,
        )
      const isDone = async () => {
        if ((await open()).count === 0) return true
        await till.hurry()
        await till.work()
        return false
      }
      await until(isDone, 'a refund does not end')
    },
    one,
    async stop() {
      await office.stop()
      await outside.stop()
    },
  }
  return till
}

/** The agent's own account with a channel at the simulators, switched on as if it had been checked. */
export async function giveAccount(
  { office, outside }: Pick<Till, 'office' | 'outside'>,
  agentId: number,
  channel: PayChannelName,
  given: Readonly<Record<string, string>> = outside.simulators.own[channel] ?? {},
): Promise<{ settingsId: number; callbackKey: string }> {
  await office.owner.query('update agents set pay_enabled = true where id = $1', [agentId])
  const { rows } = await office.owner.query<{ id: string; callback_key: string }>(
    `insert into payment_settings (agent_id, channel, callback_key, enabled, checked_version, checked_at, check_result, created_at, updated_at)
     values ($1, $2, $3, true, 1, now(), 'right', now(), now()) returning id, callback_key`,
    [agentId, channel, `key-${agentId}-${channel}-${randomBytes(12).toString('hex')}`],
  )
  const [made] = rows
  if (!made) throw new Error('no settings')
  for (const [name, value] of Object.entries(given)) {
    const isSecret = OWN_SETTINGS[channel]?.[name]?.kind === 'secret'
    await office.owner.query(
      `insert into payment_setting_values (settings_id, agent_id, name, open, sealed, set_at, set_by_name)
       values ($1, $2, $3, $4, $5, now(), '测试')`,
      [
        made.id,
        agentId,
        name,
        isSecret ? null : value,
        isSecret ? office.app.services.secrets.encrypt(value) : null,
      ],
    )
  }
  return { settingsId: Number(made.id), callbackKey: made.callback_key }
}
