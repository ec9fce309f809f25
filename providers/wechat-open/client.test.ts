import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import jsQR from 'jsqr'
import sharp from 'sharp'
import type { AuditOrder, MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type MemoryStore, memoryStore } from '#test/credential-store.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeWechatOpen, readWechatOpen } from './client.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from './simulator.ts'

const keys = makeWechatOpenKeys()
const [REVIEW_MS, AUDIT_MS, CHECK_MS] = [60_000, 600_000, 30_000]
let simulator: WechatOpenSimulator
let store: MemoryStore
let platform: MiniProgramPlatform
let made = 0
before(async () => {
  simulator = await startWechatOpenSimulator(keys, {
    ...{ reviewMs: REVIEW_MS, auditMs: AUDIT_MS, checkMs: CHECK_MS, callbackScale: 0 },
  })
})
after(() => simulator.stop())
beforeEach(async () => {
  store = memoryStore()
  platform = client()
  await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
})
afterEach(() => {
  simulator.control.faults.length = 0
  simulator.book().ipAllowed = true
  simulator.book().verdicts.length = 0
})

const client = (more: object = {}, timeoutMs = ANSWERED_WITHIN_MS) =>
  makeWechatOpen(
    { ...wechatOpenSettings(keys, simulator.url), ...more },
    { fetch, now: () => simulator.control.now(), nonce: () => `n${++made}`, timeoutMs },
    store,
  )
const fault = (match: string, effect: Effect, times = 1) =>
  simulator.control.faults.push({ match, times, effect })
const later = (ms: number) => simulator.control.moveClock(ms)
async function refusedBy(code: string, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof ProviderRefused, String(error))
    assert.equal(error.code, code)
    assert.match(error.reference, /^[\da-f]{8}-/)
    assert.doesNotMatch(error.message, /rid/)
    assert.notEqual(platform.troubleOf(error).words.slice(0, 4), '微信返回')
    return true
  })
}
let names = 0
/** An authorised one of a company, which has made it by us. */
async function program(more: { scopes?: number[]; viaApi?: boolean; personal?: boolean } = {}) {
  const { scopes, viaApi = true, personal = false } = more
  const principalName = personal ? '个人' : '上海示例餐饮有限公司'
  const { appid } = simulator.addAccount({ principalName, personal, viaApi, nick: '' })
  await platform.authorize(simulator.authorize(appid, scopes))
  return platform.of(appid)
}
const png = () =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: 'orange' } })
    .png()
    .toBuffer()

describe('authorisation', () => {
  test('without a ticket there is no token, and with a wrong secret neither', async () => {
    store.kept.clear()
    await assert.rejects(platform.templates(), (error: ProviderRefused) => error.code === '61006')
    await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
    await refusedBy('40125', client({ secret: 'x' }).templates())
    await refusedBy('40013', client({ appid: 'wx0' }).templates())
    assert.equal((await platform.templates()).length, 4)
  })

  test('a ticket that came late changes nothing, and one of half a day ago is refused', async () => {
    const [first, second] = [simulator.pushTicket(), simulator.pushTicket()]
    const at = simulator.control.now().getTime()
    await platform.keepTicket(second, new Date(at + 2_000).toISOString())
    await platform.keepTicket(first, new Date(at + 1_000).toISOString())
    assert.match(store.kept.get('ticket')?.text ?? '', new RegExp(second))
    later(13 * 60 * 60_000)
    await refusedBy('61006', platform.templates()).catch(() => refusedBy('61005', platform.templates()))
  })

  test('an owner chooses account and scopes on the page, and comes back with a code', async () => {
    const { appid } = simulator.addAccount({ principalName: '个人', personal: true, nick: '小店' })
    for (const on of ['screen', 'phone'] as const) {
      const address = await platform.authorizeUrl('http://127.0.0.1/back?id=7', on)
      const page = await fetch(address)
      assert.match(await page.text(), /小店，主体：个人/)
      const form = new URLSearchParams([
        ['appid', appid],
        ['scope', '18'],
        ['scope', '30'],
      ])
      const answer = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
      assert.equal(answer.status, 302)
      const back = new URL(answer.headers.get('location') ?? '')
      assert.equal(back.searchParams.get('id'), '7')
      const code = back.searchParams.get('auth_code') ?? ''
      assert.deepEqual(await platform.authorize(code), { appid, scopes: [18, 30] })
      await refusedBy('61009', platform.authorize(code))
      assert.match(await (await fetch(address)).text(), /预授权码已使用/)
    }
    const info = await platform.authorizerInfo(appid)
    assert.deepEqual([info.isPersonal, info.nickName, info.scopes], [true, '小店', [18, 30]])
    await refusedBy('61007', platform.of(appid).code('pages/index/index', 430))
  })

  test('a page with a wrong address to come back to, or after its half hour, says so', async () => {
    const away = await platform.authorizeUrl('https://example.com/', 'screen')
    assert.match(await (await fetch(away)).text(), /域名与第三方平台登记的不一致/)
    const address = await platform.authorizeUrl('http://127.0.0.1/', 'screen')
    later(1_800_000)
    assert.match(await (await fetch(address)).text(), /预授权码已过期/)
  })

  test('a code that is an hour old is refused, and so is who is not authorised or no longer', async () => {
    const { appid } = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
    const code = simulator.authorize(appid)
    later(3_600_000)
    await refusedBy('61010', platform.authorize(code))
    await assert.rejects(platform.of(appid).info(), (error: ProviderRefused) => error.code === '61003')
    await platform.authorize(simulator.authorize(appid))
    await platform.of(appid).info()
    await platform.forget(appid)
    await assert.rejects(platform.of(appid).info(), (error: ProviderRefused) => error.code === '61003')
  })

  test('an address that the platform does not know is refused', async () => {
    simulator.book().ipAllowed = false
    await refusedBy('40164', platform.templates())
    simulator.book().ipAllowed = true
    const one = await program()
    simulator.book().ipAllowed = false
    await refusedBy('61004', one.info())
  })
})

