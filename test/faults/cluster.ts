// Three nodes of PostgreSQL under Patroni, three etcd, and HAProxy before them, as operate/standby has them, on this machine's loopback: each
// has ports and a folder of its own. A node is killed with all it runs, as a machine that loses its power.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { ROOT } from '#scripts/checks.ts'
import { isAlive } from '#server/process-lock.ts'
import { freePort } from '#test/free-port.ts'
import { asDatabaseUser, databaseUserIds } from './postgres-packages.ts'

const HOST = '127.0.0.1'
const OPERATE = join(ROOT, 'operate/standby')
const NODES = ['node1', 'node2', 'node3'] as const
const UP_WITHIN_MS = 180_000
const POLL_MS = 200

export type Node = {
  name: string
  rest: number
  port: number
  folder: string
  /** Of its etcd. */
  clients: number
  peers: number
  etcd: ChildProcess | null
  patroni: ChildProcess | null
}

export type Cluster = {
  /** Of the superuser, by HAProxy: the primary, and a standby. */
  primaryUrl: string
  readingUrl: string
  nodes: readonly Node[]
  /** The node that is the primary now, or null. */
  leader(): Promise<Node | null>
  /** Waits until there is a primary, and so many standbys follow it. */
  settled(standbys: number): Promise<Node>
  /** With SIGKILL: Patroni and its PostgreSQL; its etcd too, where that is beside them. */
  kill(node: Node): Promise<void>
  start(node: Node): void
  stop(): Promise<void>
}

