// Which of the simulated WeChat Pay's interfaces of onboarding was called, by whom and with what, and the page that a sign address opens.
import { constants, createHash, privateDecrypt } from 'node:crypto'
import { saidProblem } from '#providers/simulated-ocr.ts'
import { type Control, json, type SimAnswer, type SimRequest } from '#providers/simulator.ts'
import { banksOfNumber, listBanks, listBranches, listCities, listProvinces } from './simulator-banks.ts'
import type { Party, PlatformCertificate, WechatPayKeys } from './simulator-keys.ts'
import { changeAccount, describeAccount, describeChange } from './simulator-merchants.ts'
import { actOnPhone, decide, describeApplication, listApplications, submit } from './simulator-onboarding.ts'
import {
  countCall,
  keepPicture,
  type OnboardingBook,
  type SimApplication,
} from './simulator-onboarding-book.ts'
import { Refused } from './simulator-orders.ts'
import { escaped, page } from './simulator-phone.ts'

const PICTURE_BYTES_MAX = 2 * 1024 * 1024
const SIGN_PATH = '/public/apply4ec_sign/s'

export const ONBOARDING_ENDPOINTS: [method: string, path: RegExp, name: string][] = [
  ['POST', /^\/v3\/merchant\/media\/upload$/, 'upload'],
  ['POST', /^\/v3\/applyment4sub\/applyment\/$/, 'submit'],
  ['GET', /^\/v3\/applyment4sub\/applyment\/(?:business_code|applyment_id)\/[^/]+$/, 'application'],
  ['GET', /^\/v3\/apply4sub\/sub_merchants\/[^/]+\/settlement$/, 'settlement'],
  ['POST', /^\/v3\/apply4sub\/sub_merchants\/[^/]+\/modify-settlement$/, 'modify-settlement'],
  ['GET', /^\/v3\/apply4sub\/sub_merchants\/[^/]+\/application\/[^/]+$/, 'settlement-change'],
  ['GET', /^\/v3\/capital\/capitallhh\/.+$/, 'bank-directory'],
]
/** They carry no signature. */
export const SIGN_ENDPOINTS: [method: string, path: RegExp, name: string][] = [
  ['GET', /^\/public\/apply4ec_sign\/s$/, 'sign-page'],
  ['POST', /^\/public\/apply4ec_sign\/s$/, 'sign-page'],
]

export const isOnboarding = (name: string) => ONBOARDING_ENDPOINTS.some(([, , known]) => known === name)

export type UploadForm = { meta: string; name: string; bytes: Buffer }

/** Its `meta` is what the request is signed over. */
export async function readUpload({ headers, body }: SimRequest): Promise<UploadForm> {
  const broken = new Refused(400, 'PARAM_ERROR', '请求须为multipart/form-data，含meta与file')
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) throw broken
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw broken
    })
  const [meta, file] = [form.get('meta'), form.get('file')]
  const metaText = meta instanceof File ? await meta.text() : meta
  if (metaText === null || !(file instanceof File)) throw broken
  return { meta: metaText, name: file.name, bytes: Buffer.from(await file.arrayBuffer()) }
}

type Asked = {
  book: OnboardingBook
  keys: WechatPayKeys
  certificates: readonly PlatformCertificate[]
  party: Party
  request: SimRequest
  upload: UploadForm | null
  control: Control
}

export function performOnboarding(name: string, asked: Asked): object {
  const { book, party, request, control } = asked
  const { mchid } = party
  const now = control.now()
  const [last = '', before = '', twoBefore = ''] = request.path.split('/').map(decodeURIComponent).reverse()
  if (party.subMchids.length === 0) throw new Refused(403, 'NO_AUTH', '暂无权限，请确认后再试', 268443701)
  if (name === 'bank-directory') return directory(asked)
  countCall(book, mchid, now)
  switch (name) {
    case 'upload':
      return { media_id: take(asked) }
    case 'submit':
      return submit(book, bodyOf(request), deskOf(asked))
    case 'application':
      return describeApplication(
        book,
        mchid,
        before === 'business_code' ? { businessCode: last } : { applymentId: last },
        one => signUrl(one, request),
        now,
      )
    case 'settlement':
      return describeAccount(book, mchid, before, request.query, now)
    case 'modify-settlement':
      return changeAccount(book, before, bodyOf(request), deskOf(asked))
    default:
      return describeChange(book, mchid, { subMchid: twoBefore, changeId: last }, request.query, now)
  }
}

function bodyOf({ body }: SimRequest): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Refused(400, 'PARAM_ERROR', '请求体不是JSON')
  }
}

const deskOf = (asked: Asked) => ({
  mchid: asked.party.mchid,
  decrypt: (text: string) => decrypt(asked, text),
  now: asked.control.now(),
})

/** With the key that the request names. */
function decrypt({ keys, certificates, request }: Asked, text: string): string {
  const serial = request.headers['wechatpay-serial']
  const pair = serial === keys.publicKey.id ? keys.publicKey : certificates.find(one => one.serial === serial)
  if (!pair) throw new Refused(400, 'PARAM_ERROR', 'Wechatpay-Serial缺失或有误，无法解密敏感信息')
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  try {
    const secret = { key: pair.privateKeyPem, padding, oaepHash: 'sha1' }
    return privateDecrypt(secret, Buffer.from(text, 'base64')).toString()
  } catch {
    throw new Refused(400, 'PARAM_ERROR', '平台私钥解密失败')
  }
}

const SIGNS = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x42, 0x4d],
]