describe('registration', () => {
  let companies = 0
  const company = (name: string, more: object = {}) => ({
    companyName: name,
    companyCode: `91310000MA1FL${String(++companies).padStart(4, '0')}X`,
    codeKind: 1 as const,
    legalPersonWechat: 'legal_person',
    legalPersonName: '张三',
    servicePhone: '02112345678',
    ...more,
  })
  const control = (path: string, body: object) =>
    fetch(`${simulator.url}/__sim/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const taskOf = (name: string) =>
    simulator.book().registrations.findLast(one => one.name === name) ?? assert.fail(name)

  test('a face check fails once and passes, and a mini program is there', async () => {
    const wanted = company('上海新店餐饮有限公司')
    await platform.register(wanted)
    await refusedBy('89251', platform.registrationState(wanted))
    await refusedBy('89249', platform.register(wanted))
    const { id: task } = taskOf(wanted.companyName)
    await control('face', { task, outcome: 'fail' })
    await refusedBy('89251', platform.registrationState(wanted))
    await control('face', { task, outcome: 'pass' })
    await refusedBy('89252', platform.registrationState(wanted))
    assert.equal((await control('face', { task, outcome: 'pass' })).status, 409)
    later(CHECK_MS)
    await platform.registrationState(wanted)
    const { appid } = taskOf(wanted.companyName)
    const told = simulator.sent.findLast(({ name }) => name === 'notify_third_fasteregister')?.text ?? ''
    const code = /<auth_code><!\[CDATA\[([^\]]+)/.exec(told)?.[1] ?? ''
    assert.equal((await platform.authorize(code)).appid, appid)
    assert.equal((await platform.of(appid ?? '').info()).principalName, wanted.companyName)
  })

  const REFUSED: [code: string, more: object][] = [
    ['89253', { legalPersonName: '' }],
    ['89248', { codeKind: 4 }],
    ['89255', { companyCode: '123' }],
    ['86004', { legalPersonWechat: '13800000000' }],
    ['61070', { legalPersonWechat: 'person_other' }],
  ]
  for (const [code, more] of REFUSED)
    test(`is refused at once by ${code}`, () =>
      refusedBy(code, platform.register(company('上海拒绝餐饮有限公司', more))))

  test('nobody comes before the camera within a day, or never passes', async () => {
    for (const [outcome, status] of [
      [null, 100_001],
      ['fail', 100_002],
    ] as const) {
      const wanted = company(`上海${status}餐饮有限公司`)
      await platform.register(wanted)
      const { id: task } = taskOf(wanted.companyName)
      if (outcome) await control('face', { task, outcome })
      later(24 * 60 * 60_000)
      await simulator.settle()
      await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
      const told = simulator.sent.findLast(({ name }) => name === 'notify_third_fasteregister')?.text ?? ''
      assert.match(told, new RegExp(`<status>${status}</status>`))
      await refusedBy('89250', platform.registrationState(wanted))
    }
  })

  test('is refused by what the authorities say, by the words in its name or as the control plane says', async () => {
    for (const [name, status] of [
      ['注销', 101],
      ['法人不符', 103],
      ['随意', 1008],
    ] as const) {
      const wanted = company(`上海${name}餐饮有限公司`)
      await platform.register(wanted)
      const { id: task } = taskOf(wanted.companyName)
      if (status === 1008) await control('registrations', { name: wanted.companyName, status })
      await control('face', { task, outcome: 'pass' })
      later(CHECK_MS)
      await simulator.settle()
      const told = simulator.sent.findLast(({ name: kind }) => kind === 'notify_third_fasteregister')?.text
      assert.match(told ?? '', new RegExp(`<status>${status}</status>`))
    }
  })
})

describe('what it shows of itself', () => {
  test('a name is checked, reviewed, and holds', async () => {
    const one = await program()
    const licenceMediaId = await one.uploadPicture(await png())
    const name = `新名字${++names}`
    assert.equal(await one.checkName(name), null)
    assert.match((await one.checkName('某某银行')) ?? '', /证明材料/)
    const auditId = (await one.setName({ name, licenceMediaId })) ?? ''
    assert.equal((await one.nameAudit(auditId)).state, 'reviewing')
    await refusedBy('91019', one.setName({ name, licenceMediaId }))
    later(REVIEW_MS)
    assert.deepEqual(await one.nameAudit(auditId), { state: 'passed', name, reason: null })
    assert.deepEqual((await one.info()).nickName, { value: name, used: 1, quota: 2 })
    const refusedId = (await one.setName({ name: '被驳回名', licenceMediaId })) ?? ''
    later(REVIEW_MS)
    const refused = await one.nameAudit(refusedId)
    assert.equal(refused.state, 'refused')
    assert.match(refused.reason ?? '', /运营规范/)
    assert.equal((await one.info()).nickName.value, name)
    const other = await program()
    await refusedBy('53014', other.checkName(name))
  })

  const NAMES: [code: string, name: string][] = [
    ['53010', '短'],
    ['53012', '国家领导店'],
    ['53013', '公众号重名'],
    ['53015', '同主体公众号'],
    ['53016', '同主体小程序'],
    ['53017', '同主体冲突'],
    ['53018', '某微信号'],
    ['53019', '保护期名'],
    ['91007', '占用的名'],
  ]
  for (const [code, name] of NAMES)
    test(`${name} is refused by ${code}`, async () => refusedBy(code, (await program()).checkName(name)))

  test('what is wanted for a name is missing, or the name is no longer ours to set', async () => {
    const one = await program()
    await refusedBy('91009', one.setName({ name: '没有执照' }))
    await refusedBy('46001', one.setName({ name: '没有图片', licenceMediaId: 'none' }))
    await refusedBy('91011', one.nameAudit('1'))
    await refusedBy('91001', (await program({ viaApi: false })).setName({ name: '不是我们' }))
    const licenceMediaId = await one.uploadPicture(await png())
    await refusedBy('91009', one.setName({ name: '某某医院', licenceMediaId }))
    const given = {
      name: '某某医院',
      licenceMediaId,
      idCardMediaId: licenceMediaId,
      naming: [licenceMediaId],
    }
    assert.ok(await one.setName(given))
  })

  test('picture and intro wait for their reviewer, and their quotas end', async () => {
    const one = await program()
    const mediaId = await one.uploadPicture(await png())
    assert.ok((await one.picture(mediaId)).equals(await png()))
    for (let used = 1; used <= 5; used++) {
      await one.setHeadImage(mediaId)
      await refusedBy('53203', one.setHeadImage(mediaId))
      await one.setSignature(`好吃的第${used}家店`.replace('第', '地'))
      later(REVIEW_MS)
      assert.deepEqual((await one.info()).headImage, {
        url: `https://wx.qlogo.cn/mmhead/${mediaId}`,
        ...{ used, quota: 5 },
      })
    }
    assert.equal((await one.info()).signature.value, '好吃的地5家店')
    await refusedBy('53202', one.setHeadImage(mediaId))
    await refusedBy('53200', one.setSignature('再来一次'))
    const other = await program()
    await refusedBy('53201', other.setSignature('全国第一好吃'))
    await refusedBy('40097', other.setSignature('短'))
    await refusedBy('46001', other.setHeadImage('none'))
    await assert.rejects(other.uploadPicture(Buffer.from('GIF89a')), ProviderRefused)
    later(3 * 24 * 60 * 60_000)
    await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
    await refusedBy('40007', one.picture(mediaId))
  })

  test('categories are offered, added with their papers, reviewed, mended and taken away', async () => {
    const one = await program()
    const offered = await one.offeredCategories()
    const top = offered.find(({ id }) => id === 220)
    assert.deepEqual([top?.level, top?.children], [1, [221, 222, 223, 224]])
    assert.equal(offered.find(({ id }) => id === 221)?.papers.length, 2)
    const mediaId = await one.uploadPicture(await png())
    await refusedBy('53311', one.addCategories([{ first: 220, second: 221, papers: [] }]))
    await refusedBy('85077', one.addCategories([{ first: 220, second: 9, papers: [] }]))
    const papers = [{ name: '《食品经营许可证》', mediaId }]
    simulator.book().verdicts.push({ verdict: 'refuse', reason: '资质不清晰' })
    await one.addCategories([
      { first: 220, second: 221, papers },
      { first: 220, second: 223, papers: [] },
    ])
    await refusedBy('53304', one.addCategories([{ first: 220, second: 223, papers: [] }]))
    await refusedBy('53308', one.deleteCategory({ first: 220, second: 223 }))
    await refusedBy('53307', one.modifyCategory({ first: 220, second: 223, papers: [] }))
    later(REVIEW_MS)
    const standing = await one.categories()
    assert.deepEqual(
      standing.categories.map(({ secondName, state, reason }) => [secondName, state, reason]),
      [
        ['点餐平台', 'refused', '资质不清晰'],
        ['餐厅排队', 'passed', null],
      ],
    )
    assert.deepEqual([standing.monthlyLimit, standing.monthlyLeft, standing.mostCategories], [20, 19, 20])
    await one.modifyCategory({ first: 220, second: 221, papers })
    later(REVIEW_MS)
    assert.deepEqual(
      (await one.auditCategories()).map(({ secondId, thirdId }) => [secondId, thirdId]),
      [
        [221, null],
        [223, null],
      ],
    )
    await one.deleteCategory({ first: 220, second: 223 })
    assert.equal((await one.categories()).categories.length, 1)
    const person = await program({ personal: true })
    const other = { first: 220, second: 222, papers: [{ name: '《增值电信业务经营许可证》', mediaId }] }
    await refusedBy('53302', person.addCategories([other]))
    for (let left = 17; left > 0; left--) {
      await one.addCategories([{ first: 220, second: 224, papers: [] }]).catch(() => undefined)
      later(REVIEW_MS)
      await one.deleteCategory({ first: 220, second: 224 }).catch(() => undefined)
    }
    await refusedBy('53300', one.addCategories([{ first: 220, second: 223, papers: [] }]))
  })

  test('domains are set and read', async () => {
    const one = await program()
    const domains = {
      request: ['https://a.example.com'],
      socket: ['wss://a.example.com'],
      upload: [],
      download: [],
    }
    await one.setDomains(domains)
    assert.deepEqual(await one.domains(), domains)
    await one.setPageDomains(['https://b.example.com'])
    await refusedBy('40097', one.setDomains({ ...domains, request: ['http://a.example.com'] }))
  })
})

