// The service that keeps shops' own data, on loopback, for tests and the demo. Differs from a real one: any shop has data there, a backup
// and a restoration take `paceMs`, emptying is done at once, and goods are found by going through all of them.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type Control,
  json,
  type RunningSimulator,
  type SimAnswer,
  type SimRequest,
  startSimulator,
} from '../simulator.ts'
import { type Books, isTable, openBooks, TABLES, type TableKey, type Task } from './simulated-books.ts'
import { goodsPage } from './simulated-goods.ts'

export type PosServiceKeys = { secret: string }
export type PosServiceSimulator = RunningSimulator & {
  books: Books
  /** The next backup of anything fails there. */
  failNextBackup(reason: string): void
  /** The next question for goods is answered with this, signed. */
  answerGoodsWith(answer: unknown): void
}

const KEPT_DAYS = 30
const TOLERANCE_S = 300
const CALLS = ['tables', 'goods', 'task', 'backup', 'empty', 'restore']

export function makePosServiceKeys(): PosServiceKeys {
  return { secret: `whsec_${randomBytes(32).toString('base64')}` }
}

export function posServiceSettings({ secret }: PosServiceKeys, url: string) {
  return { baseUrl: url, secret }
}

type Input = Record<string, unknown>
type Serving = { books: Books; paceMs: number; failing: string[]; goods: unknown[] }

/** `file`: what is kept over restarts. */
export async function startPosServiceSimulator(
  { keys, file = null, paceMs = 0 }: { keys: PosServiceKeys; file?: string | null; paceMs?: number },
  port = 0,
): Promise<PosServiceSimulator> {
  const books = openBooks(file)
  const serving: Serving = { books, paceMs, failing: [], goods: [] }
  const signed = (request: SimRequest, control: Control, answer: SimAnswer) =>
    signAnswer(keys, request, control, answer)
  const running = await startSimulator(
    {
      nameOf: ({ method, path }) => {
        const name = /^\/office\/v1\/(\w+)$/.exec(path)?.[1]
        return method === 'POST' && name !== undefined && CALLS.includes(name) ? name : null
      },
      errorOf: (code, message, request, control) => signed(request, control, refusal(code, message)),
      handle(name, request, control) {
        if (!isSigned(keys, request, control)) return refusal('SIGNATURE_WRONG', '签名不正确', 401)
        const input = JSON.parse(request.body.toString()) as Input
        // What was signed for one call is no other.
        if (input.call !== name) return signed(request, control, refusal('CALL_WRONG', '调用不一致', 400))
        return signed(request, control, serve(serving, name, input, control))
      },
      // A row that comes meanwhile, as people at the till make them.
      control(path, { method, body }) {
        if (path !== 'rows' || method !== 'POST') return null
        const { shopId, table, count } = JSON.parse(body.toString()) as {
          shopId: number
          table: TableKey
          count: number
        }
        books.add(shopId, table, count)
        return json({ rows: books.countOf(shopId, table) })
      },
    },
    port,
  )
  return {
    ...{ ...running, books },
    failNextBackup: reason => serving.failing.push(reason),
    answerGoodsWith: answer => serving.goods.push(answer),
  }
}

function serve(serving: Serving, name: string, input: Input, control: Control): SimAnswer {
  const { books } = serving
  const { shopId, act, table } = input
  if (!Number.isSafeInteger(shopId)) return refusal('SHOP_UNKNOWN', '没有该店铺')
  const shop = shopId as number
  if (name === 'tables') {
    const tables = (Object.keys(TABLES) as TableKey[]).map(key => ({
      key,
      name: TABLES[key].name,
      rows: books.countOf(shop, key),
    }))
    return json({ tables })
  }
  if (name === 'goods') return goodsOf(serving, shop, input)
  if (typeof act !== 'string' || act.length < 16) return refusal('ACT_MISSING', '缺少编号', 400)
  const known = books.task(shop, act)
  const now = control.now().getTime()
  if (name === 'task') return json({ task: known ? shown(known, now) : null })
  // Done once, however often it is sent.
  if (known) return json({ task: shown(known, now) })
  if (!isTable(table)) return refusal('TABLE_UNKNOWN', '没有该数据表')
  const begun = begin(serving, name, { shop, table, act, input }, now)
  if ('status' in begun) return begun
  books.keepTask(begun)
  return json({ task: shown(begun, now) })
}

