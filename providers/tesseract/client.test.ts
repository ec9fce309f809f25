import assert from 'node:assert/strict'
import test from 'node:test'
import sharp from 'sharp'
import { OcrRefused } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS } from '#test/patience.ts'
import { hasTesseract, makeTesseract } from './client.ts'
import { runProgram } from './run.ts'

const SETTINGS = { program: 'tesseract', path: process.env.PATH, timeoutMs: ANSWERED_WITHIN_MS }
const isHere = await hasTesseract(SETTINGS)
const skip = isHere ? false : 'no tesseract with chi_sim on this machine'

const run = (script: string, timeoutMs = ANSWERED_WITHIN_MS) =>
  runProgram(
    { program: process.execPath, parameters: ['-e', script], path: undefined },
    Buffer.from('picture'),
    timeoutMs,
  )

test('a program gets the picture, and says what it found', async () => {
  assert.deepEqual(await run('process.stdin.pipe(process.stdout)'), { outcome: 0, output: 'picture' })
  assert.equal((await run('process.exit(3)')).outcome, 3)
})

test('a program sees nothing of our environment but where programs lie', async () => {
  process.env.SECRET_OF_A_TEST = 'secret'
  const { output } = await run('console.log(Object.keys(process.env).sort().join())')
  assert.equal(output.trim(), 'LC_ALL,OMP_THREAD_LIMIT,PATH')
})

test('a program that is late, talks without end or is not there is given up', async () => {
  assert.equal((await run('setInterval(() => {}, 1000)', GIVEN_UP_AFTER_MS)).outcome, 'late')
  const endless = 'const say = () => process.stdout.write("x".repeat(1e6), say); say()'
  assert.equal((await run(endless)).outcome, 'talkative')
  const missing = { program: '/nowhere/tesseract', parameters: [], path: undefined }
  assert.equal((await runProgram(missing, Buffer.alloc(0), ANSWERED_WITHIN_MS)).outcome, 'missing')
  assert.equal(await hasTesseract({ program: '/nowhere/tesseract', path: undefined }), false)
})

test('a clean licence is read, and believed no more than half', { skip }, async () => {
  const rows = ['统一社会信用代码 9144030071526726XG', '名称 测试餐饮有限公司', '法定代表人 张三']
  const text = rows.map((row, place) => `<text x="40" y="${100 + place * 90}" font-size="48">${row}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="400"><rect width="1400" height="400" fill="white"/>${text.join('')}</svg>`
  const ocr = makeTesseract(SETTINGS, () => new Date())
  const { fields } = await ocr.readLicence(await sharp(Buffer.from(svg)).png().toBuffer())
  assert.equal(fields.number?.value, '9144030071526726XG')
  for (const field of Object.values(fields)) assert.ok(field.confidence <= 0.5)
})

test('what is no picture is refused', { skip }, async () => {
  const ocr = makeTesseract(SETTINGS, () => new Date())
  await assert.rejects(ocr.readLicence(Buffer.from('no picture')), OcrRefused)
})
