// What measurements with a database of their own share: the whole program on it, a session, and how long calls take.
import { join } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import { createDemoData } from '#app/demo.ts'
import { createApp } from '#app/server.ts'
import { DEMO_PASSWORD } from '#features/office/access/demo.ts'
import { readEnv } from '#server/env.ts'
import { ownerDatabase } from '../scripts/owner-database.ts'
import { secretKeyOf } from '../scripts/secret-key.ts'
import { ROOT } from './child.ts'

export type OwnOffice = {
  app: Awaited<ReturnType<typeof createApp>>
  owner: pg.Client
  /** A session's cookie of a demo account. */
  logIn(loginName: string): Promise<string>
  /** Answers the body of an address, or throws. */
  ask(address: string, cookie: string): Promise<string>
}

/** The program without jobs on a database of this measurement's own under DATA_DIR, with the demo's rows. */
export async function inOwnOffice(
  name: string,
  measure: (office: OwnOffice) => Promise<void>,
): Promise<void> {
  process.env.DATA_DIR ||= join(ROOT, `data/bench-${name}`)
  const { url, close } = await ownerDatabase()
  const env = readEnv({ ...process.env, LOG_LEVEL: 'silent' })
  const app = await createApp({ env, ownerUrl: url, secretKey: secretKeyOf(env), jobs: false } as never)
  const owner = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c app.scope=all' })
  await owner.connect()
  try {
    await createDemoData(url)
    await app.http.ready()
    await measure({
      app,
      owner,
      logIn: loginName => logIn(app, loginName),
      async ask(address, cookie) {
        const { statusCode, body } = await app.http.inject({ url: address, headers: { cookie } })
        if (statusCode !== 200) throw new Error(`${address} answered ${statusCode} ${body}`)
        return body
      },
    })
  } finally {
    await owner.end()
    await app.stop()
    await close()
  }
}

async function logIn(app: OwnOffice['app'], loginName: string): Promise<string> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'x-requested-with': 'partner-office' },
    payload: { loginName, password: DEMO_PASSWORD },
  })
  const [cookie] = answer.cookies
  if (!cookie) throw new Error(`no session: ${answer.body}`)
  return `${cookie.name}=${cookie.value}`
}

/** How many of them there are to be, as the last word of the command says. */
export const wanted = (usual: number) => Number(process.argv.at(-1)) || usual

const ROUNDS = 4
const WARM_UP = 12
const TARGET = 0.4

type Side = [name: string, call: () => Promise<unknown>, took: number[]]

/**
 * Says how long a call takes through the program, its bare statements as the owner, alone and behind a bare HTTP server as the
 * other measurements have them (the floor); in turns, so that all meet the same machine.
 */
export async function compare(
  name: string,
  calls: number,
  ask: () => Promise<unknown>,
  plain: () => Promise<unknown>,
): Promise<void> {
  const floor = fastify().get('/', async () => (await plain()) ?? null)
  const sides: Side[] = [
    ['through the program', ask, []],
    ['bare', plain, []],
    ['bare behind HTTP', () => floor.inject('/'), []],
  ]
  // What runs all day is compiled and has its statements prepared.
  for (const [, call] of sides) await timed(call, WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const [, call, took] of sides) took.push(...(await timed(call, Math.ceil(calls / ROUNDS))))
  const [ours = 0, ...others] = sides.map(([, , took]) => median(took))
  const told = others.map((ms, i) => {
    const ratio = ms / ours
    return `${ms.toFixed(2)} ms ${sides[i + 1]?.[0]}, ratio ${ratio.toFixed(2)}${ratio < TARGET ? ' BELOW' : ''}`
  })
  process.stdout.write(`${name}: ${ours.toFixed(2)} ms through the program; ${told.join('; ')}\n`)
  await floor.close()
}

/** Milliseconds of each of so many calls. */
async function timed(call: () => Promise<unknown>, calls: number): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < calls; at++) {
    const began = performance.now()
    await call()
    took.push(performance.now() - began)
  }
  return took
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