function goodsOf({ books, goods }: Serving, shop: number, input: Input): SimAnswer {
  if (goods.length > 0) return json(goods.shift())
  // The rows of the table: what was emptied is on sale no more.
  const page = goodsPage(shop, books.numbersOf(shop, 'products'), input)
  return page ? json(page) : refusal('CURSOR_GONE', '商品列表已有变动')
}

type Asked = { shop: number; table: TableKey; act: string; input: Input }

function begin(
  { books, paceMs, failing }: Serving,
  name: string,
  { shop, table, act, input }: Asked,
  now: number,
): Task | SimAnswer {
  const task = {
    act,
    shopId: shop,
    table,
    doneAt: now + paceMs,
    rows: 0,
    beside: 0,
    backup: null,
    reason: '',
  }
  if (name === 'backup') {
    const reason = failing.shift()
    if (reason !== undefined) return { ...task, kind: 'backup', reason }
    const keptUntil = new Date(now + KEPT_DAYS * 86_400_000).toISOString()
    const backup = books.snapshot(shop, table, `bk_${randomBytes(9).toString('hex')}`, keptUntil)
    return { ...task, kind: 'backup', rows: backup.count, backup }
  }
  const backup = books.backup(String(input.backupId))
  if (!backup || backup.shopId !== shop || backup.table !== table || Date.parse(backup.keptUntil) < now)
    return refusal('BACKUP_GONE', '备份不存在或已过期')
  if (name === 'restore') return { ...task, kind: 'restore', ...books.bringBack(backup) }
  if (input.rows !== backup.count || input.checksum !== backup.checksum)
    return refusal('BACKUP_OTHER', '备份与校验值不符')
  if (books.checksumOf(shop, table) !== backup.checksum) return refusal('TABLE_CHANGED', '备份之后数据有变动')
  return { ...task, kind: 'empty', doneAt: now, rows: books.empty(shop, table) }
}

function shown({ act, kind, doneAt, rows, beside, backup, reason }: Task, now: number) {
  const runs = now < doneAt
  const state = runs ? 'running' : reason === '' ? 'done' : 'failed'
  return {
    act,
    kind,
    state,
    percent: runs ? 50 : 100,
    rows: state === 'done' ? rows : 0,
    beside: state === 'done' ? beside : 0,
    backup:
      state === 'done' && backup
        ? { id: backup.id, rows: backup.count, checksum: backup.checksum, keptUntil: backup.keptUntil }
        : null,
    reason: runs ? '' : reason,
  }
}

function refusal(code: string, message: string, status = 409): SimAnswer {
  return json({ code, message }, status)
}

const digest = ({ secret }: PosServiceKeys, id: string, seconds: string, body: Buffer | string) =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${seconds}.`)
    .update(body)
    .digest()

function isSigned(keys: PosServiceKeys, { headers, body }: SimRequest, control: Control): boolean {
  const [id, seconds, signature] = ['id', 'timestamp', 'signature'].map(name =>
    String(headers[`webhook-${name}`]),
  )
  const given = Buffer.from((signature ?? '').replace(/^v1,/, ''), 'base64')
  const expected = digest(keys, id ?? '', seconds ?? '', body)
  const isOfNow = Math.abs(control.now().getTime() / 1_000 - Number(seconds)) <= TOLERANCE_S
  return isOfNow && given.length === expected.length && timingSafeEqual(given, expected)
}

function signAnswer(
  keys: PosServiceKeys,
  { headers, path }: SimRequest,
  control: Control,
  made: SimAnswer,
): SimAnswer {
  const name = path.split('/').at(-1) ?? ''
  const id = String(headers['webhook-id'])
  const isStale = control.take('stale-timestamp', name) !== null
  const seconds = String(Math.floor(Date.now() / 1_000) - (isStale ? 2 * TOLERANCE_S : 0))
  const body = String(made.body ?? '')
  const isWrong = control.take('wrong-signature', name) !== null
  const signature = digest(keys, id, seconds, isWrong ? `${body} ` : body).toString('base64')
  return {
    ...made,
    headers: {
      ...made.headers,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
    },
  }
}
