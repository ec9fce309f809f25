// wechatpay-axios-plugin, made by others, works with the simulator, so that client and simulator cannot share a mistake.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Aes, Formatter, Multipart, Rsa, Wechatpay } from 'wechatpay-axios-plugin'
import { pictureOf } from '#providers/simulated-ocr.ts'
import { aLicenceNumber, ID_NUMBERS } from '#test/wechat-onboarding.ts'
import { makeWechatPayKeys, startWechatPaySimulator, type WechatPaySimulator } from './simulator.ts'

const keys = makeWechatPayKeys()
const NOTIFY_URL = 'https://office.example/callbacks/wechat'
let orders = 0
type Told = Record<
  | 'code_url'
  | 'prepay_id'
  | 'trade_state'
  | 'refund_id'
  | 'status'
  | 'download_url'
  | 'media_id'
  | 'applyment_id'
  | 'applyment_state'
  | 'sub_mchid'
  | 'application_no'
  | 'verify_result',
  string
> & {
  amount: { refund: number }
  data: {
    serial_no: string
    encrypt_certificate: { ciphertext: string; nonce: string; associated_data: string }
  }[]
}
type Endpoint = {
  get(config?: object): Promise<{ status: number; data: Told }>
  post(body?: object, config?: object): Promise<{ status: number; data: Told }>
}
/** The SDK makes an endpoint of any path; its types know none. */
const at = (wechat: Wechatpay, path: string) =>
  path
    .split('.')
    .reduce((chain: unknown, name) => (chain as Record<string, unknown>)[name], wechat) as Endpoint
const aNumber = () => `O${Date.now()}X${orders++}`
const refusedWith = (code: string) => (error: { response?: { data?: { code?: string } } }) =>
  error.response?.data?.code === code

