// Doors that no session opens: callbacks of services, sockets, receivers of webhooks, the door for point-of-sale software, the print program.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callbackHandlers } from '#app/joined.ts'
import { deliverWebhooks } from '#features/agencies/webhooks/server-deliver.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { startOutside } from '#test/outside.ts'
import { connect, makeDesk, pairedPage, printOf } from '#test/print/desk.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { openPage, openWire } from '#test/sockets.ts'
import { everyPosOperation } from '#test/walk.ts'
import { isBroken, type Report } from './report.ts'

const PRINTED = Buffer.from('^XA^XZ')

export async function attackDoors(report: Report): Promise<void> {
  await attackCallbacks(report)
  const office = await openOffice({ listen: true, settings: { WEBHOOKS_TO_LOOPBACK: 'on' } })
  try {
    await attackSockets(office, report)
    await attackPos(office, report)
    await attackByReceivers(office, report)
  } finally {
    await office.stop()
  }
  await attackAddresses(report)
  await attackPrintProgram(report)
}

/** Whatever is sent, nothing is written and no answer is 500: signatures that are none, bodies that are none, names of everything. */
async function attackCallbacks(report: Report): Promise<void> {
  const outside = await startOutside()
  const office = await openOffice({ listen: true, providers: outside.providers })
  try {
    const before = JSON.stringify(await rowsOfAllTables(office))
    const names = [...PAY_CHANNELS, 'aliyun', 'tencent', '__proto__', 'constructor', '..%2f..', '%00']
    const bodies = [
      ...['', '{}', '[]', 'null', '{', '<xml>', '<xml><Encrypt>x</Encrypt></xml>', '{"__proto__":{"a":1}}'],
      JSON.stringify({ id: 'x', resource: { ciphertext: 'AAAA', nonce: 'x', associated_data: '' } }),
      'out_trade_no=1&trade_status=TRADE_SUCCESS&total_amount=1.00&sign=AAAA&sign_type=RSA2',
      '['.repeat(30_000),
      randomBytes(5_000).toString('latin1'),
    ]
    const signed = {
      'wechatpay-timestamp': String(Math.floor(Date.now() / 1_000)),
      'wechatpay-nonce': 'nonce',
      'wechatpay-serial': 'PUB_KEY_ID_0',
    }
    const headers = [
      {},
      { ...signed, 'wechatpay-signature': 'WECHATPAY/SIGNTEST/AAAA' },
      { ...signed, 'wechatpay-signature': '' },
    ]
    for (const { path } of callbackHandlers)
      for (const name of names) {
        const url = `/callbacks${path.replaceAll(/:(\w+)/g, () => name)}?msg_signature=x&timestamp=1&nonce=1`
        for (const body of bodies)
          for (const more of headers) {
            if (report.isOver()) return report.breach('callbacks were left out: the time is over')
            const answer = await office.app.http.inject({
              method: 'POST',
              url,
              headers: { 'content-type': 'application/json', ...more },
              payload: body,
            })
            report.count('callbacks')
            report.count('calls')
            if (answer.statusCode >= 500)
              report.breach(`${url} answered ${answer.statusCode} to ${body.slice(0, 80)}`)
          }
      }
    if (JSON.stringify(await rowsOfAllTables(office)) !== before)
      report.breach('a forged callback wrote something')
  } finally {
    await office.stop()
    await outside.stop()
  }
}

async function attackSockets(office: Office, report: Report): Promise<void> {
  const [agent, other] = [await makeAgent(office), await makeAgent(office)]
  const cookie = await office.login(agent.loginName)
  const isLetIn = (options: { cookie?: string; origin?: string | null }) =>
    openPage({ url: office.url, ...options }).then(
      page => {
        page.close()
        return true
      },
      () => false,
    )
  for (const [who, options] of Object.entries({
    nobody: {},
    'a made-up session': { cookie: `session=${randomBytes(32).toString('base64url')}` },
    'a page of another origin': { cookie, origin: 'https://evil.example' },
    'a page without an origin': { cookie, origin: null },
  })) {
    report.count('sockets')
    if (await isLetIn(options)) report.breach(`${who} is let in at the socket`)
  }
  const wires = await Promise.all(Array.from({ length: 60 }, () => openWire({ url: office.url, cookie })))
  const held = wires.filter(wire => wire !== null)
  report.count('sockets', wires.length)
  if (held.length > 20) report.breach(`${held.length} wires of one account`)
  for (const wire of held) wire.destroy()
  const page = await pageOf(office, cookie)
  // Whom it says it is counts for nothing.
  for (const id of [other.accountId, other.id, 1]) page.socket.emit('Register', id, { accountId: id })
  await office.owner.query('update merchants set remark = remark')
  const cut = page.cutOff()
  page.socket.emit('Register', 'x'.repeat(100_000))
  await cut
  const flood = await pageOf(office, cookie)
  const flooded = flood.cutOff()
  for (let sent = 0; sent < 1_000; sent++) flood.socket.emit('x', sent)
  await flooded
  if (page.heard.length > 0) report.breach('a page heard what is told to another')
  report.count('sockets', 2)
}

