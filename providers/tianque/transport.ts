// One call to TianQue's open platform: a signed envelope there and back, or a picture.
import {
  ProviderRefused,
  ProviderUnknown,
  ProviderUnreadable,
  ProviderUnverified,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { call } from '../call.ts'
import { type Members, membersOf, textOrNull } from '../read.ts'
import { type RequestData, readEnvelope, signEnvelope, stampOf } from './wire.ts'

/** Keys are PEM: ours, and the platform's. */
export type TianqueSettings = { baseUrl: string; orgId: string; privateKey: string; publicKey: string }

const ANSWER_MOST = 256 * 1024
const DONE = '0000'
const UNDER_WAY = '2002'

/** What it answers to a signed request; `reqId`: of one that may have been sent before. */
export async function askPlatform(
  { baseUrl, orgId, privateKey, publicKey }: TianqueSettings,
  surroundings: Surroundings,
  path: string,
  reqData: RequestData,
  reqId = surroundings.nonce().slice(0, 32),
): Promise<Members> {
  const timestamp = stampOf(surroundings.now())
  const envelope = signEnvelope(
    { orgId, reqId, version: '1.0', timestamp, signType: 'RSA', reqData },
    privateKey,
  )
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(envelope),
  }
  const { status, body } = await call(surroundings, `${baseUrl}${path}`, init, ANSWER_MOST)
  if (status !== 200) throw new ProviderUnknown(`${path} answered ${status}`)
  const answer = readEnvelope(body.toString('utf8'), publicKey)
  if (!answer) throw new ProviderUnknown(`${path} answered what is no JSON object`)
  const { members, sign } = answer
  const code = textOrNull(members.code) ?? ''
  if (sign === 'wrong' || (code === DONE && sign === 'absent'))
    throw new ProviderUnverified(`${path} answered what does not verify`, 'answer', code)
  // A request that it cannot tell the sender of is refused without a signature: nothing was done.
  if (code !== DONE) throw new ProviderRefused(code, textOrNull(members.msg) ?? '', reqId)
  // An answer to another request, or for another organisation, is none to this one.
  if (members.reqId !== reqId || members.orgId !== orgId)
    throw new ProviderUnverified(`${path} answered another request`, 'answer', code)
  return doneOf(membersOf(members.respData), reqId)
}

function doneOf(data: Members, reqId: string): Members {
  const result = textOrNull(data.bizCode)
  if (result !== DONE && result !== UNDER_WAY)
    throw new ProviderRefused(result ?? '', textOrNull(data.bizMsg) ?? '', reqId)
  return data
}

/**
 * Hands a picture in, which no signature covers, and answers its name there. [K] Whether the answer is signed was not verified: one that
 * is must verify.
 */
export async function uploadPicture(
  { baseUrl, orgId, publicKey }: TianqueSettings,
  surroundings: Surroundings,
  pictureType: string,
  picture: Buffer,
): Promise<string> {
  const path = '/merchant/uploadPicture'
  const reqId = surroundings.nonce().slice(0, 32)
  const isPng = picture[0] === 0x89
  const form = new FormData()
  for (const [name, value] of Object.entries({ orgId, reqId, pictureType })) form.append(name, value)
  form.append(
    'file',
    new Blob([new Uint8Array(picture)], { type: isPng ? 'image/png' : 'image/jpeg' }),
    isPng ? 'picture.png' : 'picture.jpg',
  )
  const { status, body } = await call(
    surroundings,
    `${baseUrl}${path}`,
    { method: 'POST', body: form },
    ANSWER_MOST,
  )
  if (status !== 200) throw new ProviderUnknown(`${path} answered ${status}`)
  const answer = readEnvelope(body.toString('utf8'), publicKey)
  if (!answer) throw new ProviderUnknown(`${path} answered what is no JSON object`)
  const code = textOrNull(answer.members.code) ?? ''
  if (answer.sign === 'wrong')
    throw new ProviderUnverified(`${path} answered what does not verify`, 'answer', code)
  if (code !== DONE) throw new ProviderRefused(code, textOrNull(answer.members.msg) ?? '', reqId)
  const name = textOrNull(doneOf(membersOf(answer.members.respData), reqId).PhotoUrl)
  if (name === null) throw new ProviderUnreadable(`${path} answered no PhotoUrl`)
  return name
}
