import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Server } from 'node:net'
import test, { after, before } from 'node:test'
import { joinFigures } from '#server/metrics.ts'
import { comesTrue } from '#test/patience.ts'
import { listenFor, type Processes, startProcesses } from './processes.ts'

const CHILD = `
  import { createServer } from 'node:http'
  const { openProcessLink, ownChannel } = await import(process.argv[1])
  const link = openProcessLink(Number(process.argv[2]), ownChannel(console.error), console.error)
  const woken = []
  link.hear({
    wake: name => woken.push(name),
    figures: async () => '# HELP calls Calls\\n# TYPE calls counter\\ncalls{process="' + link.nth + '"} 7\\n',
  })
  const server = createServer(async (request, answer) => {
    if (request.url === '/wake') link.wake('sending')
    const told = request.url === '/figures' ? await link.figures() : { nth: link.nth, pid: process.pid, woken }
    answer.end(JSON.stringify(told))
  })
  process.on('SIGTERM', () => process.exit(0))
  link.ready(server)`
const LINK = new URL('../server/process-link.ts', import.meta.url).href

const HOST = '127.0.0.1'
const run = (script: string) => (nth: number) => ({
  program: process.execPath,
  args: ['--input-type=module', '-e', script, LINK, String(nth)],
})

const ANY = { port: 0, host: HOST }
const portOf = (of: Server) => (of.address() as AddressInfo).port
/** Each call on a connection of its own. */
const ALONE = { headers: { connection: 'close' } }

let server: Server
let processes: Processes
const problems: string[] = []
before(async () => {
  server = await listenFor(ANY)
  processes = await startProcesses({
    ...{ count: 2, server, command: run(CHILD), env: process.env },
    onProblem: ({ message }) => problems.push(message),
  })
})
after(() => processes.stop())

type Told = { nth: number; pid: number; woken: string[] }
const ask = async <T = Told>(path = '/') =>
  (await (await fetch(`http://${HOST}:${portOf(server)}${path}`, ALONE)).json()) as T

/** Asked until the process of that number has answered. */
async function askOf(nth: number, path = '/'): Promise<Told> {
  let told: Told | undefined
  assert.ok(
    await comesTrue(async () => {
      const one = await ask(path)
      if (one.nth === nth) told = one
      return told !== undefined
    }),
  )
  return told as Told
}

test('both answer behind one port, which nobody else gets', async () => {
  assert.equal((await askOf(1)).pid, processes.pids()[0])
  assert.equal((await askOf(2)).pid, processes.pids()[1])
  await assert.rejects(listenFor({ port: portOf(server), host: HOST }), { code: 'EADDRINUSE' })
})

test('connections are dealt out evenly', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect(portOf(server), HOST)
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nhost: office\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      return { socket, nth: /"nth":(\d)/.exec(String(answer))?.[1] }
    }),
  )
  for (const { socket } of sockets) socket.destroy()
  // A process tells how many it has when it takes one: a connection that has just ended may still count.
  const ofFirst = sockets.filter(({ nth }) => nth === '1').length
  assert.ok(ofFirst >= 4 && ofFirst <= 6, `${ofFirst} of 10 are the first's`)
})

test('what any of them wakes, the first hears', async () => {
  await askOf(2, '/wake')
  assert.ok(await comesTrue(async () => (await askOf(1)).woken.includes('sending')))
  assert.deepEqual((await askOf(2)).woken, [])
})

test('whichever is asked tells of all, and of the process that holds the listener', async () => {
  const told = joinFigures(await ask<string[]>('/figures'))
  assert.equal(told.match(/# HELP calls /g)?.length, 1)
  assert.match(told, /^calls\{process="1"\} 7$/m)
  assert.match(told, /^calls\{process="2"\} 7$/m)
  assert.match(told, /^process_resident_memory_bytes\{process="listener"\} \d+$/m)
})

test('who calls while all of them are gone waits, and is answered by those that come next', async () => {
  const gone = [...processes.pids()]
  for (const pid of gone) process.kill(pid as number, 'SIGKILL')
  const { pid } = await ask()
  assert.ok(!gone.includes(pid))
  assert.ok(await comesTrue(() => problems.length === 2))
  assert.match(problems.join(), /Process 1 ended with SIGKILL and is started anew/)
})

test('where the first does not come to serve there is no office', async () => {
  const other = await listenFor(ANY)
  const starting = startProcesses({
    ...{ count: 2, server: other, command: run('process.exit(3)'), env: process.env, onProblem: assert.fail },
  })
  await assert.rejects(starting, /Process 1 ended with 3/)
  assert.equal(other.listening, false)
})

test('all end with it, and the port is free', async () => {
  const other = await listenFor(ANY)
  const others = await startProcesses({
    ...{ count: 2, server: other, command: run(CHILD), env: process.env, onProblem: assert.fail },
  })
  assert.equal(await others.stop(), true)
  assert.equal(other.listening, false)
  assert.deepEqual(others.pids(), [null, null])
})