const CODE = { templateId: 2, settings: { extEnable: true }, version: '1.0.0', description: 'order' }
const USES = [
  { key: 'UserInfo', purpose: '展示头像' },
  { key: 'PhoneNumber', purpose: '联系顾客' },
]
const DECLARATION = { contact: { phone: '02112345678' }, notice: '弹窗', keptFor: '30天', uses: USES }
const CATEGORY = { firstId: 220, firstName: '餐饮', secondId: 223, secondName: '餐厅排队' }
const ITEM = {
  page: 'pages/index/index',
  title: '首页',
  tags: '点餐 排队',
  category: { ...CATEGORY, thirdId: null, thirdName: null },
}
const order = (more: Partial<AuditOrder> = {}): AuditOrder => ({
  ...{ items: [ITEM], description: '点餐小程序', feedback: '', feedbackPictures: [], usesNoPrivacy: false },
  ...more,
})
/** Named, with picture, intro and a category. */
async function complete(): Promise<MiniProgram> {
  const one = await program()
  const licenceMediaId = await one.uploadPicture(await png())
  await one.setName({ name: `可提审的店${++names}`, licenceMediaId })
  await one.setHeadImage(licenceMediaId)
  await one.setSignature('好吃的面馆')
  await one.addCategories([{ first: 220, second: 223, papers: [] }])
  later(REVIEW_MS)
  return one
}
/** With code that may be audited. */
async function committed(version = '1.0.0'): Promise<MiniProgram> {
  const one = await complete()
  await commit(one, version)
  return one
}
async function commit(one: MiniProgram, version: string): Promise<void> {
  await one.commit({ ...CODE, version })
  later(CHECK_MS)
  await one.declarePrivacy('trial', DECLARATION)
}
async function pass(one: MiniProgram): Promise<void> {
  await one.submitAudit(order())
  later(AUDIT_MS)
}

