// Verification data at the door for point-of-sale software, with real pictures.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { DOCUMENT_FILE } from '#features/care/documents/rules.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { WHOLE } from './walk.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('a POS hands in papers and data with its key, and reads where they stand', async () => {
  const vendor = await makeAgent(office, { staff: true })
  const staff = office.as(await office.login(vendor.loginName))
  const agent = await makeAgent(office)
  const cookie = await office.login(agent.loginName)
  const me = office.as(cookie)
  const shop = await makeMerchant(office, agent.id)
  const key = await makeKey(office, cookie, ['pos.read', 'pos.write'])
  await withoutLimit(office, key)
  const pos = posCaller(office, key.bearer)
  const picture = async (background: string) =>
    (
      await sharp({ create: { width: 900, height: 600, channels: 3, background } })
        .png()
        .toBuffer()
    ).toString('base64')
  const kept: Record<string, number> = {}
  for (const [name, kind, color] of [
    ['licenceId', 'businessLicence', '#123456'],
    ['idFrontId', 'idCardFront', '#234567'],
    ['idBackId', 'idCardBack', '#345678'],
  ] as const) {
    const answer = await pos('verification.keepPaper', { id: shop, kind, picture: await picture(color) })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    kept[name] = (answer.body as { id: number }).id
  }
  const broken = await pos('verification.keepPaper', {
    id: shop,
    kind: 'idCardBack',
    picture: 'bm90IGEgcGljdHVyZQ==',
  })
  assert.equal((broken.body as { code: string }).code, 'PICTURE_FORMAT')
  const { rows } = await office.owner.query(
    `select f.sealed_key is not null as sealed, f.purpose, f.sha256 = d.sha256 as same from documents d join files f on f.id = d.file_id where d.id = any($1)`,
    [Object.values(kept)],
  )
  assert.deepEqual(rows, Array(3).fill({ sealed: true, purpose: DOCUMENT_FILE, same: true }))
  const wanting = await pos('verification.submitVerification', { id: shop, ...WHOLE, ...kept, idNumber: '' })
  assert.equal((wanting.body as { code: string }).code, 'FIELD_REQUIRED')
  const silent = await pos('verification.submitVerification', {
    id: shop,
    ...WHOLE,
    ...kept,
    explanations: {},
  })
  assert.deepEqual(
    [silent.code, silent.message],
    ['WARNING_UNEXPLAINED', '请说明：责任人手机号未用验证码核实'],
  )
  const sent = await pos('verification.submitVerification', { id: shop, ...WHOLE, ...kept })
  assert.deepEqual(sent.body, { state: 'reviewing' })
  const { revision } = await me.verification.ofShop({ merchantId: shop })
  await staff.verification.reject({ merchantId: shop, revision, reason: '不清晰', advice: '请重拍' })
  const told = await pos('verification.verification', { id: shop })
  const { state, reason, advice } = told.body as Record<string, string>
  assert.deepEqual([state, reason, advice], ['failed', '不清晰', '请重拍'])
})
