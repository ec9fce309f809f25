// Signatures at both services: one table of what each client says of what its simulator does.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { SignatureDesk, SmsProviderName } from '#kit/ports/signature-desk.ts'
import { SURROUNDINGS } from '#test/sms-service.ts'
import { makeAliyunSignatures } from './aliyun-sms/signatures.ts'
import { aliyunSmsSettings, makeAliyunSmsKeys, startAliyunSmsSimulator } from './aliyun-sms/simulator.ts'
import type { RunningSimulator } from './simulator.ts'
import { makeTencentSignatures } from './tencent-sms/signatures.ts'
import { makeTencentSmsKeys, startTencentSmsSimulator, tencentSmsSettings } from './tencent-sms/simulator.ts'

type Service = {
  desk: SignatureDesk
  wrongKey: SignatureDesk
  simulator: RunningSimulator
  create: string
  change: string
  query: string
  throttled: string
  ofName: string
}
const services: Partial<Record<SmsProviderName, Service>> = {}
const registry = { signatures: ['收银无忧'], templates: [], qualifications: ['77'] }

before(async () => {
  const aliyunKeys = makeAliyunSmsKeys()
  const aliyun = await startAliyunSmsSimulator({ keys: aliyunKeys, registry, reviewMs: 20_000 })
  const aliyunAt = { ...aliyunSmsSettings(aliyunKeys, aliyun.url), qualificationId: '77' }
  services.aliyun = {
    desk: makeAliyunSignatures(aliyunAt, SURROUNDINGS),
    wrongKey: makeAliyunSignatures({ ...aliyunAt, accessKeySecret: 'wrong' }, SURROUNDINGS),
    simulator: aliyun,
    ...{ create: 'CreateSmsSign', change: 'UpdateSmsSign', query: 'GetSmsSign' },
    ...{ throttled: 'Throttling.User', ofName: 'isv.SIGN_NAME_ILLEGAL' },
  }
  const tencentKeys = makeTencentSmsKeys()
  const tencent = await startTencentSmsSimulator({ keys: tencentKeys, registry, reviewMs: 20_000 })
  const tencentAt = {
    ...tencentSmsSettings(tencentKeys, tencent.url),
    ...{ qualificationId: '77', proofImage: 'aGVsbG8=' },
  }
  services.tencent = {
    desk: makeTencentSignatures(tencentAt, SURROUNDINGS),
    wrongKey: makeTencentSignatures({ ...tencentAt, secretKey: 'wrong' }, SURROUNDINGS),
    simulator: tencent,
    ...{ create: 'AddSmsSign', change: 'ModifySmsSign', query: 'DescribeSmsSignList' },
    ...{ throttled: 'RequestLimitExceeded', ofName: 'InvalidParameterValue.SignNameLengthTooLong' },
  }
})
after(async () => {
  for (const { simulator } of Object.values(services)) await simulator.stop()
})

const ORDER = (signature: string) => ({ signature, remark: '会员通知短信' })
let made = 0

