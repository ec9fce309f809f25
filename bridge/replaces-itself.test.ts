// The packed program, as processes of their own, gets a newer one from an office on this machine, and gives its place to it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BRIDGE_PROGRAM } from '#kit/print/bridge/bridge.ts'
import { freePort } from '#test/free-port.ts'
import { connect, openDesks, printOf } from '#test/print/desk.ts'
import { type OwnState, ownState, type Packed, packedProgram } from '#test/print/packed.ts'
import { startUpdateOffice, type UpdateOffice } from '#test/print/update-office.ts'

const NEXT = '9.0.0'
const { newDesk, newPrinter } = openDesks()

let stack: AsyncDisposableStack
let office: UpdateOffice
let program: Packed
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  office = stack.adopt(await startUpdateOffice(), one => one.stop())
  program = stack.use(await packedProgram(office.publicKey))
})
afterEach(() => stack.disposeAsync())

/** A desk that is paired with the office, and its program running. */
async function pairedDesk() {
  const printer = await newPrinter()
  const port = await freePort()
  const { origin } = office
  const desk = newDesk({ port, printerPort: printer.port, origins: [origin] })
  const first = await program.start(desk.dir)
  const page = await connect(port, { origin })
  page.send({ type: 'pair', code: desk.pairingCode(), office: '测试' })
  const { token } = await page.next('paired')
  const until = async (holds: (state: OwnState) => boolean): Promise<OwnState> => {
    for (;;) {
      const state = await ownState(port, desk.dir)
      if (state && holds(state)) return state
      await sleep(20)
    }
  }
  const letIn = async () => {
    const again = await connect(port, { origin })
    again.send({ type: 'hello', token })
    await again.next('welcome')
    return again
  }
  return { printer, first, page, until, letIn, press: (deed: object) => ownState(port, desk.dir, deed) }
}

describe('a packed program', () => {
  test('becomes the newer one with its desk, and the kept one again by a press', async () => {
    const { printer, first, page, until, letIn, press } = await pairedDesk()
    await printer.pull()
    page.send(printOf('waits', 'front', Buffer.from('label')))
    assert.equal((await page.next('waiting', 'waits')).reason, 'offline')
    await press({ deed: 'update' })
    await until(({ update }) => update?.said === `${BRIDGE_PROGRAM} 已是最新版本`)

    office.offer({ version: NEXT, program: program.as(NEXT) })
    await press({ deed: 'update' })
    const { update } = await until(state => state.program === NEXT)
    assert.equal(await first.ended, 0)
    assert.equal(update?.previous, BRIDGE_PROGRAM)
    assert.equal(readFileSync(`${program.file}.old`, 'utf8'), program.as(BRIDGE_PROGRAM))
    // Whoever was paired is, and what waited is printed, once.
    await printer.plug()
    const later = await letIn()
    later.send(printOf('waits', 'front', Buffer.from('label')))
    await later.next('done', 'waits')
    assert.deepEqual(printer.jobs.map(String), ['label'])

    await press({ deed: 'back' })
    const back = await until(state => state.program === BRIDGE_PROGRAM)
    assert.equal(back.update?.previous, NEXT)
    await letIn()
  })

  test('goes on serving where the newer one does not start', async () => {
    const { first, until, letIn, press } = await pairedDesk()
    const lame = `process.argv.includes('--version') ? console.log('${NEXT}') : process.exit(1)`
    office.offer({ version: NEXT, program: lame })
    await press({ deed: 'update' })
    const { program: version } = await until(
      ({ update }) => update?.said === '新版本没有启动起来，已换回现在的版本',
    )
    assert.equal(version, BRIDGE_PROGRAM)
    assert.deepEqual(program.pids(), [first.pid])
    assert.equal(readFileSync(program.file, 'utf8'), program.as(BRIDGE_PROGRAM))
    const page = await letIn()
    page.send(printOf('one', 'folder', Buffer.from('label')))
    await page.next('done', 'one')
  })

  test('stays as it is where the update is forged', async () => {
    const { first, until, press } = await pairedDesk()
    const offered = office.offer({ version: NEXT, program: program.as(NEXT) })
    office.state.updates = [{ ...offered, signature: Buffer.alloc(64).toString('base64') }]
    await press({ deed: 'update' })
    await until(({ update }) => update?.said === '更新没有本程序后台的签名，没有更新')
    assert.deepEqual([program.pids(), existsSync(`${program.file}.old`)], [[first.pid], false])
  })
})
