// npm run faults -- machine: an office as docs/OPERATING.md has it installed, in a folder of its own: settings from a file, nginx in front, a
// socket that is held while the program is started anew, the first operator, the doctor, what systemd's tools say of the units. A line for
// each step; exits 1 where one fails, 2 where a program is missing (apt-get install nginx-light systemd openssl).
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:http2'
import { type RequestOptions, request } from 'node:https'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { freePort } from '#test/free-port.ts'
import { holdSocket } from '#test/socket-holder.ts'

const BOOTSTRAP = join(ROOT, 'scripts/bootstrap.mjs')
const OPERATE = join(ROOT, 'operate')
const HOST = '127.0.0.1'
const PASSWORD = 'machine-2026'
const READY_WITHIN_MS = 60_000
const EXPOSURE_MOST = 3
const CALLS = { everyMs: 50, forMs: 8_000 }
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const PROGRAMS = ['nginx', 'openssl', 'systemd-analyze']

const missing = PROGRAMS.filter(program => spawnSync('which', [program]).status !== 0)
if (missing.length > 0) {
  process.stderr.write(`Missing: ${missing.join(', ')}. Install nginx-light, systemd and openssl.\n`)
  process.exit(2)
}

let failed = 0
function tell(isRight: boolean, what: string): void {
  if (!isRight) failed++
  process.stdout.write(`${isRight ? 'ok  ' : 'FAIL'}  ${what}\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'partner-office-machine-'))
const ends: (() => Promise<unknown> | unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
]
const say = (line: string) => void process.stderr.write(`${line}\n`)

try {
  await buildPageIfNeeded(ROOT, say)
  await buildServerIfNeeded(ROOT, say)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: say })
  ends.push(() => postgres.stop())
  const [office, proxy] = [await freePort(), await freePort()]
  const publicUrl = `https://${HOST}:${proxy}`
  const settings = writeSettings({ databaseUrl: postgres.ownerUrl, dataDir, publicUrl })
  const certificate = makeCertificate()
  await startProxy({ office, proxy })
  const holder = await startHolder(office, settings)
  const started = performance.now()
  holder.start()
  await comesReady(certificate, publicUrl)
  tell(true, `the office is ready behind nginx after ${Math.round(performance.now() - started)} ms`)
  tell(holder.heard().includes('READY=1'), 'the service manager was told that it is ready')

  const made = await npm('create-operator', settings, ['--account', '10001', '--name', '运营'])
  tell(made.status === 0, `the first operator is made by the settings' file: ${made.said.split('\n', 1)[0]}`)
  const examined = await npm('doctor', settings, [], { NODE_EXTRA_CA_CERTS: join(folder, 'tls.crt') })
  const failures = examined.said.split('\n').filter(line => line.startsWith('FAIL'))
  tell(examined.status === 0, `the doctor finds nothing wrong ${failures.join('; ')}`)
  tell(/TRUST_PROXY: .* through 1 proxies/.test(examined.said), 'it counts one proxy in front')

  const ask = asker(certificate, proxy)
  const session = await ask('/api/session', {
    method: 'POST',
    body: JSON.stringify({ loginName: '10001', password: PASSWORD }),
    headers: { 'content-type': 'application/json', origin: publicUrl },
  })
  const [cookie = ''] = session.cookies
  tell(
    session.status === 200 && /; Secure/i.test(cookie),
    'the operator signs in, with a cookie for TLS alone',
  )
  tell((await statusOverHttp2(certificate, publicUrl)) === 200, 'HTTP/2 is spoken')
  const upgraded = await ask('/realtime/?EIO=4&transport=websocket', {
    headers: { ...UPGRADE, cookie: cookie.split(';', 1)[0] ?? '', origin: publicUrl },
  })
  tell(upgraded.status === 101, `a socket is opened through it (${upgraded.status})`)
  tell((await ask('/metrics')).status === 404, 'figures are not shown outside')

  const calls = callAgainAndAgain(ask)
  await pause(CALLS.forMs / 4)
  holder.stop()
  await pause(100)
  holder.start()
  const { answered, refused } = await calls
  tell(
    refused.length === 0,
    `while it was started anew, ${answered} calls were answered, ${refused.length} not`,
  )

  for (const unit of readdirSync(join(OPERATE, 'systemd')).sort()) judgeUnit(unit)
} finally {
  for (const end of ends.toReversed()) await end()
}
process.stdout.write(`\nmachine ${failed > 0 ? 'FAILED' : 'passed'} failures=${failed}\n`)
process.exitCode = failed > 0 ? 1 : 0

/** The example with what this machine has in place of what it shows. */
function writeSettings(of: { databaseUrl: string; dataDir: string; publicUrl: string }): string {
  const ours: Readonly<Record<string, string>> = {
    DATABASE_URL: of.databaseUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: of.publicUrl,
    DATA_DIR: of.dataDir,
  }
  const example = readFileSync(join(OPERATE, 'office.env.example'), 'utf8')
  const path = join(folder, 'office.env')
  const filled = example.replace(/^([A-Z_]+)=(.*)$/gm, (line, name: string) =>
    ours[name] === undefined ? line : `${name}=${ours[name]}`,
  )
  writeFileSync(path, filled, { mode: 0o600 })
  return path
}

function makeCertificate(): string {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '60', '-keyout', key, '-out', certificate],
    ...['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=IP:${HOST}`],
  ])
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
  return readFileSync(certificate, 'utf8')
}