/** A place is free again a moment after its wire is closed. */
async function pageOf(office: Office, cookie: string): ReturnType<typeof openPage> {
  for (let tried = 0; ; tried++)
    try {
      return await openPage({ url: office.url, cookie })
    } catch (error) {
      if (tried > 100) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
}

async function attackPos(office: Office, report: Report): Promise<void> {
  const agent = await makeAgent(office)
  const cookie = await office.login(agent.loginName)
  const made = `Bearer ${randomBytes(32).toString('base64url')}`
  for (const { method, path, name } of everyPosOperation())
    for (const headers of [
      {},
      { cookie, 'x-requested-with': 'partner-office' },
      { authorization: made },
      { authorization: 'Bearer ' },
      { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
      { authorization: made, cookie },
    ]) {
      const url = `/pos${path.replaceAll(/\{\w+\}/g, '1')}`
      const answer = await office.app.http.inject({
        method: method as 'GET',
        url,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { payload: '{"a":' }),
      })
      report.count('calls')
      report.count('at_the_pos_door')
      if (answer.statusCode < 400 || answer.statusCode >= 500)
        report.breach(`${name} answered ${answer.statusCode} to ${JSON.stringify(Object.keys(headers))}`)
    }
}

/** Receivers that never answer, answer without end, lead elsewhere, or cut: each costs its own deliveries alone. */
async function attackByReceivers(office: Office, report: Report): Promise<void> {
  const inner = await receiver((_request, respond) => respond.end('inner'))
  const bad = await Promise.all([
    receiver(() => undefined),
    receiver((_request, respond) => {
      respond.writeHead(200)
      const pour = () => {
        while (!respond.destroyed && respond.write(Buffer.alloc(65_536, 'x')));
        if (!respond.destroyed) respond.once('drain', pour)
      }
      pour()
    }),
    receiver((_request, respond) => respond.writeHead(307, { location: inner.url }).end()),
    receiver((request, _respond) => request.socket.destroy()),
    receiver((_request, respond) => respond.writeHead(200, { 'content-length': '10' }).end('x')),
  ])
  const good = await receiver((_request, respond) => respond.end('ok'))
  const all = [inner, good, ...bad]
  try {
    const [loud, quiet] = [await makeAgent(office), await makeAgent(office)]
    const loudClient = office.as(await office.login(loud.loginName))
    const quietClient = office.as(await office.login(quiet.loginName))
    for (const { url } of bad) await loudClient.webhooks.add({ url, topics: ['shop.changed'] })
    await quietClient.webhooks.add({ url: good.url, topics: ['shop.changed'] })
    const shops = [await makeMerchant(office, loud.id), await makeMerchant(office, quiet.id)]
    await office.owner.query(`update merchants set shop_name = shop_name || '改' where id = any ($1)`, [
      shops,
    ])
    const { services } = office.app
    while (await sequenceChanges(services));
    while (await deliverWebhooks(services));
    report.count('receivers', all.length)
    if (inner.asked() > 0) report.breach('a receiver led a delivery elsewhere')
    if (good.asked() !== 1) report.breach(`beside bad receivers a good one was told ${good.asked()} times`)
  } finally {
    for (const one of all) await one.stop()
  }
}

async function receiver(answer: (request: IncomingMessage, respond: ServerResponse) => void) {
  let asked = 0
  const server: Server = createServer((request, respond) => {
    asked++
    respond.on('error', () => undefined)
    request.resume()
    answer(request, respond)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    asked: () => asked,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Where an office is reached from outside, nobody sends it into its own network. */
async function attackAddresses(report: Report): Promise<void> {
  const office = await openOffice({ settings: { WEBHOOKS_TO_LOOPBACK: 'off' } })
  try {
    const mine = office.as(await office.login((await makeAgent(office)).loginName))
    for (const url of [
      ...[
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://0.0.0.0/',
      ],
      ...[
        'https://10.0.0.1/',
        'https://172.16.0.1/',
        'https://192.168.1.1/',
        'https://169.254.169.254/latest/meta-data/',
      ],
      ...[
        'https://2130706433/',
        'https://0x7f.1/',
        'https://017700000001/',
        'https://[fe80::1]/',
        'https://[fd00::1]/',
      ],
      ...[
        'http://example.com/',
        'file:///etc/passwd',
        'gopher://example.com/',
        'https://user:pass@example.com/',
      ],
      ...[
        'https://metadata.internal/',
        'https://printer.local/',
        'https://100.64.0.1/',
        'https://[64:ff9b::7f00:1]/',
      ],
    ]) {
      report.count('calls')
      report.count('addresses')
      const code = await refusalOf(mine.webhooks.add({ url, topics: ['shop.changed'] }))
      if (code === 'accepted' || isBroken(500, code)) report.breach(`${url} as a receiver: ${code}`)
    }
  } finally {
    await office.stop()
  }
}

async function attackPrintProgram(report: Report): Promise<void> {
  const desk = makeDesk()
  const bridge = await desk.start({})
  try {
    const { port } = bridge
    for (const [who, how] of Object.entries({
      'a page of another origin': { origin: 'https://evil.example' },
      'a page without one': { origin: 'null' },
      'a name that leads here': { host: `evil.example:${port}` },
      'another path': { path: '/../etc/passwd' },
    })) {
      report.count('at_the_print_program')
      const isShut = await connect(port, how).then(
        page => {
          page.socket.close()
          return false
        },
        () => true,
      )
      if (!isShut) report.breach(`${who} is let in at the print program`)
    }
    const hostile = [
      '',
      '{',
      'null',
      '[['.repeat(900),
      '{"type":"__proto__"}',
      JSON.stringify(printOf('../../x', 'folder', PRINTED)),
    ]
    for (const message of hostile) {
      report.count('at_the_print_program')
      const page = await connect(port)
      page.send(message)
      page.send({ type: 'hello', token: randomBytes(32).toString('base64url') })
      page.send(printOf('a', 'folder', PRINTED))
      await page.closed
    }
    if (desk.printed().length > 0) report.breach('a stranger printed')
    const { page } = await pairedPage(desk, port)
    page.send(printOf('b', 'folder', PRINTED))
    await page.next('done')
    page.socket.close()
  } finally {
    await bridge.stop()
    desk.remove()
  }
}
