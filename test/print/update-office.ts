// An office on loopback that hands out updates of the print program as a test tells it to, with a key of its own.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { PACKS_PATH, type PackSystem, type SignedUpdate } from '#kit/print/bridge/packs.ts'
import { publicHalf, signedUpdate } from '#scripts/print-updates.ts'

export const newKey = () => generateKeyPairSync('ed25519').privateKey
/** Of the machine that tests run on. */
export const SYSTEM: PackSystem = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'

type New = { version: string; program: Buffer | string; system?: PackSystem; key?: ReturnType<typeof newKey> }
export type UpdateOffice = Awaited<ReturnType<typeof startUpdateOffice>>

export async function startUpdateOffice() {
  const key = newKey()
  const files = new Map<string, Buffer>()
  const asked: string[] = []
  const state = {
    updates: [] as SignedUpdate[],
    /** Answers in place of the office where it takes what is asked for. */
    instead: null as ((path: string, reply: ServerResponse) => boolean) | null,
  }
  const http = createServer((request, reply) => {
    const path = request.url ?? ''
    asked.push(path)
    if (state.instead?.(path, reply)) return
    if (path === `${PACKS_PATH}/packs.json`)
      return reply.end(JSON.stringify({ program: '', files: [], updates: state.updates }))
    const file = files.get(path.slice(PACKS_PATH.length + 1))
    reply.writeHead(file ? 200 : 404).end(file)
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    origin,
    publicKey: publicHalf(key),
    files,
    asked,
    state,
    /** Offers a program as the office would; answers what it offers. */
    offer({ version, program, system = SYSTEM, key: other = key }: New): SignedUpdate {
      const bytes = gzipSync(program)
      const offered = signedUpdate(other, { system, version, name: `program-${version}.gz`, bytes })
      files.set(offered.name, bytes)
      state.updates = [offered]
      return offered
    },
    async stop() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}
