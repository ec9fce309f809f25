// Puzzles and passes through the router: answered once, bound to what they are for, refused in time (providers.md §8).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import sharp from 'sharp'
import { NO_PROVIDERS } from '#app/providers.ts'
import { type CaptchaVerifier, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { connectSms } from '#test/silent-sms.ts'
import { drawPuzzle } from './server-picture.ts'

let office: Office
let agent: MadeAgent
let anyone: Client
let mine: Client
let shop: number

before(async () => {
  office = await openOffice()
  connectSms(office)
  agent = await makeAgent(office)
  anyone = office.as(null)
  mine = office.as(await office.login(agent.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  shop = await makeMerchant(office, agent.id)
  await office.owner.query('delete from captcha_passes')
  await office.owner.query('delete from captcha_challenges')
})

const subject = (purpose = 'phone') => `${shop}:${purpose}`
const send = (captcha: string, purpose: 'phone' | 'recovery' = 'phone') =>
  refusalOf(mine.messages.sendCode({ merchantId: shop, purpose, captcha }))

async function asked(scene: 'code' | 'consultation' = 'code', of = subject()) {
  const puzzle = await anyone.captcha.challenge({ scene, subject: of })
  assert.equal(puzzle.kind, 'slide')
  const { rows } = await office.owner.query('select x from captcha_challenges where id = $1', [puzzle.id])
  // The page has had it for a moment.
  await office.owner.query(
    `update captcha_challenges set created_at = created_at - interval '2 seconds' where id = $1`,
    [puzzle.id],
  )
  return { ...puzzle, x: Number(rows[0].x) }
}

function handTo(x: number) {
  const trail = Array.from({ length: 30 }, (_, i): [number, number, number] => {
    const share = i / 29
    return [x * (1 - (1 - share) ** 3), Math.sin(i), 800 * share]
  })
  return { by: 'pointer' as const, x, durationMs: 800, trail }
}

async function pass(scene: 'code' | 'consultation' = 'code', of = subject()): Promise<string> {
  const { id, x } = await asked(scene, of)
  return (await anyone.captcha.solve({ id, ...handTo(x) })).token
}

describe('a puzzle', () => {
  test('is two pictures and a height, and tells its place to nobody', async () => {
    const puzzle = await anyone.captcha.challenge({ scene: 'code', subject: subject() })
    assert.ok(puzzle.kind === 'slide')
    assert.deepEqual(Object.keys(puzzle).sort(), [
      'background',
      'height',
      'id',
      'kind',
      'piece',
      'pieceSize',
      'width',
      'y',
    ])
    for (const [address, ratio] of [
      [puzzle.background, 320 / 180],
      [puzzle.piece, 1],
    ] as const) {
      const meta = await sharp(Buffer.from(address.split(',')[1] as string, 'base64')).metadata()
      assert.ok(Math.abs((meta.width as number) / (meta.height as number) - ratio) < 0.02)
    }
    const { rows } = await office.owner.query('select * from captcha_challenges where id = $1', [puzzle.id])
    assert.equal(rows[0].y, puzzle.y)
    assert.ok(rows[0].x >= 88 && rows[0].x <= 248)
    assert.ok(!JSON.stringify(rows[0]).includes(subject()))
  })

  test('is darker where its piece belongs than around, and another one each time', async () => {
    const seen = new Set<number>()
    for (let i = 0; i < 8; i++) {
      const { x, y, background } = await drawPuzzle()
      seen.add(x)
      const { data, info } = await sharp(Buffer.from(background.split(',')[1] as string, 'base64'))
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const scale = info.width / 320
      const light = (left: number, top: number) =>
        data[
          Math.round(top * scale) * info.width * info.channels + Math.round(left * scale) * info.channels
        ] as number
      const mean = (left: number, top: number) => {
        const points = [-3, 0, 3].flatMap(dx => [-3, 0, 3].map(dy => light(left + dx, top + dy)))
        return points.reduce((sum, point) => sum + point, 0) / points.length
      }
      const beside = [mean(x - 6, y + 32), mean(x + 70, y + 32), mean(x + 32, y - 4), mean(x + 32, y + 68)]
      assert.ok(mean(x + 32, y + 32) < Math.max(...beside), `the hole of ${x},${y} is seen`)
    }
    assert.ok(seen.size > 1)
  })

  test('that is solved gives a pass, which sends one code', async () => {
    const token = await pass()
    assert.equal(await send(token), 'accepted')
    const { rows } = await office.owner.query('select token_hash, used_at from captcha_passes')
    assert.equal(rows.length, 1)
    assert.ok(rows[0].used_at !== null && !rows[0].token_hash.toString().includes(token))
  })

  test('is used up by any answer', async () => {
    const { id, x } = await asked()
    assert.equal(await refusalOf(anyone.captcha.solve({ id, ...handTo(x - 30) })), 'CAPTCHA_MISSED')
    assert.equal(await refusalOf(anyone.captcha.solve({ id, ...handTo(x) })), 'CAPTCHA_EXPIRED')
    const other = await asked()
    const even = Array.from({ length: 20 }, (_, i): [number, number, number] => [
      (other.x / 19) * i,
      0,
      i * 40,
    ])
    const machine = { by: 'pointer' as const, x: other.x, durationMs: 800, trail: even }
    assert.equal(await refusalOf(anyone.captcha.solve({ id: other.id, ...machine })), 'CAPTCHA_UNNATURAL')
    assert.equal(
      await refusalOf(anyone.captcha.solve({ id: other.id, ...handTo(other.x) })),
      'CAPTCHA_EXPIRED',
    )
  })

  test('answered by eight at once gives one pass', async () => {
    const { id, x } = await asked()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refusalOf(anyone.captcha.solve({ id, ...handTo(x) }))),
    )
    assert.deepEqual(answers.sort(), [...Array(7).fill('CAPTCHA_EXPIRED'), 'accepted'])
  })

  test('ends after two minutes, and is another network’s nothing', async () => {
    const late = await asked()
    await office.owner.query(
      `update captcha_challenges set expires_at = now() - make_interval(secs => 1) where id = $1`,
      [late.id],
    )
    assert.equal(await refusalOf(anyone.captcha.solve({ id: late.id, ...handTo(late.x) })), 'CAPTCHA_EXPIRED')
    const elsewhere = await asked()
    await office.owner.query(`update captcha_challenges set ip_hash = 'other' where id = $1`, [elsewhere.id])
    assert.equal(
      await refusalOf(anyone.captcha.solve({ id: elsewhere.id, ...handTo(elsewhere.x) })),
      'CAPTCHA_EXPIRED',
    )
  })

  test('may be asked for sixty times an hour by one network', async () => {
    await office.owner.query(
      `insert into captcha_challenges (id, scene, subject_hash, ip_hash, x, y, created_at, expires_at, answered_at)
         select 'old' || i, 'code', 's', $1, 1, 1, now(), now(), now() from generate_series(1, 60) i`,
      [office.app.services.secrets.digest('captcha network 127.0.0.1')],
    )
    const ask = () => refusalOf(anyone.captcha.challenge({ scene: 'code', subject: subject() }))
    assert.equal(await ask(), 'THROTTLED')
    await office.owner.query(
      `update captcha_challenges set created_at = created_at - interval '1 hour' where id = 'old1'`,
    )
    assert.equal(await ask(), 'accepted')
  })
})

describe('a pass', () => {
  test('is needed, and opens once, for its own subject, scene and network', async () => {
    assert.equal(await send(''), 'CAPTCHA_REQUIRED')
    assert.equal(await send('made-up'), 'CAPTCHA_WRONG')
    assert.equal(await send(await pass('code', '1:phone')), 'CAPTCHA_WRONG')
    assert.equal(await send(await pass('code', subject('recovery'))), 'CAPTCHA_WRONG')
    assert.equal(await send(await pass('consultation')), 'CAPTCHA_WRONG')
    const elsewhere = await pass()
    await office.owner.query(`update captcha_passes set ip_hash = 'other'`)
    assert.equal(await send(elsewhere), 'CAPTCHA_WRONG')
    const token = await pass()
    assert.equal(await send(token), 'accepted')
    await office.owner.query(
      `update captcha_passes set used_at = used_at - interval '2 minutes' where used_at is not null`,
    )
    assert.equal(await send(token), 'CAPTCHA_WRONG')
  })

  test('ends after two minutes', async () => {
    const token = await pass()
    await office.owner.query(`update captcha_passes set expires_at = now() - make_interval(secs => 1)`)
    assert.equal(await send(token), 'CAPTCHA_WRONG')
  })

  test('comes back where what it opened was refused', async () => {
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    const token = await pass()
    assert.equal(await send(token), 'MERCHANT_DISABLED')
    await office.owner.query(`update merchants set status = 'normal' where id = $1`, [shop])
    assert.equal(await send(token), 'accepted')
  })

  test('used by eight at once opens once', async () => {
    const token = await pass()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(token)))
    assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
    const { rows } = await office.owner.query('select * from outbox_messages where merchant_id = $1', [shop])
    assert.equal(rows.length, 1)
  })

  test('is refused within a minute of the one before, before anybody solves a puzzle, with the seconds left', async () => {
    assert.equal(await send(await pass()), 'accepted')
    await assert.rejects(anyone.captcha.challenge({ scene: 'code', subject: subject() }), (error: never) => {
      const { code, data } = error as { code: string; data: { secondsLeft: number } }
      assert.equal(code, 'CAPTCHA_TOO_SOON')
      assert.ok(data.secondsLeft > 0 && data.secondsLeft <= 60)
      return true
    })
    assert.equal(await refusalOf(anyone.captcha.challenge({ scene: 'code', subject: '1:phone' })), 'accepted')
  })

  test('opens twenty codes an hour for one network, five for one shop', async () => {
    const network = office.app.services.secrets.digest('captcha network 127.0.0.1')
    const used = (subjectHash: string | Buffer, times: number, ipHash: string | Buffer) =>
      office.owner.query(
        `insert into captcha_passes (token_hash, scene, subject_hash, ip_hash, created_at, expires_at, used_at)
           select gen_random_uuid()::text::bytea, 'code', $1, $3, now(), now(), now() - interval '5 minutes' from generate_series(1, $2)`,
        [subjectHash, times, ipHash],
      )
    await used('others', 20, network)
    const ask = () => refusalOf(anyone.captcha.challenge({ scene: 'code', subject: subject() }))
    assert.equal(await ask(), 'THROTTLED')
    assert.equal(
      await refusalOf(anyone.captcha.challenge({ scene: 'consultation', subject: '13700000000' })),
      'accepted',
    )
    await office.owner.query('delete from captcha_passes')
    await used(office.app.services.secrets.digest(`captcha subject code ${subject()}`), 5, 'elsewhere')
    assert.equal(await ask(), 'CAPTCHA_TOO_MANY')
  })
})

