// Which file is answered with which policy.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import fastify from 'fastify'
import { addPages } from '#app/pages.ts'
import type { Services } from '#server/ctx.ts'

const ROOT = [
  ...['manifest.webmanifest', 'sw.js', 'icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'],
  ...['index.html', 'bridge.mjs'],
]
const ASSETS = [
  ...['scan-worker-Ab_1-x.js', 'scan-worker-Ab_1-x.js.br', 'afloat-worker-Ab_1-x.js'],
  ...['page-Ab1.js', 'my-scan-worker.css'],
]

let dir: string
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'partner-office-pages-'))
  mkdirSync(join(dir, '.vite'))
  mkdirSync(join(dir, 'assets'))
  for (const name of ROOT)
    writeFileSync(join(dir, name), '<head><title>页</title></head><body>__CSP_NONCE__</body>')
  for (const name of ASSETS) writeFileSync(join(dir, 'assets', name), 'text')
  writeFileSync(join(dir, '.vite/manifest.json'), '{"app/web-boot.ts":{"file":"assets/boot.js"}}')
})
after(() => rmSync(dir, { recursive: true }))

test('WebAssembly may run in the thread that reads codes, and nowhere else', async () => {
  const http = fastify()
  await addPages(http, {} as Services, { dir, demo: false })
  const policyOf = async (name: string, encoding = 'identity') => {
    const headers = { 'accept-encoding': encoding }
    const answer = await http.inject({ url: `/assets/${name}`, headers })
    assert.equal(answer.statusCode, 200, name)
    return answer.headers['content-security-policy']
  }
  const narrow = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'`
  assert.equal(await policyOf('scan-worker-Ab_1-x.js'), narrow)
  assert.equal(await policyOf('scan-worker-Ab_1-x.js', 'br'), narrow)
  assert.equal(await policyOf('afloat-worker-Ab_1-x.js'), `default-src 'none'; script-src 'self'`)
  for (const name of ['page-Ab1.js', 'my-scan-worker.css']) assert.equal(await policyOf(name), undefined)
  await http.close()
})

test('the packed print program is handed out as it is listed, and nothing else of its folder', async () => {
  const http = fastify()
  const packsDir = join(dir, 'packs')
  await addPages(http, {} as Services, { dir, demo: false, packsDir })
  const list = async () => (await http.inject({ url: '/print-program/packs.json' })).json()
  assert.deepEqual(await list(), { program: '', files: [], updates: [] })
  mkdirSync(packsDir)
  writeFileSync(join(packsDir, 'setup.exe'), 'MZ packed')
  writeFileSync(join(packsDir, 'key.pem'), 'secret')
  const files = [{ system: 'win-x64', name: 'setup.exe', byteSize: 9, sha256: '0'.repeat(64) }]
  writeFileSync(join(packsDir, 'packs.json'), JSON.stringify({ program: '1.1.0', files }))
  assert.deepEqual(await list(), { program: '1.1.0', files, updates: [] })
  writeFileSync(join(packsDir, 'win.gz'), 'update')
  assert.equal((await http.inject({ url: '/print-program/win.gz' })).statusCode, 404)
  const updates = [
    { system: 'win-x64', name: 'win.gz', byteSize: 6, manifest: '{"version":"1.1.0"}', signature: 'AA==' },
  ]
  writeFileSync(join(packsDir, 'packs.json'), JSON.stringify({ program: '1.1.0', files, updates }))
  assert.deepEqual(await list(), { program: '1.1.0', files, updates })
  assert.equal((await http.inject({ url: '/print-program/win.gz' })).body, 'update')
  const file = await http.inject({ url: '/print-program/setup.exe' })
  assert.deepEqual([file.statusCode, file.body], [200, 'MZ packed'])
  assert.equal(file.headers['content-disposition'], 'attachment; filename="setup.exe"')
  for (const name of ['key.pem', '..%2findex.html', '..%2fpacks%2fkey.pem', 'other.exe'])
    assert.equal((await http.inject({ url: `/print-program/${name}` })).statusCode, 404, name)
  await http.close()
})