describe('code', () => {
  const SETTINGS: [code: string, settings: object][] = [
    ['85047', { pages: [] }],
    ['85045', { pages: ['pages/none'] }],
    ['85046', { tabBar: { list: [{ text: '首页' }] } }],
    ['85013', []],
    ['85044', { blob: 'x'.repeat(200_001) }],
  ]
  for (const [code, settings] of SETTINGS)
    test(`settings are refused by ${code}`, async () =>
      refusedBy(code, (await program()).commit({ ...CODE, settings: settings as Record<string, unknown> })))

  test('an unknown template is refused, and what needs code where there is none', async () => {
    const one = await program()
    await refusedBy('85064', one.commit({ ...CODE, templateId: 99 }))
    await refusedBy('85086', one.submitAudit(order()))
    await refusedBy('86001', one.trialCode())
    await refusedBy('86001', one.privacyCheck())
    await refusedBy('85019', one.release())
    await refusedBy('85012', one.undoAudit())
    await refusedBy('87012', one.rollBack())
    await refusedBy('85086', one.code('pages/index/index', 430))
    assert.equal(await one.latestAudit(), null)
    assert.deepEqual(await one.versions(), { trial: null, live: null })
  })

  test('privacy is checked a while, and what the code uses is to be declared', async () => {
    const one = await complete()
    await one.commit(CODE)
    assert.deepEqual(await one.privacyCheck(), { state: 'checking' })
    await refusedBy('61039', one.submitAudit(order()))
    later(CHECK_MS)
    assert.deepEqual(await one.privacyCheck(), {
      ...{ state: 'done', withoutLeave: [], withoutDeclaration: ['UserInfo', 'PhoneNumber'] },
    })
    await refusedBy('61040', one.submitAudit(order()))
    await refusedBy('86071', one.declarePrivacy('trial', { ...DECLARATION, contact: {} }))
    await refusedBy('86071', one.declarePrivacy('trial', { ...DECLARATION, keptFor: '一个月' }))
    const more = { ...DECLARATION, uses: [...USES, { key: 'Location', purpose: '找店' }] }
    await refusedBy('87072', one.declarePrivacy('trial', more))
    await one.declarePrivacy('trial', DECLARATION)
    const declared = { hasCode: true, used: ['UserInfo', 'PhoneNumber'], uses: USES }
    assert.deepEqual(await one.privacy('trial'), declared)
    assert.equal((await one.privacy('live')).hasCode, false)
    assert.ok((await one.submitAudit(order())) > 0)
  })

  const ORDERS: [code: string, more: Partial<AuditOrder>][] = [
    ['85023', { items: [] }],
    ['85023', { items: Array.from({ length: 6 }, () => ITEM) }],
    ['85010', { items: [{ ...ITEM, title: '' }] }],
    ['85006', { items: [{ ...ITEM, tags: '字'.repeat(21) }] }],
    ['85007', { items: [{ ...ITEM, page: 'pages/none' }] }],
    ['85011', { items: [{ ...ITEM, title: '字'.repeat(33) }] }],
    ['85008', { items: [{ ...ITEM, category: { ...ITEM.category, secondId: 224 } }] }],
    ['40097', { feedback: '字'.repeat(201) }],
    ['46001', { feedbackPictures: ['none'] }],
  ]
  test('an audit is refused by what is wrong in its order, and none of them costs quota', async () => {
    const one = await committed()
    const before = await one.auditQuota()
    for (const [code, more] of ORDERS) await refusedBy(code, one.submitAudit(order(more)))
    assert.deepEqual(await one.auditQuota(), before)
  })

  test('an audit is refused with a screenshot, corrected, passed, released; a wrong release is rolled back', async () => {
    const one = await committed()
    const first = await one.submitAudit(order({ description: '请驳回' }))
    await refusedBy('85009', one.submitAudit(order()))
    assert.deepEqual(await one.audit(first), {
      ...{ auditId: first, state: 'reviewing', reason: null, screenshots: [], version: '1.0.0' },
    })
    await refusedBy('85020', one.release())
    later(AUDIT_MS)
    const refused = await one.audit(first)
    assert.equal(refused.state, 'refused')
    assert.match(refused.reason ?? '', /运营规范/)
    const screenshot = await sharp(await one.picture(refused.screenshots[0] ?? '')).metadata()
    assert.equal(screenshot.format, 'png')
    assert.deepEqual(await one.latestAudit(), refused)

    await pass(one)
    assert.equal((await one.latestAudit())?.state, 'passed')
    await one.release()
    await refusedBy('85052', one.release())
    await refusedBy('91002', one.setName({ name: '发布后改名' }))
    await refusedBy('87012', one.rollBack())
    await commit(one, '1.1.0')
    await pass(one)
    await one.release()
    assert.equal((await one.versions()).live?.version, '1.1.0')
    const [before] = await one.releases()
    assert.deepEqual([before?.version, before?.description], ['1.0.0', 'order'])
    await one.rollBack(before?.appVersion)
    assert.equal((await one.versions()).live?.version, '1.0.0')
    await refusedBy('87012', one.rollBack())
  })

  test('a delayed audit is decided later, and one that is withdrawn is over', async () => {
    const one = await committed()
    simulator.book().verdicts.push({ verdict: 'delay', reason: '审核延后' })
    const auditId = await one.submitAudit(order())
    later(AUDIT_MS)
    assert.equal((await one.audit(auditId)).state, 'delayed')
    const decided = await fetch(`${simulator.url}/__sim/decide`, {
      ...{ method: 'POST', body: JSON.stringify({ auditId, verdict: 'pass' }) },
    })
    assert.equal(decided.status, 200)
    assert.equal((await one.audit(auditId)).state, 'passed')
    for (let day = 0; day < 2; day++) {
      for (let times = 0; times < 5; times++) {
        const again = await one.submitAudit(order())
        await one.undoAudit()
        assert.equal((await one.audit(again)).state, 'withdrawn')
      }
      const last = await one.submitAudit(order())
      await refusedBy('87013', one.undoAudit())
      later(25 * 60 * 60_000)
      await platform.keepTicket(simulator.pushTicket(), simulator.control.now().toISOString())
      assert.equal((await one.audit(last)).state, 'passed')
    }
    await one.submitAudit(order())
    await refusedBy('87013', one.undoAudit())
  })

  test('an audit is sped up once; quotas of both are told and end', async () => {
    const one = await committed()
    const { quota } = simulator.book()
    Object.assign(quota, { auditLimit: quota.audits + 1, speedUpLimit: quota.speedUps + 1 })
    assert.deepEqual(await one.auditQuota(), {
      ...{ left: 1, limit: quota.auditLimit, speedUpsLeft: 1, speedUpLimit: quota.speedUpLimit },
    })
    const auditId = await one.submitAudit(order())
    await one.speedUp(auditId)
    await refusedBy('89404', one.speedUp(auditId))
    later(AUDIT_MS / 10)
    assert.equal((await one.audit(auditId)).state, 'passed')
    await refusedBy('89402', one.speedUp(auditId))
    await refusedBy('85012', one.audit(1))
    await refusedBy('85085', one.submitAudit(order()))
    quota.auditLimit = 1_000_000
    await refusedBy('89405', one.speedUp(await one.submitAudit(order())))
  })

  test('an account without name, picture and intro is not audited', async () => {
    const one = await program()
    await one.commit({ ...CODE, templateId: 4 })
    later(CHECK_MS)
    await refusedBy('86002', one.submitAudit(order()))
  })

  test('the codes to scan can be decoded', async () => {
    const one = await committed('3.0.0')
    assert.match(await decoded(await one.trialCode()), /~~trial~~3\.0\.0~~pages\/index\/index$/)
    assert.match(await decoded(await one.trialCode('pages/order/order?t=1')), /pages\/order\/order\?t=1$/)
    await refusedBy('85007', one.trialCode('pages/none'))
    await pass(one)
    await one.release()
    const code = await one.code('pages/index/index?id=5', 600)
    assert.equal((await sharp(code).metadata()).width, 600)
    assert.match(await decoded(code), /~~live~~3\.0\.0~~pages\/index\/index\?id=5$/)
    await refusedBy('40097', one.code('pages/index/index', 10))
  })

  test('testers are bound and let go', async () => {
    const one = await program()
    const userString = await one.addTester('tester_one')
    assert.deepEqual(await one.testers(), [userString])
    await refusedBy('85004', one.addTester('tester_one'))
    await refusedBy('85001', one.addTester('13800000000'))
    await refusedBy('85003', one.addTester('tester_busy'))
    for (let more = 1; more < 15; more++) await one.addTester(`tester_no_${more}`)
    await refusedBy('85002', one.addTester('tester_last'))
    await one.removeTester(userString)
    assert.equal((await one.testers()).length, 14)
  })
})

