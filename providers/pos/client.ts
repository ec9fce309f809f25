// Calls the service that keeps shops' own data, as docs/POS.md describes it: one signed POST for each call, and an answer that is signed
// for that very call, so that none of somebody else, or of another call, is believed.
import { createHmac } from 'node:crypto'
import type { PosBackup, PosService, PosTable, PosTask } from '#kit/ports/pos-service.ts'
import {
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  ProviderUnverified,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { type Answer, call } from '../call.ts'
import { type Members, membersOf, parseAnswer, textOrNull } from '../read.ts'
import { readCount, readGoods, unreadable } from './answers.ts'
import { isGenuine } from './wire.ts'

/** `secret`: `whsec_` and base64, as that of a webhook. */
export type PosServiceSettings = { baseUrl: string; secret: string }

const PREFIX = 'whsec_'
/** Bytes of an answer. */
const ANSWER_MOST = 1024 * 1024
const KINDS = ['backup', 'empty', 'restore'] as const
const STATES = ['running', 'done', 'failed'] as const

export function makePosService(settings: PosServiceSettings, surroundings: Surroundings): PosService {
  const ask = (name: string, input: object) => askService(settings, surroundings, name, input)
  const task = async (name: string, input: { act: string } & Record<string, unknown>) =>
    readTask(name, (await ask(name, input)).task, input.act)
  return {
    async tables(shopId) {
      const { tables } = await ask('tables', { shopId })
      if (!Array.isArray(tables)) throw unreadable('tables')
      return tables.map(one => readTable(membersOf(one)))
    },
    goods: async (shopId, query) => readGoods(await ask('goods', { shopId, ...query }), query),
    async task(shopId, act) {
      const answer = await ask('task', { shopId, act })
      return answer.task === null ? null : readTask('task', answer.task, act)
    },
    backUp: (shopId, table, act) => task('backup', { shopId, table, act }),
    empty: (shopId, table, { id: backupId, rows, checksum }, act) =>
      task('empty', { shopId, table, backupId, rows, checksum, act }),
    restore: (shopId, table, backupId, act) => task('restore', { shopId, table, backupId, act }),
  }
}

async function askService(
  { baseUrl, secret }: PosServiceSettings,
  surroundings: Surroundings,
  name: string,
  input: object,
): Promise<Members> {
  const id = `call_${surroundings.nonce()}`
  const timestamp = String(Math.floor(surroundings.now().getTime() / 1_000))
  const body = JSON.stringify({ call: name, ...input })
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
  const answer = await call(surroundings, `${baseUrl}/office/v1/${name}`, init, ANSWER_MOST)
  return believed(answer, { name, id, secret, now: surroundings.now() })
}

type Asked = { name: string; id: string; secret: string; now: Date }

function believed({ status, headers, body }: Answer, { name, id, secret, now }: Asked): Members {
  if (status >= 500) throw new ProviderUnknown(`${name} answered ${status}`)
  const given = Object.fromEntries(headers)
  // Ours goes into the signature of the answer: that of another call is none to this one.
  if (given['webhook-id'] !== id || !isGenuine({ headers: given, body }, [secret], now))
    throw new ProviderUnverified(`${name} answered what does not verify`, 'answer', String(status))
  const answer = membersOf(parseAnswer(name, body))
  if (status === 200) return answer
  const [code, message] = [textOrNull(answer.code), textOrNull(answer.message) ?? '']
  if (code === null) throw unreadable(name)
  throw status === 429 ? new ProviderBusy(code, message) : new ProviderRefused(code, message, id)
}

function readTable({ key, name, rows }: Members): PosTable {
  const [keyText, nameText] = [textOrNull(key), textOrNull(name)]
  if (keyText === null || nameText === null) throw unreadable('tables')
  return { key: keyText, name: nameText, rows: readCount('tables', rows) }
}

function readTask(name: string, value: unknown, wanted: string): PosTask {
  const { act, kind, state, percent, rows, backup, beside, reason } = membersOf(value)
  const knownKind = KINDS.find(one => one === kind)
  const knownState = STATES.find(one => one === state)
  if (act !== wanted || !knownKind || !knownState) throw unreadable(name)
  return {
    act: wanted,
    kind: knownKind,
    state: knownState,
    percent: readCount(name, percent),
    rows: readCount(name, rows),
    backup: backup === null ? null : readBackup(name, membersOf(backup)),
    beside: readCount(name, beside),
    reason: textOrNull(reason) ?? '',
  }
}

function readBackup(name: string, { id, rows, checksum, keptUntil }: Members): PosBackup {
  const isWhole = typeof checksum === 'string' && /^[\da-f]{64}$/.test(checksum)
  const until = typeof keptUntil === 'string' ? Date.parse(keptUntil) : Number.NaN
  if (typeof id !== 'string' || id === '' || !isWhole || Number.isNaN(until)) throw unreadable(name)
  return { id, rows: readCount(name, rows), checksum, keptUntil: new Date(until).toISOString() }
}
