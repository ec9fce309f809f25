// node-easywechat, made by others, works with the simulator and with our client, so that both cannot share a mistake. It types no call of a mini
// program: those below go by its plain client, under the token that it keeps.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type CacheInterface, OpenPlatform, ServerRequest } from 'node-easywechat'
import { CallbackRejected } from '#kit/ports/providers.ts'
import { memoryStore } from '#test/credential-store.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { makeWechatOpen } from './client.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
  wechatOpenSettings,
} from './simulator.ts'
import { messageOf, xmlOf } from './simulator-messages.ts'

const keys = makeWechatOpenKeys()
const CHECK_MS = 30_000
/** What the library keeps; its own way is a file. */
function memoryCache(): CacheInterface {
  const kept = new Map<string, unknown>()
  return {
    has: async key => kept.has(key),
    get: async key => kept.get(key) ?? null,
    async set(key, value) {
      kept.set(key, value)
      return true
    },
    delete: async key => kept.delete(key),
  } as CacheInterface
}
const libraryFor = (changes: object = {}) => {
  const config = { app_id: keys.appid, secret: keys.secret, token: keys.token, aes_key: keys.encodingAesKey }
  const app = new OpenPlatform({ ...config, http: { baseURL: `${simulator.url}/` }, ...changes })
  app.setCache(memoryCache())
  return app
}
type Told = Record<string, unknown>
const readBy = (message: { toJson(): string }) => JSON.parse(message.toJson()) as Told

let simulator: WechatOpenSimulator
let library: OpenPlatform
let listener: Server
/** What the library read of the messages that came. */
let told: Told[] = []
let unread: string[] = []
before(async () => {
  simulator = await startWechatOpenSimulator(keys, { checkMs: CHECK_MS, callbackScale: 0 })
  library = libraryFor()
  listener = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      library.setRequest(
        new ServerRequest('POST', request.url ?? '/', request.headers, Buffer.concat(chunks)),
      )
      const server = library.getServer()
      told.push(readBy(await server.getDecryptedMessage()))
      const answer = await server.serve()
      response.statusCode = answer.getStatusCode()
      response.end(String(answer.getBody()))
    } catch (error) {
      unread.push((error as Error).message)
      response.statusCode = 500
      response.end('fail')
    }
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const ours = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  simulator.setEventUrls({ platform: `${ours}/platform`, program: appid => `${ours}/${appid}` })
  await simulator.settle()
})
after(async () => {
  await simulator.stop()
  await new Promise(resolve => listener.close(resolve))
})

/** The library’s plain client of a mini program: what it is refused is an answer, too. */
type Client = {
  get(path: string, payload?: object): Promise<{ toObject(): Told }>
  post(path: string, payload?: object): Promise<{ toObject(): Told }>
}
const answers = async (answer: Promise<{ toObject(): Told }>) => (await answer).toObject()
const codeOf = async (answer: Promise<{ toObject(): Told }>) => (await answers(answer)).errcode
const refusedWith = (code: number) => (error: Error) => new RegExp(`"errcode":${code}\\b`).test(error.message)

/** Its owner agrees on the page that the library names, which is at the real service's address. */
async function authorized(scopes = ['17', '18', '30']) {
  const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', viaApi: true })
  const page = new URL(await library.createPreAuthorizationUrl('http://127.0.0.1/back', await preAuthCode()))
  assert.equal(page.hostname, 'mp.weixin.qq.com')
  const answer = await fetch(`${simulator.url}${page.pathname}${page.search}`, {
    method: 'POST',
    body: new URLSearchParams([
      ['appid', account.appid],
      ...scopes.map((scope): [string, string] => ['scope', scope]),
    ]),
    redirect: 'manual',
  })
  const back = new URL(answer.headers.get('location') ?? assert.fail('nobody is led back'))
  const code = back.searchParams.get('auth_code') ?? assert.fail('no code')
  return { account, code }
}
const preAuthCode = async () =>
  (await library.createPreAuthorizationCode()).pre_auth_code ?? assert.fail('none')
const clientOf = async (appid: string, refreshToken: string) =>
  (await library.getMiniAppWithRefreshToken(appid, refreshToken)).getClient() as unknown as Client
const later = (ms: number) => simulator.control.moveClock(ms)

