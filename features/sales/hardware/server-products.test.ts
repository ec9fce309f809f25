import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { PRICE_RISKS, type PriceRisk } from '#features/office/prices/rules.ts'
import { meantBy, typedOf } from '#kit/declare/form.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { makeOrder, makeProduct } from '#test/make-hardware.ts'
import { PRODUCT } from './fields.ts'

let office: Office
let staff: MadeAgent
let manager: Client
let partner: Client

before(async () => {
  office = await openOffice()
  staff = await makeAgent(office, { staff: true })
  manager = office.as(await office.login(staff.loginName))
  partner = office.as(await office.login((await makeAgent(office, { tokens: 100_000 })).loginName))
})
after(() => office.stop())

const FORM = {
  ...meantBy(PRODUCT, typedOf(PRODUCT)),
  name: '热敏打印机',
  model: 'TP-80',
  description: '80mm 热敏小票打印机',
  unitCents: 39_900,
  position: 3,
}

async function makeFile(purpose = 'product', agentId = staff.id): Promise<string> {
  const id = randomUUID()
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, $2, $3, 'image/webp', 1, 1, 1, 1, now())`,
    [id, agentId, purpose],
  )
  return id
}

const rowOf = async (id: number) => {
  const row = (await manager.hardware.catalogue({ size: 100 })).rows.find(product => product.id === id)
  assert.ok(row)
  return row
}

test('staff add and edit products; partners neither see the catalogue nor change it', async () => {
  const pictureId = await makeFile()
  const { id } = await manager.hardware.addProduct({ ...FORM, pictureId, stock: 12 })
  const { createdAt, ...row } = await rowOf(id)
  assert.ok(createdAt)
  const forAll = { discountBasisPoints: 10_000, conditions: { minimums: {}, offers: [] } }
  assert.deepEqual(row, { ...FORM, ...forAll, id, pictureId, stock: 12, revision: 1 })
  await manager.hardware.editProduct({ ...FORM, id, revision: 1, name: '新款打印机', enabled: false })
  const edited = await rowOf(id)
  assert.deepEqual(
    [edited.name, edited.enabled, edited.pictureId, edited.stock, edited.revision],
    ['新款打印机', false, null, 12, 2],
  )
  assert.equal(await refusalOf(partner.hardware.catalogue({})), 'FORBIDDEN')
  assert.equal(await refusalOf(partner.hardware.addProduct({ ...FORM, stock: 1 })), 'FORBIDDEN')
  assert.equal(await refusalOf(partner.hardware.editProduct({ ...FORM, id, revision: 2 })), 'FORBIDDEN')
  assert.equal(
    await refusalOf(partner.hardware.adjustStock({ id, stockBefore: 12, change: 1, reason: '试' })),
    'FORBIDDEN',
  )
})

test('an edit of a row that somebody else changed is refused', async () => {
  const id = await makeProduct(office)
  assert.equal(await refusalOf(manager.hardware.editProduct({ ...FORM, id, revision: 1 })), 'PRICE_ASKED')
  const answered = Object.keys(PRICE_RISKS) as PriceRisk[]
  await manager.hardware.editProduct({ ...FORM, id, revision: 1, answered })
  assert.equal(await refusalOf(manager.hardware.editProduct({ ...FORM, id, revision: 1 })), 'STALE')
  assert.equal(
    await refusalOf(manager.hardware.editProduct({ ...FORM, id: 9_999_999, revision: 1 })),
    'NOT_FOUND',
  )
})

test('only a picture that was uploaded for products is taken', async () => {
  const id = await makeProduct(office)
  for (const pictureId of [randomUUID(), await makeFile('identity')])
    assert.equal(
      await refusalOf(manager.hardware.editProduct({ ...FORM, id, revision: 1, pictureId })),
      'PICTURE_UNKNOWN',
    )
  for (const pictureId of ['https://evil.example/x.png', '../../etc/passwd'])
    assert.equal(
      await refusalOf(manager.hardware.addProduct({ ...FORM, stock: 1, pictureId })),
      'INPUT_INVALID',
    )
})

test('products with a broken rule are refused at their field', async () => {
  for (const [changes, message] of [
    [{ name: '' }, '请输入商品名称'],
    [{ name: '𠮷'.repeat(31) }, '商品名称不得超过30字'],
    [{ model: 'x'.repeat(31) }, '型号不得超过30字'],
    [{ description: 'x'.repeat(201) }, '商品说明不得超过200字'],
    [{ unitCents: 0 }, '价格格式不对，须大于0，最高1,000,000代币'],
    [{ unitCents: 1.5 }, '价格格式不对，须大于0，最高1,000,000代币'],
    [{ unitCents: 100_000_001 }, '价格格式不对，须大于0，最高1,000,000代币'],
    [{ position: -1 }, '排序须为0至9,999的整数'],
    [{ stock: -1 }, '库存须为0至999,999的整数'],
    [{ stock: 1.5 }, '库存须为0至999,999的整数'],
  ] as const)
    await assert.rejects(manager.hardware.addProduct({ ...FORM, stock: 1, ...changes }), {
      code: 'INPUT_INVALID',
      message,
      data: { field: Object.keys(changes)[0] },
    })
  assert.ok(await manager.hardware.addProduct({ ...FORM, stock: 1, name: '𠮷'.repeat(30) }))
})

test('a stock-taking is logged, happens once, and is refused when orders moved the stock meanwhile', async () => {
  const id = await makeProduct(office, { stock: 10 })
  const taking = { id, stockBefore: 10, change: 5, reason: '到货入库' }
  assert.equal((await manager.hardware.adjustStock(taking)).stock, 15)
  assert.equal(await refusalOf(manager.hardware.adjustStock(taking)), 'STOCK_MOVED')
  await makeOrder(office, partner, { productId: id, quantity: 3 })
  assert.equal(
    await refusalOf(manager.hardware.adjustStock({ ...taking, stockBefore: 15, change: -15 })),
    'STOCK_MOVED',
  )
  assert.equal(
    await refusalOf(manager.hardware.adjustStock({ ...taking, stockBefore: 12, change: -13 })),
    'STOCK_FORMAT',
  )
  assert.equal((await rowOf(id)).stock, 12)
  const { rows } = await office.owner.query(
    `select changes from operation_logs where title = '调整硬件库存' order by id desc limit 1`,
  )
  assert.deepEqual(rows[0].changes, [
    { name: '库存', before: '10 件', after: '15 件' },
    { name: '原因', before: null, after: '到货入库' },
  ])
})