function take({ book, party, upload }: Asked): string {
  if (!upload) throw new Refused(400, 'PARAM_ERROR', '缺少图片文件')
  const { meta, name, bytes } = upload
  const said = parsed(meta)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (!/\.(jpe?g|bmp|png)$/i.test(String(said.filename ?? '')) || !/\.(jpe?g|bmp|png)$/i.test(name))
    throw new Refused(400, 'PARAM_ERROR', '图片文件名须以JPG、BMP、PNG为后缀')
  if (String(said.sha256).toLowerCase() !== sha256)
    throw new Refused(400, 'PARAM_ERROR', '图片文件的摘要与meta中的sha256不一致')
  if (!SIGNS.some(signs => signs.every((sign, place) => bytes[place] === sign)))
    throw new Refused(400, 'PARAM_ERROR', '图片格式有误，只支持JPG、BMP、PNG格式')
  if (bytes.length > PICTURE_BYTES_MAX) throw new Refused(400, 'PARAM_ERROR', '图片文件大小不能超过2M')
  return keepPicture(book, { mchid: party.mchid, sha256, problem: saidProblem(bytes) })
}

function parsed(meta: string): Record<string, unknown> {
  try {
    return JSON.parse(meta) as Record<string, unknown>
  } catch {
    throw new Refused(400, 'PARAM_ERROR', 'meta不是JSON')
  }
}

function directory(asked: Asked): object {
  const { path, query } = asked.request
  const [last = '', before = ''] = path.split('/').map(decodeURIComponent).reverse()
  if (last === 'corporate-banking') return listBanks('corporate', query)
  if (last === 'personal-banking') return listBanks('personal', query)
  if (last === 'search-banks-by-bank-account')
    return banksOfNumber(decrypt(asked, query.get('account_number') ?? ''))
  if (last === 'provinces') return listProvinces()
  if (last === 'cities') return listCities(before)
  if (last === 'branches') return listBranches(before, query)
  throw new Refused(404, 'RESOURCE_NOT_EXISTS', '接口不存在')
}

function signUrl({ applymentId, signKey }: SimApplication, { headers }: SimRequest): string {
  return `http://${headers.host}${SIGN_PATH}?applymentId=${applymentId}&sign=${signKey}`
}

const ACTIONS = { confirm: '完成账户验证', sign: '确认签约' } as const
const TOLD: Record<SimApplication['state'], string> = {
  EDITTING: '申请单提交时出错，请联系服务商重新提交',
  AUDITING: '资料正在审核中，审核通过后请回到本页继续',
  REJECTED: '资料未通过审核，请联系服务商修改后重新提交',
  TO_BE_CONFIRMED: '请验证结算账户',
  TO_BE_SIGNED: '请阅读并签署《微信支付服务协议》',
  SIGNING: '签约成功，系统正在开通权限',
  FINISHED: '已完成，可以收款了',
  CANCELED: '申请单已作废',
}

/** What the administrator sees after scanning, with what there is to do. */
export function answerSignPage(book: OnboardingBook, request: SimRequest, now: Date): SimAnswer {
  const { query } = request
  const application = listApplications(book, now).find(
    one => String(one.applymentId) === query.get('applymentId') && one.signKey === query.get('sign'),
  )
  if (!application) return page(403, '特约商户签约', '', '<section><h1>签约链接无效</h1></section>')
  if (request.method === 'POST') {
    const action = new URLSearchParams(request.body.toString()).get('action')
    if (action === 'confirm' || action === 'sign') actOnPhone(book, application, action, now)
    return { status: 303, headers: { location: request.target } }
  }
  const { state, said, subMchid } = application
  const action = state === 'TO_BE_CONFIRMED' ? 'confirm' : state === 'TO_BE_SIGNED' ? 'sign' : null
  const facts = [
    ['商户简称', said['business_info.merchant_shortname']],
    ['超级管理员', said['contact_info.contact_name']],
    ['申请单号', application.applymentId],
    ...(subMchid === '' ? [] : [['商户号', subMchid]]),
  ]
  const rows = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(String(value ?? ''))}</dd>`)
  const button = action
    ? `<form method="post" class="actions"><button class="main" name="action" value="${action}">${ACTIONS[action]}</button></form>`
    : ''
  return page(
    200,
    '特约商户签约',
    '',
    `<section><h1>${TOLD[state]}</h1><dl>${rows.join('')}</dl></section>${button}`,
  )
}

/**
 * GET and POST `applications`: what each says, and what a reviewer does by hand; POST `media` {forget}; POST `changes` {next}: how the next
 * changes of an account end, null or a reason.
 */
export function controlOnboarding(
  book: OnboardingBook,
  path: string,
  request: SimRequest,
  now: Date,
): SimAnswer | null {
  const isPost = request.method === 'POST'
  const read = () => JSON.parse(request.body.toString() || '{}')
  if (path === 'applications') {
    if (!isPost) return json({ applications: listApplications(book, now) })
    const decided = decide(book, read() as Parameters<typeof decide>[1], now)
    return decided ? json(decided) : json({ code: 'APPLYMENT_NOT_EXIST', message: '申请单不存在' }, 404)
  }
  if (path === 'media' && isPost) {
    if ((read() as { forget?: boolean }).forget) book.media.clear()
    return json({ kept: book.media.size })
  }
  if (path === 'changes' && isPost) {
    book.changeRefusals.push(...(read() as { next: (string | null)[] }).next)
    return json({ next: book.changeRefusals })
  }
  return null
}