/** `isBeside`: whether the etcd of a node is on its machine, or on one of its own that stays. */
export async function startCluster(folder: string, binaries: string, isBeside: boolean): Promise<Cluster> {
  const owner = databaseUserIds()
  chmodSync(folder, 0o755)
  const nodes: Node[] = []
  for (const name of NODES) {
    const home = join(folder, name)
    mkdirSync(home, { mode: 0o700 })
    if (owner) chownSync(home, owner.uid, owner.gid)
    nodes.push({
      ...{ name, folder: home, rest: await freePort(), port: await freePort() },
      ...{ clients: await freePort(), peers: await freePort(), etcd: null, patroni: null },
    })
  }
  const [primaryPort, readingPort] = [await freePort(), await freePort()]

  function start(node: Node): void {
    const path = join(folder, `${node.name}.yml`)
    writeFileSync(path, settingsOf(node, nodes, binaries))
    const [program = '', ...args] = asDatabaseUser(['patroni', path])
    const stdio = process.env.FAULTS_VERBOSE ? 'inherit' : 'ignore'
    node.etcd ??= spawn('etcd', {
      cwd: node.folder,
      env: { ...process.env, ...etcdSettings(node, nodes) },
      stdio,
    })
    node.patroni = spawn(program, args, {
      cwd: node.folder,
      env: { ...process.env, HOME: node.folder },
      stdio,
      detached: true,
    })
  }
  nodes.forEach(start)
  const proxyPath = join(folder, 'haproxy.cfg')
  writeFileSync(proxyPath, proxySettings(nodes, primaryPort, readingPort))
  const proxy = spawn('haproxy', ['-db', '-f', proxyPath], { stdio: 'ignore' })

  const leader = async () => {
    for (const node of nodes) if ((await statusOf(node, 'primary')) === 200) return node
    return null
  }
  const urlAt = (port: number) => `postgres://postgres:change-me@${HOST}:${port}/postgres`

  return {
    primaryUrl: urlAt(primaryPort),
    readingUrl: urlAt(readingPort),
    nodes,
    leader,
    async settled(standbys) {
      for (const until = Date.now() + UP_WITHIN_MS; Date.now() < until; await pause(POLL_MS)) {
        const first = await leader()
        if (!first) continue
        const states = await Promise.all(nodes.map(node => statusOf(node, 'replica?lag=1MB')))
        const synchronous = await Promise.all(nodes.map(node => statusOf(node, 'synchronous')))
        if (states.filter(is200).length >= standbys && synchronous.some(is200)) return first
      }
      throw new Error(`no primary with ${standbys} standbys within ${UP_WITHIN_MS} ms`)
    },
    async kill(node) {
      const postmaster = postmasterOf(node)
      const { etcd, patroni } = node
      node.patroni = null
      // The one that would start the other again goes first.
      if (patroni?.pid) process.kill(-patroni.pid, 'SIGKILL')
      if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGKILL')
      if (etcd && isBeside) {
        await ended(etcd, 'SIGKILL')
        node.etcd = null
      }
      while (postmaster && isAlive(postmaster)) await pause(20)
    },
    start,
    async stop() {
      for (const node of nodes) {
        if (node.patroni) await ended(node.patroni, 'SIGTERM')
        const postmaster = postmasterOf(node)
        if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGINT')
        while (postmaster && isAlive(postmaster)) await pause(20)
      }
      const others = nodes.flatMap(({ etcd }) => (etcd ? [etcd] : []))
      for (const one of [proxy, ...others]) await ended(one, 'SIGTERM')
    },
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

const is200 = (status: number) => status === 200

async function statusOf(node: Node, part: string): Promise<number> {
  try {
    const answer = await fetch(`http://${HOST}:${node.rest}/${part}`, {
      method: 'OPTIONS',
      signal: AbortSignal.timeout(1_000),
    })
    return answer.status
  } catch (error) {
    if (error instanceof Error) return 0
    throw error
  }
}

/** The files of operate/standby with this machine's addresses in place of those of three. */
function etcdSettings(node: Node, nodes: readonly Node[]): Record<string, string> {
  const text = readFileSync(join(OPERATE, 'etcd.env'), 'utf8')
    .replace(/^ETCD_NAME=.*$/m, `ETCD_NAME=${node.name}`)
    .replace(/^ETCD_DATA_DIR=.*$/m, `ETCD_DATA_DIR=${join(node.folder, 'etcd')}`)
    .replace(/(node\d)=http:\S+?:2380/g, (_, name: string) => `${name}=${peerOf(nodes, name)}`)
    .replaceAll('10.0.0.1:2380', `${HOST}:${node.peers}`)
    .replaceAll('10.0.0.1:2379', `${HOST}:${node.clients}`)
  return parseEnv(text) as Record<string, string>
}

const peerOf = (nodes: readonly Node[], name: string) =>
  `http://${HOST}:${nodes.find(one => one.name === name)?.peers}`

function settingsOf(node: Node, nodes: readonly Node[], binaries: string): string {
  return readFileSync(join(OPERATE, 'patroni.yml'), 'utf8')
    .replace(/^name: .*$/m, `name: ${node.name}`)
    .replace(/hosts: .*$/m, `hosts: ${nodes.map(({ clients }) => `${HOST}:${clients}`).join(',')}`)
    .replaceAll('10.0.0.1:8008', `${HOST}:${node.rest}`)
    .replaceAll('10.0.0.1:5432', `${HOST}:${node.port}`)
    .replaceAll('10.0.0.0/24', `${HOST}/32`)
    .replace(/data_dir: .*$/m, `data_dir: ${join(node.folder, 'data')}`)
    .replace(/bin_dir: .*$/m, `bin_dir: ${binaries}`)
    .replace(
      /^( +)max_connections: .*$/m,
      `$&\n$1shared_buffers: 64MB\n$1unix_socket_directories: ${node.folder}`,
    )
}

function proxySettings(nodes: readonly Node[], primary: number, reading: number): string {
  return readFileSync(join(OPERATE, 'haproxy.cfg'), 'utf8')
    .replace(`${HOST}:5000`, `${HOST}:${primary}`)
    .replace(`${HOST}:5001`, `${HOST}:${reading}`)
    .replace(/server (node\d) \S+ check port 8008/g, (line, name: string) => {
      const node = nodes.find(one => one.name === name)
      return node ? `server ${name} ${HOST}:${node.port} check port ${node.rest}` : line
    })
}

function postmasterOf({ folder }: Node): number | null {
  const path = join(folder, 'data/postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : null
}
