// What the platform tells, read: events of the third party by their InfoType, and of a mini program by their Event. [D] names of types and
// the fields of tickets; [K] from memory: all other fields, what wxa_category_audit brings beside its categories, and that a time in seconds stands in every event.
import { createHash } from 'node:crypto'
import type { PlatformEvent } from '#kit/ports/mini-programs.ts'
import { CallbackRejected } from '#kit/ports/providers.ts'
import { decryptMessage, isSigned, type MessageKeys, readXml, textIn, treeIn, type XmlTree } from './wire.ts'

/** Verified and decrypted, not yet read. */
export type Message = { tree: XmlTree; eventId: string; at: string }

/** Throws CallbackRejected. */
export function openMessage(
  keys: MessageKeys,
  query: Readonly<Record<string, string>>,
  body: Buffer,
): Message {
  const { timestamp = '', nonce = '', msg_signature: signature } = query
  const sealed = textIn(readXml(body.toString('utf8')), 'Encrypt')
  if (!isSigned(signature, keys.token, timestamp, nonce, sealed))
    throw new CallbackRejected('a message that is not signed with our token', 'signature')
  const text = decryptMessage(keys, sealed)
  const tree = readXml(text)
  const seconds = Number(textIn(tree, 'CreateTime'))
  if (!Number.isSafeInteger(seconds) || seconds <= 0 || seconds > 100_000_000_000)
    throw new CallbackRejected('an event without a time')
  const at = new Date(seconds * 1_000).toISOString()
  return { tree, eventId: createHash('sha256').update(text).digest('hex'), at }
}

/** Of the third party itself. Throws CallbackRejected. */
export function readPlatformEvent({ tree, eventId, at }: Message, appid: string): PlatformEvent {
  if (textIn(tree, 'AppId') !== appid) throw new CallbackRejected('an event of another third party')
  const told = { eventId, at }
  const name = textIn(tree, 'InfoType')
  const need = (field: string) => {
    const value = textIn(tree, field)
    if (value === '') throw new CallbackRejected(`${name} without ${field}`)
    return value
  }
  switch (name) {
    case 'component_verify_ticket':
      return { ...told, kind: 'ticket', ticket: need('ComponentVerifyTicket') }
    case 'authorized':
    case 'updateauthorized':
      return {
        ...told,
        kind: name === 'authorized' ? 'authorized' : 'authorizationChanged',
        appid: need('AuthorizerAppid'),
        authCode: need('AuthorizationCode'),
        preAuthCode: textIn(tree, 'PreAuthCode'),
      }
    case 'unauthorized':
      return { ...told, kind: 'unauthorized', appid: need('AuthorizerAppid') }
    case 'notify_third_fasteregister':
      return { ...told, ...registered(tree, need('status')) }
    default:
      return { ...told, kind: 'other', name }
  }
}

function registered(tree: XmlTree, status: string) {
  const info = treeIn(tree, 'info')
  return {
    kind: 'registered' as const,
    appid: textIn(tree, 'appid') || null,
    status,
    message: textIn(tree, 'msg'),
    authCode: textIn(tree, 'auth_code') || null,
    registration: {
      companyName: textIn(info, 'name'),
      companyCode: textIn(info, 'code'),
      codeKind: Number(textIn(info, 'code_type')),
      legalPersonWechat: textIn(info, 'legal_persona_wechat'),
      legalPersonName: textIn(info, 'legal_persona_name'),
    },
  }
}

const picturesOf = (text: string) => text.split('|').filter(Boolean)

/** Of a mini program, whose own name the caller has compared. */
export function readProgramEvent({ tree, eventId, at }: Message, appid: string): PlatformEvent {
  const told = { eventId, at, appid }
  const name = textIn(tree, 'Event')
  const outcome = () => {
    const ret = textIn(tree, 'ret')
    if (ret !== '2' && ret !== '3') throw new CallbackRejected(`${name} with ret ${ret}`)
    return ret === '3' ? ('passed' as const) : ('refused' as const)
  }
  const reason = textIn(tree, 'Reason') || textIn(tree, 'reason')
  switch (name) {
    case 'weapp_audit_success':
      return { ...told, kind: 'auditPassed' }
    case 'weapp_audit_fail':
    case 'weapp_audit_delay':
      return {
        ...told,
        kind: name === 'weapp_audit_fail' ? 'auditRefused' : 'auditDelayed',
        ...{ reason, screenshots: picturesOf(textIn(tree, 'ScreenShot')) },
      }
    case 'wxa_nickname_audit':
      return {
        ...told,
        kind: 'nameReviewed',
        ...{ state: outcome(), name: textIn(tree, 'nickname'), reason: reason || null },
      }
    case 'wxa_category_audit': {
      const category = { first: Number(textIn(tree, 'first')), second: Number(textIn(tree, 'second')) }
      return { ...told, kind: 'categoryReviewed', state: outcome(), category, reason: reason || null }
    }
    default:
      return { eventId, at, kind: 'other', name: name || textIn(tree, 'MsgType') }
  }
}