async function decoded(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data ?? ''
}

describe('what is not believed, and what is said of it', () => {
  test('no answer, half of one, and a server’s error', async () => {
    const one = await program()
    const effects: Effect[] = [
      { kind: 'reset-before' },
      { kind: 'reset-after' },
      { kind: 'malformed' },
      { kind: 'status', status: 502 },
    ]
    for (const effect of effects) {
      fault('getaccountbasicinfo', effect)
      await assert.rejects(one.info(), ProviderUnknown, effect.kind)
    }
    const { appid } = await one.info()
    fault('getaccountbasicinfo', { kind: 'silence' })
    await assert.rejects(client({}, GIVEN_UP_AFTER_MS).of(appid).info(), ProviderUnknown)
  })

  test('a change whose answer was lost is not made again, and can be asked about', async () => {
    const one = await committed()
    fault('submit_audit', { kind: 'reset-after' })
    await assert.rejects(one.submitAudit(order()), ProviderUnknown)
    assert.equal((await one.latestAudit())?.state, 'reviewing')
    await refusedBy('85009', one.submitAudit(order()))
  })

  test('what is too busy says that nothing was done', async () => {
    const one = await program()
    for (const code of ['-1', '45009', '45011', '9402202']) {
      fault('getaccountbasicinfo', { kind: 'error', code })
      await assert.rejects(one.info(), ProviderBusy)
    }
    fault('getaccountbasicinfo', { kind: 'quota-exhausted' })
    await assert.rejects(one.info(), ProviderBusy)
  })

  test('a picture whose call is refused is no picture', async () => {
    const one = await program()
    fault('get_qrcode', { kind: 'status', status: 200, body: '{"errcode":0}' })
    await assert.rejects(one.trialCode(), ProviderUnknown)
  })
})

test('its settings are read from the environment, and a key that is none is told by its name', () => {
  const { appid, secret, token, encodingAesKey } = keys
  const values: Record<string, string> = {
    ...{ APPID: appid, SECRET: secret, TOKEN: token, AES_KEY: encodingAesKey },
  }
  const reader = {
    need: (name: string) => values[name] ?? assert.fail(name),
    may: (name: string) => values[name],
  }
  assert.deepEqual(readWechatOpen(reader), {
    ...{ appid, secret, token, encodingAesKey, baseUrl: 'https://api.weixin.qq.com' },
    ...{ screenUrl: 'https://mp.weixin.qq.com', phoneUrl: 'https://open.weixin.qq.com' },
  })
  values.AES_KEY = 'short'
  assert.throws(() => readWechatOpen(reader), /WECHAT_OPEN_AES_KEY/)
})