for (const mode of ['certificate', 'public-key'] as const)
  describe(`the SDK in ${mode} mode`, () => {
    let simulator: WechatPaySimulator
    before(async () => {
      const callsASecond = Number.POSITIVE_INFINITY
      simulator = await startWechatPaySimulator({ keys, mode, refundMs: 0, callsASecond })
    })
    after(() => simulator.stop())

    const sdk = (merchant: 'direct' | 'partner', changes: object = {}) =>
      new Wechatpay({
        baseURL: simulator.url,
        mchid: keys[merchant].mchid,
        serial: keys[merchant].serial,
        privateKey: keys[merchant].privateKeyPem,
        certs:
          mode === 'certificate'
            ? { [keys.platform.serial]: keys.platform.certificatePem }
            : { [keys.publicKey.id]: keys.publicKey.publicKeyPem },
        ...changes,
      })
    const { mchid, appid } = keys.direct
    const direct = (out_trade_no: string) => ({
      mchid,
      appid,
      out_trade_no,
      description: '短信套餐',
      notify_url: NOTIFY_URL,
      amount: { total: 1999, currency: 'CNY' },
    })

    test('places, asks for, closes and pays a Native order', async () => {
      const wechat = sdk('direct')
      const [paid, closed] = [aNumber(), aNumber()]
      const { data } = await at(wechat, 'v3.pay.transactions.native').post(direct(paid))
      assert.match(data.code_url, /^weixin:/)
      simulator.pay({ code: data.code_url })
      const query = (out_trade_no: string) =>
        at(wechat, 'v3.pay.transactions.outTradeNo._out_trade_no_').get({
          params: { mchid },
          out_trade_no,
        })
      assert.equal((await query(paid)).data.trade_state, 'SUCCESS')
      await at(wechat, 'v3.pay.transactions.native').post(direct(closed))
      const close = (out_trade_no: string) =>
        at(wechat, 'v3.pay.transactions.outTradeNo._out_trade_no_.close').post({ mchid }, { out_trade_no })
      assert.equal((await close(closed)).status, 204)
      assert.equal((await query(closed)).data.trade_state, 'CLOSED')
      await assert.rejects(close(paid), refusedWith('ORDER_PAID'))
      await assert.rejects(query('Onobody1'), refusedWith('ORDER_NOT_EXIST'))
      await assert.rejects(
        at(wechat, 'v3.pay.transactions.native').post({ ...direct(aNumber()), appid: 'wx0000000000000000' }),
        refusedWith('APPID_MCHID_NOT_MATCH'),
      )
    })

    test('places a JSAPI order for a sub-merchant and is refused without it', async () => {
      const wechat = sdk('partner')
      const order = {
        sp_appid: keys.partner.appid,
        sp_mchid: keys.partner.mchid,
        sub_mchid: keys.partner.subMchids[0],
        out_trade_no: aNumber(),
        description: '短信套餐',
        notify_url: NOTIFY_URL,
        amount: { total: 1, currency: 'CNY' },
        payer: { sp_openid: 'oSomebody' },
      }
      const { data } = await at(wechat, 'v3.pay.partner.transactions.jsapi').post(order)
      assert.match(data.prepay_id, /^wx/)
      assert.equal(simulator.pay({ code: data.prepay_id }).payer, 'oSomebody')
      await assert.rejects(
        at(wechat, 'v3.pay.partner.transactions.jsapi').post({ ...order, sub_mchid: undefined }),
        refusedWith('PARAM_ERROR'),
      )
      await assert.rejects(
        at(wechat, 'v3.pay.partner.transactions.native').post({ ...order, sub_mchid: '1900009999' }),
        refusedWith('NO_AUTH'),
      )
    })

    test('refunds in part and not more than was paid', async () => {
      const wechat = sdk('direct')
      const out_trade_no = aNumber()
      const { data: native } = await at(wechat, 'v3.pay.transactions.native').post(direct(out_trade_no))
      simulator.pay({ code: native.code_url })
      const refund = (out_refund_no: string, fen: number) =>
        at(wechat, 'v3.refund.domestic.refunds').post({
          out_trade_no,
          out_refund_no,
          amount: { refund: fen, total: 1999, currency: 'CNY' },
        })
      const { data } = await refund(`${out_trade_no}-1`, 999)
      assert.equal(data.amount.refund, 999)
      const asked = await at(wechat, 'v3.refund.domestic.refunds._out_refund_no_').get({
        out_refund_no: `${out_trade_no}-1`,
      })
      assert.equal(asked.data.refund_id, data.refund_id)
      await assert.rejects(refund(`${out_trade_no}-2`, 1001), refusedWith('INVALID_REQUEST'))
    })

    test('sends an abnormal refund once more', async () => {
      const wechat = sdk('direct')
      const out_trade_no = aNumber()
      const native = await at(wechat, 'v3.pay.transactions.native').post(direct(out_trade_no))
      simulator.pay({ code: native.data.code_url })
      await fetch(`${simulator.url}/__sim/refunds`, { method: 'POST', body: '{"next":["ABNORMAL"]}' })
      const amount = { refund: 1, total: 1999, currency: 'CNY' }
      const out_refund_no = `${out_trade_no}-1`
      const { data } = await at(wechat, 'v3.refund.domestic.refunds').post({
        out_trade_no,
        out_refund_no,
        amount,
      })
      const becomes = async (status: string) => {
        const ask = at(wechat, 'v3.refund.domestic.refunds._out_refund_no_')
        for (let tries = 0; tries < 200; tries++)
          if ((await ask.get({ out_refund_no })).data.status === status) return
        assert.fail(`the refund never became ${status}`)
      }
      const repeat = () =>
        at(wechat, 'v3.refund.domestic.refunds._refund_id_.applyAbnormalRefund').post(
          { out_refund_no, type: 'MERCHANT_BANK_CARD' },
          { refund_id: data.refund_id },
        )
      await becomes('ABNORMAL')
      await repeat()
      await becomes('SUCCESS')
      await assert.rejects(repeat(), refusedWith('INVALID_REQUEST'))
    })

    test('downloads the platform certificate and the bill', async () => {
      const wechat = sdk('direct')
      const { data } = await at(wechat, 'v3.certificates').get()
      const [first] = data.data
      assert.ok(first)
      const { ciphertext, nonce, associated_data } = first.encrypt_certificate
      const pem = Aes.AesGcm.decrypt(ciphertext, keys.direct.apiV3Key, nonce, associated_data)
      assert.equal(pem, keys.platform.certificatePem)
      assert.equal(first.serial_no, keys.platform.serial)
      const out_trade_no = aNumber()
      const { data: native } = await at(wechat, 'v3.pay.transactions.native').post(direct(out_trade_no))
      const paid = simulator.pay({ code: native.code_url })
      const bill_date = new Date((paid.paidAt?.getTime() ?? 0) + 8 * 3_600_000).toISOString().slice(0, 10)
      const { data: announced } = await at(wechat, 'v3.bill.tradebill').get({ params: { bill_date } })
      const { search } = new URL(announced.download_url)
      const { data: file } = await at(wechat, 'v3.billdownload.file').get({
        params: { token: new URLSearchParams(search).get('token') },
        responseType: 'arraybuffer',
      })
      const bill = Formatter.castCsvBill(file as unknown as Buffer) as {
        rows: Record<string, string>[]
        summary: Record<string, string>
      }
      const row = bill.rows.find(one => one.商户订单号 === out_trade_no)
      assert.equal(row?.订单金额, '19.99')
      assert.equal(row?.微信订单号, paid.transactionId)
      assert.equal(bill.summary.总交易单数, String(bill.rows.length))
    })

    describe('onboards a shop', () => {
      const platform = () =>
        mode === 'certificate'
          ? { serial: keys.platform.serial, pem: keys.platform.certificatePem }
          : { serial: keys.publicKey.id, pem: keys.publicKey.publicKeyPem }
      const sealed = { headers: { 'Wechatpay-Serial': platform().serial } }
      const seal = (text: string) => Rsa.encrypt(text, platform().pem)

      async function upload(name: string): Promise<string> {
        const bytes = pictureOf({ text: { name } })
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const form = new Multipart()
        form.append('meta', JSON.stringify({ filename: 'paper.png', sha256 }))
        form.append('file', bytes, 'paper.png')
        const { data } = await at(sdk('partner'), 'v3.merchant.media.upload').post(form.getBuffer(), {
          meta: form.toJSON(),
          headers: form.getHeaders(),
        })
        return data.media_id
      }

      const application = (business_code: string, pictures: string[]) => ({
        business_code,
        contact_info: {
          contact_type: 'LEGAL',
          contact_name: seal('王小明'),
          mobile_phone: seal('13800000001'),
          contact_email: seal('shop@example.com'),
        },
        subject_info: {
          subject_type: 'SUBJECT_TYPE_INDIVIDUAL',
          business_license_info: {
            license_copy: pictures[0],
            license_number: aLicenceNumber(),
            merchant_name: '王小明小吃店',
            legal_person: '王小明',
          },
          identity_info: {
            id_doc_type: 'IDENTIFICATION_TYPE_IDCARD',
            id_card_info: {
              id_card_copy: pictures[1],
              id_card_national: pictures[2],
              id_card_name: seal('王小明'),
              id_card_number: seal(ID_NUMBERS[0] ?? ''),
              card_period_begin: '2016-01-01',
              card_period_end: '长期',
            },
          },
        },
        business_info: {
          merchant_shortname: '小明小吃',
          service_phone: '0571-88880000',
          sales_info: {
            sales_scenes_type: ['SALES_SCENES_STORE'],
            biz_store_info: {
              biz_store_name: '小明小吃',
              biz_address_code: '330106',
              biz_store_address: '文三路1号',
              store_entrance_pic: [pictures[3]],
              indoor_pic: [pictures[4]],
            },
          },
        },
        settlement_info: { settlement_id: '719', qualification_type: '餐饮' },
        bank_account_info: {
          bank_account_type: 'BANK_ACCOUNT_TYPE_PERSONAL',
          account_name: seal('王小明'),
          account_bank: '工商银行',
          bank_address_code: '330100',
          account_number: seal('6222021001116245702'),
        },
      })
      const submit = (body: object, config: object = sealed) =>
        sdk('partner').chain('v3/applyment4sub/applyment/').post(body, config) as Promise<{ data: Told }>

      test('uploads its pictures, submits, and is told each state', async () => {
        const pictures = await Promise.all(['licence', 'front', 'back', 'door', 'room'].map(upload))
        const code = `S${mode.length}_${aNumber()}`
        const { data } = await submit(application(code, pictures))
        const ask = async () => {
          const endpoint = at(sdk('partner'), 'v3.applyment4sub.applyment.business_code._code_')
          return (await endpoint.get({ code })).data
        }
        assert.equal((await ask()).applyment_id, data.applyment_id)
        assert.equal((await ask()).applyment_state, 'APPLYMENT_STATE_AUDITING')
        const [{ said }] = [
          simulator.applications().find(one => one.businessCode === code) ?? assert.fail('it is not there'),
        ]
        assert.equal(said['contact_info.mobile_phone'], '13800000001')
        await assert.rejects(submit(application(code, pictures)), refusedWith('PROCESSING'))
        const decide = (state: string) =>
          fetch(`${simulator.url}/__sim/applications`, {
            method: 'POST',
            body: JSON.stringify({ businessCode: code, state }),
          })
        await decide('FINISHED')
        const { applyment_state, sub_mchid } = await ask()
        assert.equal(applyment_state, 'APPLYMENT_STATE_FINISHED')
        const merchant = at(sdk('partner'), 'v3.apply4sub.sub_merchants._sub_mchid_.modify-settlement')
        const account = {
          account_type: 'ACCOUNT_TYPE_PRIVATE',
          account_bank: '招商银行',
          account_number: seal('6214860000001234'),
        }
        const changed = await merchant.post(account, { sub_mchid, ...sealed })
        const asked = at(sdk('partner'), 'v3.apply4sub.sub_merchants._sub_mchid_.application._no_')
        const change = await asked.get({ sub_mchid, no: changed.data.application_no })
        assert.equal(change.data.verify_result, 'AUDITING')
      })

      test('is refused where a field is not encrypted, or with another key than is named', async () => {
        const pictures = await Promise.all(['licence', 'front', 'back', 'door', 'room'].map(upload))
        const whole = application(aNumber(), pictures)
        await assert.rejects(submit(whole, {}), refusedWith('PARAM_ERROR'))
        const plain = { ...whole, contact_info: { ...whole.contact_info, contact_name: '王小明' } }
        await assert.rejects(submit(plain), refusedWith('PARAM_ERROR'))
        const empty = { ...whole, addition_info: { business_addition_msg: '' } }
        await assert.rejects(submit(empty), refusedWith('PARAM_ERROR'))
        await submit(whole)
      })
    })

    test('a signature by another key is refused, and so is a wrong one on our side', async () => {
      const stranger = sdk('direct', { privateKey: keys.partner.privateKeyPem })
      await assert.rejects(
        at(stranger, 'v3.pay.transactions.native').post(direct(aNumber())),
        refusedWith('SIGN_ERROR'),
      )
      simulator.control.faults.push({ match: 'native', times: 1, effect: { kind: 'wrong-signature' } })
      await assert.rejects(
        at(sdk('direct'), 'v3.pay.transactions.native').post(direct(aNumber())),
        (error: { code?: string }) => error.code === 'EV3_RES_HEADER_SIGNATURE_DIGEST',
      )
    })
  })

