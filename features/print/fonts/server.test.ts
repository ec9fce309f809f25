// The outlines of characters through the router.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { GLYPHS_MOST } from '#kit/print/glyphs.ts'
import { stepsOf } from '#kit/print/path.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'

let office: Office
let client: Client

before(async () => {
  office = await openOffice()
  client = office.as(await office.login((await makeAgent(office)).loginName))
})
after(() => office.stop())

test('characters come in both weights, in thousandths of the em, counted downwards', async () => {
  const { regular, bold } = await client.fonts.glyphs({ characters: '茶A 茶' })
  assert.deepEqual(Object.keys(regular).sort(), [' ', 'A', '茶'])
  assert.equal(regular.茶?.advance, 1_000)
  assert.equal(regular[' ']?.outline, '')
  assert.notEqual(regular.茶?.outline, bold.茶?.outline)
  const steps = stepsOf(regular.A?.outline ?? '')
  assert.deepEqual(steps.at(0)?.[0], 'M')
  // The top of a capital is above the line it stands on.
  const heights = steps.flatMap(([, ...at]) => at.filter((_, index) => index % 2))
  assert.deepEqual([Math.min(...heights), Math.max(...heights)], [-733, 0])
})

test('what the font lacks is not in the answer', async () => {
  const { regular } = await client.fonts.glyphs({ characters: '\u{1F600}茶' })
  assert.deepEqual(Object.keys(regular), ['茶'])
})

test('neither nothing nor too much is asked, and nobody without a session asks', async () => {
  for (const characters of ['', '字'.repeat(GLYPHS_MOST + 1)])
    assert.equal(await refusalOf(client.fonts.glyphs({ characters })), 'INPUT_INVALID')
  const most = await client.fonts.glyphs({ characters: '\u{20000}'.repeat(GLYPHS_MOST) })
  assert.ok(most)
  assert.equal(await refusalOf(office.as(null).fonts.glyphs({ characters: '茶' })), 'UNAUTHENTICATED')
})