for (const which of ['aliyun', 'tencent'] as const)
  describe(which, () => {
    const of = () => services[which] as Service
    const control = async (path: string, body: object) => {
      const answer = await fetch(`${of().simulator.url}/__sim/${path}`, {
        method: 'POST',
        body: JSON.stringify({ kind: 'signature', ...body }),
      })
      assert.equal(answer.status, 200)
    }
    const fault = (match: string, code: string) =>
      of().simulator.control.faults.push({
        match,
        times: 1,
        effect: { kind: 'error', code, message: '不行' },
      })
    /** Handed in, with the service's number. */
    const handedIn = async (name = `老张面馆${++made}`) => {
      const fact = await of().desk.ask(name, '')
      assert.equal(fact.standing, 'none')
      const id = await of().desk.handIn(ORDER(name), fact)
      assert.match(id, /^\d+$/)
      return { name, id }
    }

    test('what it does not know is handed in, reviewed, approved, and known by name and by number', async () => {
      const { name, id } = await handedIn()
      assert.equal((await of().desk.ask(name, id)).standing, 'reviewing')
      of().simulator.control.moveClock(21_000)
      const fact = await of().desk.ask(name, id)
      assert.deepEqual([fact.standing, fact.serviceId, fact.reason], ['approved', id, ''])
      assert.equal((await of().desk.ask(name, '')).serviceId, id)
    })

    const REFUSED: [part: string, reason: RegExp][] = [
      ['测试', /测试字样/],
      ['品牌', /商标或品牌/],
      ['优惠', /营销或活动/],
      ['中心', /过于宽泛/],
      ['资质', /主体不一致/],
    ]
    for (const [part, reason] of REFUSED)
      test(`a name with ${part} is refused with its reason, and handed in again`, async () => {
        const { name, id } = await handedIn(`老张${part}${++made}`)
        of().simulator.control.moveClock(21_000)
        const refused = await of().desk.ask(name, id)
        assert.equal(refused.standing, 'refused')
        assert.match(refused.reason, reason)
        assert.equal(await of().desk.handIn(ORDER(name), refused), id)
        assert.equal((await of().desk.ask(name, id)).standing, 'reviewing')
      })

    test('one that was approved is taken back, or removed', async () => {
      const { name, id } = await handedIn()
      await control('review', { key: name, approve: true })
      assert.equal((await of().desk.ask(name, id)).standing, 'approved')
      await control('review', { key: name, approve: false, reason: '违规使用' })
      const fact = await of().desk.ask(name, id)
      assert.deepEqual([fact.standing, fact.reason], ['refused', '违规使用'])
      await control('removal', { key: name })
      assert.equal((await of().desk.ask(name, id)).standing, 'none')
    })

    test('an answer that is lost is not known, and the signature is there once', async () => {
      const name = `老张面馆${++made}`
      const fact = await of().desk.ask(name, '')
      of().simulator.control.faults.push({ match: of().create, times: 1, effect: { kind: 'reset-after' } })
      await assert.rejects(of().desk.handIn(ORDER(name), fact), ProviderUnknown)
      assert.equal((await of().desk.ask(name, '')).standing, 'reviewing')
      await assert.rejects(of().desk.handIn(ORDER(name), fact), ProviderRefused)
    })

    test('too many calls are none, a wrong key is our account’s, and a wrong name the signature’s', async () => {
      fault(of().query, of().throttled)
      await assert.rejects(of().desk.ask('老张', ''), ProviderBusy)
      await assert.rejects(of().wrongKey.ask('老张', ''), error => {
        assert.ok(error instanceof ProviderRefused)
        assert.equal(of().desk.troubleOf(error.code), 'account')
        return true
      })
      assert.equal(of().desk.troubleOf(of().ofName), 'signature')
      fault(of().create, of().ofName)
      await assert.rejects(
        of().desk.handIn(ORDER('老张'), { standing: 'none', serviceId: '', reason: '', carriers: [] }),
        { code: of().ofName, message: '不行' },
      )
    })

    test('what cannot be read is not known', async () => {
      of().simulator.control.faults.push({ match: of().query, times: 1, effect: { kind: 'malformed' } })
      await assert.rejects(of().desk.ask('老张', ''), ProviderUnknown)
    })
  })

describe('aliyun alone', () => {
  const CARRIERS: [number, string][] = [
    [-2, 'none'],
    [-1, 'registering'],
    [0, 'failed'],
    [1, 'checking'],
    [2, 'lapsed'],
    [3, 'done'],
  ]
  test('tells how far each carrier has registered it, and that a review was called off', async () => {
    const { desk, simulator } = services.aliyun as Service
    const post = (path: string, body: object) =>
      fetch(`${simulator.url}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) })
    await desk.handIn(ORDER('老张运营商'), await desk.ask('老张运营商', ''))
    for (const [carriers, state] of CARRIERS) {
      await post('carriers', { key: '老张运营商', carriers })
      const fact = await desk.ask('老张运营商', '')
      assert.deepEqual(fact.carriers, [
        { carrier: 'mobile', state },
        { carrier: 'unicom', state },
        { carrier: 'telecom', state },
      ])
    }
    await post('review', { kind: 'signature', key: '老张运营商', ended: true })
    assert.equal((await desk.ask('老张运营商', '')).standing, 'ended')
  })
})

test('tencent looks for a name through all pages', async () => {
  const { desk, simulator } = services.tencent as Service
  for (let n = 0; n < 120; n++)
    await fetch(`${simulator.url}/__sim/registry`, {
      method: 'POST',
      body: JSON.stringify({ signature: `连锁店${n}` }),
    })
  assert.equal((await desk.ask('连锁店119', '')).standing, 'approved')
  assert.equal((await desk.ask('没有的', '')).standing, 'none')
})