async function startProxy({ office, proxy }: { office: number; proxy: number }): Promise<void> {
  const site = readFileSync(join(OPERATE, 'nginx/partner-office.conf'), 'utf8')
    .replace('127.0.0.1:3000', `${HOST}:${office}`)
    .replace('listen 443 ssl', `listen ${HOST}:${proxy} ssl`)
    .replace('listen 80;', `listen ${HOST}:${await freePort()};`)
    .replaceAll('/etc/partner-office/tls', join(folder, 'tls'))
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; user ${userInfo().username}; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
     events {} http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }\n`,
  )
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const judged = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' })
  tell(judged.status === 0, `nginx takes its configuration ${judged.status === 0 ? '' : judged.stderr}`)
  const nginx = spawn('nginx', args, { stdio: 'ignore' })
  ends.push(async () => {
    nginx.kill('SIGQUIT')
    await once(nginx, 'exit')
  })
}

/** What the unit starts, with this checkout and these settings in place of those of the machine it is written for. */
function unitCommand(settings: string) {
  const unit = readFileSync(join(OPERATE, 'systemd/partner-office.service'), 'utf8')
    .replaceAll('/opt/partner-office', ROOT.replace(/\/$/, ''))
    .replaceAll('/etc/partner-office/office.env', settings)
  const given = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]?.split(' ') ?? []
  return {
    command: given('ExecStart'),
    environment: Object.fromEntries(given('Environment').map(one => one.split('=', 2))),
  }
}

async function startHolder(port: number, settings: string) {
  const heard = join(folder, 'heard')
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  // The stand-in knows the program that speaks by its parent.
  writeFileSync(join(programs, 'systemd-notify'), `#!/bin/sh\necho "$1 $PPID" >> ${heard}\n`)
  chmodSync(join(programs, 'systemd-notify'), 0o755)
  const { command, environment } = unitCommand(settings)
  const held = await holdSocket(port, command, {
    errors: 'inherit',
    cwd: ROOT,
    env: { ...environment, PATH: `${programs}:${process.env.PATH}`, NOTIFY_SOCKET: 'x', LOG_LEVEL: 'warn' },
  })
  const lines = () => (existsSync(heard) ? readFileSync(heard, 'utf8').trim().split('\n') : [])
  const stop = () => {
    const ready = lines().findLast(line => line.startsWith('READY=1'))
    const pid = Number(ready?.split(' ')[1])
    if (pid > 1) process.kill(pid, 'SIGTERM')
  }
  ends.push(async () => {
    stop()
    await held.end()
  })
  return {
    start: held.start,
    stop,
    heard: () => lines().map(line => line.split(' ', 1)[0]),
  }
}

async function npm(command: string, settings: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [BOOTSTRAP, command, '--env-file', settings, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, OPERATOR_PASSWORD: PASSWORD, ...env },
  })
  const [said, complained, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status: status as number, said: `${said}${complained}`.trim() }
}

type Asked = { method?: string; body?: string; headers?: Record<string, string> }
type Answer = { status: number; cookies: string[] }

/** Each call on a connection of its own. */
function asker(ca: string, port: number) {
  return (path: string, { method = 'GET', body, headers = {} }: Asked = {}): Promise<Answer> => {
    const options: RequestOptions = { host: HOST, port, path, method, ca, agent: false, timeout: 30_000 }
    const sent = { ...headers, 'x-requested-with': 'partner-office' }
    return new Promise((resolve, reject) => {
      const call = request({ ...options, headers: sent }, answer => {
        answer
          .resume()
          .once('end', () =>
            resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [] }),
          )
      })
      call.once('upgrade', (answer, socket) => {
        socket.destroy()
        resolve({ status: answer.statusCode ?? 0, cookies: [] })
      })
      call.once('timeout', () => call.destroy(new Error('no answer in time')))
      call.once('error', reject)
      call.end(body)
    })
  }
}

async function comesReady(ca: string, publicUrl: string): Promise<void> {
  const ask = asker(ca, Number(new URL(publicUrl).port))
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(100)) {
    const answer = await ask('/readyz').catch(() => null)
    if (answer?.status === 200) return
  }
  throw new Error(
    `not ready within ${READY_WITHIN_MS} ms: ${readFileSync(join(folder, 'error.log'), 'utf8')}`,
  )
}

async function statusOverHttp2(ca: string, publicUrl: string): Promise<number> {
  const client = connect(publicUrl, { ca })
  try {
    const stream = client.request({ ':path': '/healthz' })
    const [headers] = (await once(stream, 'response')) as [Record<string, number>]
    stream.resume()
    return headers[':status'] ?? 0
  } finally {
    client.close()
  }
}

async function callAgainAndAgain(ask: ReturnType<typeof asker>) {
  const calls: Promise<string | null>[] = []
  for (const until = Date.now() + CALLS.forMs; Date.now() < until; await pause(CALLS.everyMs))
    calls.push(
      ask('/healthz').then(
        ({ status }) => (status === 200 ? null : String(status)),
        (error: Error) => error.message,
      ),
    )
  const ended = await Promise.all(calls)
  const refused = ended.filter(one => one !== null)
  for (const one of new Set(refused)) say(`refused: ${one}`)
  return { answered: ended.length - refused.length, refused }
}

function judgeUnit(unit: string): void {
  const path = join(OPERATE, 'systemd', unit)
  // The program of the unit is on no machine but its own.
  const read = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  const complaints = read.stderr
    .split('\n')
    .filter(line => line.includes(path) && !line.includes('not executable'))
  tell(complaints.length === 0, `${unit} is read by systemd ${complaints.join('; ')}`)
  if (!unit.endsWith('.service')) return
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
  const exposure = Number(/exposure level for [^:]+: ([\d.]+)/.exec(judged.stdout)?.[1] ?? Number.NaN)
  tell(exposure < EXPOSURE_MOST, `${unit} is exposed by ${exposure} of 10`)
}
