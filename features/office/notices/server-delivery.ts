// Brings notices to open pages: what was missed when a page connects, and again until a page confirms it (D1 §4, §7).
import type { Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { gather } from '#server/gather.ts'
import type { Arrival, RealtimeHooks } from '#server/realtime/realtime.ts'
import {
  CONFIRM_EVENT,
  isTraceId,
  MISSED_DAYS,
  MISSED_MAX,
  NOTICE_EVENT,
  type NoticeMessage,
  REGISTER_EVENT,
  REPEAT_AFTER_SECONDS,
  REPEAT_AT_MOST_SECONDS,
  type Topic,
} from './rules.ts'

type Row = {
  id: string
  account_id: string
  trace_id: string
  topic: Topic
  title: string
  body: string
  link: string
  args: Record<string, unknown>
  created_at: Date
}

const COLUMNS = 'n.id, n.account_id, n.trace_id, n.topic, n.title, n.body, n.link, n.args, n.created_at'
const CONFIRMING = { afterMs: 20, most: 500 }
/** Accounts asked for in one statement, and notices that go out again in one. */
const ACCOUNTS_AT_ONCE = 2_000
const REPEATED_AT_ONCE = 500

/** What happens when pages connect and speak. Whoever they say they are is not looked at. */
export function startDelivery(
  services: Pick<Services, 'database' | 'onProblem'>,
): Pick<RealtimeHooks, 'arrived' | 'said' | 'settled'> {
  const confirming = gather<Confirmed>(
    CONFIRMING,
    batch => confirmNotices(services, batch),
    services.onProblem,
  )
  return {
    arrived: arrivals => sendMissed(services, arrivals),
    said: {
      [REGISTER_EVENT]: () => true,
      [CONFIRM_EVENT]({ accountId }, [traceId, received]) {
        if (!isTraceId(traceId) || received !== true) return false
        confirming.add({ accountId, traceId })
        return true
      },
    },
    settled: () => confirming.stop(),
  }
}

async function sendMissed(services: Pick<Services, 'database'>, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return
  const accountIds = [...new Set(arrivals.map(({ accountId }) => accountId))]
  const missed = await services.database.write(SYSTEM, async ({ client }) => {
    const { rows } = await client.query<Row>({
      name: 'missed_notices',
      text: `select ${COLUMNS} from unnest($1::bigint[]) as a (id) cross join lateral (
          select * from notices where account_id = a.id and confirmed_at is null
            and created_at > now() - make_interval(days => $2)
          order by id desc limit $3) n
        order by n.id`,
      values: [accountIds, MISSED_DAYS, MISSED_MAX],
    })
    if (rows.length === 0) return rows
    // They are on their way now: the next look need not send them too.
    await client.query({
      name: 'missed_notices_sent',
      text: `update notices set repeat_at = greatest(repeat_at, now() + make_interval(secs => $2)) where id in (
          select id from notices where id = any ($1::bigint[]) order by id for update skip locked)`,
      values: [rows.map(row => row.id), REPEAT_AFTER_SECONDS],
    })
    return rows
  })
  const byAccount = Map.groupBy(missed, row => Number(row.account_id))
  for (const { accountId, send } of arrivals)
    for (const row of byAccount.get(accountId) ?? []) send(NOTICE_EVENT, messageOf(row))
}

type Confirmed = { accountId: number; traceId: string }

/** Again and again is the same as once; of others' notices nothing is found. Waits for rows that are being brought again, in the order that all take. */
async function confirmNotices(
  services: Pick<Services, 'database'>,
  confirmed: readonly Confirmed[],
): Promise<void> {
  await services.database.write(SYSTEM, ({ client }) =>
    client.query({
      name: 'confirm_notices',
      text: `update notices set confirmed_at = now() where id in (
          select n.id from unnest($1::bigint[], $2::text[]) as c (account_id, trace_id)
          join notices n on n.account_id = c.account_id and n.trace_id = c.trace_id
          where n.confirmed_at is null order by n.id for update of n)`,
      values: [confirmed.map(one => one.accountId), confirmed.map(one => one.traceId)],
    }),
  )
}

/** Notices of accounts that are connected here, which nobody confirmed for a while, each time for twice as long. */
export async function redeliverNotices(services: Services): Promise<boolean> {
  const accountIds = services.connected()
  let more = false
  for (let from = 0; from < accountIds.length; from += ACCOUNTS_AT_ONCE) {
    const due = await takeDue(services, accountIds.slice(from, from + ACCOUNTS_AT_ONCE))
    for (const rows of Map.groupBy(due, row => row.trace_id).values()) {
      const accounts = rows.map(row => Number(row.account_id))
      services.push(accounts, NOTICE_EVENT, messageOf(rows[0] as Row))
    }
    more ||= due.length === REPEATED_AT_ONCE
  }
  return more
}

async function takeDue(services: Pick<Services, 'database'>, accountIds: readonly number[]): Promise<Row[]> {
  const { rows } = await services.database.write(SYSTEM, ({ client }) =>
    client.query<Row>({
      name: 'repeat_notices',
      text: `update notices n set repeats = repeats + 1,
          repeat_at = now() + make_interval(secs => least($2 * 2.0 ^ least(repeats + 1, 20), $3))
        where n.id in (
          select w.id from unnest($1::bigint[]) as a (id) join notices w on w.account_id = a.id
          where w.confirmed_at is null and w.repeat_at <= now() and w.created_at > now() - make_interval(days => $4)
          limit $5 for update of w skip locked)
        returning ${COLUMNS}`,
      values: [accountIds, REPEAT_AFTER_SECONDS, REPEAT_AT_MOST_SECONDS, MISSED_DAYS, REPEATED_AT_ONCE],
    }),
  )
  return rows.sort((a, b) => Number(a.id) - Number(b.id))
}

function messageOf(row: Row): NoticeMessage {
  return {
    traceId: row.trace_id,
    topicName: row.topic,
    argsObj: row.args,
    title: row.title,
    body: row.body,
    link: row.link,
    createdAt: row.created_at.toISOString(),
  }
}