describe('a third party’s puzzle', () => {
  let theirs: Office
  let verify: CaptchaVerifier['verify'] = async () => false
  before(async () => {
    const captcha: CaptchaVerifier = { name: 'geetest', verify: (proof, ip) => verify(proof, ip) }
    theirs = await openOffice({ providers: { ...NO_PROVIDERS, captcha, captchaSite: { captchaId: 'abc' } } })
  })
  after(() => theirs.stop())
  const guarded = { scene: 'consultation' as const, subject: '13700000000' }
  const PROOF = { lot_number: '1', captcha_output: '2', pass_token: '3', gen_time: '4' }
  const fresh = async () => {
    const puzzle = await theirs.as(null).captcha.challenge(guarded)
    assert.equal(puzzle.kind, 'geetest')
    return puzzle.id
  }
  const prove = (id: string) => theirs.as(null).captcha.prove({ id, proof: PROOF })

  test('is shown by its own script, and its proof gives a pass once', async () => {
    verify = async (proof, ip) => proof.pass_token === '3' && ip === '127.0.0.1'
    const puzzle = await theirs.as(null).captcha.challenge(guarded)
    assert.deepEqual(puzzle, { kind: 'geetest', id: puzzle.id, site: { captchaId: 'abc' } })
    const { token } = await prove(puzzle.id)
    const form = { name: '张三', mobile: guarded.subject, captcha: token }
    assert.equal(await refusalOf(theirs.as(null).consultations.submit(form)), 'accepted')
    assert.equal(await refusalOf(prove(puzzle.id)), 'CAPTCHA_EXPIRED')
    await theirs.owner.query('delete from captcha_passes')
  })

  test('that is not solved gives none, and ours is no way around it', async () => {
    verify = async () => false
    assert.equal(await refusalOf(prove(await fresh())), 'CAPTCHA_REJECTED')
    const id = await fresh()
    assert.equal(await refusalOf(theirs.as(null).captcha.solve({ id, ...handTo(-1) })), 'CAPTCHA_EXPIRED')
    const { rows } = await theirs.owner.query('select * from captcha_passes')
    assert.deepEqual(rows, [])
  })

  test('that nobody can reach is ours for ten times an hour', async () => {
    const ask = () => theirs.as(null).captcha.challenge({ ...guarded, unreachable: true })
    await theirs.owner.query('delete from captcha_challenges')
    for (let i = 0; i < 10; i++) assert.equal((await ask()).kind, 'slide')
    assert.equal(await refusalOf(ask()), 'THROTTLED')
    await theirs.owner.query('delete from captcha_challenges')
  })

  test('that refuses rubbish stays the puzzle of everybody else', async () => {
    verify = async () => {
      throw new ProviderRefused('-50005', 'illegal gen_time')
    }
    assert.equal(await refusalOf(prove(await fresh())), 'CAPTCHA_UNAVAILABLE')
    await fresh()
  })

  test('whose service is down lets nobody through, and ours stands in', async () => {
    verify = async () => {
      throw new ProviderUnknown('no answer')
    }
    assert.equal(await refusalOf(prove(await fresh())), 'CAPTCHA_UNAVAILABLE')
    assert.equal((await theirs.as(null).captcha.challenge(guarded)).kind, 'slide')
  })
})
