import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { makeWechatOpenKeys, startWechatOpenSimulator } from './simulator.ts'
import { readBook } from './simulator-book.ts'

const folder = mkdtempSync(join(tmpdir(), 'wechat-open-'))
after(() => rmSync(folder, { recursive: true }))

test('what the simulator knows is written behind its calls, and all of it when it ends', async () => {
  const file = join(folder, 'book.json')
  const simulator = await startWechatOpenSimulator(makeWechatOpenKeys(), { file })
  const accounts = Array.from({ length: 50 }, (_, at) =>
    simulator.addAccount({ principalName: `公司${at}`, nick: `小店${at}` }),
  )
  for (const { appid } of accounts) simulator.authorize(appid)
  assert.equal(existsSync(file), false)
  await simulator.stop()
  const kept = readBook(file)
  assert.deepEqual(kept, simulator.book())
  assert.ok(accounts.every(({ appid }) => kept.accounts[appid]?.authorized))
})
