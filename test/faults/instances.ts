// npm run faults -- instances: two instances of one office behind nginx, as operate/nginx has it with a second server; by turns one of them is
// killed every few seconds while people read and write, and pages listen. Fails where anybody is not answered by the first retry, a change is
// lost or happens twice, or a page does not come back.
//   --seconds N (300)     --every N seconds (10)     --callers N (32)
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { freePort } from '#test/free-port.ts'
import { type Running, startBuilt } from '../../bench/built.ts'
import { createOneAgent, LOGIN_NAME } from './one-agent.ts'
import { withOwner } from './payments-killed.ts'
import { areBack, callOn, changesIn, openPage } from './retrying.ts'
import { signIn } from './scene.ts'

const HOST = '127.0.0.1'
const PAGES = 12

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'instances'),
  options: {
    seconds: { type: 'string', default: '300' },
    every: { type: 'string', default: '10' },
    callers: { type: 'string', default: '32' },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)

if (spawnSync('which', ['nginx']).status !== 0) {
  say('Missing: nginx. Install nginx-light.')
  process.exit(2)
}

const found = { calls: 0, retried: 0, changes: 0, kills: 0 }
const breaches: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'partner-office-instances-'))
await buildPageIfNeeded(ROOT, say)
await buildServerIfNeeded(ROOT, say)
const database = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
const ports = [await freePort(), await freePort()] as const
const publicUrl = `http://${HOST}:${await freePort()}`
const secret = randomBytes(32).toString('hex')
const running: Running[] = []
const nginx = spawn('nginx', proxyOf(ports, publicUrl), { stdio: 'ignore' })
try {
  for (const port of ports) running.push(await begin(port))
  await withOwner(folder, createOneAgent)
  const cookie = await signIn(publicUrl, LOGIN_NAME)
  const pages = Array.from({ length: PAGES }, () => openPage({ url: publicUrl, cookie }))
  await areBack(pages, breaches)
  let open = true
  const people = { url: publicUrl, cookie, found, breaches, isOpen: () => open }
  const calling = Promise.all(Array.from({ length: Number(values.callers) }, (_, nth) => callOn(people, nth)))
  const backMs: number[] = []
  const readyMs: number[] = []
  const until = Date.now() + Number(values.seconds) * 1_000
  while (Date.now() < until) {
    await pause(Number(values.every) * 1_000)
    const at = found.kills % ports.length
    process.kill(running[at]?.pid as number, 'SIGKILL')
    found.kills++
    const [back, again] = await Promise.all([areBack(pages, breaches), begin(ports[at] as number)])
    running[at] = again
    backMs.push(back)
    readyMs.push(again.readyMs)
  }
  open = false
  await calling
  for (const page of pages) page.close()
  const written = await withOwner(folder, changesIn)
  if (written !== found.changes)
    breaches.push(`${found.changes} changes were acknowledged, ${written} happened`)
  for (const breach of breaches.slice(0, 10)) say(`breach: ${breach}`)
  const most = (all: number[]) => Math.round(Math.max(...all))
  const figures = { ...found, written, breaches: breaches.length }
  const line = Object.entries(figures).map(([name, value]) => `${name}=${value}`)
  say(
    `instances ${breaches.length > 0 ? 'FAILED' : 'passed'} ${line.join(' ')} sockets=${PAGES} back_ms_most=${most(backMs)} ready_ms_most=${most(readyMs)}`,
  )
} finally {
  for (const one of running) await one.stop()
  nginx.kill('SIGQUIT')
  if (nginx.exitCode === null) await once(nginx, 'exit')
  await database.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

function begin(port: number): Promise<Running> {
  return startBuilt({
    ...{ DATABASE_URL: database.ownerUrl, SECRET_KEY: secret, DATA_DIR: folder, PUBLIC_URL: publicUrl },
    ...{ PORT: String(port), TRUST_PROXY: '1', LOG_LEVEL: 'silent', SIMULATORS: 'off' },
  })
}

/** What nginx is started with: the site as it is installed, without TLS, with both servers. */
function proxyOf([one, other]: readonly [number, number], url: string): string[] {
  const site = readFileSync(join(ROOT, 'operate/nginx/partner-office.conf'), 'utf8')
    .replace('server 127.0.0.1:3000;', `server ${HOST}:${one}; server ${HOST}:${other};`)
    .replace(/server \{\s+listen 80;[\s\S]*?\n\}/, '')
    .replace('listen 443 ssl http2', `listen ${new URL(url).host}`)
    .replace(/^ *ssl_.*\n/gm, '')
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; user ${userInfo().username}; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
     events {} http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }\n`,
  )
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
}