describe('the library against the simulator', () => {
  test('takes the ticket that is pushed, and makes a token of it', async () => {
    assert.equal(await library.getVerifyTicket().getTicket(), simulator.book().tickets.at(-1)?.ticket)
    assert.equal(told[0]?.InfoType, 'component_verify_ticket')
    const token = await library.getComponentAccessToken().getToken()
    assert.deepEqual(
      simulator.book().componentTokens.map(one => one.token),
      [token],
    )
    assert.equal(await library.getComponentAccessToken().getToken(), token)
  })

  test('a wrong secret makes none', async () => {
    const wrong = libraryFor({ secret: 'x' })
    wrong.setVerifyTicket(library.getVerifyTicket())
    await assert.rejects(wrong.createPreAuthorizationCode(), refusedWith(40125))
  })

  test('an owner agrees, the code is traded once, and the token is renewed', async () => {
    const { account, code } = await authorized()
    const authorization = await library.getAuthorization(code)
    assert.equal(authorization.getAppId(), account.appid)
    assert.ok(authorization.getAccessToken().getToken())
    await assert.rejects(library.getAuthorization(code), refusedWith(61009))
    const before = authorization.getRefreshToken()
    const { authorizer_refresh_token: next = '' } = await library.refreshAuthorizerToken(
      account.appid,
      before,
    )
    assert.ok(next)
    await assert.rejects(library.refreshAuthorizerToken(account.appid, 'nobody'), refusedWith(61023))
    assert.ok(await library.getAuthorizerAccessToken(account.appid, next))
  })

  test('code is set and checked, what is wrong with it is refused by its number', async () => {
    const { account, code } = await authorized()
    const authorization = await library.getAuthorization(code)
    const client = await clientOf(account.appid, authorization.getRefreshToken())
    const info = await answers(client.get('cgi-bin/account/getaccountbasicinfo'))
    assert.deepEqual([info.appid, info.principal_name], [account.appid, account.principalName])
    const commit = { template_id: 4, user_version: '1.4.0', user_desc: 'education', ext_json: '{}' }
    const post = (path: string, json: object) => client.post(path, { json })
    assert.equal(await codeOf(post('wxa/commit', { ...commit, template_id: 99 })), 85064)
    assert.equal(await codeOf(post('wxa/commit', { ...commit, ext_json: '{' })), 85048)
    assert.equal(await codeOf(post('wxa/commit', commit)), 0)
    assert.equal(simulator.book().accounts[account.appid]?.trial?.version, '1.4.0')
    assert.equal(await codeOf(client.get('wxa/security/get_code_privacy_info')), 61039)
    later(CHECK_MS)
    const checked = await answers(client.get('wxa/security/get_code_privacy_info'))
    assert.deepEqual(checked.without_auth_list, [])
  })

  test('a scope that the owner did not give is refused', async () => {
    const { account, code } = await authorized(['30'])
    const authorization = await library.getAuthorization(code)
    const client = await clientOf(account.appid, authorization.getRefreshToken())
    assert.equal(await codeOf(client.post('wxa/commit', { json: { template_id: 1 } })), 61007)
  })
})

describe('messages between the library, the simulator and our client', () => {
  const at = 1_767_225_600
  const text = (to: string) =>
    xmlOf({
      ToUserName: to,
      FromUserName: 'o1',
      CreateTime: at,
      MsgType: 'event',
      Event: 'weapp_audit_success',
      SuccTime: 1,
    })
  const client = () =>
    makeWechatOpen(
      wechatOpenSettings(keys, simulator.url),
      { fetch, now: () => simulator.control.now(), nonce: () => 'n', timeoutMs: ANSWERED_WITHIN_MS },
      memoryStore(),
    )

  test('what the simulator tells of an authorisation and its end, the library reads', async () => {
    told = []
    const { account } = await authorized()
    await fetch(`${simulator.url}/__sim/unauthorize`, {
      method: 'POST',
      body: JSON.stringify({ appid: account.appid }),
    })
    await simulator.settle()
    const of = (kind: string) =>
      told.find(one => one.InfoType === kind && one.AuthorizerAppid === account.appid)
    assert.match(String(of('authorized')?.AuthorizationCode), /^queryauthcode/)
    assert.ok(of('unauthorized'))
  })

  test('a forged one the library reads as little as our client', async () => {
    ;[told, unread] = [[], []]
    simulator.control.faults.push({ match: 'authorized', times: 1, effect: { kind: 'wrong-signature' } })
    await authorized()
    await simulator.settle()
    assert.deepEqual(told, [])
    assert.deepEqual(new Set(unread), new Set(['Invalid request signature.']))
  })

  test('what the library encrypts, our client reads, and nobody else’s', async () => {
    const platform = client()
    const read = async (sealedBy: OpenPlatform) => {
      const body = sealedBy
        .getEncryptor()
        .encrypt(
          xmlOf({ AppId: keys.appid, CreateTime: at, InfoType: 'unauthorized', AuthorizerAppid: 'wx1' }),
          'nonce',
          at,
        )
      const msg_signature = /<MsgSignature>(\w+)</.exec(body)?.[1] ?? assert.fail(body)
      return platform.readCallback(
        { timestamp: String(at), nonce: 'nonce', msg_signature },
        Buffer.from(body),
        null,
      )
    }
    const event = await read(library)
    assert.ok(event.kind === 'unauthorized' && event.appid === 'wx1')
    const otherKey = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
    for (const changes of [{ token: 'other' }, { aes_key: otherKey }, { app_id: 'wx0000000000000000' }])
      await assert.rejects(read(libraryFor(changes)), CallbackRejected)
  })

  test('one for a mini program the library reads as our client does', async () => {
    const { account, code } = await authorized()
    const platform = client()
    await platform.keepTicket(
      simulator.book().tickets.at(-1)?.ticket ?? '',
      simulator.control.now().toISOString(),
    )
    await platform.authorize(code)
    const message = messageOf(keys, text(account.userName), account.userName, at * 1_000)
    const url = `/${account.appid}?${new URLSearchParams(message.query)}`
    library.setRequest(new ServerRequest('POST', url, {}, message.body))
    const theirs = readBy(await library.getServer().getDecryptedMessage())
    const ours = await platform.readCallback(message.query, Buffer.from(message.body), account.appid)
    assert.deepEqual([theirs.Event, theirs.ToUserName], ['weapp_audit_success', account.userName])
    assert.equal(ours.kind, 'auditPassed')
  })
})