test('the SDK verifies and decrypts what the simulator would tell a merchant', async () => {
  const simulator = await startWechatPaySimulator({ keys })
  const come = Promise.withResolvers<{ headers: Headers; body: string }>()
  const plain = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    if (String(url) !== NOTIFY_URL) return plain(url, init)
    come.resolve({ headers: new Headers(init?.headers), body: String(init?.body) })
    return new Response(null, { status: 204 })
  }
  try {
    const wechat = new Wechatpay({
      baseURL: simulator.url,
      mchid: keys.direct.mchid,
      serial: keys.direct.serial,
      privateKey: keys.direct.privateKeyPem,
      certs: { [keys.platform.serial]: keys.platform.certificatePem },
    })
    const out_trade_no = aNumber()
    const { data } = await at(wechat, 'v3.pay.transactions.native').post({
      mchid: keys.direct.mchid,
      appid: keys.direct.appid,
      out_trade_no,
      description: '短信套餐',
      notify_url: NOTIFY_URL,
      amount: { total: 5 },
    })
    simulator.pay({ code: data.code_url })
    const { headers, body } = await come.promise
    const of = (name: string) => headers.get(`wechatpay-${name}`) ?? ''
    const text = Formatter.response(of('timestamp'), of('nonce'), body)
    assert.ok(Rsa.verify(text, of('signature'), keys.platform.certificatePem))
    assert.ok(!Rsa.verify(`${text} `, of('signature'), keys.platform.certificatePem))
    const { resource } = JSON.parse(body)
    const { ciphertext, nonce, associated_data } = resource
    const contents = Aes.AesGcm.decrypt(ciphertext, keys.direct.apiV3Key, nonce, associated_data)
    assert.equal(JSON.parse(contents).out_trade_no, out_trade_no)
  } finally {
    globalThis.fetch = plain
    await simulator.stop()
  }
})
